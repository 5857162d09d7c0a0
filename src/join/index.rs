//! Distinct sets prepared for joining, by whichever strategy is expected to be faster.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use crate::error::Result;
use crate::join::containment::{Contained, Containment};
use crate::join::cost::{Estimate, Strategy};
use crate::join::exhaustive::{overlap, sorted};
use crate::join::parts::{Part, parts, weights};
use crate::join::postings::Postings;
use crate::join::probe::{Probe, Probed, Scratch};
use crate::join::rarity::{Known, ONE, Rarity, Weighing, Weighted};
use crate::join::size_class::floor;
use crate::join::threshold::Threshold;
use crate::join::tiles::Tiles;
use crate::join::tuning::Tuning;

/// Sets from which the cost of the join is estimated.
const SAMPLE: usize = 1000;

/// Sets that one task compares at a time at most.
const CHUNK: u32 = 32;

/// No more sets are compared once so many pairs wait to be handed on: 20 MiB.
const WAITING: usize = 1 << 20;

/// Two distinct sets that are similar enough, by rank: the later, the earlier, and how many elements both have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) overlap: u32,
}

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
    /// The weighted measures, if there are weights.
    pub(crate) weighted: Weighted,
}

/// What the README says of pairs in temporary files.
const _: () = assert!(size_of::<SetPair>() == 20);

/// What is needed of some sets to make their [`Index`]. The sets can be dropped before the index is
/// made, which together would take twice the memory.
#[derive(Debug)]
pub(crate) struct Prepared {
    sizes: Vec<u32>,
    indexed: u32,
    tuning: Tuning,
    form: PreparedForm,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    None,
    Own,
    /// Of the sets and of the ranks.
    Known(Vec<u64>, Vec<u32>),
}

#[derive(Debug)]
enum PreparedForm {
    Sorted(Vec<Vec<u64>>),
    Parts(Vec<Part>),
}

impl Prepared {
    /// Takes sets, ascending by size class and each of distinct elements in any order; how many of
    /// them, from the first, are to be found: a set is compared with those to be found that come
    /// before it; and where weights come from. If there are weights, more than two sets are never
    /// compared outright: frequencies come with the index.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
    pub(crate) fn new(
        sets: &[&[u64]],
        indexed: u32,
        strategy: Strategy,
        weighing: Weighing<'_>,
    ) -> Result<Self> {
        let frequencies = match &weighing {
            Weighing::Known(Known { frequencies, .. }) => Some(*frequencies),
            Weighing::None | Weighing::Own => None,
        };
        let is_even = match weighing {
            Weighing::None => true,
            Weighing::Own => sets.len() <= 2,
            Weighing::Known(_) => false,
        };
        let form = match strategy {
            Strategy::Exhaustive if is_even => {
                PreparedForm::Sorted(sets.par_iter().map(|set| sorted(set)).collect())
            }
            _ => PreparedForm::Parts(parts(sets, frequencies)?),
        };
        let weights = match (weighing, &form) {
            (Weighing::Known(Known { sets, .. }), PreparedForm::Parts(parts)) => {
                Weights::Known(sets, weights(parts))
            }
            (Weighing::None, _) => Weights::None,
            _ => Weights::Own,
        };
        let size = |set: &&[u64]| u32::try_from(set.len()).expect("checked in `parts`");
        let sizes: Vec<u32> = sets.iter().map(size).collect();
        Ok(Self {
            sizes,
            indexed,
            tuning: Tuning::default(),
            form,
            weights,
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
                Tiles::new(&floors[..self.indexed as usize], &self.tuning),
            ),
        };
        let rarity = match (self.weights, &form) {
            (Weights::None, _) => None,
            (Weights::Known(sets, ranks), _) => Some(Rarity::among_more(sets, ranks)),
            (Weights::Own, Form::Sorted(_)) => Some(Rarity::even(&self.sizes)),
            (Weights::Own, Form::Postings(postings, _)) => {
                Some(Rarity::of_all(&self.sizes, postings))
            }
        };
        Index {
            sizes: self.sizes,
            floors,
            tuning: self.tuning,
            indexed: self.indexed,
            form,
            rarity,
            idle: Mutex::default(),
        }
    }
}

/// Distinct sets, known by rank, prepared for joining and for measuring single pairs.
#[derive(Debug)]
pub(crate) struct Index {
    sizes: Vec<u32>,
    floors: Vec<u32>,
    tuning: Tuning,
    indexed: u32,
    form: Form,
    /// What elements weigh; none if that is not wanted.
    rarity: Option<Rarity>,
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

    /// Takes the sets that are to look for others and the threshold, and returns what that and making
    /// the index are expected to cost.
    pub(crate) fn estimate(&self, probing: Range<u32>, threshold: Threshold) -> Estimate {
        let (additions, counters) = match self.probed(threshold) {
            None => (0, 0),
            Some(among) => {
                // Some of many stand for all.
                let step = (probing.len() / SAMPLE).max(1);
                let sets = probing.step_by(step);
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

    /// The sizes of all sets.
    pub(super) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The end of the sets to be found.
    pub(super) fn indexed(&self) -> u32 {
        self.indexed
    }

    /// The lists, if there are more sets than are compared outright.
    pub(super) fn postings(&self) -> Option<&Postings> {
        match &self.form {
            Form::Sorted(_) => None,
            Form::Postings(postings, _) => Some(postings),
        }
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
                &self.tuning,
            )),
        }
    }

    /// Takes a range of sets, the threshold and, ordered, pairs (later, earlier) that are wanted
    /// whether they are similar or not. Returns those and all others that are similar enough, of sets
    /// in the range with sets to be found before them, in order; and the end of the sets that were
    /// compared, which is not that of the range if there are very many pairs.
    pub(crate) fn pairs(
        &self,
        sets: Range<u32>,
        threshold: Threshold,
        wanted: &[(u32, u32)],
    ) -> (u32, Vec<SetPair>) {
        let among = self.probed(threshold);
        self.in_chunks(sets, |x, scratch, pairs| {
            self.similar(x, among.as_ref(), threshold, scratch, pairs);
            self.add_wanted(wanted_of(x, wanted), pairs);
        })
    }

    /// As [`Self::pairs`], but for the pairs that are wanted alone: nothing is counted.
    pub(crate) fn wanted(&self, sets: Range<u32>, wanted: &[(u32, u32)]) -> (u32, Vec<SetPair>) {
        self.in_chunks(sets, |x, scratch, pairs| {
            let wanted = wanted_of(x, wanted);
            match &self.form {
                Form::Sorted(_) => pairs.extend(wanted.iter().map(|&(x, y)| self.measured(x, y))),
                Form::Postings(..) if wanted.is_empty() => {}
                Form::Postings(postings, _) => {
                    let held = &mut scratch.whole;
                    held.fill(postings.ranks(x));
                    pairs.extend(wanted.iter().map(|&(x, y)| {
                        let overlap = held.shared(postings.ranks(y), 0);
                        self.pair(x, y, overlap)
                    }));
                }
            }
        })
    }

    /// As [`Self::pairs`], but for similar pairs that were found in another way, in order, and the wanted ones.
    pub(crate) fn found(
        &self,
        sets: Range<u32>,
        found: &[Found],
        wanted: &[(u32, u32)],
    ) -> (u32, Vec<SetPair>) {
        self.in_chunks(sets, |x, _, pairs| {
            let of_it = of_later(x, found, |found| found.x);
            pairs.extend(
                of_it
                    .iter()
                    .map(|&Found { x, y, overlap }| self.pair(x, y, overlap)),
            );
            self.add_wanted(wanted_of(x, wanted), pairs);
        })
    }

    /// Takes a range of sets and how to find the pairs of one, and returns the pairs of all with their
    /// weighted measures, in order, as [`Self::pairs`] does.
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

    /// Takes the sets that look for others, when one contains another, and from which similarity on
    /// pairs are left out; returns the pairs (later, earlier) of them with sets to be found before them,
    /// ordered.
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
                    let is_similar = |t: Threshold| t.admits(overlap, union);
                    containment.admits(overlap, self.sizes[x as usize], self.sizes[y as usize])
                        && !except.is_some_and(is_similar)
                };
                sets.flat_map(before).filter(admits).collect()
            }
            Form::Postings(postings, _) => Contained {
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
        let probe = Probe::new(among, x, self.end(x));
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
                    pair.weighted = measure(u64::from(pair.overlap) * u64::from(ONE), pair.y);
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

    /// Adds the wanted pairs of a set to its similar ones.
    fn add_wanted(&self, wanted: &[(u32, u32)], pairs: &mut Vec<SetPair>) {
        let end = pairs.len();
        for &(x, y) in wanted {
            let similar = &pairs[..end];
            if similar.binary_search_by_key(&y, |pair| pair.y).is_err() {
                let pair = self.measured(x, y);
                pairs.push(pair);
            }
        }
        if pairs.len() > end {
            pairs.sort_unstable();
        }
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

/// The pairs of a set, the later one, among pairs in order.
fn wanted_of(x: u32, wanted: &[(u32, u32)]) -> &[(u32, u32)] {
    of_later(x, wanted, |&(later, _)| later)
}

/// Those of pairs in order whose later set this is.
fn of_later<P>(x: u32, pairs: &[P], later: impl Fn(&P) -> u32) -> &[P] {
    let first = pairs.partition_point(|pair| later(pair) < x);
    let from_it = &pairs[first..];
    &from_it[..from_it.partition_point(|pair| later(pair) == x)]
}

/// What a lock guards stays whole if a task panics: it is only pushed and popped.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::cost::Strategy;
    use crate::join::rarity::weight;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_strategy_and_side_equals_comparing(
            // Some elements that many sets share, and some that few do.
            sets in prop::collection::vec(
                (
                    prop::collection::btree_set(0_u64..14, 1..12),
                    prop::collection::btree_set(100_u64..400, 0..30),
                ),
                1..60,
            ),
            thousandths in 1_u64..=1000,
            wanted in prop::collection::btree_set((0_u32..60, 0_u32..60), 0..20),
            indexed in 0_u32..60,
        ) {
            let mut sets: Vec<Vec<u64>> = sets
                .into_iter()
                .map(|(many, few)| many.into_iter().chain(few).collect())
                .collect();
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
                        let weighted = weighted(&sets, a, b);
                        expected.push(SetPair { x, y, overlap, union, weighted });
                    }
                }
            }
            // Small tiles and all lists in them, so that few sets are enough for all ways to go.
            let small = Tuning {
                smallest_tile: 1,
                largest_tile: 5,
                frequent: 1 + indexed % 3,
                short: 1 + count % 4,
                narrow: if count % 2 == 0 { 0 } else { i16::MAX as usize },
                few: (count as usize % 3) * 8,
            };
            for (strategy, tuning) in [
                (Strategy::Exhaustive, Tuning::default()),
                (Strategy::Counting, Tuning::default()),
                (Strategy::Counting, small),
            ] {
                let own = Prepared::new(&slices, indexed, strategy, Weighing::Own);
                let mut prepared = own.unwrap();
                prepared.tuning = tuning;
                let index = prepared.index();
                prop_assert_eq!(&index.pairs(0..count, t, &wanted), &(count, expected.clone()));
                let (_, half) = index.pairs(0..count / 2, t, &wanted);
                let (_, rest) = index.pairs(count / 2..count, t, &wanted);
                prop_assert_eq!([half, rest].concat(), expected.clone());

                let (_, alone) = index.wanted(0..count, &wanted);
                let is_wanted = |pair: &&SetPair| wanted.contains(&(pair.x, pair.y));
                let among_all = expected.iter().filter(is_wanted).copied();
                prop_assert_eq!(alone, among_all.collect::<Vec<_>>());

                let containment = Containment { least: t, min_size: 2 };
                for except in [None, Some(t)] {
                    let all = (0..count).flat_map(|x| (0..x.min(indexed)).map(move |y| (x, y)));
                    let contained = all.filter(|&(x, y)| {
                        let (a, b) = (slices[x as usize], slices[y as usize]);
                        let shared = overlap(a, b);
                        let size = |set: &[u64]| u32::try_from(set.len()).unwrap();
                        let is_similar = t.admits(shared, size(a) + size(b) - shared);
                        containment.admits(shared, size(a), size(b))
                            && !(except.is_some() && is_similar)
                    });
                    let mut halves = index.contained(0..count / 2, containment, except);
                    halves.extend(index.contained(count / 2..count, containment, except));
                    prop_assert_eq!(halves, contained.collect::<Vec<_>>());
                }

                let none = Prepared::new(&slices, indexed, strategy, Weighing::None);
                let (_, unweighed) = none.unwrap().index().pairs(0..count, t, &wanted);
                let weightless = |pair: &SetPair| SetPair { weighted: Weighted::default(), ..*pair };
                prop_assert_eq!(unweighed, expected.iter().map(weightless).collect::<Vec<_>>());
            }
        }
    }

    /// The weighted measures of two of some sets, element by element.
    fn weighted(sets: &[Vec<u64>], a: &[u64], b: &[u64]) -> Weighted {
        let weigh = |element: &u64| {
            let having = sets.iter().filter(|set| set.contains(element));
            u64::from(weight(u32::try_from(having.count()).unwrap()))
        };
        let shared = a.iter().filter(|element| b.contains(element)).map(weigh);
        Weighted::new(
            shared.sum(),
            a.iter().map(weigh).sum(),
            b.iter().map(weigh).sum(),
        )
    }

    #[test]
    fn very_many_pairs_end_a_round_early() {
        let sets: Vec<Vec<u64>> = (0..3000).map(|own| vec![1, 2, 3, 4 + own]).collect();
        let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
        let prepared = Prepared::new(&slices, 3000, Strategy::Counting, Weighing::None).unwrap();
        let index = prepared.index();
        let t = Threshold::new(1, 2).unwrap();
        let (mut start, mut found, mut rounds) = (0, 0, 0);
        while start < 3000 {
            let (end, pairs) = index.pairs(start..3000, t, &[]);
            assert!(end > start);
            assert!(pairs.iter().all(|pair| (start..end).contains(&pair.x)));
            assert!(pairs.is_sorted());
            (start, found, rounds) = (end, found + pairs.len(), rounds + 1);
        }
        assert_eq!(found, 3000 * 2999 / 2);
        assert!((4..=6).contains(&rounds), "{rounds}");
    }
}
