//! Traditional characters to Simplified ones, one by one, so that a text in one script and the same text in
//! the other have the same units.
//!
//! The table in `simplified.txt` is that of OpenCC 1.1.9 (Apache-2.0 licence, Copyright (c) OpenCC contributors):
//! `make.py` beside it makes it. A line has a character and its Simplified one. It has only pairs of characters of the
//! same number of bytes, so that every place in a text stays where it was: of OpenCC's 4,105 characters 824 are left
//! out, rare ones whose simplified form lies outside the basic plane. Where the form depends on the word (乾 is 干 or
//! stays), it is decided for the character by itself, and always in the same way.

use std::sync::OnceLock;

use crate::text::script::{Class, Run};

/// The table as text: parsed at the first use, in well under a millisecond.
static SIMPLIFIED: &str = include_str!("simplified.txt");

/// Where the dense part of the table begins and ends: Extension A and the unified ideographs.
const FIRST: char = '\u{3400}';
const LAST: char = '\u{9fff}';

/// Returns whether a normalised text is Traditional Chinese: it has more characters that are only Traditional than it has
/// Simplified ones, kana and Hangul together. `runs` are the runs of the text.
///
/// So Simplified, Japanese and Korean texts stay as they are, with the Traditional characters that they have.
pub fn is_traditional(text: &str, runs: &[Run]) -> bool {
    let table = table();
    let mut more = 0_i64;
    for run in runs {
        match run.class {
            Class::Han => more += run.of(text).chars().map(|c| table.script(c)).sum::<i64>(),
            Class::Hiragana | Class::Katakana => more -= letters(run.of(text)),
            _ => {}
        }
    }
    more > 0 && more > letters_of_hangul(text, runs)
}

/// Returns how many letters there are.
fn letters(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

/// Returns how many letters of Hangul there are in a text.
fn letters_of_hangul(text: &str, runs: &[Run]) -> i64 {
    let words = runs.iter().filter(|run| run.class != Class::Han);
    let hangul = words
        .flat_map(|run| run.of(text).chars())
        .filter(|&c| is_hangul(c));
    i64::try_from(hangul.count()).unwrap_or(i64::MAX)
}

/// Returns whether a character of normalised text is Hangul.
pub fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7a3}')
}

/// Makes Simplified characters of all Traditional ones. No character changes its place.
pub fn fold(text: &mut String) {
    let table = table();
    *text = text.chars().map(|c| table.fold(c)).collect();
}

/// The table, ready for use.
#[derive(Debug)]
struct Table {
    /// The Simplified one of each character of the dense part.
    dense: Vec<char>,
    /// 1 for each character of the dense part that is Traditional, and -1 for each Simplified one.
    scripts: Vec<i8>,
    /// The others, in order.
    others: Vec<(char, char)>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table {
            dense: (FIRST..=LAST).collect(),
            scripts: vec![0; place(LAST) + 1],
            others: Vec::new(),
        };
        for (from, to) in pairs() {
            for (c, script) in [(from, 1), (to, -1)] {
                if let Some(slot) = table.scripts.get_mut(place(c)) {
                    *slot = script;
                }
            }
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
    /// Returns 1 for a Traditional character, -1 for a Simplified one, and 0 for all others.
    #[inline]
    fn script(&self, c: char) -> i64 {
        self.scripts.get(place(c)).copied().map_or(0, i64::from)
    }

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
    use std::collections::BTreeSet;

    use super::*;
    use crate::table::table;
    use crate::text::script::{class, runs_into};
    use proptest::prelude::*;

    fn folded(text: &str) -> String {
        let mut text = text.to_owned();
        fold(&mut text);
        text
    }

    #[test]
    fn both_scripts_become_one() {
        for [traditional, simplified] in table(
            "舊城區的梧桐樹在雨後顯得格外安靜   | 旧城区的梧桐树在雨后显得格外安静
             圖書館週日閉館，還書請用門口的箱子。 | 图书馆周日闭馆，还书请用门口的箱子。
             𡑍 abc é 한글 カメラ     | 𫭼 abc é 한글 カメラ
                                |",
        ) {
            assert_eq!(folded(traditional), folded(simplified), "{traditional}");
        }
    }

    #[test]
    fn only_traditional_chinese_is_folded() {
        let is_traditional = |text: &str| {
            let mut runs = Vec::new();
            runs_into(text, &mut runs);
            is_traditional(text, &runs)
        };
        for text in [
            "舊城區的梧桐樹在雨後顯得格外安靜",
            "圖書館 (library) 週日閉館，見 README.md",
            "她說：「皇后的房間在樓上。」",
            "圖書館有日文書《ねこ》",
        ] {
            assert!(is_traditional(text), "{text}");
        }
        for text in [
            "旧城区的梧桐树在雨后显得格外安静",
            "书中“圖書”二字写作“图书”，见说明",
            "図書館は日曜日に閉館します。返却は門口の箱へ。",
            "大韓民國 도서관은 일요일에 문을 닫습니다",
            "人口大学",
            "library",
            "",
        ] {
            assert!(!is_traditional(text), "{text}");
        }
    }

    #[test]
    fn the_table_keeps_places_and_needs_no_second_time() {
        assert_eq!(pairs().count(), 3_281);
        assert!(pairs().is_sorted());
        let folded: BTreeSet<char> = pairs().map(|(from, _)| from).collect();
        for (from, to) in pairs() {
            assert_eq!(from.len_utf8(), to.len_utf8(), "{from} {to}");
            assert!(!folded.contains(&to), "{from} {to}");
            assert_eq!([class(from), class(to)], [Class::Han; 2], "{from} {to}");
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
