//! A hash of a text that does not depend on its white space.

use xxhash_rust::xxh3::xxh3_64;

use crate::detect::options::Options;
use crate::text::cutter::Cutter;

/// White space that [`u8::is_ascii_whitespace`] does not count.
const VERTICAL_TAB: u8 = 0x0b;

/// How many bytes are searched for white space at a time.
const STRETCH: usize = 32;

/// Returns a hash of a normalised text. Each run of white space counts as one space, and none counts at the ends. So
/// line ends, indents and wrapped lines make no difference. The hashed text is left in the buffer.
pub fn text_hash(text: &str, buffer: &mut Vec<u8>) -> u64 {
    buffer.clear();
    // Normalisation has left no other white space. For most stretches of a fixed length, a few instructions show that
    // they have only single spaces.
    for stretch in text.as_bytes().chunks(STRETCH) {
        let before = buffer.last().copied().unwrap_or(b' ');
        let is_double = |a: u8, b: u8| (a == b' ') & (b == b' ');
        let has_control = stretch.iter().fold(false, |has, &byte| has | (byte < b' '));
        let has_double = stretch
            .iter()
            .zip(&stretch[1..])
            .fold(is_double(before, stretch[0]), |has, (&a, &b)| {
                has | is_double(a, b)
            });
        if !has_control && !has_double {
            buffer.extend_from_slice(stretch);
            continue;
        }
        for &byte in stretch {
            if !byte.is_ascii_whitespace() && byte != VERTICAL_TAB {
                buffer.push(byte);
            } else if buffer.last().is_some_and(|&last| last != b' ') {
                buffer.push(b' ');
            }
        }
    }
    if buffer.last() == Some(&b' ') {
        buffer.pop();
    }
    xxh3_64(buffer)
}

/// Returns the hash of a text as [`Document::text_hash`](crate::features::document::Document::text_hash) holds it.
pub fn hash_of_text(text: &str, options: &Options) -> u64 {
    let (mut hash, mut buffer) = (0, Vec::new());
    let mut cutter = Cutter::new(options.shingle_unit);
    cutter.read_watched(text, &[], |normal, _| hash = text_hash(normal, &mut buffer));
    hash
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::normalize::normalize;

    #[test]
    fn white_space_makes_no_other_text() {
        let hash = |text: &str| text_hash(text, &mut Vec::new());
        let words = "the old park by the river opened to the public 河边的老公园三十年前向市民开放";
        for other in [
            words.replace(' ', "\n"),
            words.replace(' ', " \r\n\t "),
            format!("  {words}\n\n"),
            words.replace(' ', "\u{b}"),
            normalize(&words.replace(' ', "\u{2028}\u{85}\u{1680}\u{3000}")),
            words.replace("the ", &format!("the{}", " ".repeat(2 * STRETCH))),
        ] {
            assert_eq!(hash(&other), hash(words), "{other:?}");
        }
        for other in [
            words.replace("the ", "the"),
            words.replace("old", "odd"),
            String::new(),
        ] {
            assert_ne!(hash(&other), hash(words), "{other:?}");
        }
        assert_eq!(hash(" \n"), hash(""));
    }

    proptest! {
        #[test]
        fn it_is_the_hash_of_the_words_with_a_space_between_them(text in "([ \n\u{b}]{0,3}[a字]{0,9}){0,30}") {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let mut hashed = Vec::new();
            let hash = text_hash(&text, &mut hashed);
            prop_assert_eq!(str::from_utf8(&hashed), Ok(words.as_str()));
            prop_assert_eq!(hash, xxh3_64(&hashed));
        }
    }
}
