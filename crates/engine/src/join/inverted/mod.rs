//! The index of some distinct sets, which finds their similar pairs and measures single pairs.

pub mod distinct;
pub mod mix;
mod pair;
pub mod postings;
mod prepared;
pub mod rarity;
pub(crate) mod rounds;
mod search;
pub mod size_class;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

pub use self::pair::SetPair;
pub use self::prepared::Prepared;

use crate::join::cost::{Estimate, Strategy};
use crate::join::inverted::postings::Postings;
use crate::join::inverted::rarity::Rarity;
use crate::join::inverted::search::contained::ContainmentSearch;
use crate::join::inverted::search::probe::{Probe, ProbedSets, Scratch};
use crate::join::inverted::search::rank_set::RankSet;
use crate::join::inverted::search::tiles::SizeTiles;
use crate::join::inverted::search::tuning::Tuning;
use crate::join::inverted::search::weighted::WeightedSearch;
use crate::join::pairwise::overlap;
use crate::join::threshold::{Containment, Threshold, WeightedThreshold};
use crate::join::weighted::{LARGEST_WEIGHT, Weighted};

/// Sets from which the cost of the join is estimated.
const SAMPLE: usize = 1000;

/// Sets that one task compares at a time at most.
const CHUNK: u32 = 32;

/// No more sets are compared once so many pairs wait to be handed on: 20 MiB.
const WAITING: usize = 1 << 20;

/// Distinct sets, known by rank, prepared for joining and for measuring single pairs.
#[derive(Debug)]
pub struct Index {
    sizes: Vec<u32>,
    floors: Vec<u32>,
    tuning: Tuning,
    indexed: u32,
    form: Form,
    /// The weights of the elements; `None` if they are not requested.
    rarity: Option<Rarity>,
    /// Memory for tasks that no task uses at the moment.
    idle: Mutex<Vec<Scratch>>,
}

/// What sets must have in common to be a pair: one of two similarities.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alike {
    pub(crate) jaccard: Threshold,
    /// `None` if weights do not make pairs. They do only in an index that has weights.
    pub(crate) weighted: Option<WeightedThreshold>,
}

impl From<Threshold> for Alike {
    fn from(jaccard: Threshold) -> Self {
        Self {
            jaccard,
            weighted: None,
        }
    }
}

#[derive(Debug)]
enum Form {
    Sorted(Vec<Vec<u64>>),
    Postings(Postings, SizeTiles),
}

impl Index {
    /// How many sets there are.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.sizes.len()).expect("positions are 32 bits wide")
    }

    /// Returns how many elements of each set no other set has.
    pub(crate) fn unshared(&self) -> Vec<u32> {
        let shared = |set: u32| match &self.form {
            Form::Postings(postings, _) => postings.ranks(set).len(),
            Form::Sorted(sets) => {
                let others = || (0..).zip(sets).filter(|&(other, _)| other != set);
                let is_shared = |element: &&u64| {
                    others().any(|(_, other)| other.binary_search(element).is_ok())
                };
                sets[set as usize].iter().filter(is_shared).count()
            }
        };
        let unshared = |(set, &size): (u32, &u32)| {
            size - u32::try_from(shared(set)).expect("not more than the set has")
        };
        (0..).zip(&self.sizes).map(unshared).collect()
    }

    /// Returns the expected cost of making the index and of finding the pairs of the sets in `probing`.
    pub fn estimate(&self, probing: Range<u32>, threshold: Threshold) -> Estimate {
        let (additions, counters) = match self.probed(threshold) {
            None => (0, 0),
            Some(probed) => {
                // Some of many represent all.
                let step = (probing.len() / SAMPLE).max(1);
                let sets = probing.step_by(step);
                let work = sets.map(|set| Probe::new(&probed, set, self.end(set)).work());
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
    fn probed(&self, threshold: Threshold) -> Option<ProbedSets<'_>> {
        match &self.form {
            Form::Sorted(_) => None,
            Form::Postings(postings, tiles) => Some(ProbedSets::new(
                &self.sizes,
                &self.floors,
                postings,
                tiles,
                threshold,
                &self.tuning,
            )),
        }
    }

    /// Returns the pairs of the sets in a range with sets to be found before them, in order: those that are
    /// alike, and the `wanted` ones (later, earlier), ordered, whether similar or not. Also returns
    /// the end of the sets that were compared: if there are very many pairs, it is before the end of the
    /// range.
    pub(crate) fn pairs(
        &self,
        sets: Range<u32>,
        alike: Alike,
        wanted: &[(u32, u32)],
    ) -> (u32, Vec<SetPair>) {
        let probed = self.probed(alike.jaccard);
        self.in_chunks(sets, |x, scratch, pairs| {
            self.similar(x, probed.as_ref(), alike.jaccard, scratch, pairs);
            let of_later = of_later(x, wanted).iter().map(|&(_, y)| y);
            let mut wanted: Vec<u32> = of_later.collect();
            if let Some(threshold) = alike.weighted {
                self.add_weighted(x, threshold, scratch, &mut wanted);
            }
            self.add_wanted(x, &wanted, &mut scratch.whole, pairs);
        })
    }

    /// As [`Self::pairs`], but only the wanted pairs.
    pub(crate) fn wanted(&self, sets: Range<u32>, wanted: &[(u32, u32)]) -> (u32, Vec<SetPair>) {
        self.in_chunks(sets, |x, scratch, pairs| {
            let of_later = of_later(x, wanted).iter().map(|&(_, y)| y);
            self.add_wanted(x, &of_later.collect::<Vec<_>>(), &mut scratch.whole, pairs);
        })
    }

    /// Returns the pairs that `find` finds for each set of a range, with their weighted measures, as
    /// [`Self::pairs`] does.
    fn in_chunks(
        &self,
        sets: Range<u32>,
        find: impl Fn(u32, &mut Scratch, &mut Vec<SetPair>) + Sync,
    ) -> (u32, Vec<SetPair>) {
        let threads = rayon::current_num_threads();
        let share = sets.len() / (4 * threads);
        let chunk = u32::try_from(share).map_or(CHUNK, |share| share.clamp(1, CHUNK));
        // Chunks are taken in order, so that those before the first one that is not are complete.
        let next = AtomicU64::new(u64::from(sets.start));
        let waiting = AtomicUsize::new(0);
        let done: Mutex<Vec<(u32, Vec<SetPair>)>> = Mutex::default();
        let work = || {
            let mut scratch = lock(&self.idle).pop().unwrap_or_default();
            let mut of_one = Vec::new();
            while waiting.load(Ordering::Relaxed) < WAITING {
                let from = next.fetch_add(u64::from(chunk), Ordering::Relaxed);
                let Some(from) = u32::try_from(from).ok().filter(|&from| from < sets.end) else {
                    break;
                };
                let mut pairs = Vec::new();
                for x in from..sets.end.min(from.saturating_add(chunk)) {
                    find(x, &mut scratch, &mut of_one);
                    self.weigh(x, &mut scratch, &mut of_one);
                    pairs.append(&mut of_one);
                }
                waiting.fetch_add(pairs.len(), Ordering::Relaxed);
                lock(&done).push((from, pairs));
            }
            lock(&self.idle).push(scratch);
        };
        rayon::scope(|scope| (0..threads).for_each(|_| scope.spawn(|_| work())));
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|&(from, _)| from);
        let end = next.into_inner().min(u64::from(sets.end));
        let pairs = done.into_iter().flat_map(|(_, pairs)| pairs).collect();
        (u32::try_from(end).expect("not beyond the range"), pairs)
    }

    /// Returns the pairs (later, earlier), ordered, of the sets in a range with sets to be found before them, of
    /// which one contains enough of the other. Pairs of at least the similarity `except` are left out.
    pub(crate) fn contained(
        &self,
        sets: Range<u32>,
        containment: Containment,
        except: Option<Threshold>,
    ) -> Vec<(u32, u32)> {
        match &self.form {
            Form::Sorted(_) => {
                let before = |x| (0..self.end(x)).map(move |y| (x, y));
                let admits = |&(x, y): &(u32, u32)| {
                    let (overlap, union) = self.shared(x, y);
                    containment.admits(overlap, self.sizes[x as usize], self.sizes[y as usize])
                        && !except.is_some_and(|t| t.admits(overlap, union))
                };
                sets.flat_map(before).filter(admits).collect()
            }
            Form::Postings(postings, _) => ContainmentSearch {
                sizes: &self.sizes,
                postings,
                containment,
                except,
            }
            .pairs(self.indexed, sets),
        }
    }

    /// Finds a set's pairs with similar ones, in order.
    fn similar(
        &self,
        x: u32,
        probed: Option<&ProbedSets<'_>>,
        threshold: Threshold,
        scratch: &mut Scratch,
        pairs: &mut Vec<SetPair>,
    ) {
        let Some(probed) = probed else {
            let measured = (0..self.end(x)).map(|y| self.measured(x, y));
            pairs.extend(measured.filter(|pair| threshold.admits(pair.overlap, pair.union)));
            return;
        };
        let probe = Probe::new(probed, x, self.end(x));
        probe.run(scratch, |y, overlap, union| {
            pairs.push(SetPair {
                x,
                y,
                overlap,
                union,
                weighted: Weighted::default(),
            });
        });
        pairs.sort_unstable();
    }

    /// Adds the weighted measures to the pairs of a set.
    fn weigh(&self, x: u32, scratch: &mut Scratch, pairs: &mut [SetPair]) {
        let Some(rarity) = &self.rarity else {
            return;
        };
        let measure = |shared, y| rarity.measure(shared, x, y);
        match &self.form {
            Form::Sorted(_) => {
                for pair in pairs {
                    pair.weighted =
                        measure(u64::from(pair.overlap) * u64::from(LARGEST_WEIGHT), pair.y);
                }
            }
            Form::Postings(postings, _) => {
                if !pairs.is_empty() {
                    rarity.hold(postings, x, &mut scratch.held);
                }
                for pair in pairs {
                    let shared = rarity.shared(postings, &scratch.held, pair.y);
                    pair.weighted = measure(shared, pair.y);
                }
            }
        }
    }

    /// Adds the sets that share enough weight with a set to those it is to be measured with, in order.
    fn add_weighted(
        &self,
        x: u32,
        threshold: WeightedThreshold,
        scratch: &mut Scratch,
        wanted: &mut Vec<u32>,
    ) {
        let Some(rarity) = &self.rarity else {
            return;
        };
        match &self.form {
            Form::Sorted(_) => wanted.extend((0..self.end(x)).filter(|&y| {
                let shared = u64::from(self.shared(x, y).0) * u64::from(LARGEST_WEIGHT);
                let smaller = self.sizes[x as usize].min(self.sizes[y as usize]);
                threshold.admits(rarity.measure(shared, x, y), smaller)
            })),
            Form::Postings(postings, _) => {
                let search = WeightedSearch {
                    sizes: &self.sizes,
                    postings,
                    rarity,
                    threshold,
                };
                let used = (&mut scratch.weighted, &mut scratch.held);
                search.run(x, self.end(x), used, |y| wanted.push(y));
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
    }

    /// Adds the pairs of a set with the `wanted` ones, which are ordered, to its similar ones, in order.
    fn add_wanted(&self, x: u32, wanted: &[u32], whole: &mut RankSet, pairs: &mut Vec<SetPair>) {
        let is_new = |y: &u32| pairs.binary_search_by_key(y, |pair| pair.y).is_err();
        let new: Vec<u32> = wanted.iter().copied().filter(is_new).collect();
        if new.is_empty() {
            return;
        }
        let new = new.into_iter();
        match &self.form {
            Form::Sorted(_) => pairs.extend(new.map(|y| self.measured(x, y))),
            Form::Postings(postings, _) => {
                whole.fill(postings.ranks(x));
                let overlap = |y| whole.shared(postings.ranks(y), 0);
                pairs.extend(new.map(|y| self.pair(x, y, overlap(y))));
            }
        }
        pairs.sort_unstable();
    }

    /// Two sets with what they share.
    fn measured(&self, x: u32, y: u32) -> SetPair {
        let (overlap, _) = self.shared(x, y);
        self.pair(x, y, overlap)
    }

    /// Two sets that share so many elements.
    fn pair(&self, x: u32, y: u32, overlap: u32) -> SetPair {
        SetPair {
            x,
            y,
            overlap,
            union: self.sizes[x as usize] + self.sizes[y as usize] - overlap,
            weighted: Weighted::default(),
        }
    }

    /// Returns the weight of the elements that the sets of each pair share. Pairs of one later set are adjacent.
    pub(crate) fn shared_weights(&self, pairs: &[SetPair]) -> Vec<u64> {
        let Some(rarity) = &self.rarity else {
            return vec![0; pairs.len()];
        };
        let of_later: Vec<&[SetPair]> = pairs.chunk_by(|x, y| x.x == y.x).collect();
        let weigh = |scratch: &mut Scratch, pairs: &&[SetPair]| -> Vec<u64> {
            match &self.form {
                Form::Sorted(_) => {
                    let even = |pair: &SetPair| u64::from(pair.overlap) * u64::from(LARGEST_WEIGHT);
                    pairs.iter().map(even).collect()
                }
                Form::Postings(postings, _) => {
                    rarity.hold(postings, pairs[0].x, &mut scratch.held);
                    let shared = |pair: &SetPair| rarity.shared(postings, &scratch.held, pair.y);
                    pairs.iter().map(shared).collect()
                }
            }
        };
        let weights = of_later
            .par_iter()
            .with_min_len(64)
            .map_init(Scratch::default, weigh);
        weights.flatten_iter().collect()
    }

    /// How many elements both of two sets have, and how many at least one has.
    pub(crate) fn shared(&self, x: u32, y: u32) -> (u32, u32) {
        let overlap = match &self.form {
            Form::Sorted(sets) => overlap(&sets[x as usize], &sets[y as usize]),
            Form::Postings(postings, _) => overlap(postings.ranks(x), postings.ranks(y)),
        };
        let sizes = (self.sizes[x as usize], self.sizes[y as usize]);
        (overlap, sizes.0 + sizes.1 - overlap)
    }
}

/// Those of ordered pairs `(later, earlier)` whose later set this is.
fn of_later(x: u32, pairs: &[(u32, u32)]) -> &[(u32, u32)] {
    let first = pairs.partition_point(|&(later, _)| later < x);
    let from_it = &pairs[first..];
    &from_it[..from_it.partition_point(|&(later, _)| later == x)]
}

/// Locks a mutex. A panic of another task does no harm: values are only pushed and popped.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
