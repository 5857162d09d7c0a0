//! What a Jaccard join is expected to cost, by each strategy.
//!
//! Comparing everything sorts every set and merges it with every other: (n - 1) x the elements of all
//! sets. Counting first makes an index, at a cost for each element, and then adds one for every shared
//! element that is not in a tail. There is at most one addition for two steps of merging, and it costs
//! less than a step, so while the index is not there yet its cost alone decides. How many additions
//! there will be shows in the frequencies, which are known once the index is there.
//!
//! Measured on pages of 500 to 1,000 elements, one thread, exhaustive against counting: 0.10 and 0.04 ms
//! for 10 sets, 2.1 and 0.4 for 40, 20 and 1.5 for 120, 212 and 6.0 for 400. So only two sets are
//! compared outright; a merge mispredicts a branch every few steps, and an index of few sets fits
//! the cache.

use std::fmt;
use std::time::Duration;

/// Nanoseconds for sorting one element of a set.
const SORT: f64 = 12.0;

/// Nanoseconds for one step of merging two sets.
const MERGE: f64 = 2.8;

/// Nanoseconds for one element in an index that fits the cache, and in one that does not.
const INDEX: (f64, f64) = (15.0, 50.0);

/// How many elements an index has that fits the cache.
const SMALL: usize = 1 << 18;

/// Nanoseconds for one addition, and for one counter that is looked at, with what follows from it: fitted to
/// joins of 30,000 to 527,000 sets of 100 to 700 elements, of which single characters, pairs or triples were
/// one, at thresholds of .2, .5 and .8. What it comes to is within a quarter of the time that all but the
/// joins of single characters took, and twice that of these.
const ADD: f64 = 0.67;
const SCAN: f64 = 2.6;

/// How to find the similar pairs of some sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Compare every set with every other.
    Exhaustive,
    /// Count what sets share in the lists of their elements.
    Counting,
}

impl Strategy {
    /// Returns the strategy that is expected to be faster for so many sets, which have so many elements together.
    pub(crate) fn cheapest(sets: usize, elements: usize) -> Self {
        if merging(sets, elements) < elements as f64 * INDEX.0 {
            Self::Exhaustive
        } else {
            Self::Counting
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exhaustive => "exhaustive",
            Self::Counting => "counting",
        })
    }
}

/// What a join by the strategy that was chosen is expected to cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The strategy.
    pub strategy: Strategy,
    /// About how many additions it will make, from the frequencies of the elements.
    pub additions: u64,
    /// About how many counters it will look at.
    pub counters: u64,
    /// Time of counting on one thread, making the index included.
    pub counting: Duration,
    /// Time of comparing every set with every other on one thread.
    pub exhaustive: Duration,
}

impl Estimate {
    /// Returns the estimate for sets of these sizes and for the expected numbers of additions and counters.
    pub fn new(strategy: Strategy, sizes: &[u32], (additions, counters): (u64, u64)) -> Self {
        let elements = sizes.iter().map(|&size| size as usize).sum();
        let nanos = |nanos: f64| Duration::from_secs_f64(nanos * 1e-9);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let adding = additions as f64 * ADD + counters as f64 * SCAN;
        Self {
            strategy,
            additions,
            counters,
            counting: nanos(indexing(elements) + adding),
            exhaustive: nanos(merging(sizes.len(), elements)),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn merging(sets: usize, elements: usize) -> f64 {
    elements as f64 * (SORT + sets.saturating_sub(1) as f64 * MERGE)
}

/// Returns the expected nanoseconds for making an index of so many elements.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub fn indexing(elements: usize) -> f64 {
    elements as f64 * if elements < SMALL { INDEX.0 } else { INDEX.1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sets_are_compared_and_many_are_counted() {
        assert_eq!(Strategy::cheapest(2, 1000), Strategy::Exhaustive);
        for (sets, elements) in [(3, 1000), (40, 20_000), (14, 1 << 20)] {
            assert_eq!(Strategy::cheapest(sets, elements), Strategy::Counting);
        }
        assert_eq!(Strategy::cheapest(1000, 500_000), Strategy::Counting);
        let estimate = Estimate::new(Strategy::Counting, &[500; 1000], (1_000_000, 500_000));
        assert!(estimate.counting < estimate.exhaustive);
    }
}
