//! The tail of a probing set as a small hash table, so that counting what another set shares with it
//! takes one look for each element and no decision: merging two sorted lists mispredicts a branch or
//! waits for a comparison at every step.

/// How many elements a bucket has room for: four are compared at once in one register.
const WIDTH: usize = 4;

/// Marks a free place. No rank is as high.
const FREE: u32 = u32::MAX;

/// A set of ranks.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    buckets: Vec<[u32; WIDTH]>,
    shift: u32,
    /// What found its bucket full: one in thousands.
    overflow: Vec<u32>,
}

impl Tail {
    /// Takes distinct ranks and holds these from now on.
    pub(crate) fn fill(&mut self, ranks: &[u32]) {
        // Half as many elements as buckets, which makes five in one bucket rare.
        let bits = (ranks.len() * 2).next_power_of_two().ilog2().clamp(1, 31);
        self.shift = 32 - bits;
        self.buckets.clear();
        self.buckets.resize(1 << bits, [FREE; WIDTH]);
        self.overflow.clear();
        for &rank in ranks {
            let bucket = &mut self.buckets[slot(rank, self.shift)];
            match bucket.iter_mut().find(|place| **place == FREE) {
                Some(place) => *place = rank,
                None => self.overflow.push(rank),
            }
        }
    }

    /// Takes another set's ranks, ascending, and returns how many of those from `least` on are held.
    pub(crate) fn shared(&self, ranks: &[u32], least: u32) -> u32 {
        let mut shared = 0;
        // From the end, where they are: a search for the first one would wait for memory at each
        // step.
        for &rank in ranks.iter().rev() {
            if rank < least {
                break;
            }
            let bucket = &self.buckets[slot(rank, self.shift)];
            let found = bucket
                .iter()
                .fold(0, |found, &held| found | u32::from(held == rank));
            shared += found;
        }
        if !self.overflow.is_empty() {
            let held = |rank: &&u32| **rank >= least && ranks.binary_search(rank).is_ok();
            let more = self.overflow.iter().filter(held).count();
            shared += u32::try_from(more).expect("fewer than elements");
        }
        shared
    }
}

/// The bucket of a rank: Fibonacci hashing.
#[inline]
fn slot(rank: u32, shift: u32) -> usize {
    (rank.wrapping_mul(0x9e37_79b9) >> shift) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::exhaustive::overlap;
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
            let mut tail = Tail::default();
            // What it held before is forgotten.
            tail.fill(&[least, least + 1, least + 2]);
            tail.fill(&from(&x));
            let ranks: Vec<u32> = y.iter().copied().collect();
            prop_assert_eq!(tail.shared(&ranks, least), overlap(&from(&x), &from(&y)));
        }
    }

    #[test]
    fn full_buckets_overflow() {
        let mut tail = Tail::default();
        // All of these share a bucket.
        let bits = 5;
        let crowd: Vec<u32> = (0..u32::MAX)
            .step_by(7)
            .filter(|&rank| slot(rank, 32 - bits) == 3)
            .take(16)
            .collect();
        tail.fill(&crowd);
        assert!(!tail.overflow.is_empty());
        assert_eq!(tail.shared(&crowd, 0), 16);
        assert_eq!(tail.shared(&crowd, crowd[1]), 15);
    }
}
