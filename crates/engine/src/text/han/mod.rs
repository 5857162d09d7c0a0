//! Traditional characters to Simplified ones, one by one, so that a text in one script and the same text in
//! the other have the same units.
//!
//! The table in `simplified.txt` is that of OpenCC 1.1.9 (Apache-2.0 licence, Copyright (c) OpenCC contributors):
//! `make.py` beside it makes it. A line is a character and what
//! it becomes. It has only pairs of characters of the same number of bytes, so that every place in a
//! text stays where it was: of OpenCC's 4,105 characters 824 are left out, rare ones whose simplified form
//! lies outside the basic plane. What depends on the word (乾 is 干 or stays) is decided for the character by
//! itself, and always in the same way.

use std::sync::OnceLock;

/// The table as text: parsed at the first use, in well under a millisecond.
static SIMPLIFIED: &str = include_str!("simplified.txt");

/// Where the dense part of the table begins and ends: Extension A and the unified ideographs.
const FIRST: char = '\u{3400}';
const LAST: char = '\u{9fff}';

/// What becomes of Traditional characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Han {
    /// They stay as they are.
    #[default]
    Kept,
    /// They become Simplified ones.
    Folded,
}

impl Han {
    /// Returns [`Self::Folded`] if `is_folded`, else [`Self::Kept`].
    #[must_use]
    pub fn folded(is_folded: bool) -> Self {
        if is_folded { Self::Folded } else { Self::Kept }
    }

    /// Folds a normalised text from the byte `from` on. Returns whether a character changed. No character
    /// changes its place.
    pub fn apply(self, text: &mut String, from: usize) -> bool {
        if self == Self::Kept {
            return false;
        }
        let table = table();
        let rest = text.split_off(from);
        let mut is_changed = false;
        text.extend(rest.chars().map(|c| {
            let folded = table.fold(c);
            is_changed |= folded != c;
            folded
        }));
        is_changed
    }
}

/// The table, ready for use.
#[derive(Debug)]
struct Table {
    /// What each character of the dense part becomes.
    dense: Vec<char>,
    /// The others, in order.
    others: Vec<(char, char)>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table {
            dense: (FIRST..=LAST).collect(),
            others: Vec::new(),
        };
        for (from, to) in pairs() {
            match table.dense.get_mut(place(from)) {
                Some(slot) => *slot = to,
                None => table.others.push((from, to)),
            }
        }
        table
    })
}

/// The pairs of the file, in order of the first.
fn pairs() -> impl Iterator<Item = (char, char)> {
    SIMPLIFIED.lines().filter_map(|line| {
        let mut chars = line.chars();
        Some((chars.next()?, chars.next()?))
    })
}

/// The place of a character in the dense part; beyond its end if it is not in it.
fn place(c: char) -> usize {
    (c as usize).wrapping_sub(FIRST as usize)
}

impl Table {
    #[inline]
    fn fold(&self, c: char) -> char {
        match self.dense.get(place(c)) {
            Some(&folded) => folded,
            None if c > '\u{ffff}' => self.other(c),
            None => c,
        }
    }

    #[cold]
    fn other(&self, c: char) -> char {
        let found = self.others.binary_search_by_key(&c, |&(from, _)| from);
        found.map_or(c, |at| self.others[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn folded(text: &str) -> String {
        let mut text = text.to_owned();
        Han::Folded.apply(&mut text, 0);
        text
    }

    #[test]
    fn both_scripts_become_one() {
        for (traditional, simplified) in [
            (
                "舊城區的梧桐樹在雨後顯得格外安靜",
                "旧城区的梧桐树在雨后显得格外安静",
            ),
            (
                "圖書館週日閉館，還書請用門口的箱子。",
                "图书馆周日闭馆，还书请用门口的箱子。",
            ),
            ("𡑍 abc é 한글 カメラ", "𫭼 abc é 한글 カメラ"),
            ("", ""),
        ] {
            assert_eq!(folded(traditional), folded(simplified), "{traditional}");
        }
        let mut text = "舊舊".to_owned();
        Han::Folded.apply(&mut text, 3);
        assert_eq!(text, "舊旧");
        Han::Kept.apply(&mut text, 0);
        assert_eq!(text, "舊旧");
    }

    #[test]
    fn the_table_keeps_places_and_needs_no_second_time() {
        assert_eq!(pairs().count(), 3_281);
        assert!(pairs().is_sorted());
        for (from, to) in pairs() {
            assert_eq!(from.len_utf8(), to.len_utf8(), "{from} {to}");
            assert!(pairs().all(|(other, _)| other != to), "{from} {to}");
        }
    }

    proptest! {
        #[test]
        fn places_stay_and_a_second_time_changes_nothing(text in "[一-龥㐀-䶵𠀀-𯿿a-z]{0,40}") {
            let once = folded(&text);
            prop_assert!(text.char_indices().map(|(at, _)| at).eq(once.char_indices().map(|(at, _)| at)));
            prop_assert_eq!(folded(&once), once);
        }
    }
}
