//! One set looking for the sets before it that it shares enough weight with.
//!
//! A pair shares at least the share t of the weight of each of its sets. So for each set, the weights of the elements
//! that it shares with each set before it are added up, in the lists of its elements, rarest first. The most frequent
//! elements, with the longest lists, are left out as long as they weigh less than that together (prefix filter,
//! Chaudhuri et al. 2006). Sets that come near enough are verified exactly.
//!
//! This finds rewritten texts with a low Jaccard similarity: the text that they still share with the original is rare.
//! A Jaccard join at so low a threshold would propose all pages of each template.

use crate::join::inverted::postings::Postings;
use crate::join::inverted::rarity::Rarity;
use crate::join::inverted::search::rank_set::WeightedRankSet;
use crate::join::threshold::WeightedThreshold;

/// The share of the weight a pair needs that is left out of the search. A larger share leaves fewer lists, and more
/// candidates.
const LEFT_OUT: (u64, u64) = (3, 4);

/// Sets with their lists and weights, ready for looking for those that share weight.
#[derive(Clone, Copy)]
pub(crate) struct WeightedSearch<'w> {
    pub(crate) sizes: &'w [u32],
    pub(crate) postings: &'w Postings,
    pub(crate) rarity: &'w Rarity,
    pub(crate) threshold: WeightedThreshold,
}

/// Memory for the search.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The weight that each set is known to share; all zero between two searches.
    sums: Vec<u32>,
    /// The sets whose sum is not zero.
    touched: Vec<u32>,
    /// The places of the lists, and the weights of their elements.
    lists: Vec<(u32, u32, u32)>,
}

impl WeightedSearch<'_> {
    /// Calls `take` with each set before `end` that shares enough weight with `x`. `held` is filled with `x` if
    /// anything comes near.
    pub(crate) fn run(
        &self,
        x: u32,
        end: u32,
        (scratch, held): (&mut Scratch, &mut WeightedRankSet),
        mut take: impl FnMut(u32),
    ) {
        let (size, weight) = (self.sizes[x as usize], self.rarity.of_set(x));
        if size < self.threshold.min_size || weight == 0 {
            return;
        }
        let least = self.threshold.least_of(weight);
        let ranks = self.rarity.weighing(self.postings.ranks(x));
        let (head, left_out) = self.head(ranks, (least - 1) / LEFT_OUT.1 * LEFT_OUT.0);
        self.add_up(head, end, scratch);
        let mut is_held = false;
        for &y in &scratch.touched {
            let sum = std::mem::take(&mut scratch.sums[y as usize]);
            let at_most = u64::from(sum) + left_out;
            // The largest sum represents all larger ones.
            if at_most < least && sum < u32::MAX {
                continue;
            }
            let needed = self.threshold.least_shared(weight, self.rarity.of_set(y));
            let is_large = self.sizes[y as usize] >= self.threshold.min_size;
            if !is_large || at_most < needed && sum < u32::MAX {
                continue;
            }
            if !std::mem::replace(&mut is_held, true) {
                self.rarity.hold(self.postings, x, held);
            }
            if self.rarity.shared(self.postings, held, y) >= needed {
                take(y);
            }
        }
        scratch.touched.clear();
    }

    /// Returns the rarest of some ascending ranks, and how much the others weigh at most, which is not more than a
    /// limit.
    fn head<'r>(&self, ranks: &'r [u32], limit: u64) -> (&'r [u32], u64) {
        let mut left_out = 0;
        let mut head = ranks.len();
        while head > 0 {
            let list = self.postings.list(ranks[head - 1]);
            let more = left_out + u64::from(self.rarity.of_rank(ranks[head - 1], list.len()));
            if more > limit {
                break;
            }
            left_out = more;
            head -= 1;
        }
        (&ranks[..head], left_out)
    }

    /// Adds the weights of some ranks to the sums of the sets before `end` that have them.
    fn add_up(&self, ranks: &[u32], end: u32, scratch: &mut Scratch) {
        if scratch.sums.len() < end as usize {
            scratch.sums.resize(self.sizes.len(), 0);
        }
        let all = self.postings.all_lists();
        scratch.lists.clear();
        scratch.lists.extend(ranks.iter().map(|&rank| {
            let list = self.postings.list(rank);
            (list.start, list.end, self.rarity.of_rank(rank, list.len()))
        }));
        for &(start, stop, weight) in &scratch.lists {
            if weight == 0 {
                continue;
            }
            for &y in &all[start as usize..stop as usize] {
                if y >= end {
                    break;
                }
                let sum = &mut scratch.sums[y as usize];
                if *sum == 0 {
                    scratch.touched.push(y);
                }
                *sum = sum.saturating_add(weight);
            }
        }
    }
}
