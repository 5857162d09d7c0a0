//! A hash of a text that does not depend on its white space.

use xxhash_rust::xxh3::xxh3_64;

use crate::detect::options::Options;
use crate::text::cutter::Cutter;

/// How many bytes are searched for runs of white space at a time.
const STRETCH: usize = 32;

/// Returns a hash of a normalised text. Each run of white space counts as one space, and none counts at the ends. So
/// line ends, indents and wrapped lines make no difference. The hashed text is left in the buffer.
pub fn text_hash(text: &str, buffer: &mut Vec<u8>) -> u64 {
    buffer.clear();
    let (stretches, rest) = text.as_bytes().as_chunks::<STRETCH>();
    for &stretch in stretches {
        append(buffer, stretch);
    }
    let mut last = [b' '; STRETCH];
    last[..rest.len()].copy_from_slice(rest);
    append(buffer, last);
    if buffer.last() == Some(&b' ') {
        buffer.pop();
    }
    xxh3_64(buffer)
}

/// Appends a stretch of a text to what is before it, with one space for each run of white space.
#[inline]
fn append(buffer: &mut Vec<u8>, mut stretch: [u8; STRETCH]) {
    let before = buffer.last().copied().unwrap_or(b' ');
    let is_double = |a: u8, b: u8| (a == b' ') & (b == b' ');
    for byte in &mut stretch {
        // From tab to carriage return. Normalisation has left no other white space.
        if matches!(*byte, 9..=13) {
            *byte = b' ';
        }
    }
    // Most stretches have only single spaces. A few instructions show that.
    let has_double = stretch
        .iter()
        .zip(&stretch[1..])
        .fold(is_double(before, stretch[0]), |has, (&a, &b)| {
            has | is_double(a, b)
        });
    if !has_double {
        buffer.extend_from_slice(&stretch);
        return;
    }
    let (mut last, mut kept) = (before, 0);
    for at in 0..STRETCH {
        let byte = stretch[at];
        stretch[kept] = byte;
        kept += usize::from(!is_double(last, byte));
        last = byte;
    }
    buffer.extend_from_slice(&stretch[..kept]);
}

/// Returns the hash of a text as [`Document::text_hash`](crate::features::Facts::text_hash) holds it.
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
    fn a_long_stretch_of_white_space_is_one_space() {
        let hash = |text: &str| text_hash(text, &mut Vec::new());
        let wide = format!("the{}park\u{b}opened", " ".repeat(2 * STRETCH));
        assert_eq!(hash(&wide), hash("the park opened"));
        let other = normalize("the\u{2028}park\u{85}\u{1680}\u{3000}opened");
        assert_eq!(hash(&other), hash("the park opened"));
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
