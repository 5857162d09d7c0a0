//! Counts pairs by a measure.

use std::ops::RangeBounds;

use crate::engine::pair::Resemblance;
use crate::engine::pair::relation::{Counts, Relation};

/// The width of a bin in steps of a similarity: it is 0.05 wide.
pub const BIN: u64 = 500;

/// How many bins similarities have. The last bin is for a similarity of 1 alone, as that means equal sets.
pub const SIMILARITY_BINS: usize = 21;

/// How many bins distances have: one for each distance.
pub const DISTANCE_BINS: usize = 65;

/// Numbers of pairs of each relation, by bins of a measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram(Vec<Counts>);

impl Histogram {
    /// Returns an empty histogram with this many bins.
    pub(crate) fn new(bins: usize) -> Self {
        Self(vec![Counts::default(); bins])
    }

    /// Adds a pair to a bin.
    pub(crate) fn add(&mut self, bin: u8, relation: Relation) {
        self.0[usize::from(bin)].add(relation, 1);
    }

    /// Returns the counts of each bin.
    #[must_use]
    pub fn bins(&self) -> &[Counts] {
        &self.0
    }

    /// Returns the counts of a range of bins together.
    pub(crate) fn sum(&self, range: impl RangeBounds<u8>) -> Counts {
        let mut sum = Counts::default();
        for (_, &counts) in (0..).zip(&self.0).filter(|(bin, _)| range.contains(bin)) {
            sum.add_all(counts);
        }
        sum
    }
}

/// Returns the bin of a similarity in steps.
pub(crate) fn bin(steps: u64) -> u8 {
    u8::try_from(steps.min(Resemblance::STEPS) / BIN).expect("at most 20")
}

/// Returns the least similarity of a bin, in steps.
#[must_use]
pub fn least(bin: u8) -> u64 {
    u64::from(bin) * BIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_begins_at_its_least_similarity() {
        for (steps, expected) in [(0, 0), (499, 0), (500, 1), (9_999, 19), (10_000, 20)] {
            assert_eq!(bin(steps), expected, "{steps}");
        }
        assert!((0..20).all(|at| bin(least(at)) == at && bin(least(at + 1) - 1) == at));
        assert_eq!(usize::from(bin(Resemblance::STEPS)) + 1, SIMILARITY_BINS);
    }

    #[test]
    fn sums_are_of_all_bins_in_a_range() {
        let mut histogram = Histogram::new(4);
        for (bin, relation) in [
            (0, Relation::Near),
            (2, Relation::Near),
            (3, Relation::Short),
        ] {
            histogram.add(bin, relation);
        }
        assert_eq!(histogram.sum(..).total(), 3);
        assert_eq!(histogram.sum(1..).of(Relation::Near), 1);
        assert_eq!(histogram.sum(..=2).of(Relation::Short), 0);
        assert_eq!(histogram.bins()[3].total(), 1);
    }
}
