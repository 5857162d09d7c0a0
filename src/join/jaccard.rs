//! The exact Jaccard self-join: all pairs of sets with similarity of at least t, however low t is.
//!
//! Methods that look for *one* shared rare element (AllPairs, Bayardo et al. 2007; PPJoin, Xiao et
//! al. 2008) verify a tenth of all pairs at t = 0.2. This one counts instead (ScanCount with a
//! prefix filter): for each set, go through the lists of its elements, rarest first, and count for
//! every smaller set how many elements it shares.
//!
//! 1. Equal sets are joined once for all of their positions.
//! 2. Sets are ordered by size, so a set is compared only with the smaller ones before it, and with
//!    those only down to the least size that can still be similar enough.
//! 3. The most frequent elements have by far the longest lists. Each set leaves out its `d` most
//!    frequent ones (its *tail*), where d is less than the overlap any pair of it needs. What a pair
//!    shares is then its count plus at most d, so only pairs with count >= need - d are candidates:
//!    at t = 0.2 little more than the answers remain.
//! 4. A candidate is verified by merging the tail with the other set's part of the same ranks; all
//!    before it has been counted exactly.
//!
//! Cost: n^2 / 2 pairs at 0.4 additions each on Chinese news of 630 shingles (9.8 without the
//! tails). Memory: 12 bytes for each element that two sets share, 8 for the rest while the index is
//! made.

use rayon::prelude::*;

use crate::error::Result;
use crate::join::JaccardPair;
use crate::join::postings::{Postings, mix};
use crate::join::threshold::Threshold;

/// A set's tail is at most this share of the overlap that its least similar partner needs. Below
/// one half the lists get long, above it candidates get many; between 0.4 and 0.7 the sum is flat.
const TAIL: (u64, u64) = (1, 2);

/// Elements of fewer sets than this are not worth leaving out.
const FREQUENT: u32 = 8;

/// Counters that are looked at together: if the largest of them is too small, none is a candidate.
const BLOCK: usize = 32;

/// Takes sets (of distinct elements, in any order) and returns all pairs of positions with Jaccard similarity
/// of at least the threshold, ordered by position. Two empty sets are no pair.
///
/// # Errors
///
/// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
///
/// # Examples
///
/// ```
/// use dupfind::join::jaccard::self_join;
///
/// let sets = [vec![1, 2, 3, 4], vec![10, 11], vec![2, 3, 4, 5]];
/// let pairs = self_join(&sets, "0.5".parse().unwrap()).unwrap();
/// assert_eq!((pairs[0].a, pairs[0].b), (0, 2));
/// assert_eq!((pairs[0].overlap, pairs[0].union), (3, 5));
/// ```
pub fn self_join<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    threshold: Threshold,
) -> Result<Vec<JaccardPair>> {
    Ok(Index::new(sets)?.self_join(threshold))
}

/// Sets prepared for joining and for measuring single pairs.
#[derive(Debug)]
pub struct Index {
    /// The distinct sets' sizes, ascending.
    sizes: Vec<u32>,
    /// All positions, those of equal sets together, in the order of `sizes`; empty sets left out.
    positions: Vec<u32>,
    /// Where each distinct set's positions start; one longer than `sizes`.
    starts: Vec<usize>,
    /// For every position its distinct set, or `u32::MAX` for an empty one.
    distinct: Vec<u32>,
    postings: Postings,
}

impl Index {
    /// Takes sets (of distinct elements, in any order) and prepares them. The sets themselves are not needed
    /// any more afterwards.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
    pub fn new<S: AsRef<[u64]> + Sync>(sets: &[S]) -> Result<Self> {
        let set = |position: u32| sets[position as usize].as_ref();
        let count = u32::try_from(sets.len()).expect("positions are 32 bits wide");
        let mut keyed: Vec<(usize, u64, u32)> = (0..count)
            .into_par_iter()
            .filter(|&position| !set(position).is_empty())
            .map(|position| (set(position).len(), set_hash(set(position)), position))
            .collect();
        keyed.par_sort_unstable();
        let positions: Vec<u32> = keyed.iter().map(|&(_, _, position)| position).collect();

        let mut starts = Vec::new();
        let mut distinct = vec![u32::MAX; sets.len()];
        let mut representatives: Vec<&[u64]> = Vec::new();
        for (at, &(size, hash, position)) in keyed.iter().enumerate() {
            let is_new = at == 0
                || (size, hash) != (keyed[at - 1].0, keyed[at - 1].1)
                || !are_equal(representatives[representatives.len() - 1], set(position));
            if is_new {
                starts.push(at);
                representatives.push(set(position));
            }
            distinct[position as usize] =
                u32::try_from(representatives.len() - 1).expect("not more than positions");
        }
        starts.push(positions.len());
        let postings = Postings::new(&representatives)?;
        let sizes = representatives
            .iter()
            .map(|set| u32::try_from(set.len()).expect("checked by the postings"))
            .collect();
        Ok(Self {
            sizes,
            positions,
            starts,
            distinct,
            postings,
        })
    }

    /// Takes two positions and returns the sizes of the intersection and the union of their sets.
    #[must_use]
    pub fn measure(&self, a: u32, b: u32) -> (u32, u32) {
        let (x, y) = (self.distinct[a as usize], self.distinct[b as usize]);
        let size = |set: u32| self.sizes.get(set as usize).copied().unwrap_or(0);
        let overlap = if x == y {
            size(x)
        } else if size(x) == 0 || size(y) == 0 {
            0
        } else {
            self.overlap_from(x, 0, y)
        };
        (overlap, size(x) + size(y) - overlap)
    }

    /// Returns all pairs with similarity of at least the threshold, ordered by position.
    #[must_use]
    pub fn self_join(&self, threshold: Threshold) -> Vec<JaccardPair> {
        let count = u32::try_from(self.sizes.len()).expect("positions are 32 bits wide");
        let mut pairs: Vec<JaccardPair> = (0..count)
            .into_par_iter()
            .with_min_len(64)
            .fold(
                || (Counters::default(), Vec::new()),
                |(mut counters, mut pairs), set| {
                    self.equal_pairs(set, &mut pairs);
                    self.probe(set, threshold, &mut counters, |other, overlap, union| {
                        self.all_positions(set, other, overlap, union, &mut pairs);
                    });
                    (counters, pairs)
                },
            )
            .map(|(_, pairs)| pairs)
            .flatten()
            .collect();
        pairs.par_sort_unstable();
        pairs
    }

    /// The positions of a distinct set.
    fn members(&self, set: u32) -> &[u32] {
        &self.positions[self.starts[set as usize]..self.starts[set as usize + 1]]
    }

    /// Appends the pairs of positions that have the very same set.
    fn equal_pairs(&self, set: u32, pairs: &mut Vec<JaccardPair>) {
        let (members, size) = (self.members(set), self.sizes[set as usize]);
        for (at, &a) in members.iter().enumerate() {
            pairs.extend(members[at + 1..].iter().map(|&b| JaccardPair {
                a,
                b,
                overlap: size,
                union: size,
            }));
        }
    }

    /// Appends the pairs of positions of two different sets.
    fn all_positions(
        &self,
        x: u32,
        y: u32,
        overlap: u32,
        union: u32,
        pairs: &mut Vec<JaccardPair>,
    ) {
        for &a in self.members(x) {
            pairs.extend(self.members(y).iter().map(|&b| JaccardPair {
                a: a.min(b),
                b: a.max(b),
                overlap,
                union,
            }));
        }
    }

    /// Finds the distinct sets before `set` that are similar enough to it and calls `similar` with
    /// each, the overlap and the union.
    fn probe(
        &self,
        set: u32,
        threshold: Threshold,
        counters: &mut Counters,
        similar: impl FnMut(u32, u32, u32),
    ) {
        let size = self.sizes[set as usize];
        let least_size = threshold.least_size(size);
        let first = self.sizes[..set as usize].partition_point(|&other| other < least_size);
        let entries = self.postings.entries(set);
        let probe = Probe {
            index: self,
            threshold,
            set,
            size,
            first: u32::try_from(first).expect("not more than sets"),
            head: entries.len() - self.tail(set, threshold),
        };
        // No counter gets higher than the number of lists.
        if probe.head <= i16::MAX as usize {
            probe.run(&mut counters.narrow, similar);
        } else {
            probe.run(&mut counters.wide, similar);
        }
    }

    /// How many of a set's most frequent elements are left out of counting: fewer than any pair
    /// with a smaller set must share (at least t * size), and only frequent ones.
    fn tail(&self, set: u32, threshold: Threshold) -> usize {
        let least = u64::from(threshold.least_size(self.sizes[set as usize])) - 1;
        let limit = usize::try_from(least * TAIL.0 / TAIL.1).expect("less than a size");
        let entries = self.postings.entries(set);
        entries[entries.len().saturating_sub(limit)..]
            .iter()
            .rev()
            .take_while(|entry| entry.before >= FREQUENT)
            .count()
    }

    /// How many elements two sets share, counting those of `set` from its entry number `from` on.
    fn overlap_from(&self, set: u32, from: usize, other: u32) -> u32 {
        let x = &self.postings.entries(set)[from..];
        let Some(first) = x.first() else {
            return 0;
        };
        let y = self.postings.entries(other);
        let y = &y[y.partition_point(|entry| entry.list < first.list)..];
        let (mut i, mut j, mut shared) = (0, 0, 0);
        while i < x.len() && j < y.len() {
            let (a, b) = (x[i].list, y[j].list);
            shared += u32::from(a == b);
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        shared
    }
}

/// Counters for the sets before the probing one, all zero between probes: narrow ones, of which
/// eight fit a register of any x86-64, and wide ones for sets of very many elements.
#[derive(Debug, Default)]
struct Counters {
    narrow: Vec<i16>,
    wide: Vec<i32>,
}

/// A counter of either width.
trait Counter: Copy + Default + Ord {
    fn increment(&mut self);
    fn get(self) -> u32;
    /// The highest counter value up to a number.
    fn at_most(number: u32) -> Self;
}

macro_rules! counter {
    ($type:ty) => {
        impl Counter for $type {
            #[inline]
            fn increment(&mut self) {
                *self += 1;
            }

            #[inline]
            fn get(self) -> u32 {
                u32::try_from(self).expect("counters count up from 0")
            }

            #[inline]
            fn at_most(number: u32) -> Self {
                Self::try_from(number).unwrap_or(Self::MAX)
            }
        }
    };
}

counter!(i16);
counter!(i32);

/// One set looking for the smaller sets it is similar to.
struct Probe<'i> {
    index: &'i Index,
    threshold: Threshold,
    set: u32,
    size: u32,
    /// The first set that is large enough.
    first: u32,
    /// How many of its entries are counted; the others are its tail.
    head: usize,
}

impl Probe<'_> {
    /// The lists to count, without sets that are too small.
    fn lists(&self) -> impl Iterator<Item = &[u32]> {
        let postings = &self.index.postings;
        postings.entries(self.set)[..self.head]
            .iter()
            .map(|&entry| {
                let list = postings.before(entry);
                match list.first() {
                    // Only worth a search where it can skip a good part of the list.
                    Some(&smallest) if smallest < self.first && list.len() > BLOCK => {
                        &list[list.partition_point(|&other| other < self.first)..]
                    }
                    _ => list,
                }
            })
    }

    /// Counts, and calls `similar` with each set that is similar enough, the overlap and the union.
    fn run<C: Counter>(&self, counters: &mut Vec<C>, mut similar: impl FnMut(u32, u32, u32)) {
        let additions: usize = self.lists().map(<[u32]>::len).sum();
        if additions == 0 {
            return;
        }
        let (first, end) = (self.first as usize, self.set as usize);
        if counters.len() < end {
            counters.resize(self.index.sizes.len(), C::default());
        }
        let counts = &mut counters[..end];
        for list in self.lists() {
            for &other in list {
                counts[other as usize].increment();
            }
        }
        // With few additions it is cheaper to go through the lists once more than through all
        // counters.
        if additions < (end - first) / 16 {
            for list in self.lists() {
                for &other in list {
                    let count = std::mem::take(&mut counts[other as usize]).get();
                    if count > 0 && other >= self.first {
                        self.verify(other, count, &mut similar);
                    }
                }
            }
        } else {
            self.scan(&counts[first..], &mut similar);
            counts.fill(C::default());
        }
    }

    /// Goes through the counters of all sets that are large enough, block by block.
    fn scan<C: Counter>(&self, counts: &[C], similar: &mut impl FnMut(u32, u32, u32)) {
        let factor = self.threshold.overlap_factor();
        let left_out = self.left_out();
        let sizes = &self.index.sizes[self.first as usize..];
        for (block, counts) in counts.chunks(BLOCK).enumerate() {
            let start = block * BLOCK;
            // The first of the block is the smallest and needs the least.
            let sum = u64::from(self.size) + u64::from(sizes[start]);
            let least = u32::try_from((factor * sum) >> 32).expect("at most half of the sum");
            let least = C::at_most(least.saturating_sub(left_out));
            let largest = counts
                .iter()
                .fold(C::default(), |largest, &count| count.max(largest));
            if largest < least {
                continue;
            }
            for (at, &count) in counts.iter().enumerate() {
                if count >= least && count > C::default() {
                    let other = u32::try_from(start + at).expect("positions are 32 bits wide");
                    self.verify(self.first + other, count.get(), similar);
                }
            }
        }
    }

    /// How many entries were not counted.
    fn left_out(&self) -> u32 {
        let entries = self.index.postings.entries(self.set).len();
        u32::try_from(entries - self.head).expect("less than the size")
    }

    /// Takes a set and what has been counted for it, and calls `similar` if that is enough together
    /// with what the tail adds.
    fn verify(&self, other: u32, count: u32, similar: &mut impl FnMut(u32, u32, u32)) {
        let other_size = self.index.sizes[other as usize];
        let need = self.threshold.least_overlap(self.size, other_size);
        if count + self.left_out() < need {
            return;
        }
        let overlap = match self.left_out() {
            0 => count,
            _ => count + self.index.overlap_from(self.set, self.head, other),
        };
        if overlap >= need {
            similar(other, overlap, self.size + other_size - overlap);
        }
    }
}

/// A hash by which equal sets come together whatever the order of their elements; what it brings
/// together is compared.
fn set_hash(set: &[u64]) -> u64 {
    set.iter()
        .fold(0, |hash, element| hash.wrapping_add(mix(*element)))
}

/// Whether two sets of the same size are equal.
fn are_equal(x: &[u64], y: &[u64]) -> bool {
    let sorted = |set: &[u64]| {
        let mut set = set.to_vec();
        set.sort_unstable();
        set
    };
    x == y || sorted(x) == sorted(y)
}
