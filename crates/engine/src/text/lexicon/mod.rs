//! The words of jieba's dictionary, as a table that is looked up in place.
//!
//! `lexicon.bin` is made by `make.py` beside it from the `dict.txt` of jieba-rs (MIT licence, Copyright (c) 2018
//! messense, after jieba, Copyright (c) 2013 Sun Junyi). It is part of the program's read-only data: nothing is parsed or
//! allocated, and only the pages that are looked at are ever loaded.
//!
//! Layout, all numbers little-endian:
//! * The weights (`f64`): a number that is none, then one for each frequency that a word has, as jieba computes it: the
//!   logarithm of the frequency less that of the sum of all. The last one is that of a character which is no word.
//! * The code of each character below U+10000 (`u16`): see [`code`].
//! * The nodes (`u64`), a double array. Each is a prefix of words. The lowest 20 bits are its base: a prefix that is one
//!   character longer is at the base plus the code of that character. The next 14 bits are the code of its last character,
//!   the next 13 the place of its weight, zero if it is no word. The highest 16 are a filter: for each character that may
//!   follow, the bit of its code modulo 16. No two nodes have the same base, so a node of the right character is the
//!   right node.

#[cfg(test)]
mod reference;
pub(crate) mod stretches;

/// The table, at the start of a line of the cache: then no node is in two lines.
#[repr(align(64))]
struct Aligned<T>(T);

static FILE: Aligned<[u8; include_bytes!("lexicon.bin").len()]> =
    Aligned(*include_bytes!("lexicon.bin"));

const WEIGHTS: usize = 5089;
const CODES: usize = 1 << 16;
static TABLES: (&[u8], &[u8]) = FILE.0.split_at(WEIGHTS * 8 + CODES * 2);
static WEIGHT: &[[u8; 8]] = TABLES.0.split_at(WEIGHTS * 8).0.as_chunks().0;
static CODE: &[[u8; 2]] = TABLES.0.split_at(WEIGHTS * 8).1.as_chunks().0;
static NODE: &[[u8; 8]] = TABLES.1.as_chunks().0;

/// The code of a character that no word of jieba goes across.
pub(crate) const BOUNDARY: u16 = 0;

/// The code of a character that is in no word, and that jieba cuts together with its neighbours.
const STRANGE: u16 = 1;

/// Returns the code of a character: [`BOUNDARY`], or another number below 2^14. Characters of frequent words have low codes.
#[inline]
pub(crate) fn code(character: char) -> u16 {
    match CODE.get(character as usize) {
        Some(code) => u16::from_le_bytes(*code),
        None if is_cut_with_neighbours(character) => STRANGE,
        None => BOUNDARY,
    }
}

/// Whether jieba cuts a character from U+10000 on together with its neighbours: an ideograph of the extensions that it
/// knows.
fn is_cut_with_neighbours(character: char) -> bool {
    matches!(
        character,
        '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2ebef}' | '\u{2f800}'..='\u{2fa1f}'
    )
}

/// A prefix of words, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node(u64);

impl Node {
    /// No prefix of words.
    pub(crate) const NONE: Self = Self(0x3fff << 20);

    /// Returns the node of one character.
    #[inline]
    pub(crate) fn of(code: u16) -> Self {
        Self::at(usize::from(code))
    }

    /// Returns a node that is the one for this prefix and the character, if [`Self::ends_with`] it.
    #[inline]
    pub(crate) fn longer(self, code: u16) -> Self {
        let may_follow = self.0 >> (48 + code % 16) & 1;
        let place = ((self.0 & 0xf_ffff) + u64::from(code)) * may_follow;
        Self::at(usize::try_from(place).unwrap_or(0))
    }

    #[inline]
    fn at(place: usize) -> Self {
        NODE.get(place)
            .map_or(Self::NONE, |node| Self(u64::from_le_bytes(*node)))
    }

    /// Whether this is the prefix that ends with a character.
    #[inline]
    pub(crate) fn ends_with(self, code: u16) -> bool {
        self.0 >> 20 & 0x3fff == u64::from(code)
    }

    /// Whether the prefix is a word.
    #[inline]
    pub(crate) fn is_word(self) -> bool {
        self.0 >> 34 & 0x1fff != 0
    }

    /// Returns the weight of the prefix as a word. It is no number if the prefix is no word.
    #[inline]
    pub(crate) fn weight(self) -> f64 {
        weight(usize::try_from(self.0 >> 34 & 0x1fff).unwrap_or(0))
    }
}

/// Returns the weight of a character that is no word and begins none.
#[inline]
pub(crate) fn weight_of_strange() -> f64 {
    weight(WEIGHTS - 1)
}

#[inline]
fn weight(place: usize) -> f64 {
    WEIGHT
        .get(place)
        .map_or(f64::NAN, |bytes| f64::from_le_bytes(*bytes))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::reference::jieba;
    use super::*;
    use crate::text::script::has_runs;
    use std::collections::{HashMap, HashSet};
    use std::sync::LazyLock;

    /// All words of the table.
    pub(crate) static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
        let characters: HashMap<u16, char> = (0..=0xffff)
            .filter_map(char::from_u32)
            .map(|character| (code(character), character))
            .collect();
        let label = |place| u16::try_from(Node::at(place).0 >> 20 & 0x3fff).unwrap();
        let base = |place| usize::try_from(Node::at(place).0 & 0xf_ffff).unwrap();
        let places = || (1..NODE.len()).filter(|place| Node::at(*place) != Node::NONE);
        let parents = places().filter(|place| base(*place) != 0);
        let parents: HashMap<usize, usize> = parents.map(|place| (base(place), place)).collect();
        let word = |mut place: usize| {
            let mut word = vec![characters[&label(place)]];
            while place != usize::from(label(place)) {
                place = parents[&(place - usize::from(label(place)))];
                word.push(characters[&label(place)]);
            }
            word.into_iter().rev().collect()
        };
        places()
            .filter(|place| Node::at(*place).is_word())
            .map(word)
            .collect()
    });

    #[test]
    fn the_table_has_the_words_of_jieba() {
        let jieba = jieba();
        let words: HashSet<&String> = ALL.iter().collect();
        assert_eq!(words.len(), ALL.len());
        assert!(ALL.iter().all(|word| jieba.has_word(word)));
        // One more word begins with a Greek letter, at which jieba cuts. Its debug output has the number of its words.
        let shown = format!("{jieba:?}");
        assert!(
            shown.contains(&format!("records_len: {},", ALL.len() + 1)),
            "{shown}"
        );
    }

    #[test]
    fn known_words_have_a_letter_or_an_ideograph() {
        assert!(ALL.iter().all(|word| has_runs(word)));
    }

    #[test]
    fn no_place_is_beyond_the_table() {
        // The last code and the last base, and nodes of no prefix.
        for node in [Node(u64::MAX), Node::NONE, Node::of(u16::MAX)] {
            assert_eq!(node.longer(u16::MAX), Node::NONE);
        }
        assert!(Node::NONE.weight().is_nan());
        assert!(weight(usize::MAX).is_nan());
        assert!(!Node::NONE.ends_with(BOUNDARY) && !Node::NONE.ends_with(STRANGE));
        assert!((0..NODE.len()).all(|place| !Node::at(place).ends_with(BOUNDARY)));
        // A character that begins no word is no prefix, whatever is at its code.
        let mut codes = (0..=0xffff).filter_map(char::from_u32).map(code);
        assert!(codes.all(|code| Node::of(code) == Node::NONE || Node::of(code).ends_with(code)));
    }
}
