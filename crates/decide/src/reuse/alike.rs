//! Which wordings are alike: stars around the most frequent one.
//!
//! Every wording is compared with the centre of its star, and with nothing in between, so that no chain makes a star of
//! wordings that have nothing in common. The centres of two stars are never alike: the join of the engine, which is exact,
//! finds all pairs of centres.
//!
//! A table of 50,000 rows that differ in a name would have a thousand million such pairs. So before the join each
//! wording is compared with a few more frequent ones that are probably like it: those with the same numberless text, or
//! with the same least hash of a shingle (min-hash, Broder 1997). If it is like one of them it joins its star at once,
//! and is not in the join.

use std::collections::HashMap;

use crate::reuse::passage::Wording;
use dupfind_engine::Result;
use dupfind_engine::fingerprint::min_hash::MinHasher;
use dupfind_engine::join::jaccard::for_each_pair;
use dupfind_engine::join::pairwise::overlap;
use dupfind_engine::join::threshold::Threshold;

/// How many least hashes of a wording are looked up. Of wordings with a similarity of 0.8 one in 600 has none in common with
/// the centre, and becomes a centre itself before the join.
const LOOKED_UP: u32 = 4;

const NONE: u32 = u32::MAX;

/// Returns for each wording the position of the centre of its star, which may be itself. The wordings are ordered: a centre
/// comes before all others of its star.
///
/// # Errors
///
/// There are more shingles than 32 bits can number.
pub fn stars(wordings: &[Wording], threshold: Threshold) -> Result<Vec<u32>> {
    let all = Stars {
        wordings,
        threshold,
    };
    let mut centre_of = all.absorb();
    let count = u32::try_from(wordings.len()).unwrap_or(u32::MAX);
    let centres: Vec<u32> = (0..count)
        .filter(|&w| centre_of[w as usize] == w && !all.set(w).is_empty())
        .collect();
    let sets: Vec<&[u64]> = centres.iter().map(|&centre| all.set(centre)).collect();
    // By the later one of two, the earlier ones.
    let mut earlier: HashMap<u32, Vec<u32>> = HashMap::new();
    for_each_pair(&sets, threshold, |pair| {
        let (a, b) = (centres[pair.a as usize], centres[pair.b as usize]);
        earlier.entry(a.max(b)).or_default().push(a.min(b));
    })?;
    let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
    for (wording, &centre) in (0..count).zip(&centre_of) {
        if centre != wording {
            members.entry(centre).or_default().push(wording);
        }
    }
    // In the order of their frequency, so that all earlier ones are settled.
    for &centre in &centres {
        let Some(near) = earlier.get(&centre) else {
            continue;
        };
        let is_centre = |near: &&u32| centre_of[**near as usize] == **near;
        let Some(&best) = near
            .iter()
            .filter(is_centre)
            .min_by_key(|&&near| (all.distance(near, centre), near))
        else {
            continue;
        };
        centre_of[centre as usize] = best;
        // Its members are not its own any more: each is compared with the new centre, and then with those left over.
        let mut left_over: Vec<u32> = Vec::new();
        for member in members.remove(&centre).unwrap_or_default() {
            let mut candidates = std::iter::once(best).chain(left_over.iter().copied());
            let found = candidates.find(|&candidate| all.are_alike(candidate, member));
            centre_of[member as usize] = found.unwrap_or(member);
            if found.is_none() {
                left_over.push(member);
            }
        }
    }
    Ok(centre_of)
}

struct Stars<'w> {
    wordings: &'w [Wording],
    threshold: Threshold,
}

impl Stars<'_> {
    fn set(&self, wording: u32) -> &[u64] {
        &self.wordings[wording as usize].shingles
    }

    /// Returns the overlap and the union of two wordings.
    fn measure(&self, a: u32, b: u32) -> (u32, u32) {
        let (a, b) = (self.set(a), self.set(b));
        let shared = overlap(a, b);
        let both = u32::try_from(a.len() + b.len()).unwrap_or(u32::MAX);
        (shared, both - shared)
    }

    fn are_alike(&self, a: u32, b: u32) -> bool {
        let shape = |w: u32| self.wordings[w as usize].shape;
        if shape(a) != 0 && shape(a) == shape(b) {
            return true;
        }
        let (overlap, union) = self.measure(a, b);
        overlap > 0 && self.threshold.admits(overlap, union)
    }

    /// Returns how unlike two wordings are, in ten-thousandths.
    fn distance(&self, a: u32, b: u32) -> u64 {
        let (overlap, union) = self.measure(a, b);
        10_000 - u64::from(overlap) * 10_000 / u64::from(union.max(1))
    }

    /// Returns a centre for each wording that is like one of those looked up, and itself for the others.
    fn absorb(&self) -> Vec<u32> {
        let count = self.wordings.len();
        let mut hasher = MinHasher::new(0..LOOKED_UP);
        let slots = count.next_power_of_two().max(16);
        let mut tables = vec![vec![NONE; slots]; LOOKED_UP as usize];
        let mut shapes: HashMap<u64, u32> = HashMap::new();
        let mut centre_of = Vec::with_capacity(count);
        let mut at = [0; LOOKED_UP as usize];
        for (wording, own) in self.wordings.iter().zip(0_u32..) {
            if wording.shingles.is_empty() {
                centre_of.push(own);
                continue;
            }
            let values = hasher.values(wording.shingles.iter().copied());
            for (slot, &value) in at.iter_mut().zip(values) {
                *slot = value as usize & (slots - 1);
            }
            let of_shape = shapes.get(&wording.shape).copied();
            let looked_up = tables.iter().zip(at).map(|(table, slot)| table[slot]);
            let mut best: Option<u32> = None;
            for near in of_shape.into_iter().chain(looked_up) {
                if near != NONE && best.is_none_or(|best| near < best) && self.are_alike(near, own)
                {
                    best = Some(near);
                }
            }
            centre_of.push(best.unwrap_or(own));
            if best.is_some() {
                continue;
            }
            if wording.shape != 0 {
                shapes.entry(wording.shape).or_insert(own);
            }
            for (table, slot) in tables.iter_mut().zip(at) {
                if table[slot] == NONE {
                    table[slot] = own;
                }
            }
        }
        centre_of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wording(shingles: impl IntoIterator<Item = u64>) -> Wording {
        let mut shingles: Vec<u64> = shingles.into_iter().collect();
        shingles.sort_unstable();
        Wording {
            shingles: shingles.into(),
            shape: 0,
        }
    }

    fn threshold() -> Threshold {
        "0.6".parse().unwrap()
    }

    #[test]
    fn chains_make_no_star() {
        // Each is like the next one: 16 of 24 shingles. The first and the third are not.
        let chain: Vec<Wording> = (0..6).map(|n| wording(n * 4..n * 4 + 20)).collect();
        assert_eq!(stars(&chain, threshold()).unwrap(), [0, 0, 2, 2, 4, 4]);
    }

    #[test]
    fn numbers_alone_make_no_pair_and_other_numbers_make_one() {
        let shaped = |shingles: std::ops::Range<u64>, shape| Wording {
            shape,
            ..wording(shingles)
        };
        let all = [
            shaped(0..8, 7),
            shaped(5..13, 7),
            Wording::default(),
            Wording::default(),
        ];
        assert_eq!(stars(&all, threshold()).unwrap(), [0, 0, 2, 3]);
    }

    #[test]
    fn a_family_of_many_is_one_star_in_little_time() {
        let rows = (0..50_000_u64).map(|n| wording((0..20).chain([100 + n * 3, 101 + n * 3])));
        let rows: Vec<Wording> = rows.collect();
        let stars = stars(&rows, threshold()).unwrap();
        assert!(stars.iter().all(|&centre| centre == 0));
    }
}
