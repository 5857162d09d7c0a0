//! Encodings that are made of ASCII characters: ISO-2022-JP and HZ.
//!
//! Their bytes are valid UTF-8, so the detector is not used. They are known by the marks that switch to other
//! characters, and only if what follows means something. The marks of HZ are ordinary characters, so there all of the
//! text has to mean something.

use std::borrow::Cow;

use encoding_rs::{GBK, ISO_2022_JP};

use crate::decode::{Decoded, INTACT_PER_BROKEN};

/// How many bytes of a text are searched for the first mark.
const SAMPLE: usize = 64 << 10;

/// The name of HZ (RFC 1843) in the registry of IANA.
pub(super) const HZ: &str = "hz-gb-2312";

/// Decodes a text of valid UTF-8 that is written in one of these encodings, if it is.
#[must_use]
pub(super) fn decode(text: &str) -> Option<Decoded<'static>> {
    let head = &text.as_bytes()[..text.len().min(SAMPLE)];
    match mark(head) {
        // Behind the sample there may be anything.
        Some(_) if !text.is_ascii() => None,
        Some(Mark::Escape) => iso_2022_jp(text.as_bytes()),
        Some(Mark::Tilde) => hz(text.as_bytes()).map(|text| Decoded {
            text: Cow::Owned(text),
            encoding: HZ,
            replaced: false,
        }),
        None => None,
    }
}

/// A mark that switches to other characters.
enum Mark {
    /// The mark of ISO-2022-JP.
    Escape,
    /// The mark of HZ.
    Tilde,
}

const ESCAPE: u8 = 0x1b;

/// How many bytes are looked at together.
const STRETCH: usize = 512;

/// Returns the mark in the beginning of a text, if all of that is ASCII. Chinese text ends the search at once. English
/// text is searched many bytes at a time, some 3 GB in a second.
fn mark(head: &[u8]) -> Option<Mark> {
    let next = head.get(1..).unwrap_or_default();
    let (mut has_escape, mut has_tilde) = (false, false);
    for (stretch, next) in head.chunks(STRETCH).zip(next.chunks(STRETCH)) {
        let (mut high, mut escapes, mut tildes) = (0, 0, 0);
        for (&byte, &next) in stretch.iter().zip(next) {
            high |= byte;
            escapes |= u8::from(byte == ESCAPE) & u8::from(next == b'$');
            tildes |= u8::from(byte == b'~') & u8::from(next == b'{');
        }
        if !high.is_ascii() {
            return None;
        }
        has_escape |= escapes != 0;
        has_tilde |= tildes != 0;
    }
    let tilde = has_tilde.then_some(Mark::Tilde);
    has_escape.then_some(Mark::Escape).or(tilde)
}

/// Returns the text of ISO-2022-JP, if nearly all of its characters are intact. An escape before another escape
/// switches nothing: programs that wrap lines leave it behind, and the standard treats it as damage.
fn iso_2022_jp(bytes: &[u8]) -> Option<Decoded<'static>> {
    let mut useful = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        rest = match rest {
            [ESCAPE, _, _, ESCAPE, ..] => &rest[3..],
            _ => {
                useful.push(first);
                after
            }
        };
    }
    let (text, replaced) = ISO_2022_JP.decode_without_bom_handling(&useful);
    let broken = text.matches(char::REPLACEMENT_CHARACTER).count();
    let intact = text.chars().filter(|c| !c.is_ascii()).count() - broken;
    (intact > 0 && intact >= broken * INTACT_PER_BROKEN).then(|| Decoded {
        text: Cow::Owned(text.into_owned()),
        encoding: ISO_2022_JP.name(),
        replaced,
    })
}

/// Returns the text of HZ, if every mark is valid and every character is intact. Between `~{` and `~}` two bytes are a
/// character of GB 2312. Outside, `~~` is a tilde, and a tilde at the end of a line joins it with the next.
fn hz(bytes: &[u8]) -> Option<String> {
    // GBK has the same characters where both bytes have the high bit.
    let mut gbk = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| byte == b'~') {
        gbk.extend_from_slice(&rest[..at]);
        let mark = rest.get(at + 1)?;
        rest = &rest[at + 2..];
        match mark {
            b'~' => gbk.push(b'~'),
            b'\n' => {}
            b'{' => rest = characters(rest, &mut gbk)?,
            _ => return None,
        }
    }
    gbk.extend_from_slice(rest);
    let decoded = GBK.decode_without_bom_handling_and_without_replacement(&gbk)?;
    Some(decoded.into_owned())
}

/// Reads characters up to the mark behind them, or to the end of the line, which ends them too. Returns the rest.
fn characters<'b>(mut rest: &'b [u8], gbk: &mut Vec<u8>) -> Option<&'b [u8]> {
    loop {
        match rest {
            [b'~', b'}', after @ ..] => return Some(after),
            [b'\r' | b'\n', ..] => return Some(rest),
            [high @ 0x21..=0x77, low @ 0x21..=0x7e, after @ ..] => {
                gbk.extend([high | 0x80, low | 0x80]);
                rest = after;
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A decoded text, and its encoding.
    fn decoded(text: &str) -> Option<(String, &'static str)> {
        let decoded = decode(text).filter(|decoded| !decoded.replaced)?;
        Some((decoded.text.into_owned(), decoded.encoding))
    }

    /// As senders of HZ wrote it: every stretch of Chinese between its marks.
    fn as_hz(text: &str) -> String {
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            for stretch in line.split_inclusive(|c: char| c.is_ascii()) {
                let ascii = stretch.chars().next_back().filter(char::is_ascii);
                let chinese = stretch.trim_end_matches(|c: char| c.is_ascii());
                if !chinese.is_empty() {
                    let (bytes, ..) = GBK.encode(chinese);
                    let pairs = bytes.iter().map(|byte| char::from(byte & 0x7f));
                    out.extend("~{".chars().chain(pairs).chain("~}".chars()));
                }
                match ascii {
                    Some('~') => out.push_str("~~"),
                    other => out.extend(other),
                }
            }
        }
        out
    }

    #[test]
    fn chinese_between_its_marks() {
        let text = "旧城区的梧桐树，a ~ b\n图书馆 2 号\n";
        assert_eq!(decoded(&as_hz(text)), Some((text.into(), HZ)));
        // Without the closing mark at the end of a line, and with a line that is joined.
        assert_eq!(
            decoded("~{<:Ky\n2;~\n~~~{VPND~}"),
            Some(("己所\n2;~中文".into(), HZ))
        );
    }

    #[test]
    fn japanese_by_its_escapes() {
        let (bytes, ..) = ISO_2022_JP.encode("雨上がりの町\nplain\n図書館");
        let text = str::from_utf8(&bytes).unwrap();
        assert_eq!(
            decoded(text),
            Some(("雨上がりの町\nplain\n図書館".into(), "ISO-2022-JP"))
        );
    }

    #[test]
    fn damaged_japanese_is_repaired() {
        // An escape too many, and a character cut in two.
        let (bytes, ..) = ISO_2022_JP.encode("雨上がりの町");
        let text = str::from_utf8(&bytes).unwrap();
        let doubled = format!("\x1b$B\x1b(B{text}\x1b$B\x1b(B");
        assert_eq!(
            decoded(&doubled),
            Some(("雨上がりの町".into(), "ISO-2022-JP"))
        );
        let cut = decode(&text[..text.len() - 4]).unwrap();
        assert!(
            cut.replaced && cut.text.starts_with("雨上がりの\u{fffd}"),
            "{cut:?}"
        );
    }

    #[test]
    fn plain_text_is_left_alone() {
        for text in [
            "",
            "plain",
            "~/docs and ~~struck~~",
            "command <<< ~{input} --out ~{output}",
            "a ~{b",
            "~{odd~}",
            "~{~",
            "~",
            "~{VPND~} 中文",
            "\x1b[31mred\x1b[0m",
            "\x1b$Bq\n",
            "\x1b$",
            "[~{a} or ~{b}]",
        ] {
            assert!(decode(text).is_none(), "{text:?}");
        }
        let late = format!("{}~{{VPND~}}", " ".repeat(SAMPLE));
        assert!(decode(&late).is_none());
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(text in "[一丁七万丈三上下中文，。a-z ~\n]{1,60}") {
            let written = as_hz(&text);
            prop_assume!(written.contains("~{"));
            prop_assert_eq!(decoded(&written), Some((text, HZ)));
        }
    }
}
