//! Helps to choose thresholds: it counts the pairs that a scan with each threshold would report.
//!
//! Pairs are counted as they are found, and none is kept. The counts need four bytes for each document, however many pairs
//! there are.

use std::io;

use dupfind_engine::Options;
use dupfind_engine::detect::Detector;
use dupfind_engine::features::document::Document;
use dupfind_engine::join::threshold::Threshold;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::verdict::Counts;
use dupfind_engine::verdict::pair::{Pair, Resemblance};
use dupfind_scan::ScanOptions;

#[cfg(test)]
mod tests;

/// A similarity of 1, in steps.
const WHOLE: u32 = 10_000;

/// The thresholds of the Jaccard similarity that are counted, in steps: 0.1, 0.2, ... 0.9.
const SIMILARITIES: [u64; 9] = [
    1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000,
];

/// Thresholds, and the counts of a scan with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The least Jaccard similarity, in ten-thousandths; `None` if the shingle detector is off.
    pub min_jaccard: Option<u64>,
    /// The largest Hamming distance; `None` if the SimHash detector is off.
    pub max_hamming: Option<u32>,
    /// How many pairs there are of each relation.
    pub counts: Counts,
    /// How many documents are in any pair.
    pub documents: usize,
    /// Whether the scan has the pairs of the weighted detector too: it runs beside low thresholds of the Jaccard similarity.
    has_weighted: bool,
}

impl Choice {
    /// The least Jaccard similarity of a scan with default options, in ten-thousandths.
    #[must_use]
    pub fn default_jaccard() -> u64 {
        Options::MIN_JACCARD.least_size(WHOLE).into()
    }

    fn new(min_jaccard: Option<u64>, max_hamming: Option<u32>, options: &Options) -> Self {
        let least = min_jaccard.and_then(|steps| Threshold::new(steps, WHOLE.into()));
        let with = |min_jaccard| Options {
            min_jaccard,
            ..options.clone()
        };
        Self {
            min_jaccard,
            max_hamming,
            counts: Counts::default(),
            documents: 0,
            has_weighted: least.is_some_and(|least| with(least).weighted().is_some()),
        }
    }

    /// Returns whether a scan with these thresholds reports a pair.
    fn reports(&self, pair: &Pair) -> bool {
        let jaccard = pair.jaccard.map(Resemblance::steps);
        let hamming = pair.hamming.map(u32::from);
        let is_similar = self.min_jaccard.zip(jaccard);
        let is_near = self.max_hamming.zip(hamming);
        is_similar.is_some_and(|(least, jaccard)| jaccard >= least)
            || self.has_weighted && pair.found_by.have(Detector::Weighted)
            || is_near.is_some_and(|(most, hamming)| hamming <= most)
    }
}

/// Counts the pairs of a run by the thresholds that report them.
///
/// # Examples
///
/// ```
/// use dupfind_engine::run::observer::Silent;
/// use dupfind_scan::{ScanOptions, scan};
/// use dupfind_decide::tune::Tuning;
///
/// let mut options = ScanOptions::for_paths(["../../fixtures/corpus/en"]);
/// options.engine.min_jaccard = Tuning::LEAST_JACCARD;
/// options.engine.max_hamming = Tuning::MAX_HAMMING;
/// let mut tuning = Tuning::new(&options);
/// let outcome = scan(&options, &Silent, Some(&mut tuning))?;
/// let found: Vec<u64> = tuning.by_jaccard().map(|c| c.counts.total()).collect();
/// assert!(found.is_sorted_by(|lower, higher| lower >= higher));
/// assert!(outcome.pair_counts.total() >= found[0]);
/// # Ok::<(), dupfind_engine::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tuning {
    /// The thresholds that are counted, at most 32.
    choices: Vec<Choice>,
    /// For each document, by position, the choices with a pair that it is in: a bit for each.
    found: Vec<u32>,
}

impl Tuning {
    /// The least Jaccard similarity that is looked at by default. It is far below all useful thresholds.
    pub const LEAST_JACCARD: Threshold = Threshold::new(5, 100).expect("a fraction below 1");

    /// The largest Hamming distance that is looked at by default.
    pub const MAX_HAMMING: u32 = 12;

    /// Returns a tuning without pairs. `options` are those of the run that finds the pairs: a threshold is counted only
    /// if the run finds all its pairs.
    #[must_use]
    pub fn new(options: &ScanOptions) -> Self {
        let Options {
            detectors,
            min_jaccard,
            max_hamming,
            ..
        } = &options.engine;
        let least = u64::from(min_jaccard.least_size(WHOLE));
        let looks_at = |jaccard: u64| detectors.have(Detector::Shingle) && least <= jaccard;
        let distances = match detectors.have(Detector::Simhash) {
            true => 0..max_hamming + 1,
            false => 0..0,
        };
        let similarities = SIMILARITIES
            .into_iter()
            .filter(|&jaccard| looks_at(jaccard));
        let default = (Choice::default_jaccard(), Options::MAX_HAMMING);
        let both = (looks_at(default.0) && distances.contains(&default.1)).then_some(default);
        let choices = similarities
            .map(|jaccard| (Some(jaccard), None))
            .chain(distances.map(|bits| (None, Some(bits))))
            .chain(both.map(|(jaccard, bits)| (Some(jaccard), Some(bits))))
            .map(|(jaccard, bits)| Choice::new(jaccard, bits, &options.engine));
        Self {
            choices: choices.collect(),
            found: Vec::new(),
        }
    }

    /// Returns the counts: thresholds of the Jaccard similarity by themselves, then of the Hamming distance by
    /// themselves, then both defaults together.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Returns the counts of the thresholds 0.1, 0.2, ... 0.9 of the Jaccard similarity by themselves, as far as all such
    /// pairs were looked at.
    pub fn by_jaccard(&self) -> impl Iterator<Item = &Choice> {
        let choices = self.choices.iter();
        choices.filter(|choice| choice.max_hamming.is_none())
    }

    /// Returns the counts of each Hamming distance from 0 on by itself, as far as all such pairs were looked at.
    pub fn by_hamming(&self) -> impl Iterator<Item = &Choice> {
        let choices = self.choices.iter();
        choices.filter(|choice| choice.min_jaccard.is_none())
    }

    /// Returns the counts of a scan with the default options; `None` if not all such pairs were looked at.
    #[must_use]
    pub fn by_default(&self) -> Option<&Choice> {
        let is_both = |choice: &&Choice| choice.min_jaccard.and(choice.max_hamming).is_some();
        self.choices.iter().find(is_both)
    }
}

impl PairSink for Tuning {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        self.found.resize(documents.len(), 0);
        for (at, choice) in self.choices.iter_mut().enumerate() {
            let thresholds = *choice;
            for pair in pairs.iter().filter(|pair| thresholds.reports(pair)) {
                choice.counts.add(pair.relation, 1);
                for id in [pair.a, pair.b] {
                    let found = &mut self.found[id.index()];
                    choice.documents += usize::from(*found & 1 << at == 0);
                    *found |= 1 << at;
                }
            }
        }
        Ok(())
    }
}
