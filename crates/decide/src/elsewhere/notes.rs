//! Finds notes that may say the same in other words: paragraphs and items of lists that share rare words with a short one.
//! A reader has to decide.
//!
//! The terms of a note are the first five letters of its words, which most forms of a word have in common. Of Chinese, Japanese
//! and Korean they are its characters, and two in a row. Rare terms weigh more. Two notes are as alike as the terms that they
//! share weigh, by the mean of what all their terms weigh.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::elsewhere::Lines;
use dupfind_engine::text::blocks::{BlockKind, blocks};
use dupfind_engine::text::normalize::normalize;
use dupfind_read::Ingested;
use dupfind_scan::Live;

/// How alike two notes are from which on a reader looks at them, from 0 to 1.
const ALIKE: f64 = 0.38;

/// How alike they are from which on a reader looks if no other note comes near: the next one is less alike by this factor. Of
/// three sets of 60 notes for agents, 15 of which were worded anew, 14, 14 and 12 were found in English, 15, 15 and 13 in
/// Chinese, and 4 of 270 others; by [`ALIKE`] alone half as many of the first two, and none. The third set was written by
/// somebody else afterwards.
const ALIKE_ALONE: f64 = 0.21;
const AHEAD: f64 = 1.4;

/// The fewest notes among which one can be ahead of all others. Among fewer no term is common.
const MANY: usize = 10;

/// The fewest and the most terms of a note.
const FEWEST: usize = 4;
const MOST: usize = 120;

/// The most notes of a text that are looked for. A longer text is no note.
const MAX_ASKED: usize = 8;

/// The most notes that are found for one.
const MAX_FOUND: usize = 3;

/// How many letters of a word count.
const LETTERS: usize = 5;

/// What a word of letters weighs: as much as one of two characters, which has three terms.
const WORD: f64 = 3.0;

/// The bit of a term that tells a word of letters from characters.
const IS_WORD: u64 = 1;

/// The most files that are read for their notes.
const MAX_FILES: usize = 5_000;

/// The notes of the documents of a folder.
#[derive(Debug, Default)]
pub struct Notes {
    /// By the names of their files, each with the hash of its bytes.
    files: HashMap<String, (u128, Vec<Note>)>,
}

/// A paragraph or an item of a list.
#[derive(Debug)]
struct Note {
    lines: Lines,
    text: String,
    /// Ascending.
    terms: Vec<u64>,
}

/// A note that may say the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Perhaps {
    /// The lines of the text that was asked about.
    pub mine: Lines,
    /// The document that has the note.
    pub page: String,
    /// Its lines in that document.
    pub its: Lines,
    /// Its text.
    pub text: String,
}

impl Notes {
    /// Brings the notes up to date with the index of a folder. Only files that have changed are read.
    fn refresh(&mut self, live: &Live) {
        let files: Vec<(&str, u128)> = live.files().take(MAX_FILES).collect();
        let names: HashSet<&str> = files.iter().map(|(name, _)| *name).collect();
        self.files.retain(|name, _| names.contains(name.as_str()));
        let is_new = |(name, content): &(&str, u128)| {
            let known = self.files.get(*name);
            known.is_none_or(|(known, _)| known != content)
        };
        let new: Vec<(&str, u128)> = files.into_iter().filter(is_new).collect();
        let read = |(name, content): (&str, u128)| {
            let notes = live.read(name).map_or_else(Vec::new, |read| notes(&read));
            (name.to_owned(), (content, notes))
        };
        let read: Vec<_> = new.into_par_iter().map(read).collect();
        self.files.extend(read);
    }

    /// Returns notes of a folder that may say the same as those of a short text, the most likely one first, but for those of the
    /// document of this name, and of other versions and languages of it.
    pub fn perhaps(&mut self, live: &Live, name: &str, text: &Ingested<'_>) -> Vec<Perhaps> {
        let asked = notes(text);
        if asked.is_empty() || asked.len() > MAX_ASKED {
            return Vec::new();
        }
        self.refresh(live);
        let is_other = |file: &str| file != name && !live.are_apart(name, file);
        let others = self.files.iter().filter(|(file, _)| is_other(file));
        let all: Vec<(&String, &Note)> = others
            .flat_map(|(file, (_, notes))| notes.iter().map(move |note| (file, note)))
            .collect();
        let mut frequencies: HashMap<u64, u32> = HashMap::new();
        for term in all.iter().flat_map(|(_, note)| &note.terms) {
            *frequencies.entry(*term).or_default() += 1;
        }
        // Counts of notes have no more than 53 bits.
        let count = all.len() as f64 + 1.0;
        let weight = |term: &u64| {
            let frequency = frequencies.get(term).copied().unwrap_or(0);
            let rarity = (count / (f64::from(frequency) + 0.5)).ln();
            if term & IS_WORD == 0 {
                rarity
            } else {
                WORD * rarity
            }
        };
        let weigh = |note: &Note| note.terms.iter().map(weight).sum::<f64>();
        let mut found: Vec<(f64, Perhaps)> = Vec::new();
        for note in &asked {
            let own = weigh(note);
            let alike = |(_, other): &(&String, &Note)| {
                let is_shared = |term: &&u64| other.terms.binary_search(term).is_ok();
                let shared: f64 = note.terms.iter().filter(is_shared).map(weight).sum();
                // Not a number if all notes have all of its terms.
                Some(shared / (own * weigh(other)).sqrt()).filter(|&alike| alike > 0.0)
            };
            let ranked = all.iter().filter_map(|other| Some((alike(other)?, other)));
            let ranked: Vec<_> = ranked.collect();
            let best = ranked.iter().map(|(alike, _)| *alike).fold(0.0, f64::max);
            // The same note in another file is not the next one.
            let others = ranked.iter().map(|(alike, _)| *alike);
            let next = others.filter(|&alike| alike < best).fold(0.0, f64::max);
            let is_alone = all.len() >= MANY && best >= ALIKE_ALONE && best >= AHEAD * next;
            let least = if is_alone { best.min(ALIKE) } else { ALIKE };
            for (alike, (page, other)) in ranked {
                if alike >= least {
                    let perhaps = Perhaps {
                        mine: note.lines,
                        page: (*page).clone(),
                        its: other.lines,
                        text: other.text.clone(),
                    };
                    found.push((alike, perhaps));
                }
            }
        }
        found.sort_by(|(a, one), (b, other)| {
            let by_place = || (&one.page, one.its).cmp(&(&other.page, other.its));
            b.total_cmp(a).then_with(by_place)
        });
        let found = found.into_iter().map(|(_, perhaps)| perhaps);
        found.take(MAX_FOUND).collect()
    }
}

/// Returns the notes of a document.
fn notes(document: &Ingested<'_>) -> Vec<Note> {
    let blocks = blocks(&document.text, &document.layout).into_iter();
    let blocks = blocks.filter(|block| {
        !matches!(
            block.kind,
            BlockKind::Heading | BlockKind::Code | BlockKind::Caption
        )
    });
    let notes = blocks.map(|block| Note {
        lines: (block.start_line as usize, block.end_line as usize),
        terms: terms(block.text),
        text: block.text.split_whitespace().collect::<Vec<_>>().join(" "),
    });
    notes
        .filter(|note| (FEWEST..=MOST).contains(&note.terms.len()))
        .collect()
}

/// Returns the hashes of the terms of a text, ascending.
fn terms(text: &str) -> Vec<u64> {
    let normal = normalize(text);
    let mut terms = Vec::new();
    let mut add = |term: &str, kind: u64| terms.push(xxh3_64(term.as_bytes()) & !IS_WORD | kind);
    for word in normal.split(|c: char| !c.is_alphanumeric()) {
        let mut letters = String::new();
        let mut before: Option<char> = None;
        for c in word.chars() {
            if is_character(c) {
                add(&String::from(c), 0);
                if let Some(before) = before {
                    add(&String::from_iter([before, c]), 0);
                }
                before = Some(c);
            } else {
                before = None;
                letters.push(c);
                continue;
            }
            add_letters(&mut letters, &mut add);
        }
        add_letters(&mut letters, &mut add);
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Adds the term of the letters before a place, if there are any.
fn add_letters(letters: &mut String, add: &mut impl FnMut(&str, u64)) {
    if let Some((end, _)) = letters.char_indices().nth(LETTERS) {
        letters.truncate(end);
    }
    if !letters.is_empty() {
        add(letters, IS_WORD);
        letters.clear();
    }
}

/// Returns whether a character is a part of words without spaces between them.
fn is_character(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(terms_of: &[&str]) -> Vec<u64> {
        let mut hashes: Vec<u64> = terms_of
            .iter()
            .map(|term| {
                let is_word = term.starts_with(|c: char| c.is_ascii_alphanumeric());
                xxh3_64(term.as_bytes()) & !IS_WORD | u64::from(is_word)
            })
            .collect();
        hashes.sort_unstable();
        hashes
    }

    #[test]
    fn terms_of_words_and_characters() {
        assert_eq!(terms("Deployed, deploying: a deploy"), of(&["deplo", "a"]));
        assert_eq!(terms("用S3存放"), of(&["用", "s3", "存", "存放", "放"]));
        assert_eq!(terms("..."), of(&[]));
    }
}
