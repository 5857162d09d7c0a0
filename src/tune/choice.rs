//! What a scan with other thresholds would report.

use crate::engine::Options;
use crate::engine::pair::relation::{Counts, Relations};
use crate::tune::borderline::CutOff;
use crate::tune::histogram::{bin, least};
use crate::tune::{Closest, Tuning, WHOLE};

/// The bins of thresholds of the Jaccard similarity: every second one, 0.1, 0.2, ... 0.9.
const LISTED: [u8; 9] = [2, 4, 6, 8, 10, 12, 14, 16, 18];

/// The highest bin whose threshold may be suggested, 0.9: from there on pairs are near-duplicates.
const HIGHEST: u8 = 18;

/// How many of a hundred duplicates must still be reported with a threshold that is suggested.
const KEPT: u64 = 95;

/// Thresholds, and what a scan with them reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The least Jaccard similarity, in ten-thousandths; none without that detector.
    pub min_jaccard: Option<u64>,
    /// The largest Hamming distance; none without that detector.
    pub max_hamming: Option<u32>,
    /// The pairs.
    pub counts: Counts,
    /// How many documents are in any of them.
    pub documents: usize,
}

impl Choice {
    /// How many of the pairs are duplicates by their relation: exact, near or contained.
    #[must_use]
    pub fn duplicates(&self) -> u64 {
        self.counts.of_any(Relations::DUPLICATES)
    }

    /// How many are not.
    #[must_use]
    pub fn others(&self) -> u64 {
        self.counts.total() - self.duplicates()
    }
}

impl Tuning {
    /// What each threshold of the Jaccard similarity reports by itself, as far as such pairs were looked
    /// at: 0.1, 0.2, ... 0.9.
    #[must_use]
    pub fn by_jaccard(&self) -> Vec<Choice> {
        let seen = LISTED.into_iter().filter(|&from| self.has_seen(from));
        seen.map(|from| Choice {
            min_jaccard: Some(least(from)),
            max_hamming: None,
            counts: self.jaccard.sum(from..),
            documents: self.documents(|closest| closest.jaccard >= Some(from)),
        })
        .collect()
    }

    /// What each Hamming distance reports by itself, as far as such pairs were looked at: from 0.
    #[must_use]
    pub fn by_hamming(&self) -> Vec<Choice> {
        let distances = self.max_hamming.map_or(0..0, |most| 0..most + 1);
        distances
            .map(|most| Choice {
                min_jaccard: None,
                max_hamming: Some(most),
                counts: self.within(most),
                documents: self.documents(|closest| closest.is_within(most)),
            })
            .collect()
    }

    /// What a scan with the default options reports, if all such pairs were looked at.
    #[must_use]
    pub fn default_choice(&self) -> Option<Choice> {
        self.with_default_hamming(bin(CutOff::Jaccard.value()))
    }

    /// A higher threshold of the Jaccard similarity that spares much reading.
    ///
    /// The rule: of 0.25, 0.3, 0.35, ... 0.9 it is the highest with which a scan still reports 95 % of the
    /// duplicates that it reports by default; and only if it then reports at most half as many others.
    #[must_use]
    pub fn suggestion(&self) -> Option<Choice> {
        let default = self.default_choice()?;
        let higher = bin(CutOff::Jaccard.value()) + 1..=HIGHEST;
        let choices = higher
            .rev()
            .filter_map(|from| self.with_default_hamming(from));
        let is_enough = |duplicates| duplicates * 100 >= default.duplicates() * KEPT;
        let mut keeping = choices.filter(|choice| is_enough(choice.duplicates()));
        let highest = keeping.next()?;
        let spares = default.others() > 0 && highest.others() * 2 <= default.others();
        (default.duplicates() > 0 && spares).then_some(highest)
    }

    /// What a scan with a least similarity, given by its bin, and the default distance reports.
    fn with_default_hamming(&self, from: u8) -> Option<Choice> {
        let most = Options::MAX_HAMMING;
        let looked = self.has_seen(from) && self.max_hamming >= Some(most);
        looked.then(|| {
            let mut counts = self.within(most);
            counts.add_all(self.not_near.sum(from..));
            Choice {
                min_jaccard: Some(least(from)),
                max_hamming: Some(most),
                counts,
                documents: self
                    .documents(|closest| closest.jaccard >= Some(from) || closest.is_within(most)),
            }
        })
    }

    /// Takes a bin of the Jaccard similarity and returns whether all pairs in it and in those above were
    /// looked at, not only those whose fingerprints are near.
    #[must_use]
    pub fn has_seen(&self, from: u8) -> bool {
        self.min_jaccard
            .is_some_and(|floor| u64::from(floor.least_size(WHOLE)) <= least(from))
    }

    fn within(&self, most: u32) -> Counts {
        self.hamming.sum(..=u8::try_from(most).unwrap_or(u8::MAX))
    }

    fn documents(&self, belongs: impl Fn(&Closest) -> bool) -> usize {
        self.closest
            .iter()
            .filter(|&closest| belongs(closest))
            .count()
    }
}

impl Closest {
    fn is_within(&self, most: u32) -> bool {
        self.hamming.is_some_and(|bits| u32::from(bits) <= most)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::pair::Pair;
    use crate::engine::pair::relation::Relation;
    use crate::tune::testing::{pair, tuned};

    /// Pairs with Jaccard similarities in hundredths, duplicates and others.
    fn suggested(duplicates: &[u32], others: &[u32]) -> Option<u64> {
        let others = others.iter().map(|&hundredths| Pair {
            relation: Relation::Template,
            ..pair(0, 1, hundredths)
        });
        let duplicates = duplicates.iter().map(|&hundredths| pair(0, 1, hundredths));
        let pairs: Vec<Pair> = duplicates.chain(others).collect();
        let suggestion = tuned(&pairs, 10).suggestion();
        suggestion.and_then(|choice| choice.min_jaccard)
    }

    #[test]
    fn the_highest_threshold_that_keeps_duplicates_and_halves_the_rest() {
        assert_eq!(suggested(&[47, 80], &[21, 30]), Some(4_500));
        assert_eq!(suggested(&[47, 80], &[21, 60]), Some(4_500));
        assert_eq!(suggested(&[47, 80], &[50, 60, 30]), None);
        assert_eq!(suggested(&[95, 99], &[25]), Some(9_000));
        // Nothing to keep, nothing to spare, nothing to gain.
        assert_eq!(suggested(&[], &[25]), None);
        assert_eq!(suggested(&[50], &[]), None);
        assert_eq!(suggested(&[24], &[21]), None);
        // One of twenty may go, two may not.
        let mut many = vec![70; 19];
        many.push(30);
        assert_eq!(suggested(&many, &[40]), Some(7_000));
        many.push(30);
        assert_eq!(suggested(&many, &[25]), Some(3_000));
    }

    #[test]
    fn pairs_that_fingerprints_find_are_kept_by_any_threshold() {
        let near = Pair {
            hamming: Some(1),
            ..pair(0, 1, 25)
        };
        let other = Pair {
            relation: Relation::Template,
            ..pair(2, 3, 30)
        };
        let tuning = tuned(&[near, other], 1);
        let suggestion = tuning.suggestion().unwrap();
        assert_eq!(suggestion.min_jaccard, Some(9_000));
        assert_eq!((suggestion.duplicates(), suggestion.others()), (1, 0));
        assert_eq!(suggestion.documents, 2);
    }
}
