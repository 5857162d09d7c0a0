//! The features that a document votes with: its terms, and others that were tried in their place.

use std::collections::HashMap;
use std::sync::LazyLock;

use dupfind_engine::ShingleUnit;
use dupfind_engine::fingerprint::dictionary;
use dupfind_engine::fingerprint::terms::{ONE, SCALE_BITS, ln};
use dupfind_engine::fingerprint::terms::{TermCounter, Terms};
use dupfind_engine::text::script::{Class, Run, class, runs};
use dupfind_engine::text::tokenize::tokens;
use dupfind_engine::text::units::units_into;
use jieba_rs::Jieba;

use crate::support::jieba::jieba;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

/// A kind of feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// The tokens of the library.
    Terms,
    /// The same, but jieba does not guess words that are not in its dictionary.
    KnownWords,
    /// Overlapping pairs of ideographs instead of jieba's words.
    CharacterPairs,
    /// The tokens, and every two of them that follow each other.
    TermPairs,
    /// The windows of three units that the other detector compares.
    Shingles,
}

impl Kind {
    /// All kinds.
    pub(crate) const ALL: [Self; 5] = [
        Self::Terms,
        Self::KnownWords,
        Self::CharacterPairs,
        Self::TermPairs,
        Self::Shingles,
    ];
}

/// Facts about a feature of a folder's documents, beside its number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Feature {
    /// Its bits are its votes.
    pub(crate) hash: u64,
    /// Its weight in jieba's dictionary, in units of 2^-12; of a pair, the mean of both.
    pub(crate) dictionary: u32,
    /// Whether the dictionary knows it, and not only the median of all words.
    pub(crate) is_known: bool,
    /// Whether it is a single ideograph.
    pub(crate) is_character: bool,
    /// Its smoothed inverse document frequency in the folder, in units of 2^-12.
    pub(crate) corpus: u32,
    /// The share of the folder's documents that have it.
    pub(crate) share: f64,
}

/// The features of one kind of all documents of a folder.
#[derive(Debug)]
pub(crate) struct Features {
    /// All that occur.
    pub(crate) all: Vec<Feature>,
    /// For each document, positions in `all` with the number of occurrences.
    pub(crate) documents: Vec<Terms>,
}

/// One document's features as they come, before the folder is known.
struct Found {
    counts: Terms,
    /// The distinct ones, in the same order.
    features: Vec<Feature>,
}

impl Features {
    /// Takes a kind and normalised texts and returns the texts' features.
    pub(crate) fn of(kind: Kind, texts: &[String]) -> Self {
        let found: Vec<Found> = texts
            .par_iter()
            .map_init(TermCounter::new, |counter, text| found(kind, text, counter))
            .collect();
        let corpus = corpus_idf(&found);
        let mut numbers: HashMap<u64, u64> = HashMap::new();
        let mut all: Vec<Feature> = Vec::new();
        let documents: Vec<Terms> = found
            .into_iter()
            .map(|found| {
                let features = found.counts.iter().zip(found.features);
                let numbered = features.map(|(&(hash, count), feature)| {
                    let number = *numbers.entry(hash).or_insert_with(|| {
                        all.push(feature);
                        all.len() as u64 - 1
                    });
                    all[place(number)].share += 1.0 / texts.len() as f64;
                    (number, count)
                });
                numbered.collect()
            })
            .collect();
        for feature in &mut all {
            feature.corpus = corpus(feature.hash);
        }
        Self { all, documents }
    }
}

/// Takes a feature's number and returns it as an index.
pub(crate) fn place(number: u64) -> usize {
    usize::try_from(number).expect("numbers count what is in memory")
}

fn found(kind: Kind, text: &str, counter: &mut TermCounter) -> Found {
    counter.clear();
    let mut features = Vec::new();
    let mut add = |feature: Feature| {
        counter.add(feature.hash);
        if counter.terms().len() > features.len() {
            features.push(feature);
        }
    };
    let runs = runs(text);
    match kind {
        Kind::Terms => tokens(text, &runs, |token| add(term(token))),
        Kind::KnownWords => known_words(text, &runs, |token| add(term(token))),
        Kind::CharacterPairs => character_pairs(text, &runs, |token| add(term(token))),
        Kind::TermPairs => {
            let mut last: Option<Feature> = None;
            tokens(text, &runs, |token| {
                let next = term(token);
                add(next);
                if let Some(last) = last.replace(next) {
                    add(pair(last, next));
                }
            });
        }
        Kind::Shingles => {
            let mut units = Vec::new();
            units_into(text, &runs, ShingleUnit::Auto, &mut units);
            for window in units.windows(3.min(units.len().max(1))) {
                let bytes: Vec<u8> = window.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                add(unknown(xxh3_64(&bytes)));
            }
        }
    }
    Found {
        counts: counter.terms().to_vec(),
        features,
    }
}

fn term(token: &str) -> Feature {
    let hash = xxh3_64(token.as_bytes());
    let weight = dictionary::weight(hash);
    let mut characters = token.chars();
    let is_ideograph = |c| class(c) == Class::Han;
    Feature {
        dictionary: weight,
        // The empty text is no word; the few words that weigh as much as it do no harm.
        is_known: weight != dictionary::weight(xxh3_64(b"")),
        is_character: characters.next().is_some_and(is_ideograph) && characters.next().is_none(),
        ..unknown(hash)
    }
}

fn pair(a: Feature, b: Feature) -> Feature {
    let mut bytes = a.hash.to_le_bytes().to_vec();
    bytes.extend(b.hash.to_le_bytes());
    Feature {
        dictionary: a.dictionary.midpoint(b.dictionary),
        is_known: a.is_known && b.is_known,
        ..unknown(xxh3_64(&bytes))
    }
}

fn unknown(hash: u64) -> Feature {
    Feature {
        hash,
        dictionary: dictionary::weight(xxh3_64(b"")),
        is_known: false,
        is_character: false,
        corpus: 0,
        share: 0.0,
    }
}

static JIEBA: LazyLock<Jieba> = LazyLock::new(jieba);

/// As [`tokens`], but each run of ideographs is cut by itself and into words of the dictionary only.
fn known_words<'t>(text: &'t str, runs: &[Run], mut token: impl FnMut(&'t str)) {
    for &run in runs {
        if run.class == Class::Han {
            let pieces = JIEBA.cut(run.of(text), false);
            pieces.iter().for_each(|piece| token(piece.word));
        } else {
            tokens(text, &[run], &mut token);
        }
    }
}

/// As [`tokens`], but a run of ideographs becomes its overlapping pairs.
fn character_pairs<'t>(text: &'t str, runs: &[Run], mut token: impl FnMut(&'t str)) {
    for &run in runs {
        let piece = run.of(text);
        let starts: Vec<usize> = piece.char_indices().map(|(at, _)| at).collect();
        if run.class != Class::Han {
            tokens(text, &[run], &mut token);
        } else if starts.len() < 3 {
            token(piece);
        } else {
            let ends = starts[2..].iter().copied().chain([piece.len()]);
            for (&start, end) in starts.iter().zip(ends) {
                token(&piece[start..end]);
            }
        }
    }
}

/// Returns the smoothed IDF `1 + ln((1 + n) / (1 + df))` of the terms of n documents. Each document is
/// given as its distinct terms, with their numbers of occurrences. Because of the smoothing, a term that
/// is in every document has a weight too, so two files are enough.
fn corpus_idf(documents: &[Found]) -> impl Fn(u64) -> u32 + use<> {
    let mut frequency: HashMap<u64, u32> = HashMap::new();
    let mut count = 0_u64;
    for Found { counts, .. } in documents {
        count += 1;
        for &(term, _) in counts {
            *frequency.entry(term).or_insert(0) += 1;
        }
    }
    let smoothed = move |df: u32| {
        let weight = ONE + ln(1 + count).saturating_sub(ln(1 + u64::from(df)));
        u32::try_from(weight >> (16 - SCALE_BITS)).expect("at most 1 + ln 2^64")
    };
    move |term| smoothed(frequency.get(&term).copied().unwrap_or(0))
}
