//! The known pairs, by the ranks that their sets have today.

use std::collections::HashMap;

use crate::pairs::file::PairsOfSets;
use crate::pairs::measure::{Measured, Shift};
use crate::pairs::search::{PairRule, search};
use dupfind_engine::join::groups::NONE;
use dupfind_engine::join::inverted::SetPair;
use dupfind_engine::join::weighted::Weighted;
use dupfind_engine::pairing::known_join::KnownPair;

/// The known pairs of the sets of a scan, by rank.
pub(super) struct RankedPairs {
    /// The rank of each known set; [`NONE`] if it is gone.
    ranks: Vec<u32>,
    /// The pairs of which both sets are there, ordered.
    pairs: Vec<KnownPair>,
    /// Where the pairs of each later set begin; one longer than the sets.
    pub(super) starts: Vec<usize>,
    /// By how much the weight has changed that each pair shares.
    pub(super) shifts: Vec<Shift>,
    /// The sets that are searched, ascending.
    pub(super) searched: Vec<u32>,
    /// Whether other sets are there than those of the known pairs, or more was searched.
    pub(super) has_changed: bool,
}

impl RankedPairs {
    /// Returns `None` if two sets have one hash.
    pub(super) fn of(before: &PairsOfSets, hashes: &[u128]) -> Option<Self> {
        let PairsOfSets { sets, known } = before;
        let rank_of: HashMap<u128, u32> = hashes.iter().copied().zip(0..).collect();
        if rank_of.len() < hashes.len() {
            return None;
        }
        let rank = |hash: &u128| rank_of.get(hash).copied().unwrap_or(NONE);
        let ranks: Vec<u32> = sets.iter().map(rank).collect();
        let mut is_known = vec![false; hashes.len()];
        for &rank in ranks.iter().filter(|&&rank| rank != NONE) {
            is_known[rank as usize] = true;
        }
        let unknown = (0..).zip(&is_known).filter(|(_, is_known)| !**is_known);
        let searched: Vec<u32> = unknown.map(|(rank, _)| rank).collect();
        let has_changed = !searched.is_empty() || ranks.contains(&NONE);
        let mut ranked = Self {
            ranks,
            pairs: Vec::with_capacity(known.pairs.len()),
            starts: Vec::new(),
            shifts: Vec::new(),
            searched,
            has_changed,
        };
        for pair in &known.pairs {
            if let Some((x, y)) = ranked.ranks_of(pair.x, pair.y) {
                ranked.pairs.push(KnownPair { x, y, ..*pair });
            }
        }
        if !ranked.pairs.is_sorted() {
            ranked.pairs.sort_unstable();
        }
        Some(ranked)
    }

    /// Returns the ranks `(later, earlier)` of two known sets; `None` if one of them is gone.
    pub(super) fn ranks_of(&self, x: u32, y: u32) -> Option<(u32, u32)> {
        let (x, y) = (self.ranks[x as usize], self.ranks[y as usize]);
        (x != NONE && y != NONE).then_some((x.max(y), x.min(y)))
    }

    /// Searches a set of every candidate that was never measured.
    pub(super) fn search_unknown(&mut self, rule: &PairRule<'_>) {
        let is_known = |pair: &&(u32, u32)| {
            let found = self
                .pairs
                .binary_search_by_key(*pair, |known| (known.x, known.y));
            found.is_ok() || self.is_searched(pair.0) || self.is_searched(pair.1)
        };
        let unknown = rule.candidates.iter().filter(|pair| !is_known(pair));
        let unknown: Vec<u32> = unknown.map(|pair| pair.0).collect();
        self.search_more(&unknown);
    }

    fn is_searched(&self, set: u32) -> bool {
        self.searched.binary_search(&set).is_ok()
    }

    /// Searches more sets. Returns whether some of them were not searched before.
    pub(super) fn search_more(&mut self, sets: &[u32]) -> bool {
        let before = self.searched.len();
        self.searched.extend(sets);
        self.searched.sort_unstable();
        self.searched.dedup();
        let has_more = self.searched.len() > before;
        self.has_changed |= has_more;
        has_more
    }

    /// Leaves out the pairs of searched sets, which are found anew.
    pub(super) fn start_anew(&mut self, sets: usize) {
        let mut is_searched = vec![false; sets];
        self.searched
            .iter()
            .for_each(|&set| is_searched[set as usize] = true);
        let is_searched = |set: u32| is_searched[set as usize];
        self.pairs
            .retain(|pair| !is_searched(pair.x) && !is_searched(pair.y));
        let shift = |pair: &KnownPair| Shift { y: pair.y, by: 0 };
        self.shifts = self.pairs.iter().map(shift).collect();
        self.starts = vec![0; sets + 1];
        for pair in &self.pairs {
            self.starts[pair.x as usize + 1] += 1;
        }
        for at in 0..sets {
            self.starts[at + 1] += self.starts[at];
        }
    }

    /// Returns the pairs of today, and those that are to be known the next time; `None` if what is known of a pair cannot
    /// be true.
    pub(super) fn all(
        &self,
        rule: &PairRule<'_>,
        measured: &Measured,
    ) -> Option<(Vec<SetPair>, Vec<KnownPair>)> {
        let found = search(rule, measured, &self.searched);
        let mut pairs = Vec::with_capacity(self.pairs.len() + found.len());
        let mut known = self.pairs.clone();
        for (pair, shift) in self.pairs.iter().zip(&self.shifts) {
            let [x, y] = [pair.x, pair.y].map(|set| measured.weights[set as usize]);
            let sizes = [pair.x, pair.y].map(|set| rule.sizes[set as usize]);
            let shared = pair.shared_weight.checked_add_signed(shift.by)?;
            if shared > x.min(y) || pair.overlap > sizes[0].min(sizes[1]) {
                return None;
            }
            let measured = SetPair {
                x: pair.x,
                y: pair.y,
                overlap: pair.overlap,
                union: sizes[0] + sizes[1] - pair.overlap,
                weighted: Weighted::new(shared, x, y),
            };
            if rule.finds(&measured) {
                pairs.push(measured);
            }
        }
        for found in found {
            known.push(KnownPair {
                x: found.pair.x,
                y: found.pair.y,
                overlap: found.pair.overlap,
                shared_weight: found.known_shared,
            });
            if found.is_found {
                pairs.push(found.pair);
            }
        }
        pairs.sort_unstable();
        known.sort_unstable();
        Some((pairs, known))
    }
}
