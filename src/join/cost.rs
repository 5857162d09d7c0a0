//! What a Jaccard join is expected to cost, by each strategy.
//!
//! Comparing everything merges every set with every other: (n - 1) x the elements of all sets.
//! Counting first makes an index, at a cost for each element, and then adds one for every shared
//! element that is not in a tail. An addition costs less than a step of merging, and there is at most
//! one for two steps, so while the index is not there yet its cost alone decides: it is paid back
//! from some tens of documents on. How many additions there will be shows in the frequencies, which
//! are known once the index is there.

use std::fmt;
use std::time::Duration;

/// Nanoseconds for one step of merging two sets.
const MERGE: f64 = 1.1;

/// Nanoseconds for one element in the index.
const INDEX: f64 = 40.0;

/// Nanoseconds for one addition, its share of verification included.
const ADD: f64 = 0.9;

/// How to find the similar pairs of some sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Compare every set with every other.
    Exhaustive,
    /// Count what sets share in the lists of their elements.
    Counting,
}

impl Strategy {
    /// Takes how many sets there are and how many elements they have together, and returns the
    /// strategy that is expected to be faster.
    pub(crate) fn cheapest(sets: usize, elements: usize) -> Self {
        if merging(sets, elements) < indexing(elements) {
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
    /// Time of counting on one thread, making the index included.
    pub counting: Duration,
    /// Time of comparing every set with every other on one thread.
    pub exhaustive: Duration,
}

impl Estimate {
    /// Takes the strategy, the sizes of the sets and how many additions there will be.
    pub(crate) fn new(strategy: Strategy, sizes: &[u32], additions: u64) -> Self {
        let elements = sizes.iter().map(|&size| size as usize).sum();
        let nanos = |nanos: f64| Duration::from_secs_f64(nanos * 1e-9);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let adding = additions as f64 * ADD;
        Self {
            strategy,
            additions,
            counting: nanos(indexing(elements) + adding),
            exhaustive: nanos(merging(sizes.len(), elements)),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn merging(sets: usize, elements: usize) -> f64 {
    sets.saturating_sub(1) as f64 * elements as f64 * MERGE
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn indexing(elements: usize) -> f64 {
    elements as f64 * INDEX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sets_are_compared_and_many_are_counted() {
        assert_eq!(Strategy::cheapest(2, 1000), Strategy::Exhaustive);
        assert_eq!(Strategy::cheapest(20, 10_000), Strategy::Exhaustive);
        assert_eq!(Strategy::cheapest(1000, 500_000), Strategy::Counting);
        let estimate = Estimate::new(Strategy::Counting, &[500; 1000], 1_000_000);
        assert!(estimate.counting < estimate.exhaustive);
    }
}
