//! The index of some distinct sets, which finds their similar pairs and measures single pairs.

pub mod distinct;
pub mod postings;
pub(crate) mod prepared;
pub mod rarity;
mod search;

pub use self::prepared::Prepared;
use crate::join::inverted::postings::Postings;
use crate::join::inverted::rarity::Rarity;
use crate::join::inverted::search::contained::ContainmentSearch;
use crate::join::inverted::search::probe::{Probe, ProbedSets, Scratch};
use crate::join::inverted::search::rank_set::RankSet;
use crate::join::inverted::search::weighted::WeightedSearch;
use crate::join::inverted::search::{SizeTiles, Tuning};
use crate::join::shared::overlap;
use crate::join::threshold::{Containment, Threshold, WeightedThreshold};
use crate::join::weighted::Weighted;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Sets that one task compares at a time at most.
const CHUNK: u32 = 32;

/// No more sets are compared once so many pairs wait to be handed on: 20 MiB.
const WAITING: usize = 1 << 20;

/// Distinct sets, known by rank, prepared for joining and for measuring single pairs.
#[derive(Debug)]
pub struct Index {
    sizes: Arc<Vec<u32>>,
    floors: Arc<Vec<u32>>,
    tuning: Tuning,
    indexed: u32,
    postings: Arc<Postings>,
    tiles: Arc<SizeTiles>,
    /// The weights of the elements; `None` if they are not requested.
    rarity: Option<Rarity>,
    /// For each set whether no pair of it is found; empty if those of all are.
    gone: Vec<bool>,
    /// Memory for tasks that no task uses at the moment.
    idle: Mutex<Vec<Scratch>>,
}

/// When two sets are a pair: one of two similarities is enough.
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

impl Index {
    /// Returns the index of the same sets without those that are gone: they are in no pair, and elements weigh as if they had
    /// never been there.
    pub(crate) fn without(&self, gone: Vec<bool>) -> Self {
        let rarity = self
            .rarity
            .as_ref()
            .map(|_| Rarity::without(&self.sizes, &self.postings, &gone));
        Self {
            sizes: Arc::clone(&self.sizes),
            floors: Arc::clone(&self.floors),
            tuning: self.tuning,
            indexed: self.indexed,
            postings: Arc::clone(&self.postings),
            tiles: Arc::clone(&self.tiles),
            rarity,
            gone,
            idle: Mutex::default(),
        }
    }

    /// The sizes of the sets.
    pub(crate) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// How many sets there are.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.sizes.len()).expect("positions are 32 bits wide")
    }

    /// The end of the sets that a set is compared with.
    fn end(&self, set: u32) -> u32 {
        set.min(self.indexed)
    }

    /// The sets ready for probing.
    fn probed(&self, threshold: Threshold) -> ProbedSets<'_> {
        ProbedSets::new(
            &self.sizes,
            &self.floors,
            &self.postings,
            &self.tiles,
            threshold,
            &self.tuning,
        )
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
            self.similar(x, &probed, scratch, pairs);
            let of_later = of_later(x, wanted).iter().map(|&(_, y)| y);
            let mut wanted: Vec<u32> = of_later.collect();
            if let Some(threshold) = alike.weighted {
                self.add_weighted(x, threshold, scratch, &mut wanted);
            }
            self.add_wanted(x, &wanted, &mut scratch.whole, pairs);
        })
    }

    /// Returns the pairs of some sets, each the `x` of its pairs, with all that are similar to them, before and after them, in no
    /// order.
    pub(crate) fn beside(&self, sets: &[u32], threshold: Threshold) -> Vec<SetPair> {
        let probed = self.probed(threshold);
        let of_chunk = |sets: &[u32]| {
            let mut scratch = lock(&self.idle).pop().unwrap_or_default();
            let (mut all, mut of_one) = (Vec::new(), Vec::new());
            for &x in sets {
                let size = self.sizes[x as usize];
                let is_small = |&floor: &u32| threshold.least_size(floor) <= size;
                let end = self.floors[..self.indexed as usize].partition_point(is_small);
                let end = u32::try_from(end).expect("not more than sets");
                self.similar_before(end, x, &probed, &mut scratch, &mut of_one);
                of_one.retain(|pair| pair.y != x);
                self.weigh(x, &mut scratch, &mut of_one);
                all.append(&mut of_one);
            }
            lock(&self.idle).push(scratch);
            all
        };
        sets.par_chunks(CHUNK as usize)
            .flat_map_iter(of_chunk)
            .collect()
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

    /// Returns the pairs (later, earlier), ordered, where one set contains enough of the other. The later set is in a
    /// range, and the earlier one is a set to be found. Pairs of at least the similarity `except` are left out.
    pub(crate) fn contained(
        &self,
        sets: Range<u32>,
        containment: Containment,
        except: Option<Threshold>,
    ) -> Vec<(u32, u32)> {
        let search = ContainmentSearch {
            sizes: &self.sizes,
            postings: &self.postings,
            containment,
            except,
        };
        search.pairs(self.indexed, sets)
    }

    /// Finds a set's pairs with similar ones, in order.
    fn similar(
        &self,
        x: u32,
        probed: &ProbedSets<'_>,
        scratch: &mut Scratch,
        pairs: &mut Vec<SetPair>,
    ) {
        self.similar_before(self.end(x), x, probed, scratch, pairs);
    }

    /// Finds a set's pairs with similar ones before `end`, in order.
    fn similar_before(
        &self,
        end: u32,
        x: u32,
        probed: &ProbedSets<'_>,
        scratch: &mut Scratch,
        pairs: &mut Vec<SetPair>,
    ) {
        let probe = Probe::new(probed, x, end);
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

    /// Adds the weighted measures to the pairs of a set, and drops those with sets that are gone.
    fn weigh(&self, x: u32, scratch: &mut Scratch, pairs: &mut Vec<SetPair>) {
        let is_gone = |set: u32| self.gone.get(set as usize) == Some(&true);
        if !self.gone.is_empty() {
            pairs.retain(|pair| !is_gone(x) && !is_gone(pair.y));
        }
        let Some(rarity) = &self.rarity else {
            return;
        };
        if !pairs.is_empty() {
            rarity.hold(&self.postings, x, &mut scratch.held);
        }
        for pair in pairs {
            let shared = rarity.shared(&self.postings, &scratch.held, pair.y);
            pair.weighted = rarity.measure(shared, x, pair.y);
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
        let search = WeightedSearch {
            sizes: &self.sizes,
            postings: &self.postings,
            rarity,
            threshold,
        };
        let used = (&mut scratch.weighted, &mut scratch.held);
        search.run(x, self.end(x), used, |y| wanted.push(y));
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
        whole.fill(self.postings.ranks(x));
        pairs.extend(new.into_iter().map(|y| {
            let overlap = whole.shared(self.postings.ranks(y));
            SetPair {
                x,
                y,
                overlap,
                union: self.sizes[x as usize] + self.sizes[y as usize] - overlap,
                weighted: Weighted::default(),
            }
        }));
        pairs.sort_unstable();
    }

    /// How many elements both of two sets have, and how many at least one has.
    pub(crate) fn shared(&self, x: u32, y: u32) -> (u32, u32) {
        let overlap = overlap(self.postings.ranks(x), self.postings.ranks(y));
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

/// Spreads an element over the whole range, so that its top bits tell elements apart: Fibonacci
/// hashing (Knuth, vol. 3, section 6.4), after folding, because packed characters differ in their
/// low bits.
#[inline]
pub fn mix(element: u64) -> u64 {
    (element ^ element >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The top bits of a mixed element.
#[inline]
pub(crate) fn top_bits(mixed: u64, bits: u32) -> usize {
    usize::try_from(mixed.checked_shr(64 - bits).unwrap_or(0)).expect("a few bits")
}

/// Two distinct sets that are similar enough or were requested, by rank, with what they share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SetPair {
    /// The later one.
    pub x: u32,
    /// The earlier one.
    pub y: u32,
    /// How many elements both have.
    pub overlap: u32,
    /// How many elements at least one has.
    pub union: u32,
    /// The weighted measures, if there are weights.
    pub weighted: Weighted,
}

impl SetPair {
    /// Returns the pair with the later set first.
    pub(crate) fn ordered(self) -> Self {
        Self {
            x: self.x.max(self.y),
            y: self.x.min(self.y),
            ..self
        }
    }
}

/// The size that docs/how-it-works.md gives for pairs.
const _: () = assert!(size_of::<SetPair>() == 20);

/// Returns the smallest size of the class of a size; it is at least four fifths of the size.
pub fn floor(size: u32) -> u32 {
    match size.checked_ilog2() {
        Some(power) if power > 2 => size >> (power - 2) << (power - 2),
        _ => size,
    }
}
