//! UTF-16 without a byte order mark.
//!
//! The statistical detector does not know it and calls it windows-1252. Half of its bytes may be NUL, by which binary
//! files are known. So it is looked for before both.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// How many bytes are looked at.
const SAMPLE: usize = 8 << 10;

/// The fewest characters that tell UTF-16 from accident, if none of them is ASCII.
const FEWEST: usize = 16;

/// How many characters there are at most for one comma or full stop in such a text.
const MAX_CHARS_PER_STOP: usize = 50;

/// Returns the byte order of a document, if it is UTF-16.
///
/// In UTF-16 an ASCII character has a NUL byte, always on the same side. 一 and 가 have one on the other side, so the
/// majority tells what to try first. A text without ASCII characters is Chinese or Japanese. It has commas and full
/// stops that no other encoding looks like.
#[must_use]
pub(super) fn detect(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE) & !1];
    if sample.is_empty() || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let nuls = |place: usize| {
        let side = sample.iter().skip(place).step_by(2);
        side.filter(|&&byte| byte == 0).count()
    };
    let (high, low) = (nuls(0), nuls(1));
    let order = [high > low, high <= low];
    let is_cut = bytes.len() > sample.len();
    let order = order.into_iter().find(|&big| {
        let text = Text::of(sample, big, is_cut);
        text.is_plausible() && (high != low || text.is_east_asian())
    });
    order.map(|big| if big { UTF_16BE } else { UTF_16LE })
}

/// What bytes are when they are read as UTF-16. The numbers count characters.
#[derive(Debug, Default)]
struct Text {
    /// All of them.
    count: usize,
    /// Letters, digits, punctuation and white space of some script in use.
    sensible: usize,
    /// Unpaired surrogates, control characters and private use.
    broken: usize,
    /// Ideographs, kana and their punctuation, and ASCII.
    east_asian: usize,
    /// Their commas and full stops.
    stops: usize,
}

impl Text {
    /// Reads bytes in an order. They may end in the middle of a character if they are cut.
    fn of(bytes: &[u8], big: bool, is_cut: bool) -> Self {
        let units = bytes.chunks_exact(2).map(|pair| {
            let pair = [pair[0], pair[1]];
            if big {
                u16::from_be_bytes(pair)
            } else {
                u16::from_le_bytes(pair)
            }
        });
        let mut text = Self::default();
        let mut characters = char::decode_utf16(units).peekable();
        while let Some(character) = characters.next() {
            text.count += 1;
            match character {
                Ok('\t' | '\n' | '\u{c}' | '\r') => {
                    text.sensible += 1;
                    text.east_asian += 1;
                }
                Ok(c) if c.is_control() || is_private(c) => text.broken += 1,
                Ok(c) => {
                    text.sensible += usize::from(c.is_alphanumeric() || is_punctuation(c));
                    text.east_asian += usize::from(is_east_asian(c));
                    text.stops += usize::from(matches!(c, '、' | '。' | '，' | '！' | '？' | '：'));
                }
                Err(_) if is_cut && characters.peek().is_none() => {}
                Err(_) => text.broken += 1,
            }
        }
        text
    }

    fn is_plausible(&self) -> bool {
        self.broken == 0 && self.sensible * 10 >= self.count * 9
    }

    /// Returns whether it is Chinese or Japanese throughout, in sentences.
    fn is_east_asian(&self) -> bool {
        self.count >= FEWEST
            && self.east_asian == self.count
            && self.stops * MAX_CHARS_PER_STOP >= self.count
    }
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fffe}' | '\u{ffff}' | '\u{f0000}'..)
}

fn is_east_asian(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff00}'..='\u{ff65}')
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
            "旧城区的梧桐树在雨后显得格外安静，巷口的修鞋摊已经摆了三十年。",
            "旧城区的梧桐树在雨后显得格外安静。\n",
            "一一一，\n",
            // As many NULs on one side as on the other.
            "开退开：这里写着一些别的话，都不短。\n去年秋天又种了一些树。\n\n",
            "Старый город после дождя кажется тихим.",
            "비 온 뒤 옛 도심의 가로수는 유난히 고요하다.",
            "雨上がりの古い町並みは、とりわけ静かに見える。",
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
