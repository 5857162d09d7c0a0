//! Measures of a decision and of a ranking, over items that are truly positive or not; and of clusters.

use std::collections::HashMap;
use std::hash::Hash;

/// The outcome of a decision: the items that it took and left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) true_positives: u32,
    pub(crate) false_positives: u32,
    pub(crate) false_negatives: u32,
    pub(crate) true_negatives: u32,
}

impl Decision {
    /// Counts one item: whether it was taken, and whether it is positive.
    pub(crate) fn add(&mut self, taken: bool, positive: bool) {
        let count = match (taken, positive) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        };
        *count += 1;
    }

    pub(crate) fn positives(self) -> u32 {
        self.true_positives + self.false_negatives
    }

    pub(crate) fn negatives(self) -> u32 {
        self.false_positives + self.true_negatives
    }

    /// The positive share of the items that were taken; none if none were taken.
    pub(crate) fn precision(self) -> Option<f64> {
        share(
            self.true_positives,
            self.true_positives + self.false_positives,
        )
    }

    /// Which share of the positive items was taken; none if there are none.
    pub(crate) fn recall(self) -> Option<f64> {
        share(self.true_positives, self.positives())
    }

    /// The harmonic mean of both; none if no item is positive and none was taken.
    pub(crate) fn f1(self) -> Option<f64> {
        let wrong = self.false_positives + self.false_negatives;
        share(2 * self.true_positives, 2 * self.true_positives + wrong)
    }
}

/// A part of a whole; none of nothing.
pub(crate) fn share(part: u32, whole: u32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

/// Average precision of items ranked by score, the highest first: the mean, over the positive items,
/// of the precision down to each. Equal scores have no order, so all items of a score count at once.
/// None without positive items.
pub(crate) fn average_precision(items: &[(f64, bool)]) -> Option<f64> {
    let (mut positives, mut all) = (0, 0);
    let mut sum = 0.0;
    for (found, others) in ranked(items) {
        positives += found;
        all += found + others;
        sum += f64::from(found) * f64::from(positives) / f64::from(all);
    }
    (positives > 0).then(|| sum / f64::from(positives))
}

/// The largest share of the positive items that a cut of the ranking takes with at least this precision: 0 if
/// no cut has it, none without positive items.
pub(crate) fn recall_at_precision(items: &[(f64, bool)], least: f64) -> Option<f64> {
    let (mut positives, mut all, mut best) = (0, 0, 0);
    for (found, others) in ranked(items) {
        positives += found;
        all += found + others;
        if f64::from(positives) >= least * f64::from(all) {
            best = positives;
        }
    }
    share(best, positives)
}

/// The area under the ROC curve: the probability that a positive item scores higher than a negative
/// one, equal scores counting one half. None if one of both is missing.
pub(crate) fn roc_area(items: &[(f64, bool)]) -> Option<f64> {
    let (mut positives, mut negatives) = (0, 0);
    let mut won = 0.0;
    for (found, others) in ranked(items) {
        won += f64::from(others) * (f64::from(positives) + f64::from(found) / 2.0);
        positives += found;
        negatives += others;
    }
    let duels = f64::from(positives) * f64::from(negatives);
    (duels > 0.0).then(|| won / duels)
}

/// The adjusted Rand index (Hubert and Arabie 1985) of items, each with its true group and its cluster: 1 if both say
/// the same, 0 if they agree no more than by chance. None if all true groups have one item, or there is one group.
pub(crate) fn adjusted_rand_index<G: Eq + Hash + Copy, C: Eq + Hash + Copy>(
    items: &[(G, C)],
) -> Option<f64> {
    let all = pairs(items.len());
    let both = pairs_within(items.iter().copied());
    let groups = pairs_within(items.iter().map(|item| item.0));
    let clusters = pairs_within(items.iter().map(|item| item.1));
    let by_chance = groups * clusters / all;
    let most = f64::midpoint(groups, clusters);
    (groups > 0.0 && groups < all).then(|| (both - by_chance) / (most - by_chance))
}

/// How many pairs of items have the same key.
fn pairs_within<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> f64 {
    let mut counts: HashMap<K, usize> = HashMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    // Whole numbers below 2^53 have an exact sum in any order.
    counts.into_values().map(pairs).sum()
}

#[expect(clippy::cast_precision_loss, reason = "documents of a folder")]
fn pairs(items: usize) -> f64 {
    (items * items.saturating_sub(1) / 2) as f64
}

/// How many positive and negative items have each score, the highest first.
fn ranked(items: &[(f64, bool)]) -> Vec<(u32, u32)> {
    let mut items = items.to_vec();
    items.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    items
        .chunk_by(|(a, _), (b, _)| a.total_cmp(b).is_eq())
        .map(|tied| {
            let mut counts = (0, 0);
            for (_, positive) in tied {
                counts.0 += u32::from(*positive);
                counts.1 += u32::from(!positive);
            }
            counts
        })
        .collect()
}
