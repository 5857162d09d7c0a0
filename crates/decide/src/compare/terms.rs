//! The words that two documents have in common, by their weights.

use std::cmp::Reverse;
use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::compare::side::Side;
use dupfind_engine::fingerprint::idf::Idf;
use dupfind_engine::fingerprint::simhash::term_weight;
use dupfind_engine::fingerprint::terms::TermCounter;
use dupfind_engine::text::segmenter::Segmenter;

/// A term that both documents have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedTerm {
    /// The term, normalised.
    pub term: String,
    /// How often each document has it.
    pub counts: [u32; 2],
    /// Its TF-IDF weight in each document, in units of 1 / [`ONE`](dupfind_engine::fingerprint::log::ONE).
    pub weights: [u64; 2],
}

/// The terms of a document, with their words by hash.
pub(crate) struct Words<'s> {
    pub(crate) counter: TermCounter,
    words: HashMap<u64, &'s str>,
}

impl<'s> Words<'s> {
    /// Returns the terms of a document.
    pub(crate) fn of(side: &'s Side<'_>, segmenter: &Segmenter) -> Self {
        let mut counter = TermCounter::new();
        let mut words = HashMap::new();
        side.cutter().tokens(segmenter, |token| {
            let hash = xxh3_64(token.as_bytes());
            counter.add(hash);
            words.entry(hash).or_insert(token);
        });
        Self { counter, words }
    }
}

/// Whether a term tells what a text is about: it is no bare number, and more than one ASCII character.
fn is_telling(term: &str) -> bool {
    let is_number = |c: char| c.is_numeric() || ".,:-/%".contains(c);
    !(term.chars().all(is_number) || term.len() == 1 && term.is_ascii())
}

/// Returns at most `top` telling terms that both documents have, ordered by the product of their weights, the largest
/// first. That product is what a term adds to the cosine similarity.
pub(crate) fn shared_terms(a: &Words<'_>, b: &Words<'_>, idf: &Idf, top: usize) -> Vec<SharedTerm> {
    let in_b: HashMap<u64, u32> = b.counter.terms().iter().copied().collect();
    let mut shared: Vec<SharedTerm> = a
        .counter
        .terms()
        .iter()
        .filter_map(|&(hash, count)| {
            let counts = [count, *in_b.get(&hash)?];
            let term = *a.words.get(&hash)?;
            is_telling(term).then(|| SharedTerm {
                term: term.to_owned(),
                counts,
                weights: counts.map(|count| term_weight(hash, count, idf)),
            })
        })
        .collect();
    let product = |term: &SharedTerm| u128::from(term.weights[0]) * u128::from(term.weights[1]);
    shared.sort_unstable_by(|x, y| {
        Reverse(product(x))
            .cmp(&Reverse(product(y)))
            .then_with(|| x.term.cmp(&y.term))
    });
    shared.truncate(top);
    shared
}
