//! One set looking for the smaller sets it is similar to: the inner loop of the Jaccard join.
//!
//! See [`crate::join::jaccard`] for the idea.

use crate::join::exhaustive::overlap;
use crate::join::postings::Postings;
use crate::join::threshold::Threshold;

/// A set's tail is at most this share of the overlap that its least similar partner needs. A shorter
/// tail leaves long lists to count, a longer one leaves candidates to verify: with 0.2, 0.5, 0.7 and
/// 0.9 the join of 20,000 technical pages took 362, 285, 280 and 290 ms, and that of 7,166 pages of a
/// few templates 909, 1150, 1260 and 1490.
const TAIL: (u64, u64) = (1, 2);

/// Elements of fewer sets than this are not worth leaving out.
const FREQUENT: u32 = 8;

/// Counters that are looked at together: if the largest of them is too small, none is a candidate.
const BLOCK: usize = 32;

/// Counters for the sets before the probing one, all zero between probes: narrow ones, of which
/// eight fit a register of any x86-64, and wide ones for sets of very many elements.
#[derive(Debug, Default)]
pub(crate) struct Counters {
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

/// A set and what it looks for.
pub(crate) struct Probe<'i> {
    /// The sizes of all sets, ascending.
    sizes: &'i [u32],
    postings: &'i Postings,
    threshold: Threshold,
    set: u32,
    size: u32,
    /// The first set that is large enough.
    first: u32,
    /// How many of its elements are counted; the others are its tail.
    head: usize,
}

impl<'i> Probe<'i> {
    /// Takes the sizes of all sets (ascending), their postings, the threshold and a set, and prepares
    /// the search.
    pub(crate) fn new(
        sizes: &'i [u32],
        postings: &'i Postings,
        threshold: Threshold,
        set: u32,
    ) -> Self {
        let size = sizes[set as usize];
        let least_size = threshold.least_size(size);
        let first = sizes[..set as usize].partition_point(|&other| other < least_size);
        Self {
            sizes,
            postings,
            threshold,
            set,
            size,
            first: u32::try_from(first).expect("not more than sets"),
            head: postings.ranks(set).len() - tail(postings, set, least_size),
        }
    }

    /// Calls `similar` with each smaller set that is similar enough, the overlap and the union.
    pub(crate) fn run(&self, counters: &mut Counters, similar: impl FnMut(u32, u32, u32)) {
        // No counter gets higher than the number of lists.
        if self.head <= i16::MAX as usize {
            self.count(&mut counters.narrow, similar);
        } else {
            self.count(&mut counters.wide, similar);
        }
    }

    /// The lists to count, without sets that are too small.
    fn lists(&self) -> impl Iterator<Item = &[u32]> {
        self.postings
            .lists(self.set, self.head)
            .map(|list| match list.first() {
                // Only worth a search where it can skip a good part of the list.
                Some(&smallest) if smallest < self.first && list.len() > BLOCK => {
                    &list[list.partition_point(|&other| other < self.first)..]
                }
                _ => list,
            })
    }

    /// Counts in counters of one width, and looks for the sets that got enough.
    fn count<C: Counter>(&self, counters: &mut Vec<C>, mut similar: impl FnMut(u32, u32, u32)) {
        let additions: usize = self.lists().map(<[u32]>::len).sum();
        if additions == 0 {
            return;
        }
        let (first, end) = (self.first as usize, self.set as usize);
        if counters.len() < end {
            counters.resize(self.sizes.len(), C::default());
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
        let sizes = &self.sizes[self.first as usize..];
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
        let elements = self.postings.ranks(self.set).len();
        u32::try_from(elements - self.head).expect("less than the size")
    }

    /// Takes a set and what has been counted for it, and calls `similar` if that is enough together
    /// with what the tail adds.
    fn verify(&self, other: u32, count: u32, similar: &mut impl FnMut(u32, u32, u32)) {
        let other_size = self.sizes[other as usize];
        let need = self.threshold.least_overlap(self.size, other_size);
        if count + self.left_out() < need {
            return;
        }
        let overlap = match self.left_out() {
            0 => count,
            _ => count + overlap_from(self.postings, self.set, self.head, other),
        };
        if overlap >= need {
            similar(other, overlap, self.size + other_size - overlap);
        }
    }
}

/// How many of a set's most frequent elements are left out of counting: fewer than any pair with a
/// smaller set must share, which is the least size of its partners, and only frequent ones.
fn tail(postings: &Postings, set: u32, least_size: u32) -> usize {
    let limit = (u64::from(least_size) - 1) * TAIL.0 / TAIL.1;
    let limit = usize::try_from(limit).expect("less than a size");
    let befores = postings.befores(set);
    befores[befores.len().saturating_sub(limit)..]
        .iter()
        .rev()
        .take_while(|&&before| before >= FREQUENT)
        .count()
}

/// Takes two sets and returns how many elements they share, counting those of the first from its
/// element number `from` on.
pub(crate) fn overlap_from(postings: &Postings, set: u32, from: usize, other: u32) -> u32 {
    let x = &postings.ranks(set)[from..];
    let Some(first) = x.first() else {
        return 0;
    };
    let y = postings.ranks(other);
    let y = &y[y.partition_point(|rank| rank < first)..];
    overlap(x, y)
}
