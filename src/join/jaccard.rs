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
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::error::Result;
use crate::join::JaccardPair;
use crate::join::postings::Postings;
use crate::join::threshold::Threshold;

/// A set's tail is at most this share of the overlap that its least similar partner needs. Below
/// one half the lists get long, above it candidates get many; between 0.4 and 0.7 the sum is flat.
const TAIL: (u64, u64) = (1, 2);

/// Elements of fewer sets than this are not worth leaving out.
const FREQUENT: u32 = 8;

/// Counters that are looked at together: if the largest of them is too small, none is a candidate.
const BLOCK: usize = 32;

/// Takes sets (each strictly ascending) and returns all pairs of positions with Jaccard similarity
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
    /// Takes sets (each strictly ascending) and prepares them. The sets themselves are not needed
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
        keyed.par_sort_unstable_by(|x, y| {
            (x.0, x.1)
                .cmp(&(y.0, y.1))
                .then_with(|| set(x.2).cmp(set(y.2)))
                .then(x.2.cmp(&y.2))
        });
        let positions: Vec<u32> = keyed.iter().map(|&(_, _, position)| position).collect();

        let mut starts = Vec::new();
        let mut distinct = vec![u32::MAX; sets.len()];
        let mut representatives: Vec<&[u64]> = Vec::new();
        for (at, &position) in positions.iter().enumerate() {
            if representatives
                .last()
                .is_none_or(|last| *last != set(position))
            {
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
            .with_min_len(16)
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
        mut similar: impl FnMut(u32, u32, u32),
    ) {
        let size = self.sizes[set as usize];
        let first =
            self.sizes[..set as usize].partition_point(|&other| other < threshold.least_size(size));
        let first = u32::try_from(first).expect("not more than sets");
        let entries = self.postings.entries(set);
        let head = entries.len() - self.tail(set, threshold);
        let left_out = u32::try_from(entries.len() - head).expect("less than the size");
        let lists = || {
            entries[..head].iter().map(|&entry| {
                let list = self.postings.before(entry);
                match list.first() {
                    // Only worth a search where it can skip a good part of the list.
                    Some(&smallest) if smallest < first && list.len() > BLOCK => {
                        &list[list.partition_point(|&other| other < first)..]
                    }
                    _ => list,
                }
            })
        };
        let additions: usize = lists().map(<[u32]>::len).sum();
        if additions == 0 {
            return;
        }
        counters.reset(set as usize);
        for list in lists() {
            for &other in list {
                counters.counts[other as usize] += 1;
            }
        }

        let mut verify = |other: u32, count: u32| {
            let other_size = self.sizes[other as usize];
            let need = threshold.least_overlap(size, other_size);
            if count + left_out < need {
                return;
            }
            let overlap = if left_out == 0 {
                count
            } else {
                count + self.overlap_from(set, head, other)
            };
            let union = size + other_size - overlap;
            if threshold.admits(overlap, union) {
                similar(other, overlap, union);
            }
        };
        // With few additions it is cheaper to go through the lists once more than through all
        // counters.
        if additions < (set - first) as usize / 16 {
            for list in lists() {
                for &other in list {
                    let count = std::mem::take(&mut counters.counts[other as usize]);
                    if count > 0 && other >= first {
                        verify(other, count);
                    }
                }
            }
        } else {
            let mut at = first;
            for block in counters.counts[first as usize..set as usize].chunks_mut(BLOCK) {
                let largest = block.iter().fold(0, |largest, &count| count.max(largest));
                let need = threshold.least_overlap(size, self.sizes[at as usize]);
                if largest + left_out >= need {
                    for (other, &count) in (at..).zip(block.iter()) {
                        if count + left_out >= need {
                            verify(other, count);
                        }
                    }
                }
                at += u32::try_from(block.len()).expect("at most BLOCK");
            }
            counters.counts[..set as usize].fill(0);
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

/// One counter for every set before the probing one, all zero between probes.
#[derive(Debug, Default)]
struct Counters {
    counts: Vec<u32>,
}

impl Counters {
    fn reset(&mut self, len: usize) {
        if self.counts.len() < len {
            self.counts.resize(len.next_power_of_two(), 0);
        }
    }
}

/// A hash by which equal sets come together; what it brings together is compared.
fn set_hash(set: &[u64]) -> u64 {
    set.iter().fold(0, |hash, element| {
        xxh3_64_with_seed(&element.to_le_bytes(), hash)
    })
}
