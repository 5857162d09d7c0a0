//! Elements of a probing set as a small hash table, so that counting or weighing the elements that another set shares
//! with it needs one look for each element and no decision: merging two sorted lists mispredicts a branch or waits for
//! a comparison at every step.

use std::ops::Range;

use crate::join::weighted::LARGEST_WEIGHT;

/// How many elements a bucket has room for: four are compared at once in one register.
const WIDTH: usize = 4;

/// Marks a free place. No rank is as high.
const FREE: u32 = u32::MAX;

/// A set of ranks.
#[derive(Debug, Default)]
pub(crate) struct RankSet {
    buckets: Vec<[u32; WIDTH]>,
    shift: u32,
    /// Ranks whose bucket was full: one in thousands.
    overflow: Vec<u32>,
}

/// A set of frequent elements, a bit for each rank from the first frequent one on. Most elements that are looked up
/// have the highest ranks, whose bits are side by side in the nearest cache.
#[derive(Debug, Default)]
pub(crate) struct FrequentSet {
    first: u32,
    bits: Vec<u64>,
}

/// A set of ranks with a weight each.
#[derive(Debug, Default)]
pub(crate) struct WeightedRankSet {
    /// Ranks and their weights side by side, so that both come with one line of memory.
    buckets: Vec<([u32; WIDTH], [u32; WIDTH])>,
    shift: u32,
    /// Ranks whose bucket was full, with their weights.
    overflow: Vec<(u32, u32)>,
}

/// How many weights are added in 32 bits at a time.
const AT_A_TIME: usize = (u32::MAX / LARGEST_WEIGHT) as usize;

impl RankSet {
    /// Replaces the set by these distinct ranks.
    pub(crate) fn fill(&mut self, ranks: &[u32]) {
        // Half as many elements as buckets, which makes five in one bucket rare.
        let bits = bits_for(ranks.len() * 2);
        self.shift = 32 - bits;
        self.buckets.clear();
        self.buckets.resize(1 << bits, [FREE; WIDTH]);
        self.overflow.clear();
        for &rank in ranks {
            let bucket = &mut self.buckets[slot(rank, self.shift)];
            match free_place(bucket) {
                Some(at) => bucket[at] = rank,
                None => self.overflow.push(rank),
            }
        }
    }

    /// Returns how many of some ascending ranks are in the set.
    pub(crate) fn shared(&self, ranks: &[u32]) -> u32 {
        let mut shared = 0;
        for &rank in ranks {
            let bucket = &self.buckets[slot(rank, self.shift)];
            let found = bucket
                .iter()
                .fold(0, |found, &held| found | u32::from(held == rank));
            shared += found;
        }
        if !self.overflow.is_empty() {
            let held = |rank: &&u32| ranks.binary_search(rank).is_ok();
            let more = self.overflow.iter().filter(held).count();
            shared += u32::try_from(more).expect("fewer than elements");
        }
        shared
    }
}

impl FrequentSet {
    /// Adds ranks to an empty set. `frequent` has all ranks of frequent elements.
    pub(crate) fn fill(&mut self, ranks: &[u32], frequent: Range<u32>) {
        self.first = frequent.start;
        let words = frequent.len() / 64 + 1;
        self.bits.resize(words, 0);
        for &rank in ranks {
            let (word, bit) = self.place(rank);
            self.bits[word] |= 1 << bit;
        }
    }

    /// Removes ranks.
    pub(crate) fn remove(&mut self, ranks: &[u32]) {
        for &rank in ranks {
            let (word, _) = self.place(rank);
            self.bits[word] = 0;
        }
    }

    /// Returns how many of some ascending ranks are in the set, of those from `least` on.
    pub(crate) fn shared(&self, ranks: &[u32], least: u32) -> u32 {
        // From the end, where they are: a search for the first one would wait for memory at each step.
        let from_least = ranks.iter().rev().take_while(|&&rank| rank >= least);
        let held = from_least.map(|&rank| {
            let (word, bit) = self.place(rank);
            u32::from(self.bits[word] >> bit & 1 == 1)
        });
        held.sum()
    }

    #[inline]
    fn place(&self, rank: u32) -> (usize, u32) {
        let at = rank - self.first;
        ((at / u64::BITS) as usize, at % u64::BITS)
    }
}

impl WeightedRankSet {
    /// Replaces the set by these distinct ranks and their weights.
    pub(crate) fn fill(&mut self, ranks: &[u32], weight: impl Fn(u32) -> u32) {
        let bits = bits_for(ranks.len());
        self.shift = 32 - bits;
        self.buckets.clear();
        self.buckets.resize(1 << bits, ([FREE; WIDTH], [0; WIDTH]));
        self.overflow.clear();
        for &rank in ranks {
            let weight = weight(rank);
            debug_assert!(weight <= LARGEST_WEIGHT);
            let (bucket, weights) = &mut self.buckets[slot(rank, self.shift)];
            match free_place(bucket) {
                Some(at) => (bucket[at], weights[at]) = (rank, weight),
                None => self.overflow.push((rank, weight)),
            }
        }
    }

    /// Returns the weight of those of some ascending ranks that are in the set, of those below `end`.
    pub(crate) fn shared(&self, ranks: &[u32], end: u32) -> u64 {
        let mut shared = 0;
        for ranks in ranks.chunks(AT_A_TIME) {
            let mut sums = [0_u32; WIDTH];
            for &rank in ranks {
                if rank >= end {
                    break;
                }
                let (bucket, weights) = &self.buckets[slot(rank, self.shift)];
                for at in 0..WIDTH {
                    sums[at] += if bucket[at] == rank { weights[at] } else { 0 };
                }
            }
            shared += sums.map(u64::from).iter().sum::<u64>();
        }
        let is_shared =
            |&&(rank, _): &&(u32, u32)| rank < end && ranks.binary_search(&rank).is_ok();
        let more = self.overflow.iter().filter(is_shared);
        shared + more.map(|&(_, weight)| u64::from(weight)).sum::<u64>()
    }
}

/// The bits of at least so many buckets.
fn bits_for(buckets: usize) -> u32 {
    buckets.next_power_of_two().ilog2().clamp(1, 31)
}

/// The first free place of a bucket.
fn free_place(bucket: &[u32; WIDTH]) -> Option<usize> {
    bucket.iter().position(|&place| place == FREE)
}

/// The bucket of a rank: Fibonacci hashing.
#[inline]
fn slot(rank: u32, shift: u32) -> usize {
    (rank.wrapping_mul(0x9e37_79b9) >> shift) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::shared::overlap;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_merging(
            x in prop::collection::btree_set(0_u32..400, 0..120),
            y in prop::collection::btree_set(0_u32..400, 0..120),
            least in 0_u32..400,
        ) {
            let from = |set: &std::collections::BTreeSet<u32>| {
                set.range(least..).copied().collect::<Vec<_>>()
            };
            let ranks: Vec<u32> = y.iter().copied().collect();
            let mut frequent = FrequentSet::default();
            frequent.fill(&[least, least + 64], least..500);
            frequent.remove(&[least, least + 64]);
            frequent.fill(&from(&x), least..500);
            prop_assert_eq!(frequent.shared(&ranks, least), overlap(&from(&x), &from(&y)));

            let mut held = RankSet::default();
            // It forgets the ranks that it held before.
            held.fill(&[least, least + 1, least + 2]);
            held.fill(&from(&x));
            prop_assert_eq!(held.shared(&ranks), overlap(&from(&x), &ranks));

            let weight = |rank: u32| rank * 7919 % LARGEST_WEIGHT;
            let all: Vec<u32> = x.iter().copied().collect();
            let mut weighed = WeightedRankSet::default();
            weighed.fill(&[least, least + 1, least + 2], weight);
            weighed.fill(&all, weight);
            let shared = x.intersection(&y).filter(|&&rank| rank < least);
            let expected: u64 = shared.map(|&rank| u64::from(weight(rank))).sum();
            prop_assert_eq!(weighed.shared(&ranks, least), expected);
        }
    }

    #[test]
    fn full_buckets_overflow() {
        let mut held = RankSet::default();
        // All of these share a bucket.
        let bits = 5;
        let crowd = (0..u32::MAX)
            .step_by(7)
            .filter(|&rank| slot(rank, 32 - bits) == 3);
        let crowd: Vec<u32> = crowd.take(16).collect();
        held.fill(&crowd);
        assert!(!held.overflow.is_empty());
        assert_eq!(held.shared(&crowd), 16);
        assert_eq!(held.shared(&crowd[1..]), 15);
        let bits = 4;
        let crowd = (0..u32::MAX)
            .step_by(7)
            .filter(|&rank| slot(rank, 32 - bits) == 3);
        let crowd: Vec<u32> = crowd.take(16).collect();
        let mut weighed = WeightedRankSet::default();
        weighed.fill(&crowd, |_| 5);
        assert!(!weighed.overflow.is_empty());
        assert_eq!(weighed.shared(&crowd, u32::MAX), 80);
        assert_eq!(weighed.shared(&crowd, crowd[15]), 75);
    }
}
