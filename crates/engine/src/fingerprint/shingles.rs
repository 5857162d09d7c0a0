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

/// Makes shingle sets, one document after the other, in the same memory.
///
/// A set is made by looking every window up in a small hash table rather than by sorting: nothing
/// needs the shingles sorted.
#[derive(Debug, Default)]
pub struct Shingler {
    /// Open addressing; [`FREE`] marks a free slot. The length is a power of two.
    slots: Vec<u64>,
    set: Vec<u64>,
    bytes: Vec<u8>,
}

/// No shingle is 0: no unit is, and a hashed window has the top bit set.
const FREE: u64 = 0;

/// If one huge document needs more slots than this, their memory is freed before the next document.
const KEEP_SLOTS: usize = 1 << 18;

impl Shingler {
    /// Returns a shingler; it allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the distinct shingles of a document in the order in which they first occur. `units` are the
    /// units of the document in order, and a shingle has `size` units.
    ///
    /// A document with fewer units than a shingle has one shingle made of all of them, so two such
    /// documents are equal (similarity 1) or have nothing in common (0). Only a document without
    /// units has an empty set.
    pub fn set(&mut self, units: &[Unit], size: NonZeroUsize) -> &[u64] {
        self.set.clear();
        self.set.shrink_to(KEEP_SLOTS);
        let width = size.get().min(units.len());
        if width == 0 {
            return &self.set;
        }
        let windows = units.len() - width + 1;
        self.slots.clear();
        self.slots.shrink_to(KEEP_SLOTS);
        self.slots.resize((windows * 2).next_power_of_two(), FREE);
        let mask = self.slots.len() - 1;
        for window in units.windows(width) {
            let shingle = shingle(window, &mut self.bytes);
            let mut slot = spread(shingle) & mask;
            loop {
                match self.slots[slot] {
                    FREE => {
                        self.slots[slot] = shingle;
                        self.set.push(shingle);
                        break;
                    }
                    found if found == shingle => break,
                    _ => slot = (slot + 1) & mask,
                }
            }
        }
        &self.set
    }
}

/// Spreads a shingle over the slots: the high half of a multiplication (Knuth, vol. 3, section 6.4).
#[inline]
fn spread(shingle: u64) -> usize {
    (shingle.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
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
    use crate::text::script::runs;
    use crate::text::units::{ShingleUnit, units_into};

    fn set(text: &str, size: usize) -> Vec<u64> {
        let mut units = Vec::new();
        let text = normalize(text);
        let runs = runs(&text);
        units_into(&text, &runs, ShingleUnit::Auto, &mut units);
        let size = NonZeroUsize::new(size).unwrap();
        Shingler::new().set(&units, size).to_vec()
    }

    #[test]
    fn chinese_shingles_are_the_characters_themselves() {
        let packed = |text: &str| {
            text.chars()
                .fold(0, |packed, c| packed << CHAR_BITS | u64::from(c))
        };
        assert_eq!(set("中文字", 3), [packed("中文字")]);
        let expected = [packed("一二三"), packed("二三四")];
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
    fn a_set_has_every_window_once() {
        assert_eq!(set("啊啊啊啊啊 哈哈哈哈", 3).len(), 4);
        let mut shingler = Shingler::new();
        let size = NonZeroUsize::new(2).unwrap();
        let long: Vec<Unit> = (0..9000).map(|i| i * i % 97 + 1).collect();
        let expected: std::collections::BTreeSet<u64> = long
            .windows(2)
            .map(|window| shingle(window, &mut Vec::new()))
            .collect();
        for _ in 0..2 {
            let mut found = shingler.set(&long, size).to_vec();
            found.sort_unstable();
            assert!(found.iter().eq(&expected));
            assert_eq!(shingler.set(&[5, 6], size), [5 << CHAR_BITS | 6]);
            assert!(shingler.set(&[], size).is_empty());
        }
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
