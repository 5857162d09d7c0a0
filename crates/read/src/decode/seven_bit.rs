//! ISO-2022-JP: its bytes are ASCII and so valid UTF-8. It is known by the escape that switches to Japanese characters.

use std::borrow::Cow;

use encoding_rs::ISO_2022_JP;
use memchr::memmem;

use crate::decode::{Decoded, INTACT_PER_BROKEN};

/// Decodes a text of valid UTF-8 that is ISO-2022-JP, if it is, and nearly all of its characters are intact.
#[must_use]
pub(super) fn decode(text: &str) -> Option<Decoded<'static>> {
    if memmem::find(text.as_bytes(), b"\x1b$").is_none() || !text.is_ascii() {
        return None;
    }
    let (text, replaced) = ISO_2022_JP.decode_without_bom_handling(text.as_bytes());
    let broken = text.matches(char::REPLACEMENT_CHARACTER).count();
    let intact = text.chars().filter(|c| !c.is_ascii()).count() - broken;
    (intact > 0 && intact >= broken * INTACT_PER_BROKEN).then(|| Decoded {
        text: Cow::Owned(text.into_owned()),
        encoding: ISO_2022_JP.name(),
        replaced,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_by_its_escapes() {
        let (bytes, ..) = ISO_2022_JP.encode("雨上がりの町\nplain\n図書館");
        let text = str::from_utf8(&bytes).unwrap();
        let decoded = decode(text).unwrap();
        assert_eq!(decoded.text, "雨上がりの町\nplain\n図書館");
        assert_eq!((decoded.encoding, decoded.replaced), ("ISO-2022-JP", false));
        // A character cut in two.
        let cut = decode(&text[..text.len() - 4]).unwrap();
        assert!(cut.replaced && cut.text.contains("図書\u{fffd}"), "{cut:?}");
    }

    #[test]
    fn plain_text_is_left_alone() {
        for text in [
            "",
            "plain",
            "\x1b[31mred\x1b[0m",
            "\x1b$Bq\n",
            "\x1b$",
            "\x1b$B中文",
        ] {
            assert!(decode(text).is_none(), "{text:?}");
        }
    }
}
