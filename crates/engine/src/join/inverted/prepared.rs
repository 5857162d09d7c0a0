//! The first step of making an index, and the search of it in rounds.

use crate::join::inverted::postings::Postings;
use crate::join::inverted::postings::parts::{Part, parts, weights};
use crate::join::inverted::rarity::{Rarity, Weighing};
use crate::join::inverted::search::{SizeTiles, Tuning};
use crate::join::inverted::{Index, floor};
use crate::join::weighted::Counted;
use crate::run::Result;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// The data of some sets for making their [`Index`]. The sets can be dropped before the index is made: both together
/// would need twice the memory.
#[derive(Debug)]
pub struct Prepared {
    sizes: Vec<u32>,
    indexed: u32,
    pub(super) tuning: Tuning,
    parts: Vec<Part>,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    None,
    Own(Option<Counted>),
    /// Of the sets and of the ranks.
    Known(Vec<u64>, Vec<u32>),
}

impl Prepared {
    /// Returns the data for the index of some sets, which ascend by size class and have distinct elements in any
    /// order. Only the first `indexed` sets can be found, by the sets after them.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TooMuch`] if all sets together have more than 2^32 elements.
    pub fn new(sets: &[&[u64]], indexed: u32, weighing: Weighing<'_>) -> Result<Self> {
        let (parts, weights) = match weighing {
            Weighing::None => (parts(sets, None)?, Weights::None),
            Weighing::Own(counted) => (parts(sets, None)?, Weights::Own(counted)),
            Weighing::Known(known) => {
                let parts = parts(sets, Some(known.frequencies))?;
                let of_ranks = weights(&parts);
                (parts, Weights::Known(known.sets, of_ranks))
            }
        };
        let size = |set: &&[u64]| u32::try_from(set.len()).expect("checked in `parts`");
        Ok(Self {
            sizes: sets.iter().map(size).collect(),
            indexed,
            tuning: Tuning::default(),
            parts,
            weights,
        })
    }

    /// Makes the index.
    pub fn index(self) -> Index {
        let floors: Vec<u32> = self.sizes.iter().copied().map(floor).collect();
        debug_assert!(floors.is_sorted());
        let postings = Postings::new(self.parts, self.sizes.len());
        let rarity = match self.weights {
            Weights::None => None,
            Weights::Known(sets, ranks) => Some(Rarity::among_more(sets, ranks)),
            Weights::Own(counted) => Some(Rarity::of_all(&self.sizes, &postings, counted.as_ref())),
        };
        Index {
            tiles: Arc::new(SizeTiles::new(
                &floors[..self.indexed as usize],
                &self.tuning,
            )),
            sizes: Arc::new(self.sizes),
            floors: Arc::new(floors),
            tuning: self.tuning,
            indexed: self.indexed,
            postings: Arc::new(postings),
            rarity,
            gone: Vec::new(),
            idle: Mutex::default(),
        }
    }
}

/// The largest part of the range that a round searches, so that results are not held back for long.
const LONGEST: u32 = 1 << 15;

/// Calls `take` with everything that `find` finds in a range, part by part and in order. `find` begins at the
/// start of the range that it is given and returns how far it came, which is at least one further: it may stop
/// early when it has found much. The next part is searched while `take` has the one before.
///
/// # Errors
///
/// The first error of `take`, which is not called again.
pub(crate) fn in_rounds<T: Send, E: Send>(
    range: Range<u32>,
    find: impl Fn(Range<u32>) -> (u32, Vec<T>) + Sync,
    mut take: impl FnMut(Range<u32>, Vec<T>) -> std::result::Result<(), E> + Send,
) -> std::result::Result<(), E> {
    let find = |start: u32| {
        let (end, found) = find(start..range.end.min(start.saturating_add(LONGEST)));
        (start..end, found)
    };
    if range.is_empty() {
        return Ok(());
    }
    let (mut part, mut found) = find(range.start);
    while part.end < range.end {
        debug_assert!(!part.is_empty());
        let end = part.end;
        let (taken, next) = rayon::join(|| take(part, found), || find(end));
        taken?;
        (part, found) = next;
    }
    take(part, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_handed_on_in_order() {
        let all = |part: Range<u32>| part.flat_map(|at| vec![at; at as usize % 20]);
        for (end, step) in [(0, 1), (1, 7), (1024, 1000), (90_000, 70_000), (5000, 1)] {
            let mut seen = Vec::new();
            let find = |part: Range<u32>| {
                let end = part.end.min(part.start + step);
                (end, all(part.start..end).collect())
            };
            let done = in_rounds(0..end, find, |part, found: Vec<u32>| {
                assert!(part.len() <= LONGEST as usize);
                seen.extend(found);
                Ok::<_, ()>(())
            });
            assert_eq!(done, Ok(()));
            assert!(seen.into_iter().eq(all(0..end)));
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        let mut calls = 0;
        let take = |_, _: Vec<u32>| {
            calls += 1;
            Err("full")
        };
        let find = |part: Range<u32>| (part.start + 10, vec![]);
        assert_eq!(in_rounds(0..100_000, find, take), Err("full"));
        assert_eq!(calls, 1);
    }
}
