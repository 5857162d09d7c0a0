//! Distinct sets prepared for joining, by whichever strategy is expected to be faster.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use crate::error::Result;
use crate::join::cost::{Estimate, Strategy};
use crate::join::exhaustive::overlap;
use crate::join::parts::{Part, parts};
use crate::join::postings::Postings;
use crate::join::probe::{Probe, Probed, Scratch};
use crate::join::size_class::floor;
use crate::join::threshold::Threshold;
use crate::join::tiles::Tiles;

/// Sets from which the cost of the join is estimated.
const SAMPLE: usize = 1000;

/// Sets that one task compares at a time.
const CHUNK: u32 = 32;

/// Two distinct sets that are similar enough or were asked for, by rank, with what they share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SetPair {
    /// The later one.
    pub(crate) x: u32,
    /// The earlier one.
    pub(crate) y: u32,
    /// How many elements both have.
    pub(crate) overlap: u32,
    /// How many elements at least one has.
    pub(crate) union: u32,
}

/// What is needed of some sets to make their [`Index`]. The sets can be dropped before the index is
/// made, which together would take twice the memory.
#[derive(Debug)]
pub(crate) struct Prepared {
    sizes: Vec<u32>,
    indexed: u32,
    form: PreparedForm,
}

#[derive(Debug)]
enum PreparedForm {
    Sorted(Vec<Vec<u64>>),
    Parts(Vec<Part>),
}

impl Prepared {
    /// Takes sets, ascending by size class and each of distinct elements in any order, and how many of them,
    /// from the first, are to be found: a set is compared with those to be found that come before it.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
    pub(crate) fn new(sets: &[&[u64]], indexed: u32, strategy: Strategy) -> Result<Self> {
        let form = match strategy {
            Strategy::Exhaustive => {
                let sorted = sets.par_iter().map(|set| {
                    let mut set = set.to_vec();
                    set.sort_unstable();
                    set
                });
                PreparedForm::Sorted(sorted.collect())
            }
            Strategy::Counting => PreparedForm::Parts(parts(sets)?),
        };
        let size = |set: &&[u64]| u32::try_from(set.len()).expect("checked in `parts`");
        let sizes: Vec<u32> = sets.iter().map(size).collect();
        Ok(Self {
            sizes,
            indexed,
            form,
        })
    }

    /// Makes the index.
    pub(crate) fn index(self) -> Index {
        let floors: Vec<u32> = self.sizes.iter().copied().map(floor).collect();
        debug_assert!(floors.is_sorted());
        let form = match self.form {
            PreparedForm::Sorted(sets) => Form::Sorted(sets),
            PreparedForm::Parts(parts) => Form::Postings(
                Postings::new(parts, self.sizes.len()),
                Tiles::new(&floors[..self.indexed as usize]),
            ),
        };
        Index {
            sizes: self.sizes,
            floors,
            indexed: self.indexed,
            form,
            idle: Mutex::default(),
        }
    }
}

/// Distinct sets, known by rank, prepared for joining and for measuring single pairs.
#[derive(Debug)]
pub(crate) struct Index {
    sizes: Vec<u32>,
    floors: Vec<u32>,
    indexed: u32,
    form: Form,
    /// What no task works with at the moment.
    idle: Mutex<Vec<Scratch>>,
}

#[derive(Debug)]
enum Form {
    Sorted(Vec<Vec<u64>>),
    Postings(Postings, Tiles),
}

impl Index {
    /// How many sets there are.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.sizes.len()).expect("positions are 32 bits wide")
    }

    /// What the join is expected to cost.
    pub(crate) fn estimate(&self, threshold: Threshold) -> Estimate {
        let (additions, counters) = match self.probed(threshold) {
            None => (0, 0),
            Some(among) => {
                // Some of many stand for all.
                let step = (self.sizes.len() / SAMPLE).max(1);
                let sets = (0..self.count()).step_by(step);
                let work = sets.map(|set| Probe::new(&among, set, self.end(set)).work());
                let sum = work.fold((0, 0), |sum, work| (sum.0 + work.0, sum.1 + work.1));
                (sum.0 * step as u64, sum.1 * step as u64)
            }
        };
        let strategy = match self.form {
            Form::Sorted(_) => Strategy::Exhaustive,
            Form::Postings(..) => Strategy::Counting,
        };
        Estimate::new(strategy, &self.sizes, (additions, counters))
    }

    /// The end of the sets that a set is compared with.
    fn end(&self, set: u32) -> u32 {
        set.min(self.indexed)
    }

    /// The sets ready for probing, if they are to be counted.
    fn probed(&self, threshold: Threshold) -> Option<Probed<'_>> {
        match &self.form {
            Form::Sorted(_) => None,
            Form::Postings(postings, tiles) => Some(Probed::new(
                &self.sizes,
                &self.floors,
                postings,
                tiles,
                threshold,
            )),
        }
    }

    /// Takes a range of sets, the threshold and, ordered, pairs (later, earlier) that are wanted
    /// whether they are similar or not. Returns those and all others that are similar enough, of sets
    /// in the range with sets to be found before them, in order.
    pub(crate) fn pairs(
        &self,
        sets: Range<u32>,
        threshold: Threshold,
        wanted: &[(u32, u32)],
    ) -> Vec<SetPair> {
        let among = self.probed(threshold);
        let chunks = sets.len().div_ceil(CHUNK as usize);
        let found: Vec<Vec<SetPair>> = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                let chunk = u32::try_from(chunk).expect("fewer than sets");
                let from = sets.start + chunk * CHUNK;
                let mut scratch = self.idle().pop().unwrap_or_default();
                let mut pairs = Vec::new();
                for x in from..sets.end.min(from + CHUNK) {
                    let start = pairs.len();
                    self.similar(x, among.as_ref(), threshold, &mut scratch, &mut pairs);
                    let first = wanted.partition_point(|&(later, _)| later < x);
                    let wanted = wanted[first..].iter().take_while(|&&(later, _)| later == x);
                    self.add_wanted(start, wanted, &mut pairs);
                }
                self.idle().push(scratch);
                pairs
            })
            .collect();
        found.concat()
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Scratch>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a set's pairs with similar ones, in order.
    fn similar(
        &self,
        x: u32,
        among: Option<&Probed<'_>>,
        threshold: Threshold,
        scratch: &mut Scratch,
        pairs: &mut Vec<SetPair>,
    ) {
        let Some(among) = among else {
            let measured = (0..self.end(x)).map(|y| self.measured(x, y));
            pairs.extend(measured.filter(|pair| threshold.admits(pair.overlap, pair.union)));
            return;
        };
        let start = pairs.len();
        let probe = Probe::new(among, x, self.end(x));
        probe.run(scratch, |y, overlap, union| {
            pairs.push(SetPair {
                x,
                y,
                overlap,
                union,
            });
        });
        pairs[start..].sort_unstable();
    }

    /// Adds the wanted pairs of a set to its similar ones, which start at `start`.
    fn add_wanted<'w>(
        &self,
        start: usize,
        wanted: impl Iterator<Item = &'w (u32, u32)>,
        pairs: &mut Vec<SetPair>,
    ) {
        let end = pairs.len();
        for &(x, y) in wanted {
            let similar = &pairs[start..end];
            if similar.binary_search_by_key(&y, |pair| pair.y).is_err() {
                let pair = self.measured(x, y);
                pairs.push(pair);
            }
        }
        if pairs.len() > end {
            pairs[start..].sort_unstable();
        }
    }

    /// Two sets with what they share.
    fn measured(&self, x: u32, y: u32) -> SetPair {
        let overlap = match &self.form {
            Form::Sorted(sets) => overlap(&sets[x as usize], &sets[y as usize]),
            Form::Postings(postings, _) => overlap(postings.ranks(x), postings.ranks(y)),
        };
        SetPair {
            x,
            y,
            overlap,
            union: self.sizes[x as usize] + self.sizes[y as usize] - overlap,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::cost::Strategy;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn every_strategy_and_side_equals_comparing(
            sets in prop::collection::vec(prop::collection::btree_set(0_u64..60, 1..40), 1..40),
            thousandths in 1_u64..=1000,
            wanted in prop::collection::btree_set((0_u32..40, 0_u32..40), 0..20),
            indexed in 0_u32..40,
        ) {
            let mut sets: Vec<Vec<u64>> = sets.into_iter().map(BTreeSet::into_iter).map(Iterator::collect).collect();
            sets.sort_by_key(|set| floor(u32::try_from(set.len()).unwrap()));
            let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
            let count = u32::try_from(sets.len()).unwrap();
            let indexed = indexed.min(count);
            let t = Threshold::new(thousandths, 1000).unwrap();
            let wanted: Vec<(u32, u32)> = wanted
                .into_iter()
                .filter(|&(x, y)| x < count && y < x.min(indexed))
                .collect();
            let mut expected = Vec::new();
            for x in 0..count {
                for y in 0..x.min(indexed) {
                    let (a, b) = (slices[x as usize], slices[y as usize]);
                    let overlap = overlap(a, b);
                    let union = u32::try_from(a.len() + b.len()).unwrap() - overlap;
                    if t.admits(overlap, union) || wanted.contains(&(x, y)) {
                        expected.push(SetPair { x, y, overlap, union });
                    }
                }
            }
            for strategy in [Strategy::Exhaustive, Strategy::Counting] {
                let index = Prepared::new(&slices, indexed, strategy).unwrap().index();
                prop_assert_eq!(&index.pairs(0..count, t, &wanted), &expected);
                let half = index.pairs(0..count / 2, t, &wanted);
                let rest = index.pairs(count / 2..count, t, &wanted);
                prop_assert_eq!([half, rest].concat(), expected.clone());
            }
        }
    }
}
