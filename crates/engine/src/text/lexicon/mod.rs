//! The words of jieba's dictionary, looked up in place.
//!
//! jieba with its whole dictionary takes 70 ms or more to make, and 33 MiB. A short text needs the words that occur in
//! it, and no other word can be part of its cut. They are looked up here, in `lexicon.bin` (made by `make.rs` beside it
//! from the crate's `dict.txt`; MIT licence, Copyright (c) 2018 messense, after jieba, Copyright (c) 2013 Sun Junyi). It
//! is part of the program's read-only data: only the pages that are looked at are ever loaded. The whole dictionary is
//! read from it too, so that the program does not carry the one of jieba-rs as well.
//!
//! Layout, all numbers little-endian: the sum of all frequencies (`u64`); for each character below U+10000 and one
//! more, how many entries begin with a lower one (`u32`); the second characters of the entries (`u16`, zero for the
//! character alone), ascending for each first one; where the words of each entry begin, and the last ones end (`u32`);
//! the words: how many bytes follow the two characters (`u8`), the frequency (three bytes), and these bytes.

use std::cmp::Ordering;
use std::ops::Range;

use jieba_rs::Jieba;

static TABLE: &[u8] = include_bytes!("lexicon.bin");

const FIRSTS: usize = 8;
const CHARACTERS: usize = 1 << 16;
/// The number of entries.
const ENTRIES: usize = 189_812;
const SECONDS: usize = FIRSTS + (CHARACTERS + 1) * 4;
const OFFSETS: usize = SECONDS + ENTRIES * 2;
const WORDS: usize = OFFSETS + (ENTRIES + 1) * 4;

/// A word that no text has for jieba: it is no letter. It has the frequencies of all words that are left out.
const OTHERS: &str = "\u{10ffff}";

/// jieba with some words of its dictionary. A text that has no other words is cut as with all of them.
#[derive(Debug)]
pub(crate) struct Part {
    jieba: Box<Jieba>,
    /// The sum of the frequencies of all words that are left out.
    others: usize,
}

impl Part {
    /// Returns jieba without words.
    pub(crate) fn new() -> Self {
        Self {
            jieba: Box::new(Jieba::empty()),
            others: usize::try_from(number::<8>(0)).expect("the sum has 26 bits"),
        }
    }

    /// Adds the words that occur in a text.
    pub(crate) fn add_words_of(&mut self, text: &str) {
        let Self { jieba, others } = self;
        words_in(text, |word, frequency| {
            if !jieba.has_word(word) {
                jieba.add_word(word, Some(frequency), None);
                *others -= frequency;
            }
        });
        jieba.add_word(OTHERS, Some(*others), None);
    }

    pub(crate) fn jieba(&self) -> &Jieba {
        &self.jieba
    }
}

/// Returns jieba with its whole dictionary.
pub(crate) fn whole() -> Jieba {
    let mut jieba = Jieba::empty();
    each_word(|word, frequency| {
        jieba.add_word(word, Some(frequency), None);
    });
    jieba
}

/// Calls `take` with each word of the dictionary and its frequency.
fn each_word(mut take: impl FnMut(&str, usize)) {
    let mut word = String::new();
    for first in (0..=u16::MAX).filter_map(|first| char::from_u32(first.into())) {
        for entry in entries_of(first) {
            let second = number::<2>(SECONDS + entry * 2);
            let second = u32::try_from(second).ok().and_then(char::from_u32);
            word.clear();
            word.push(first);
            word.extend(second.filter(|second| *second != '\0'));
            let head = word.len();
            for (frequency, rest) in rests(entry) {
                word.truncate(head);
                word.push_str(str::from_utf8(rest).expect("words are UTF-8"));
                take(&word, frequency);
            }
        }
    }
}

/// Calls `take` with each word of the dictionary and its frequency, wherever it occurs in a text.
fn words_in<'t>(text: &'t str, mut take: impl FnMut(&'t str, usize)) {
    let mut starts = text.char_indices().peekable();
    while let Some((at, first)) = starts.next() {
        let entries = entries_of(first);
        if entries.is_empty() {
            continue;
        }
        // The character alone, and it with the one after it.
        let next = starts
            .peek()
            .map(|&(_, next)| next)
            .filter(|&next| next != '\0');
        for (second, size) in [(Some('\0'), 0), (next, next.map_or(0, char::len_utf8))] {
            let Some(entry) = second.and_then(|second| find(entries.clone(), second)) else {
                continue;
            };
            let head = first.len_utf8() + size;
            let after = &text.as_bytes()[at + head..];
            for (frequency, rest) in rests(entry) {
                if after.starts_with(rest) {
                    take(&text[at..at + head + rest.len()], frequency);
                }
            }
        }
    }
}

/// Returns the entries of words that begin with a character.
fn entries_of(first: char) -> Range<usize> {
    let first = first as usize;
    if first >= CHARACTERS {
        return 0..0;
    }
    let before = |first: usize| usize::try_from(number::<4>(FIRSTS + first * 4)).expect("32 bits");
    before(first)..before(first + 1)
}

/// Returns the entry with a second character.
fn find(entries: Range<usize>, second: char) -> Option<usize> {
    let second = u64::from(u16::try_from(u32::from(second)).ok()?);
    let (mut low, mut high) = (entries.start, entries.end);
    while low < high {
        let middle = low.midpoint(high);
        match number::<2>(SECONDS + middle * 2).cmp(&second) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return Some(middle),
            Ordering::Greater => high = middle,
        }
    }
    None
}

/// Returns where the words of an entry begin.
fn offset(entry: usize) -> usize {
    WORDS + usize::try_from(number::<4>(OFFSETS + entry * 4)).expect("32 bits")
}

/// Returns the words of an entry: the frequency of each, and what follows its first two characters.
fn rests(entry: usize) -> impl Iterator<Item = (usize, &'static [u8])> {
    let mut place = offset(entry);
    let end = offset(entry + 1);
    std::iter::from_fn(move || {
        let start = place + 4;
        (place < end).then(|| {
            let size = usize::from(TABLE[place]);
            let frequency = usize::try_from(number::<3>(place + 1)).expect("24 bits");
            place = start + size;
            (frequency, &TABLE[start..place])
        })
    })
}

/// Returns the number of `SIZE` bytes at a place of the table.
#[inline]
fn number<const SIZE: usize>(at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes[..SIZE].copy_from_slice(&TABLE[at..at + SIZE]);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;
    use std::sync::LazyLock;

    static WHOLE: LazyLock<Jieba> = LazyLock::new(Jieba::new);

    /// All words of the table.
    static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
        let mut words = Vec::new();
        each_word(|word, _| words.push(word.to_owned()));
        words
    });

    #[test]
    fn the_table_has_the_words_of_jieba() {
        let words: HashSet<&String> = ALL.iter().collect();
        assert_eq!(words.len(), ALL.len());
        assert!(ALL.iter().all(|word| WHOLE.has_word(word)));
        // jieba shows how many words it has, and the sum of their frequencies.
        let counts = format!("records: {}, total_freq: {}", ALL.len(), number::<8>(0));
        let shown = format!("{:?}", *WHOLE);
        assert!(shown.contains(&ALL.len().to_string()), "{shown} {counts}");
        assert!(shown.contains(&number::<8>(0).to_string()), "{shown}");
        assert_eq!(format!("{:?}", whole()), shown);
    }

    #[test]
    fn the_whole_dictionary_cuts_as_that_of_jieba() {
        let whole = whole();
        for words in ALL.chunks(1000) {
            let text = words.concat();
            assert_eq!(pieces(&whole, &text), pieces(&WHOLE, &text));
        }
    }

    fn pieces(jieba: &Jieba, text: &str) -> Vec<String> {
        let tokens = jieba.cut(text, true);
        tokens.iter().map(|token| token.word.to_owned()).collect()
    }

    #[test]
    fn zeros_in_a_text_are_no_characters_of_words() {
        let text = "中\0国\0";
        let mut part = Part::new();
        part.add_words_of(text);
        assert_eq!(pieces(part.jieba(), text), pieces(&WHOLE, text));
    }

    proptest! {
        /// The words of a text are enough to cut it, and those of other texts change nothing.
        #[test]
        fn a_text_is_cut_as_with_all_words(
            words in prop::collection::vec((0..ALL.len(), 0..4_usize, "[a-c中国\u{20000}\u{10ffff}。+]{0,2}"), 2..40),
        ) {
            let mut part = Part::new();
            for words in words.chunks(words.len().div_ceil(2)) {
                let mut text = String::new();
                for (word, cut, between) in words {
                    // A part of a word is an unknown word as often as not.
                    text.extend(ALL[*word].chars().skip(cut / 2));
                    text.push_str(between);
                }
                part.add_words_of(&text);
                prop_assert_eq!(pieces(part.jieba(), &text), pieces(&WHOLE, &text));
            }
        }
    }
}
