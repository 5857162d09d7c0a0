//! Finds the pairs of some sets with all others, from the lists of their shingles.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::pairs::measure::Measured;
use dupfind_engine::detect::{Detector, Detectors, Require};
use dupfind_engine::join::inverted::SetPair;
use dupfind_engine::join::threshold::WeightedThreshold;
use dupfind_engine::join::weighted::Weighted;
use dupfind_engine::options::Options;
use dupfind_engine::pairing::known_join::least_kept;
use dupfind_engine::verdict::found_by_sets;
use dupfind_engine::verdict::pair::Resemblance;

/// When two sets are a pair.
pub(super) struct PairRule<'r> {
    pub(super) options: &'r Options,
    /// The size of each set.
    pub(super) sizes: &'r [u32],
    /// The pairs `(later, earlier)`, ordered, that are measured in any case.
    pub(super) candidates: &'r [(u32, u32)],
}

impl PairRule<'_> {
    /// Returns whether a search of all sets would find these two.
    pub(super) fn finds(&self, pair: &SetPair) -> bool {
        let is_candidate = || self.candidates.binary_search(&(pair.x, pair.y)).is_ok();
        if self.options.finds_by_signatures() {
            return is_candidate();
        }
        let sizes = [pair.x, pair.y].map(|set| self.sizes[set as usize]);
        let jaccard = Resemblance::new(pair.overlap, pair.union);
        let found = jaccard.map_or(Detectors::NONE, |jaccard| {
            found_by_sets(self.options, jaccard, sizes, || pair.weighted)
        });
        let is_found = match self.options.require {
            Require::Any => !found.is_empty(),
            Require::All => found.have(Detector::Shingle),
        };
        is_found || is_candidate()
    }

    /// Returns whether a pair of this weighted similarity by the known frequencies may be found another time.
    fn may_be_found(&self, weighted: Weighted, pair: &SetPair) -> bool {
        let (x, y) = (self.sizes[pair.x as usize], self.sizes[pair.y as usize]);
        self.options.weighted().is_some_and(|threshold| {
            let least = WeightedThreshold {
                least: least_kept(threshold.least),
                ..threshold
            };
            least.admits(weighted, x.min(y))
        })
    }
}

/// A pair that was searched for.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchedPair {
    pub(super) pair: SetPair,
    /// What the shared shingles weigh by the known frequencies.
    pub(super) known_shared: u64,
    /// Whether it is a pair today.
    pub(super) is_found: bool,
}

/// What the shingles weigh that a set shares with another one.
#[derive(Debug, Clone, Copy, Default)]
struct Shared {
    overlap: u32,
    known: u64,
    today: u64,
}

/// Returns the pairs of the `searched` sets with all sets, and those that may be pairs another time.
pub(super) fn search(
    rule: &PairRule<'_>,
    measured: &Measured,
    searched: &[u32],
) -> Vec<SearchedPair> {
    let count = rule.sizes.len();
    let mut wanted: HashMap<u32, Vec<u32>> = searched.iter().map(|&x| (x, Vec::new())).collect();
    for &(x, y) in rule.candidates {
        for (own, other) in [(x, y), (y, x)] {
            if let Some(of_own) = wanted.get_mut(&own) {
                of_own.push(other);
            }
        }
    }
    let of_one = |(shared, met): &mut (Vec<Shared>, Vec<u32>), (at, &x): (usize, &u32)| {
        measured.lists.each(at, |[known, today], list| {
            for &y in list {
                let both = &mut shared[y as usize];
                if both.overlap == 0 {
                    met.push(y);
                }
                both.overlap += 1;
                both.known += u64::from(known);
                both.today += u64::from(today);
            }
        });
        let others = wanted[&x].iter();
        met.extend(others.filter(|&&y| shared[y as usize].overlap == 0));
        let mut found = Vec::new();
        for y in met.drain(..) {
            let both = std::mem::take(&mut shared[y as usize]);
            // Two sets that are both searched are found by the later one.
            if y == x || (y > x && wanted.contains_key(&y)) {
                continue;
            }
            found.extend(pair(rule, measured, (x.max(y), x.min(y)), both));
        }
        found
    };
    let scratch = || (vec![Shared::default(); count], Vec::new());
    let found = searched.par_iter().enumerate();
    let found: Vec<Vec<SearchedPair>> = found.map_init(scratch, of_one).collect();
    found.concat()
}

fn pair(
    rule: &PairRule<'_>,
    measured: &Measured,
    (x, y): (u32, u32),
    both: Shared,
) -> Option<SearchedPair> {
    let of_both = |values: &[u64]| (values[x as usize], values[y as usize]);
    let weigh = |shared, (x, y): (u64, u64)| Weighted::new(shared, x, y);
    let pair = SetPair {
        x,
        y,
        overlap: both.overlap,
        union: rule.sizes[x as usize] + rule.sizes[y as usize] - both.overlap,
        weighted: weigh(both.today, of_both(&measured.weights)),
    };
    let is_found = rule.finds(&pair);
    let known = weigh(both.known, of_both(&measured.known_weights));
    (is_found || rule.may_be_found(known, &pair)).then_some(SearchedPair {
        pair,
        known_shared: both.known,
        is_found,
    })
}
