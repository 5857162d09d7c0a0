//! UTF-16 without a byte order mark.
//!
//! The statistical detector does not know it and calls it windows-1252. Half of its bytes may be NUL, by which binary
//! files are known. So it is looked for before both.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// How many bytes are looked at.
const SAMPLE: usize = 8 << 10;

/// Returns the byte order of a document, if it is UTF-16.
///
/// In UTF-16 an ASCII character has a NUL byte, always on the same side, and every text of several lines has ASCII
/// characters. 一 and 가 have a NUL byte on the other side, so both orders are tried.
#[must_use]
pub(super) fn detect(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE) & !1];
    let nuls = |place: usize| {
        let side = sample.iter().skip(place).step_by(2);
        side.filter(|&&byte| byte == 0).count()
    };
    let (high, low) = (nuls(0), nuls(1));
    if high + low == 0 || !bytes.len().is_multiple_of(2) || has_stray_nuls(sample, high + low) {
        return None;
    }
    let is_cut = bytes.len() > sample.len();
    let orders = match high > low {
        true => [UTF_16BE, UTF_16LE],
        false => [UTF_16LE, UTF_16BE],
    };
    let mut orders = orders.into_iter();
    orders.find(|order| is_plausible(sample, order, is_cut))
}

/// Returns whether bytes are UTF-8 with a few NULs in it. UTF-16 of ASCII is UTF-8 too, but half of it is NUL. That of other
/// alphabets has control characters.
fn has_stray_nuls(sample: &[u8], nuls: usize) -> bool {
    let is_text =
        |&byte: &u8| byte == 0 || !byte.is_ascii_control() || b"\t\n\x0c\r".contains(&byte);
    if nuls * 4 >= sample.len() || !sample.iter().all(is_text) {
        return false;
    }
    // A character may be cut in two at the end.
    str::from_utf8(sample).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Returns whether bytes are text in an encoding: nothing is broken, and nine of ten characters are letters, digits,
/// punctuation or white space of a script in use. The bytes may end in the middle of a character if they are cut.
fn is_plausible(bytes: &[u8], encoding: &'static Encoding, is_cut: bool) -> bool {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let whole = text.strip_suffix(char::REPLACEMENT_CHARACTER);
    let text = whole.filter(|_| is_cut).unwrap_or(&text);
    let is_broken = |c: char| {
        c == char::REPLACEMENT_CHARACTER
            || is_private(c)
            || (c.is_control() && !"\t\n\u{c}\r".contains(c))
    };
    let is_sensible = |c: &char| c.is_alphanumeric() || c.is_whitespace() || is_punctuation(*c);
    let sensible = text.chars().filter(is_sensible).count();
    !text.contains(is_broken) && sensible * 10 >= text.chars().count() * 9
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fffe}' | '\u{ffff}' | '\u{f0000}'..)
}

/// Returns whether a character is punctuation, a symbol or white space of ASCII, Latin 1, the general block or East
/// Asia.
fn is_punctuation(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{bf}' | '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{303f}'
        | '\u{ff00}'..='\u{ffef}' | '\u{1f300}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS};
    use proptest::prelude::*;

    fn encoded(text: &str, unit: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn text_of_any_script_is_found() {
        for text in [
            "Plain English, with a line end.\n",
            "a",
            "旧城区的梧桐树在雨后显得格外安静。\n",
            "一一一，\n",
            // As many NULs on one side as on the other.
            "开退开：这里写着一些别的话，都不短。\n去年秋天又种了一些树。\n\n",
            "Старый город после дождя кажется тихим.",
            "비 온 뒤 옛 도심의 가로수는 유난히 고요하다.",
            "雨上がりの古い町並みは、とりわけ静かに見える。\n",
            "emoji 🌳 and more 𠮷",
        ] {
            let little = encoded(text, u16::to_le_bytes);
            assert_eq!(detect(&little), Some(UTF_16LE), "{text}");
            let big = encoded(text, u16::to_be_bytes);
            assert_eq!(detect(&big), Some(UTF_16BE), "{text}");
            let long = encoded(&text.repeat(9_000 / text.len() + 7), u16::to_le_bytes);
            assert_eq!(detect(&long), Some(UTF_16LE), "{text}");
        }
    }

    #[test]
    fn other_bytes_are_not() {
        for bytes in [
            &b""[..],
            b"a",
            b"plain ASCII text",
            b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            b"PK\x03\x04\x14\0\x06\0\x08\0",
            &[0; 64],
            b"A text with a stray \0 NUL in it, and more words.\n",
            "Zw\u{f6}lf \u{201c}B\u{e4}ume\u{201d} \0 stehen am Ufer des Flusses.".as_bytes(),
            "\u{65e7}\u{57ce}\u{533a}\0\u{7684}\u{68a7}\u{6850}\u{6811}\u{5728}\u{96e8}\u{540e}."
                .as_bytes(),
        ] {
            assert_eq!(detect(bytes), None, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn legacy_encodings_are_not(text in "[一-龥]{20,200}") {
            for encoding in [GBK, BIG5, SHIFT_JIS, EUC_KR] {
                let (bytes, _, is_lossy) = encoding.encode(&text);
                prop_assume!(!is_lossy || encoding != GBK);
                prop_assert_eq!(detect(&bytes), None);
            }
        }
    }
}
