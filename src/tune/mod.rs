//! Helps to choose thresholds: it counts pairs by their similarity, says how many pairs each threshold would report,
//! and shows pairs near the cut-offs.
//!
//! Pairs are counted as they are found, and only a few are kept. The counts take four bytes for each document, however
//! many pairs there are.

use std::io;

use crate::detect::Detector;
use crate::engine::Options;
use crate::engine::document::Document;
use crate::engine::pair::Pair;
use crate::engine::pairing::sink::PairSink;
use crate::join::threshold::Threshold;
use crate::scan::ScanOptions;
use crate::tune::borderline::{Borderline, CutOff};
use crate::tune::histogram::{DISTANCE_BINS, Histogram, SIMILARITY_BINS, bin};

pub mod borderline;
pub mod choice;
pub mod histogram;
#[cfg(test)]
mod testing;

/// Counts the pairs of a run by their similarity.
///
/// # Examples
///
/// ```
/// use dupfind::engine::observer::Silent;
/// use dupfind::scan::{ScanOptions, scan};
/// use dupfind::tune::Tuning;
///
/// let mut options = ScanOptions::for_paths(["fixtures/corpus/en"]);
/// options.engine.min_jaccard = Tuning::LEAST_JACCARD;
/// options.engine.max_hamming = Tuning::MAX_HAMMING;
/// let mut tuning = Tuning::new(&options);
/// let outcome = scan(&options, &Silent, Some(&mut tuning))?;
/// let found: Vec<u64> = tuning.by_jaccard().iter().map(|c| c.counts.total()).collect();
/// assert!(found.is_sorted_by(|lower, higher| lower >= higher));
/// assert!(outcome.pair_counts.total() >= found[0]);
/// # Ok::<(), dupfind::error::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tuning {
    /// The least Jaccard similarity that is looked at; `None` if the shingle detector is off.
    min_jaccard: Option<Threshold>,
    /// The largest Hamming distance that is looked at; `None` if the SimHash detector is off.
    max_hamming: Option<u32>,
    jaccard: Histogram,
    weighted: Histogram,
    hamming: Histogram,
    /// By Jaccard similarity, the pairs that a scan with default options does not report by their fingerprints.
    not_near: Histogram,
    /// How near each document came to any other, by position.
    closest: Vec<Closest>,
    borderlines: Vec<Borderline>,
}

/// A similarity of 1, in steps.
const WHOLE: u32 = 10_000;

/// How near a document came to any other. A measure is `None` if it is in no pair, or the detector is off.
#[derive(Debug, Clone, Copy, Default)]
struct Closest {
    /// The bin of the highest Jaccard similarity.
    jaccard: Option<u8>,
    /// The least Hamming distance.
    hamming: Option<u8>,
}

impl Tuning {
    /// The least Jaccard similarity that is looked at by default. It is far below all useful thresholds.
    pub const LEAST_JACCARD: Threshold = Threshold::new(5, 100).expect("a fraction below 1");

    /// The largest Hamming distance that is looked at by default.
    pub const MAX_HAMMING: u32 = 12;

    /// Returns a tuning without pairs. `options` are those of the run that finds the pairs. With lower thresholds more
    /// choices can be counted.
    #[must_use]
    pub fn new(options: &ScanOptions) -> Self {
        let detectors = options.engine.detectors;
        Self {
            min_jaccard: detectors
                .have(Detector::Shingle)
                .then_some(options.engine.min_jaccard),
            max_hamming: detectors
                .have(Detector::Simhash)
                .then_some(options.engine.max_hamming),
            jaccard: Histogram::new(SIMILARITY_BINS),
            weighted: Histogram::new(SIMILARITY_BINS),
            hamming: Histogram::new(DISTANCE_BINS),
            not_near: Histogram::new(SIMILARITY_BINS),
            closest: Vec::new(),
            borderlines: CutOff::ALL.map(Borderline::new).into(),
        }
    }

    /// Returns the pairs by Jaccard similarity. Below the least similarity that is looked at, there are only pairs that
    /// were found by their fingerprints.
    #[must_use]
    pub fn jaccard(&self) -> &Histogram {
        &self.jaccard
    }

    /// Returns the pairs by weighted similarity.
    #[must_use]
    pub fn weighted(&self) -> &Histogram {
        &self.weighted
    }

    /// Returns the pairs by Hamming distance. Above the largest distance that is looked at, there are only pairs that
    /// were found by their shingles.
    #[must_use]
    pub fn hamming(&self) -> &Histogram {
        &self.hamming
    }

    /// Returns the pairs near each cut-off, if pairs on both sides of it were looked at.
    pub fn borderlines(&self) -> impl Iterator<Item = &Borderline> {
        let looks_below = self
            .min_jaccard
            .is_some_and(|least| u64::from(least.least_size(WHOLE)) < CutOff::Jaccard.value());
        let looks_beyond = self.max_hamming > Some(Options::MAX_HAMMING);
        self.borderlines
            .iter()
            .filter(move |borderline| match borderline.cut_off {
                CutOff::Jaccard => looks_below,
                CutOff::Hamming => looks_beyond,
                CutOff::NearWeighted | CutOff::NearJaccard | CutOff::Contained => true,
            })
    }

    fn count(&mut self, pair: &Pair) {
        let relation = pair.relation;
        let jaccard = pair.jaccard.map(|jaccard| bin(jaccard.steps()));
        if let Some(jaccard) = jaccard {
            self.jaccard.add(jaccard, relation);
            let near = |bits: u8| u32::from(bits) <= Options::MAX_HAMMING;
            if !pair.hamming.is_some_and(near) {
                self.not_near.add(jaccard, relation);
            }
        }
        if let Some(weighted) = pair.weighted {
            self.weighted.add(bin(weighted.similarity.into()), relation);
        }
        if let Some(hamming) = pair.hamming {
            self.hamming.add(hamming, relation);
        }
        for id in [pair.a, pair.b] {
            let closest = &mut self.closest[id.index()];
            closest.jaccard = closest.jaccard.max(jaccard);
            closest.hamming = match (closest.hamming, pair.hamming) {
                (Some(before), Some(now)) => Some(before.min(now)),
                (before, now) => before.or(now),
            };
        }
    }
}

impl PairSink for Tuning {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        self.closest.resize(documents.len(), Closest::default());
        for pair in pairs {
            self.count(pair);
            for borderline in &mut self.borderlines {
                borderline.add(documents, pair);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::pair::relation::Counts;
    use crate::tune::choice::Choice;
    use crate::tune::testing::{default_options, documents, pairs, tuned};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// What is left of all pairs when only some are taken.
    fn filtered(all: &[Pair], takes: impl Fn(&Pair) -> bool) -> (Counts, usize) {
        let mut counts = Counts::default();
        let mut documents = BTreeSet::new();
        for pair in all.iter().filter(|&pair| takes(pair)) {
            counts.add(pair.relation, 1);
            documents.extend([pair.a, pair.b]);
        }
        (counts, documents.len())
    }

    fn takes(choice: &Choice, pair: &Pair) -> bool {
        let steps = pair.jaccard.map(|jaccard| jaccard.steps());
        let bits = pair.hamming.map(u32::from);
        let is_similar = choice.min_jaccard.is_some_and(|least| steps >= Some(least));
        let is_near = choice
            .max_hamming
            .is_some_and(|most| bits.is_some_and(|b| b <= most));
        is_similar || is_near
    }

    proptest! {
        #[test]
        fn counts_are_those_of_filtering_all_pairs(all in pairs(), size in 1_usize..50) {
            let tuning = tuned(&all, size);
            let choices = tuning.by_jaccard().into_iter().chain(tuning.by_hamming());
            let choices: Vec<Choice> = choices
                .chain(tuning.default_choice())
                .chain(tuning.suggestion())
                .collect();
            prop_assert!(choices.len() > 9 + 12);
            for choice in choices {
                let expected = filtered(&all, |pair| takes(&choice, pair));
                prop_assert_eq!((choice.counts, choice.documents), expected, "{:?}", choice);
            }
        }

        #[test]
        fn histograms_are_those_of_filtering_all_pairs(all in pairs()) {
            let tuning = tuned(&all, 7);
            for (bin, &counts) in (0..).zip(tuning.jaccard().bins()) {
                let from = histogram::least(bin)..histogram::least(bin + 1);
                let is_in = |pair: &Pair| pair.jaccard.is_some_and(|j| from.contains(&j.steps()));
                prop_assert_eq!(counts, filtered(&all, is_in).0);
            }
            for (bin, &counts) in (0..).zip(tuning.weighted().bins()) {
                let from = histogram::least(bin)..histogram::least(bin + 1);
                let is_in = |pair: &Pair| {
                    pair.weighted.is_some_and(|w| from.contains(&w.similarity.into()))
                };
                prop_assert_eq!(counts, filtered(&all, is_in).0);
            }
            for (bits, &counts) in (0..).zip(tuning.hamming().bins()) {
                prop_assert_eq!(counts, filtered(&all, |pair| pair.hamming == Some(bits)).0);
            }
        }

        #[test]
        fn the_order_of_the_pairs_does_not_matter(all in pairs(), size in 1_usize..50) {
            let shown = |all: &[Pair], size| format!("{:?}", tuned(all, size));
            let mut reversed = all.clone();
            reversed.reverse();
            prop_assert_eq!(shown(&all, size), shown(&reversed, 11));
        }
    }

    #[test]
    fn the_default_threshold_is_among_the_listed_ones() {
        let default = u64::from(Options::MIN_JACCARD.least_size(WHOLE));
        let listed = tuned(&[], 1).by_jaccard();
        assert!(
            listed
                .iter()
                .any(|choice| choice.min_jaccard == Some(default))
        );
    }

    #[test]
    fn what_was_not_looked_at_is_not_reported() {
        let thresholds = |min_jaccard: &str, max_hamming| {
            let options = ScanOptions {
                engine: Options {
                    min_jaccard: min_jaccard.parse().unwrap(),
                    max_hamming,
                    ..Options::default()
                },
                ..default_options()
            };
            let tuning = Tuning::new(&options);
            let both = tuning.default_choice().is_some();
            let cut_offs: Vec<CutOff> = tuning.borderlines().map(|b| b.cut_off).collect();
            let rows = (tuning.by_jaccard().len(), tuning.by_hamming().len(), both);
            (
                rows,
                cut_offs.contains(&CutOff::Jaccard),
                cut_offs.contains(&CutOff::Hamming),
            )
        };
        assert_eq!(thresholds("0.05", 12), ((9, 13, true), true, true));
        assert_eq!(thresholds("0.2", 3), ((8, 4, true), false, false));
        assert_eq!(thresholds("0.21", 3), ((7, 4, false), false, false));
        assert_eq!(thresholds("0.1", 2), ((9, 3, false), true, false));
        assert_eq!(thresholds("1", 0), ((0, 1, false), false, false));
    }

    #[test]
    fn without_a_detector_there_is_nothing_of_its_measure() {
        let mut options = default_options();
        options.engine.detectors = Detector::Simhash.into();
        let mut tuning = Tuning::new(&options);
        let pair = Pair {
            hamming: Some(4),
            jaccard: None,
            weighted: None,
            ..testing::pair(0, 1, 50)
        };
        tuning.take(&documents(), &[pair]).unwrap();
        assert!(tuning.by_jaccard().is_empty() && tuning.default_choice().is_none());
        let found = tuning.by_hamming();
        assert_eq!((found[3].documents, found[4].documents), (0, 2));
        let edges = |b: &Borderline| b.admitted().count() + b.refused().count();
        assert_eq!(tuning.borderlines().map(edges).sum::<usize>(), 1);
    }
}
