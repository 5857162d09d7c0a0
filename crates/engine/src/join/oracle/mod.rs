//! Joins for tests and benches. Tests compare the joins of the program with them, and benches measure them. The program
//! does not use them.

pub mod joined;

use crate::join::JaccardPair;
use crate::join::shared::{agreeing, overlap, sorted};
use crate::join::threshold::{Containment, Threshold, WeightedThreshold};
use crate::join::weighted::{Weighted, weight};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// Two codes within the requested distance: positions `a < b` in the input and their distance in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HammingPair {
    /// Position of the first code.
    pub a: u32,
    /// Position of the second code.
    pub b: u32,
    /// In how many bits they differ.
    pub distance: u32,
}

/// Two signatures that agree in enough places: positions `a < b` in the input and in how many they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgreementPair {
    /// Position of the first signature.
    pub a: u32,
    /// Position of the second signature.
    pub b: u32,
    /// In how many places both have the same value.
    pub agreeing: u32,
}

/// Two sets that share enough weight: positions `a < b` in the input and their weighted measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WeightedPair {
    /// Position of the first set.
    pub a: u32,
    /// Position of the second set.
    pub b: u32,
    /// The weighted measures.
    pub weighted: Weighted,
}

/// Returns all pairs of codes at Hamming distance at most `max_distance`, ordered by position. Costs n^2 / 2
/// comparisons.
pub fn hamming(codes: &[u64], max_distance: u32) -> Vec<HammingPair> {
    by_row(codes.len(), |a, b| {
        let distance = (codes[a as usize] ^ codes[b as usize]).count_ones();
        (distance <= max_distance).then_some(HammingPair { a, b, distance })
    })
}

/// Returns all pairs of signatures that agree in at least `least` places, ordered by position; see
/// [`crate::join::agreement`]. Signatures have `width` values each, with nothing between them. Costs
/// n^2 / 2 comparisons.
///
/// # Panics
///
/// If `width` is 0.
pub fn agreement(signatures: &[u64], width: usize, least: usize) -> Vec<AgreementPair> {
    let signature = |position: u32| &signatures[position as usize * width..][..width];
    by_row(signatures.len() / width, |a, b| {
        let agreeing = agreeing(signature(a), signature(b));
        (agreeing as usize >= least).then_some(AgreementPair { a, b, agreeing })
    })
}

/// Returns all pairs of sets with a Jaccard similarity of at least the threshold, ordered by position. The
/// elements of a set are distinct; their order does not matter. An empty set is in no pair. Costs n^2 / 2
/// merges.
pub fn jaccard<S: AsRef<[u64]> + Sync>(sets: &[S], threshold: Threshold) -> Vec<JaccardPair> {
    by_overlap(sets, |overlap, x, y| {
        let union = x + y - overlap;
        union > 0 && threshold.admits(overlap, union)
    })
}

/// Returns all pairs of sets where one contains enough of the other, ordered by position. The elements of a set are
/// distinct; their order does not matter. Costs n^2 / 2 merges.
pub fn containment<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    containment: Containment,
) -> Vec<JaccardPair> {
    by_overlap(sets, |overlap, x, y| containment.admits(overlap, x, y))
}

/// Returns the sum of the weights of those elements of `x` that `y` has too. Both are strictly ascending.
fn shared_weight(x: &[u64], weights: &[u64], y: &[u64]) -> u64 {
    let (mut i, mut j, mut sum) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        let (a, b) = (x[i], y[j]);
        sum += if a == b { weights[i] } else { 0 };
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    sum
}

/// Returns all pairs of sets that share enough weight, ordered by position; see [`crate::join::weighted`]. The
/// elements of a set are distinct; their order does not matter. Costs n^2 / 2 merges.
pub fn weighted<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    threshold: WeightedThreshold,
) -> Vec<WeightedPair> {
    let sorted: Vec<Vec<u64>> = sets.par_iter().map(|set| sorted(set.as_ref())).collect();
    let distinct: BTreeSet<&Vec<u64>> = sorted.iter().collect();
    let mut frequencies: HashMap<u64, u32> = HashMap::new();
    for &element in distinct.into_iter().flatten() {
        *frequencies.entry(element).or_default() += 1;
    }
    let weigh = |element: &u64| u64::from(weight(frequencies[element]));
    let weights = sorted.iter().map(|set| set.iter().map(weigh).collect());
    let weights: Vec<Vec<u64>> = weights.collect();
    let sums: Vec<u64> = weights.iter().map(|weights| weights.iter().sum()).collect();
    by_row(sets.len(), |a, b| {
        let (x, y) = (&sorted[a as usize], &sorted[b as usize]);
        let weighted = match x == y {
            true => Weighted::EQUAL,
            false => {
                let shared = shared_weight(x, &weights[a as usize], y);
                Weighted::new(shared, sums[a as usize], sums[b as usize])
            }
        };
        let smaller = u32::try_from(x.len().min(y.len())).expect("sizes are 32 bits wide");
        let is_pair = smaller > 0 && threshold.admits(weighted, smaller);
        is_pair.then_some(WeightedPair { a, b, weighted })
    })
}

/// Returns the pairs whose overlap and sizes `is_wanted` accepts.
fn by_overlap<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    is_wanted: impl Fn(u32, u32, u32) -> bool + Sync,
) -> Vec<JaccardPair> {
    let sorted: Vec<Vec<u64>> = sets.par_iter().map(|set| sorted(set.as_ref())).collect();
    let size = |set: &[u64]| u32::try_from(set.len()).expect("sizes are 32 bits wide");
    by_row(sets.len(), |a, b| {
        let (x, y) = (&sorted[a as usize], &sorted[b as usize]);
        let overlap = overlap(x, y);
        let (x, y) = (size(x), size(y));
        is_wanted(overlap, x, y).then_some(JaccardPair {
            a,
            b,
            overlap,
            union: x + y - overlap,
        })
    })
}

/// Asks about every pair of positions below `n`, row by row in parallel.
fn by_row<P: Send>(n: usize, ask: impl Fn(u32, u32) -> Option<P> + Sync) -> Vec<P> {
    let n = u32::try_from(n).expect("positions are 32 bits wide");
    (0..n)
        .into_par_iter()
        .flat_map_iter(|a| (a + 1..n).filter_map(|b| ask(a, b)).collect::<Vec<_>>())
        .collect()
}
