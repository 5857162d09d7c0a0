//! What the first bytes of a document show: a format that is no text, the encoding that it declares, UTF-16.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::skipped::Wording;

/// How many bytes of a document are searched: the rule of the HTML standard (section 13.2.3.2).
const PRESCAN: usize = 1024;

/// Returns the encoding that a document declares. It need not be true.
///
/// Two declarations count: `<?xml ... encoding="..."?>` at the beginning, and `charset=...` in a tag `<meta ...>`. A
/// declaration of UTF-16 means UTF-8, since it could not be read otherwise.
pub(super) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(PRESCAN)];
    let label = xml_label(head).or_else(|| meta(head))?;
    let encoding = Encoding::for_label(label)?;
    let is_utf16 = encoding == UTF_16LE || encoding == UTF_16BE;
    Some(if is_utf16 { UTF_8 } else { encoding })
}

/// Returns the encoding in the XML declaration with which a document begins.
pub(crate) fn xml_label(head: &[u8]) -> Option<&[u8]> {
    let rest = head.strip_prefix(b"<?xml")?;
    let declaration = &rest[..find(rest, b"?>")?];
    value(declaration, b"encoding")
}

fn meta(head: &[u8]) -> Option<&[u8]> {
    let mut rest = head;
    loop {
        rest = &rest[find(rest, b"<meta")? + b"<meta".len()..];
        let tag = &rest[..find(rest, b">").unwrap_or(rest.len())];
        if let Some(label) = value(tag, b"charset") {
            return Some(label);
        }
    }
}

/// Returns the value behind `name=`, quoted or not.
fn value<'b>(tag: &'b [u8], name: &[u8]) -> Option<&'b [u8]> {
    let after = &tag[find(tag, name)? + name.len()..];
    let after = after
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let after = after
        .strip_prefix(b"\"")
        .or_else(|| after.strip_prefix(b"'"))
        .unwrap_or(after);
    let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.+".contains(byte);
    let end = after.iter().position(|byte| !is_label(byte));
    Some(&after[..end.unwrap_or(after.len())])
}

/// Returns where a name begins, in any case.
fn find(bytes: &[u8], name: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(name.len());
    windows.position(|window| window.eq_ignore_ascii_case(name))
}

/// The first and the last bytes of a file of Parquet.
pub const PARQUET_MAGIC: [u8; 4] = *b"PAR1";

/// How a pointer of Git LFS begins, also of versions before the first release, and how many bytes are more than it may have.
const LFS: [&[u8]; 3] = [
    b"version https://git-lfs.github.com/spec/",
    b"version https://hawser.github.com/spec/",
    b"version http://git-media.io/v/",
];
pub(crate) const LFS_MOST: u64 = 1024;

/// Returns whether a file is a pointer of Git LFS to the content that it should have.
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    (bytes.len() as u64) < LFS_MOST
        && LFS.iter().any(|version| bytes.starts_with(version))
        && find(bytes, b"\noid sha256:").is_some()
}

/// Returns the format of a file that is no text, with advice on how to read it, if its first bytes show the format.
/// Some of these formats have no NUL for a long time.
pub fn known_binary(bytes: &[u8], wording: &Wording) -> Option<&'static str> {
    Some(match bytes {
        [b'%', b'P', b'D', b'F', b'-', b'0'..=b'9', ..] => wording.pdf,
        [b'P', b'K', 3 | 5, 4 | 6, ..] => {
            "a zip archive: office files are read if their names end as usual, such as .docx"
        }
        // A column begins behind the name.
        [a, b, c, d, 0x15, ..] if [*a, *b, *c, *d] == PARQUET_MAGIC => {
            "a Parquet file: it is read if its name ends in .parquet"
        }
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, ..] => wording.old_office,
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => {
            "a text in UTF-32: iconv -f UTF-32 -t UTF-8 makes one of it that is read"
        }
        _ => return None,
    })
}

/// How many bytes are looked at.
const LOOKED_AT: usize = 8 << 10;

/// Returns the byte order of a document, if it is UTF-16 without a byte order mark. The statistical detector does not know it
/// and calls it windows-1252. Half of its bytes may be NUL, by which binary files are known. So it is looked for before both.
///
/// In UTF-16 an ASCII character has a NUL byte, always on the same side, and every text of several lines has ASCII
/// characters. 一 and 가 have a NUL byte on the other side, so both orders are tried.
pub(super) fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(LOOKED_AT) & !1];
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
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS};
    use proptest::prelude::*;

    #[test]
    fn declarations() {
        for (head, expected) in [
            (
                "<?xml version=\"1.0\" encoding=\"Shift_JIS\"?>",
                Some(SHIFT_JIS),
            ),
            ("<?xml version='1.0' encoding='big5' ?>", Some(BIG5)),
            ("<?xml version='1.0'?><p encoding='big5'>", None),
            ("<html><head><meta charset=gb2312>", Some(GBK)),
            ("<META CHARSET = 'EUC-JP' />", Some(EUC_JP)),
            (
                "<meta name=a content=b><meta http-equiv=\"Content-Type\" content=\"text/html; charset=gbk\">",
                Some(GBK),
            ),
            ("<meta charset=\"utf-16\">", Some(UTF_8)),
            ("<meta charset=\"nonsense\">", None),
            ("<meta charset", None),
            ("text about charset=gbk and <metal>", None),
            ("", None),
        ] {
            assert_eq!(declared(head.as_bytes()), expected, "{head}");
        }
        let late = format!("{}<meta charset=gbk>", " ".repeat(PRESCAN));
        assert_eq!(declared(late.as_bytes()), None);
    }

    #[test]
    fn pointers_of_git_lfs() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:6b86\nsize 10137\n";
        for address in [
            "https://git-lfs.github.com/spec/v1",
            "https://hawser.github.com/spec/v1",
            "http://git-media.io/v/2",
        ] {
            let extension = "ext-0-crypt sha256:77ab\n";
            let pointer = format!("version {address}\n{extension}oid sha256:6b86\nsize 10137\n");
            assert!(is_lfs_pointer(pointer.as_bytes()), "{pointer}");
        }
        assert!(is_lfs_pointer(pointer.as_bytes()));
        let page = format!("{pointer}{}", "words of a page about it ".repeat(50));
        for text in [
            "",
            "version 1",
            &pointer[..42],
            &page,
            &format!("# LFS\n{pointer}"),
        ] {
            assert!(!is_lfs_pointer(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn formats_that_are_no_text() {
        for (bytes, part) in [
            (&b"%PDF-1.7\n%"[..], "a PDF"),
            (b"PK\x03\x04\x14", "a zip archive"),
            (b"PK\x05\x06", "a zip archive"),
            (b"PAR1\x15\x04", "a Parquet file"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office 97"),
        ] {
            let known = known_binary(bytes, &Wording::default());
            assert!(known.is_some_and(|known| known.contains(part)));
        }
        for text in [
            "%PDF- is how they begin",
            "PK was here",
            "PAR1 is a word",
            "",
            "text",
        ] {
            let found = known_binary(text.as_bytes(), &Wording::default());
            assert_eq!(found, None, "{text}");
        }
    }

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
            assert_eq!(utf16(&little), Some(UTF_16LE), "{text}");
            let big = encoded(text, u16::to_be_bytes);
            assert_eq!(utf16(&big), Some(UTF_16BE), "{text}");
            let long = encoded(&text.repeat(9_000 / text.len() + 7), u16::to_le_bytes);
            assert_eq!(utf16(&long), Some(UTF_16LE), "{text}");
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
            assert_eq!(utf16(bytes), None, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn legacy_encodings_are_not(text in "[一-龥]{20,200}") {
            for encoding in [GBK, BIG5, SHIFT_JIS, EUC_KR] {
                let (bytes, _, is_lossy) = encoding.encode(&text);
                prop_assume!(!is_lossy || encoding != GBK);
                prop_assert_eq!(utf16(&bytes), None);
            }
        }
    }
}
