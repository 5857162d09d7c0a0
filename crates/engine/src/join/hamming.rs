//! The exact Hamming self-join by block permutation (Manku, Jain and Das Sarma 2007; the sorting
//! variant is the multi-sort of Uno 2010 and Tabei et al. 2010).
//!
//! Cut the bits into m blocks. Two codes at distance at most k differ in at most k blocks, so they
//! agree in at least m - k: for every choice of m - k blocks, codes that agree in all of them are
//! brought together by sorting, and only those are compared. A pair is reported for the *first*
//! choice in which it comes together and for no other, so nothing has to be remembered to avoid
//! reporting it twice.
//!
//! Codes of real folders are skewed: equal ones are joined once for all of their positions, and a
//! group that is much too large is joined in the same way on its remaining bits.
//!
//! Cost: choices x (sort n + compare within groups). [`Plan::cheapest`] weighs m against each other
//! and against comparing everything; for k = 3 and n from thousands to millions it uses four blocks
//! of 16 bits, that is four sorts.

use crate::join::groups::{Groups, Similar};
use rayon::prelude::*;

/// The largest distance worth joining: beyond 16 of 64 bits most pairs found are chance.
pub const MAX_DISTANCE: u32 = 16;

/// Cost of comparing two codes, in nanoseconds. Together with [`SORT`] it only has to be right to
/// within a factor of two or so: the cheapest plan is a flat minimum.
const COMPARE: f64 = 1.2;

/// Cost of sorting one code into its group, in nanoseconds, at some ten thousand codes.
const SORT: f64 = 25.0;

/// A group of up to this many codes is compared outright.
const SMALL_GROUP: usize = 64;

/// A distinct code with the group of positions that have it.
#[derive(Debug, Clone, Copy)]
struct Code {
    bits: u64,
    group: u32,
}

/// Returns the groups of equal codes, ascending, and all pairs of groups whose codes differ in at most `max_distance` bits.
///
/// # Panics
///
/// If there are 2^32 codes or more.
pub(crate) fn similar(codes: &[u64], max_distance: u32) -> Similar {
    let count = u32::try_from(codes.len()).expect("positions are 32 bits wide");
    let code = |position: u32| codes[position as usize];
    let mut order: Vec<u32> = (0..count).collect();
    order.par_sort_unstable_by_key(|&position| (code(position), position));
    let groups = Groups::of(order, |a, b| code(a) == code(b));
    let distinct = (0..).zip(groups.firsts()).map(|(group, first)| Code {
        bits: code(first),
        group,
    });
    let distinct: Vec<Code> = distinct.collect();
    let mut found = Vec::new();
    join_distinct(&distinct, u64::MAX, max_distance, &mut found);
    let pairs = found.into_iter().map(|GroupPair { x, y, .. }| (y, x));
    Similar {
        pairs: pairs.collect(),
        groups,
    }
}

/// Two groups of equal codes, and the bits in which they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GroupPair {
    x: u32,
    y: u32,
    difference: u64,
}

/// Joins distinct codes that agree in all bits but those of `free`, and appends the pairs.
fn join_distinct(codes: &[Code], free: u64, max_distance: u32, found: &mut Vec<GroupPair>) {
    let plan = Plan::cheapest(codes.len(), free.count_ones(), max_distance);
    let Plan::Blocks { blocks } = plan else {
        compare_all(codes, max_distance, found);
        return;
    };
    let masks = split(free, blocks);
    let choices = combinations(masks.len(), masks.len() - max_distance as usize);
    let per_choice: Vec<Vec<GroupPair>> = choices
        .par_iter()
        .map(|choice| {
            let key = choice.iter().fold(0, |key, &block| key | masks[block]);
            let mut sorted = codes.to_vec();
            sorted.sort_unstable_by_key(|code| code.bits & key);
            let mut here = Vec::new();
            for group in sorted.chunk_by(|a, b| (a.bits ^ b.bits) & key == 0) {
                let first = here.len();
                if group.len() <= SMALL_GROUP {
                    compare_all(group, max_distance, &mut here);
                } else {
                    join_distinct(group, free & !key, max_distance, &mut here);
                }
                keep_first_choice(&masks, choice, first, &mut here);
            }
            here
        })
        .collect();
    found.extend(per_choice.into_iter().flatten());
}

/// Drops, from position `from` on, the pairs that come together in an earlier choice than this one:
/// the first choice of a pair is the first blocks in which it agrees.
fn keep_first_choice(masks: &[u64], choice: &[usize], from: usize, found: &mut Vec<GroupPair>) {
    let mut kept = from;
    for at in from..found.len() {
        let difference = found[at].difference;
        let agreeing = (0..masks.len()).filter(|&block| difference & masks[block] == 0);
        if agreeing.take(choice.len()).eq(choice.iter().copied()) {
            found[kept] = found[at];
            kept += 1;
        }
    }
    found.truncate(kept);
}

/// Compares every code with every other.
fn compare_all(codes: &[Code], max_distance: u32, found: &mut Vec<GroupPair>) {
    for (at, x) in codes.iter().enumerate() {
        for y in &codes[at + 1..] {
            let difference = x.bits ^ y.bits;
            if difference.count_ones() <= max_distance {
                found.push(GroupPair {
                    x: x.group.min(y.group),
                    y: x.group.max(y.group),
                    difference,
                });
            }
        }
    }
}

/// Cuts the bits that are set in `free` into `blocks` runs of about equal numbers of bits.
fn split(free: u64, blocks: u32) -> Vec<u64> {
    let is_free = |&at: &u32| free & 1 << at != 0;
    let bits: Vec<u32> = (0..u64::BITS).filter(is_free).collect();
    let blocks = blocks as usize;
    (0..blocks)
        .map(|block| {
            let (from, to) = (
                block * bits.len() / blocks,
                (block + 1) * bits.len() / blocks,
            );
            let run = bits[from..to].iter();
            run.fold(0, |mask, &bit| mask | 1 << bit)
        })
        .collect()
}

/// How to join some number of codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Compare everything with everything.
    CompareAll,
    /// Sort by every choice of all but `max_distance` of so many blocks.
    Blocks {
        /// The number of blocks.
        blocks: u32,
    },
}

impl Plan {
    /// Returns the plan of the lowest estimated cost for so many codes of so many bits and this largest distance.
    /// The estimate assumes that codes are evenly spread.
    pub fn cheapest(codes: usize, free_bits: u32, max_distance: u32) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let n = codes as f64;
        let all_pairs = n * n / 2.0;
        let mut best = (all_pairs * COMPARE, Self::CompareAll);
        // More than a handful of spare blocks multiplies the choices and gains few key bits.
        for blocks in (max_distance + 1..=max_distance + 6).take_while(|&m| m <= free_bits) {
            let agreeing = blocks - max_distance;
            let key_bits = agreeing * free_bits / blocks;
            let compared = all_pairs / 2_f64.powi(i32::try_from(key_bits).expect("at most 64"));
            let cost = count(blocks, agreeing) * (n * SORT + compared * COMPARE);
            if cost < best.0 {
                best = (cost, Self::Blocks { blocks });
            }
        }
        best.1
    }
}

/// Returns every choice of `choose` out of `of` things (1 <= choose <= of) as ascending positions, in
/// lexicographic order.
pub(crate) fn combinations(of: usize, choose: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut now: Vec<usize> = (0..choose).collect();
    loop {
        all.push(now.clone());
        let Some(at) = (0..choose).rfind(|&at| now[at] < of - choose + at) else {
            return all;
        };
        now[at] += 1;
        for next in at + 1..choose {
            now[next] = now[next - 1] + 1;
        }
    }
}

/// Returns how many such choices there are; a float, because it is for cost estimates only.
pub(crate) fn count(of: u32, choose: u32) -> f64 {
    (0..choose)
        .map(|i| f64::from(of - i) / f64::from(i + 1))
        .product()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::join::oracle;
    use crate::join::oracle::joined::hamming as self_join;
    use proptest::prelude::*;

    /// Codes around a few centres, with repeats: what fingerprints of a real folder look like.
    fn clustered() -> impl Strategy<Value = Vec<u64>> {
        let centres = prop::collection::vec(any::<u64>(), 1..4);
        let flips = prop::collection::vec(
            (
                any::<prop::sample::Index>(),
                any::<u64>(),
                any::<u64>(),
                any::<u64>(),
            ),
            0..300,
        );
        (centres, flips).prop_map(|(centres, flips)| {
            flips
                .into_iter()
                .map(|(centre, x, y, z)| centre.get(&centres) ^ (x & y & z))
                .collect()
        })
    }

    #[test]
    fn a_huge_group_is_split_further() {
        // 3,000 codes that agree in three of the four blocks that the plan would use.
        let codes: Vec<u64> = (0..3000_u64).map(|i| i * 37 % 65_536).collect();
        assert_eq!(self_join(&codes, 3), oracle::hamming(&codes, 3));
    }

    #[test]
    fn plans_grow_with_the_task() {
        assert_eq!(Plan::cheapest(40, 64, 3), Plan::CompareAll);
        for codes in [2_000, 100_000, 4_000_000] {
            let plan = Plan::cheapest(codes, 64, 3);
            assert_eq!(plan, Plan::Blocks { blocks: 4 }, "{codes}");
        }
        assert_eq!(Plan::cheapest(1_000_000, 64, 0), Plan::Blocks { blocks: 1 });
        // With as many free bits as allowed differences there is nothing to agree in.
        assert_eq!(Plan::cheapest(1_000_000, 3, 3), Plan::CompareAll);
    }

    proptest! {
        #[test]
        fn equals_the_exhaustive_join(codes in clustered(), distance in 0_u32..=MAX_DISTANCE) {
            prop_assert_eq!(self_join(&codes, distance), oracle::hamming(&codes, distance));
        }

        #[test]
        fn every_plan_equals_the_exhaustive_join(
            codes in clustered(), distance in 0_u32..=8, spare in 1_u32..=4,
        ) {
            let codes: BTreeSet<u64> = codes.into_iter().collect();
            let distinct = (0..).zip(codes).map(|(group, bits)| Code { bits, group });
            let distinct: Vec<Code> = distinct.collect();
            let mut expected = Vec::new();
            compare_all(&distinct, distance, &mut expected);
            expected.sort_unstable();
            let masks = split(u64::MAX, distance + spare);
            let mut found = Vec::new();
            for choice in combinations(masks.len(), spare as usize) {
                let key = choice.iter().fold(0, |key, &block| key | masks[block]);
                let mut sorted = distinct.clone();
                sorted.sort_unstable_by_key(|code| code.bits & key);
                for group in sorted.chunk_by(|a, b| (a.bits ^ b.bits) & key == 0) {
                    let first = found.len();
                    join_distinct(group, !key, distance, &mut found);
                    keep_first_choice(&masks, &choice, first, &mut found);
                }
            }
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
