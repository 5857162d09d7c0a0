//! The shingle set of a document: its distinct windows of consecutive units (Broder 1997).
//!
//! A shingle is a `u64`. Up to three characters of 21 bits are packed side by side, so for Chinese
//! text two shingles are equal only if they are the same characters: Jaccard similarity over them is
//! exact, not estimated. Windows with a word in them, and wider ones, are hashed with XXH3 and have
//! the top bit set, which no packed shingle has.

use std::num::NonZeroUsize;

use xxhash_rust::xxh3::xxh3_64;

use crate::text::units::{Unit, WORD};

/// The width of one packed code point: 21 bits hold all of Unicode.
const CHAR_BITS: u32 = 21;

/// How many code points fit below the top bit.
const PACKED: usize = 3;

/// Takes a document's units in order and the number of units in a shingle, and leaves in `set` the
/// document's distinct shingles in ascending order.
///
/// A document with fewer units than a shingle has one shingle made of all of them, so two such
/// documents are equal (similarity 1) or have nothing in common (0). Only a document without units
/// has an empty set.
pub fn shingle_set(units: &[Unit], size: NonZeroUsize, set: &mut Vec<u64>) {
    set.clear();
    if units.is_empty() {
        return;
    }
    let mut bytes = Vec::new();
    let width = size.get().min(units.len());
    set.extend(
        units
            .windows(width)
            .map(|window| shingle(window, &mut bytes)),
    );
    set.sort_unstable();
    set.dedup();
}

/// One window of units as a number. `bytes` is scratch space.
#[inline]
fn shingle(window: &[Unit], bytes: &mut Vec<u8>) -> u64 {
    if window.len() <= PACKED {
        let words = window.iter().fold(0, |all, unit| all | unit) & WORD;
        if words == 0 {
            return window
                .iter()
                .fold(0, |packed, unit| packed << CHAR_BITS | unit);
        }
    }
    if let [a, b, c] = *window {
        // The usual case, without a detour through the heap.
        let mut fixed = [0; 24];
        fixed[..8].copy_from_slice(&a.to_le_bytes());
        fixed[8..16].copy_from_slice(&b.to_le_bytes());
        fixed[16..].copy_from_slice(&c.to_le_bytes());
        return xxh3_64(&fixed) | WORD;
    }
    bytes.clear();
    bytes.extend(window.iter().flat_map(|unit| unit.to_le_bytes()));
    xxh3_64(bytes) | WORD
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::normalize;
    use crate::text::segmenter::Segmenter;
    use crate::text::units::{ShingleUnit, units_into};

    fn set(text: &str, size: usize) -> Vec<u64> {
        let mut units = Vec::new();
        units_into(
            &normalize(text),
            ShingleUnit::Auto,
            &Segmenter::new(),
            &mut units,
        );
        let mut set = Vec::new();
        shingle_set(&units, NonZeroUsize::new(size).unwrap(), &mut set);
        set
    }

    #[test]
    fn chinese_shingles_are_the_characters_themselves() {
        let packed = |text: &str| {
            text.chars()
                .fold(0, |packed, c| packed << CHAR_BITS | u64::from(c))
        };
        assert_eq!(set("中文字", 3), [packed("中文字")]);
        let mut expected = vec![packed("一二三"), packed("二三四")];
        expected.sort_unstable();
        assert_eq!(set("一二、三。四", 3), expected);
        assert!(set("𠀀𠀁𠀂", 3)[0] < WORD);
    }

    #[test]
    fn words_and_wide_windows_are_hashed() {
        assert!(set("one two three", 3)[0] >= WORD);
        assert!(set("中文 two", 3)[0] >= WORD);
        assert!(set("一二三四", 4)[0] >= WORD);
        assert_ne!(set("one two three", 3), set("three two one", 3));
    }

    #[test]
    fn a_set_is_sorted_and_distinct() {
        let set = set("啊啊啊啊啊 哈哈哈哈", 3);
        assert!(set.is_sorted_by(|a, b| a < b));
        assert_eq!(set.len(), 4);
    }

    #[test]
    fn short_documents_are_equal_or_have_nothing_in_common() {
        assert_eq!(set("你好", 3), set("你，好！", 3));
        assert_eq!(set("你好", 3).len(), 1);
        for other in [
            "你",
            "好",
            "好你",
            "你好你",
            "hello",
            "你 hello",
            "hello 你",
        ] {
            assert!(
                !set(other, 3).contains(&set("你好", 3)[0]),
                "{other} shares a shingle"
            );
        }
        assert!(set("。", 3).is_empty());
    }
}
