//! Bytes to text: finds out the encoding of a document and decodes it.
//!
//! The tests come in this order, cheapest and surest first: a byte order mark; UTF-16 without one, and the NUL rule for
//! binary files; valid UTF-8, which may be ISO-2022-JP; UTF-8 in some lines; UTF-8 with a few broken bytes; the encoding
//! that the document declares; the statistical detector of Firefox. The detector is slow, so it is given only the telling part. What it takes for
//! text of one byte a character may be damaged text of East Asia.

mod damaged;
mod head;

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memmem};

use crate::decode::damaged::{damaged, is_likely};
pub(crate) use crate::decode::head::LFS_MOST;
pub(crate) use crate::decode::head::xml_label;
pub use crate::decode::head::{PARQUET_MAGIC, is_lfs_pointer, known_binary};
use crate::decode::head::{declared, utf16};

/// How many bytes are searched for a NUL: the rule of grep, ripgrep and git.
pub const BINARY_PREFIX: usize = 8 << 10;

/// How many bytes the detector is given, from the first byte that is not ASCII on, and how many are searched for an
/// escape.
const SAMPLE: usize = 64 << 10;

/// In how many parts of it the encoding of a text is looked for, and how many bytes one has at least.
const PARTS: usize = 8;
const LEAST_PART: usize = 64;

/// A file with at least this many intact UTF-8 sequences for every broken one is damaged UTF-8. Texts in legacy
/// encodings look like UTF-8 only by accident, and hardly ever in sequences of three bytes: one of them for every broken one
/// is enough.
const INTACT_PER_BROKEN: usize = 4;

/// Decoded text, and how it was decoded.
#[derive(Debug)]
pub struct Decoded<'b> {
    /// The text; borrowed if the bytes were valid UTF-8.
    pub text: Cow<'b, str>,
    /// The name of the encoding that was used.
    pub encoding: &'static str,
    /// Whether some bytes meant nothing in that encoding and were replaced by U+FFFD.
    pub replaced: bool,
}

/// Returns the text of a document. `named` is its encoding, if the user names it. There is no text if the first 8 KiB
/// have a NUL byte, unless it is UTF-16.
pub fn decode<'b>(bytes: &'b [u8], named: Option<&'static Encoding>) -> Option<Decoded<'b>> {
    if let Some(encoding) = named {
        return decode_as(bytes, encoding);
    }
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        // `decode_without_bom_handling` would keep the mark.
        return Some(Decoded::by(encoding, &bytes[mark..]));
    }
    if has_nul(bytes) {
        return utf16(bytes).map(|encoding| Decoded::by(encoding, bytes));
    }
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Some(iso_2022_jp(text).unwrap_or(Decoded {
            text: Cow::Borrowed(text),
            encoding: UTF_8.name(),
            replaced: false,
        }));
    }
    // A page may be converted and still declare the encoding it had before.
    let declared = declared(bytes);
    Some(mixed(bytes, declared).unwrap_or_else(|| of_invalid(bytes, declared)))
}

/// Returns whether there is a NUL byte at the beginning.
fn has_nul(bytes: &[u8]) -> bool {
    memchr(0, &bytes[..bytes.len().min(BINARY_PREFIX)]).is_some()
}

/// Returns the text of lines of which some are UTF-8, and the others are in an encoding of East Asia.
fn mixed(bytes: &[u8], declared: Option<&'static Encoding>) -> Option<Decoded<'static>> {
    let lines = || bytes.split_inclusive(|byte| *byte == b'\n');
    // Other encodings look like UTF-8 only in sequences of two bytes.
    let is_wide = |text: &str| text.chars().any(|c| c.len_utf8() > 2);
    let mut valid = lines().filter_map(|line| str::from_utf8(line).ok());
    valid.find(|text| is_wide(text))?;
    let others = lines().filter(|line| str::from_utf8(line).is_err());
    let others = others.collect::<Vec<_>>().concat();
    let decoded = of_invalid(&others, declared);
    let encoding = Encoding::for_label(decoded.encoding.as_bytes())?;
    if encoding == UTF_8 || encoding.is_single_byte() {
        return None;
    }
    let mut decoded_lines = decoded.text.split_inclusive('\n');
    let text: Option<String> = lines()
        .map(|line| str::from_utf8(line).ok().or_else(|| decoded_lines.next()))
        .collect();
    Some(Decoded {
        text: Cow::Owned(text?),
        encoding: decoded.encoding,
        replaced: decoded.replaced,
    })
}

/// Returns the text of bytes that are not valid UTF-8. `declared` is the encoding that they declare.
fn of_invalid<'b>(bytes: &'b [u8], declared: Option<&'static Encoding>) -> Decoded<'b> {
    if is_broken_utf8(bytes) {
        return Decoded::by(UTF_8, bytes);
    }
    let by_declared = declared.map(|encoding| Decoded::by(encoding, bytes));
    if let Some(decoded) = by_declared.filter(|decoded| !decoded.replaced) {
        return decoded;
    }
    let detected = detect(bytes);
    let by_detected = Decoded::by(detected, bytes);
    let is_sure = !by_detected.replaced && is_likely(bytes, detected);
    let repaired = (!is_sure).then(|| damaged(bytes, declared)).flatten();
    repaired.unwrap_or_else(|| match declared {
        Some(declared) if by_detected.replaced => Decoded::by(declared, bytes),
        _ if detected.is_single_byte() => by_most(bytes).unwrap_or(by_detected),
        _ => by_detected,
    })
}

/// Returns the text in the encoding of one byte a character that most parts of the bytes are in, if it has no character for one
/// of the bytes: such a byte excludes it for the whole. Of any other encoding the whole tells more. Parts in ASCII tell nothing.
fn by_most(bytes: &[u8]) -> Option<Decoded<'_>> {
    let first = bytes.iter().position(|byte| !byte.is_ascii())?;
    let sample = &bytes[first..bytes.len().min(first + SAMPLE)];
    let parts = sample.chunks((sample.len() / PARTS).max(LEAST_PART));
    let parts = parts.filter(|part| !part.is_ascii());
    let found: Vec<_> = parts.map(detect).collect();
    let is_most = |one: &&&'static Encoding| {
        let same = found.iter().filter(|other| *other == *one).count();
        found.len() > 2 && same * 2 > found.len()
    };
    let most = found.iter().find(is_most)?;
    let decoded = Decoded::by(most, bytes);
    let is_excluded = decoded.replaced
        || decoded
            .text
            .contains(|c| ('\u{80}'..='\u{9f}').contains(&c));
    (most.is_single_byte() && is_excluded).then_some(decoded)
}

/// Returns the text of ISO-2022-JP, if nearly all of its characters are intact. Its escapes are ASCII characters, so its
/// bytes are valid UTF-8.
fn iso_2022_jp(text: &str) -> Option<Decoded<'_>> {
    let head = &text.as_bytes()[..text.len().min(SAMPLE)];
    if memmem::find(head, b"\x1b$").is_none() || !text.is_ascii() {
        return None;
    }
    let decoded = Decoded::by(ISO_2022_JP, text.as_bytes());
    let wide = decoded.text.chars().filter(|c| !c.is_ascii()).count();
    let broken = decoded.text.matches(char::REPLACEMENT_CHARACTER).count();
    let intact = wide - broken;
    (intact > 0 && intact >= broken * INTACT_PER_BROKEN).then_some(decoded)
}

/// Returns the text in the encoding that the user names. A binary file among the documents has no text in it either.
fn decode_as<'b>(bytes: &'b [u8], encoding: &'static Encoding) -> Option<Decoded<'b>> {
    let mark = Encoding::for_bom(bytes).filter(|(marked, _)| *marked == encoding);
    let bytes = &bytes[mark.map_or(0, |(_, mark)| mark)..];
    let is_wide = encoding == UTF_16LE || encoding == UTF_16BE;
    (is_wide || !has_nul(bytes)).then(|| Decoded::by(encoding, bytes))
}

impl<'b> Decoded<'b> {
    fn by(encoding: &'static Encoding, bytes: &'b [u8]) -> Self {
        let (text, replaced) = encoding.decode_without_bom_handling(bytes);
        Self {
            text,
            encoding: encoding.name(),
            replaced,
        }
    }
}

/// Returns whether bytes that are not valid UTF-8 are damaged UTF-8: nearly all sequences are intact. A character that the
/// end cuts in two is no damage.
fn is_broken_utf8(bytes: &[u8]) -> bool {
    let (mut intact, mut long, mut broken, mut at) = (0, 0, 0, 0);
    for chunk in bytes.utf8_chunks() {
        intact += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        long += chunk.valid().chars().filter(|c| c.len_utf8() > 2).count();
        at += chunk.valid().len() + chunk.invalid().len();
        let is_cut =
            || str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
        let is_whole = chunk.invalid().is_empty() || (at == bytes.len() && is_cut());
        broken += usize::from(!is_whole);
    }
    intact > 0 && (intact >= broken * INTACT_PER_BROKEN || long >= broken)
}

/// Returns the detector's guess.
fn detect(bytes: &[u8]) -> &'static Encoding {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let sample = &bytes[first..];
    let shown = sample.len().min(SAMPLE);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&sample[..shown], shown == sample.len());
    // The detector does not distinguish the members of the GBK family: encoding_rs decodes all of them as GB18030.
    detector.guess(None, Utf8Detection::Deny)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;
    use encoding_rs::{GB18030, KOI8_R, WINDOWS_1251};

    const TEXT: &str = "旧城区的梧桐树在雨后显得格外安静，巷口的修鞋摊已经摆了三十年。";

    fn text(bytes: &[u8]) -> (String, &'static str, bool) {
        let decoded = decode(bytes, None).expect("text");
        (
            decoded.text.into_owned(),
            decoded.encoding,
            decoded.replaced,
        )
    }

    #[test]
    fn utf8_with_and_without_mark_is_not_copied() {
        for bytes in [
            TEXT.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", TEXT.as_bytes()].concat(),
        ] {
            let decoded = decode(&bytes, None).unwrap();
            assert!(matches!(decoded.text, Cow::Borrowed(TEXT)));
            assert!(!decoded.replaced);
        }
    }

    #[test]
    fn utf16_with_and_without_a_mark() {
        let (line, short) = (format!("{TEXT}\n"), "plain text");
        let of = |text: &str, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(unit).collect()
        };
        let (little, big) = (u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes);
        for (mark, written, unit, encoding) in [
            (&[0xff, 0xfe][..], TEXT, little, UTF_16LE),
            (&[0xfe, 0xff], TEXT, big, UTF_16BE),
            (&[], &line, little, UTF_16LE),
            (&[], &line, big, UTF_16BE),
            (&[], short, little, UTF_16LE),
        ] {
            let found = text(&[mark, &of(written, unit)].concat());
            assert_eq!(found, (written.into(), encoding.name(), false));
        }
    }

    #[test]
    fn japanese_by_its_escapes() {
        let written = "雨上がりの町\nplain\n図書館";
        let (bytes, ..) = ISO_2022_JP.encode(written);
        assert_eq!(text(&bytes), (written.into(), "ISO-2022-JP", false));
        let cut = text(&bytes[..bytes.len() - 4]);
        assert!(cut.2 && cut.0.ends_with("図書\u{fffd}"), "{cut:?}");
        let late = [" ".repeat(SAMPLE).as_bytes(), &bytes].concat();
        for plain in ["\x1b[31mred\x1b[0m", "\x1b$Bq\n", "\x1b$", "~{VPND~}"] {
            assert_eq!(text(plain.as_bytes()).1, "UTF-8", "{plain:?}");
        }
        assert_eq!(text(&late).1, "UTF-8");
        assert_eq!(text(&[&bytes, "町".as_bytes()].concat()).1, "UTF-8");
    }

    #[test]
    fn a_declaration_counts_if_it_can_be_true() {
        let page = |label: &str, text: &str| format!("<meta charset={label}><p>{text}</p>");
        // Too short for statistics.
        let (bytes, ..) = WINDOWS_1251.encode("Дом");
        let declared = [b"<meta charset=windows-1251>", bytes.as_ref()].concat();
        assert!(text(&declared).0.ends_with("Дом"));
        // Converted to UTF-8 or to another encoding, with the declaration left as it was.
        let kept = page("gbk", TEXT);
        assert_eq!(text(kept.as_bytes()), (kept.clone(), "UTF-8", false));
        let lying = page("utf-8", TEXT);
        let (bytes, ..) = GB18030.encode(&lying);
        assert_eq!(text(&bytes).0, lying);
    }

    #[test]
    fn a_byte_without_a_character_excludes_no_encoding() {
        for (encoding, written) in [
            (
                WINDOWS_1251,
                "Старый город после дождя кажется особенно тихим, и сапожник сидит у входа в переулок уже тридцать лет. Каждое \
                 утро старик протирает инструменты и раскладывает их на доске.",
            ),
            (
                encoding_rs::WINDOWS_1253,
                "Η παλιά πόλη μετά τη βροχή φαίνεται ιδιαίτερα ήσυχη, και ο τσαγκάρης κάθεται στην είσοδο του δρόμου εδώ και \
                 τριάντα χρόνια. Κάθε πρωί ο γέρος καθαρίζει τα εργαλεία του ένα ένα.",
            ),
        ] {
            let (mut bytes, ..) = encoding.encode(written);
            bytes.to_mut()[99] = if encoding == WINDOWS_1251 { 0x98 } else { 0xff };
            let (found, name, _) = text(&bytes);
            assert_eq!(name, encoding.name());
            assert!(found.ends_with(&written[written.len() - 60..]), "{found}");
        }
    }

    #[test]
    fn much_english_behind_a_sentence_hides_no_encoding() {
        let english = "The old town seems very quiet after the rain. ".repeat(24);
        for [encoding, written] in table(
            "windows-1251 | Старый город после дождя кажется особенно тихим.
             windows-1253 | Η παλιά πόλη μετά τη βροχή φαίνεται ιδιαίτερα ήσυχη.
             iso-8859-2   | Stará čtvrť je po dešti tišší než v zimě, říká švec u uličky.",
        ) {
            let encoding = Encoding::for_label(encoding.as_bytes()).unwrap();
            let written = format!("{written} {english}");
            assert_eq!(text(&encoding.encode(&written).0).0, written);
        }
    }

    #[test]
    fn the_encoding_of_the_user_is_not_doubted() {
        let (bytes, ..) = KOI8_R.encode("Дом");
        let named = |bytes, encoding| {
            decode(bytes, Some(encoding)).map(|decoded| decoded.text.into_owned())
        };
        assert_eq!(named(&bytes, KOI8_R).as_deref(), Some("Дом"));
        assert_eq!(named(TEXT.as_bytes(), UTF_8).as_deref(), Some(TEXT));
        assert_eq!(named(b"\xef\xbb\xbfa", UTF_8).as_deref(), Some("a"));
        assert_eq!(named(b"a\0b\0", UTF_16LE).as_deref(), Some("ab"));
        assert_eq!(named(b"\x89PNG\0", UTF_8), None);
        assert!(decode(b"\xff", Some(UTF_8)).unwrap().replaced);
    }

    #[test]
    fn gbk_and_gb18030_by_detection() {
        // The second has characters that only the four-byte form has.
        for original in [TEXT.to_owned(), format!("{TEXT}㐀㐁䶵")] {
            let (bytes, ..) = GB18030.encode(&original);
            let (decoded, name, replaced) = text(&bytes);
            assert_eq!(decoded, original);
            assert!(["GBK", "gb18030"].contains(&name), "{name}");
            assert!(!replaced);
        }
        // A long ASCII beginning must not hide it.
        let (bytes, ..) = GB18030.encode(TEXT);
        let late = ["# README\n".repeat(20_000).as_bytes(), bytes.as_ref()].concat();
        assert!(text(&late).0.ends_with(TEXT));
    }

    #[test]
    fn broken_utf8_is_repaired_and_noted() {
        let mut bytes = TEXT.as_bytes().to_vec();
        bytes[4] = 0xff;
        let (decoded, name, replaced) = text(&bytes);
        assert!(decoded.ends_with("三十年。") && decoded.contains('\u{fffd}'));
        assert_eq!((name, replaced), ("UTF-8", true));
        // One byte of twelve.
        for byte in bytes.iter_mut().skip(7).step_by(12) {
            *byte = b'z';
        }
        let (decoded, name, _) = text(&bytes);
        assert!(decoded.contains("三十年") && name == "UTF-8", "{decoded}");
        // Cut off in the middle of a character.
        let few = "The na\u{ef}ve captain waits in the caf\u{e9}".as_bytes();
        for (cut, end) in [(TEXT.as_bytes(), "三十年\u{fffd}"), (few, "caf\u{fffd}")] {
            let (decoded, name, replaced) = text(&cut[..cut.len() - 1]);
            assert!(decoded.ends_with(end), "{decoded}");
            assert_eq!((name, replaced), ("UTF-8", true));
        }
        assert_eq!(text(b"in the caf\xe9").0, "in the caf\u{e9}");
    }

    #[test]
    fn lines_in_utf8_and_lines_in_another_encoding_are_both_read() {
        let other = "路灯亮起的时候，孩子们还在空地上踢球，卖烤红薯的推车慢慢走远。";
        for encoding in [GB18030, encoding_rs::BIG5] {
            let (older, newer) = match encoding == GB18030 {
                true => (TEXT, other),
                false => (
                    "舊城區的梧桐樹在雨後顯得格外安靜，巷口的修鞋攤已經擺了三十年。",
                    other,
                ),
            };
            let old = encoding.encode(older).0;
            for parts in [[&old[..], newer.as_bytes()], [newer.as_bytes(), &old]] {
                let (decoded, ..) = text(&parts.join(&b'\n'));
                assert!(
                    decoded.contains(older) && decoded.contains(newer),
                    "{decoded}"
                );
            }
        }
    }

    #[test]
    fn a_nul_makes_it_binary() {
        assert!(decode(b"\x7fELF\0\0\0", None).is_none());
        assert!(decode(&[b'a'; 9000], None).is_some());
        let late: Vec<u8> = [vec![b'a'; 9000], vec![0]].concat();
        assert!(decode(&late, None).is_some());
        assert_eq!(text(b"").0, "");
        // One in a text does not make another encoding of it.
        for text in [
            "The ferry leaves\0 at six, when the mist lies on the water.",
            "The ferry\0leaves at six, when the mist lies on the water.",
            "渡船清晨六点\0离开东岸，那时水面上还有雾。",
            "渡船清晨六点离开东岸，那时水面上还有雾。\0",
        ] {
            assert!(decode(text.as_bytes(), None).is_none(), "{text:?}");
        }
    }
}
