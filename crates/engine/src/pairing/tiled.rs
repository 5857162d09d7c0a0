//! The join of shingle sets that are not in memory, tile against tile.
//!
//! Two tiles are in memory at a time. Every tile is joined with all tiles of smaller sets. Its pairs wait until it has
//! been joined with the last of these. So the order of the pairs does not depend on the size of the tiles.

use crate::detect::options::Options;
use crate::features::collection::store::sets::Sets;
use crate::features::collection::store::sorted::SortedSets;
use crate::join::inverted::distinct::Distinct;
use crate::join::inverted::postings::Frequencies;
use crate::join::inverted::rarity::{Known, Weighing};
use crate::join::inverted::{Index, Prepared, SetPair, floor};
use crate::join::threshold::WeightedThreshold;
use crate::join::weighted::Counted;
use crate::pairing::document_pairs::DocumentPairs;
use crate::pairing::finder::search;
use crate::pairing::joined::WeightedSets;
use crate::run::{Budget, Join, Result};
use rayon::prelude::*;
use std::ops::Range;

/// Joins sets that are in a temporary file, and hands all pairs on. `candidates` are pairs of groups
/// `(later, earlier)` that are measured in any case. Returns the distinct sets in the order of their ranks, and
/// the cost of the join.
///
/// # Errors
///
/// [`crate::run::Error::TempFile`], and those of handing pairs on.
pub(crate) fn join_tiles(
    options: &Options,
    sets: Sets,
    distinct: &Distinct,
    candidates: &[(u32, u32)],
    document_pairs: &mut DocumentPairs<'_, '_>,
) -> Result<(WeightedSets, Join)> {
    let sizes = &distinct.sizes;
    let sets = sort_sets(
        &options.budget,
        sets,
        distinct,
        document_pairs.counted().as_ref(),
    )?;
    let tiles = sets.sorted.tiles();
    let join = TileJoin {
        options,
        sets: &sets,
        sizes,
        candidates,
    };
    let mut handed_on = 0;
    for (last, tile) in tiles.iter().enumerate() {
        if last == 0 && tiles.len() > 1 {
            // The first tile is joined with itself when the second one is there.
            continue;
        }
        let pairs = join.with_earlier_tiles(last)?;
        document_pairs.hand_on_groups(handed_on..tile.end, &pairs)?;
        handed_on = tile.end;
    }
    let join = Join {
        tiles: tiles.len(),
        spilled: sets.sorted.bytes(),
    };
    Ok((sets, join))
}

/// Writes the distinct sets to a file in the order of their ranks, and weighs them.
fn sort_sets(
    budget: &Budget,
    sets: Sets,
    distinct: &Distinct,
    counted: Option<&Counted>,
) -> Result<WeightedSets> {
    let positions: Vec<u32> = distinct.groups.firsts().collect();
    let folder = budget.temp_dir.as_deref();
    let sorted = SortedSets::write(&sets, &positions, &distinct.sizes, budget.tile(), folder)?;
    drop(sets);
    let (frequencies, weights) = sorted.frequencies(budget.entries(), counted)?;
    Ok(WeightedSets {
        sorted,
        frequencies,
        weights,
    })
}

/// What every join of two tiles needs.
struct TileJoin<'j> {
    options: &'j Options,
    sets: &'j WeightedSets,
    /// The sizes of the sets, by rank.
    sizes: &'j [u32],
    candidates: &'j [(u32, u32)],
}

impl TileJoin<'_> {
    /// Joins a tile with all earlier ones. Returns the pairs, ordered.
    fn with_earlier_tiles(&self, last: usize) -> Result<Vec<SetPair>> {
        let tiles = self.sets.sorted.tiles();
        let mut pairs = Vec::new();
        for first in 0..last.max(usize::from(tiles.len() == 1)) {
            let two = TwoTiles::in_turn(tiles, first, last);
            if two.can_have_pairs(
                self.options,
                self.sizes,
                &self.sets.weights,
                self.candidates,
            ) {
                self.join(&two, &mut pairs)?;
            }
        }
        pairs.par_sort_unstable();
        Ok(pairs)
    }

    /// Appends the pairs of two tiles.
    fn join(&self, two: &TwoTiles, pairs: &mut Vec<SetPair>) -> Result<()> {
        let index = self.index(two)?;
        let candidates = two.candidates(self.candidates);
        let probing = two.probing();
        search(&index, probing, self.options, candidates, |_, mut found| {
            found.iter_mut().for_each(|pair| two.renumber(pair));
            pairs.append(&mut found);
            Ok(())
        })
    }

    /// Reads the sets of two tiles and returns their index.
    fn index(&self, two: &TwoTiles) -> Result<Index> {
        let sorted = &self.sets.sorted;
        let shingles = [
            sorted.read(two.earlier.clone())?,
            sorted.read(two.later.clone())?,
        ];
        let tiles = [&two.earlier, &two.later].into_iter().zip(&shingles);
        let slices: Vec<&[u64]> = tiles
            .flat_map(|(ranks, shingles)| sorted.slices(ranks.clone(), shingles))
            .collect();
        let weights = two.own(&self.sets.weights);
        let prepared = two.prepared(&slices, &self.sets.frequencies, weights)?;
        drop(slices);
        drop(shingles);
        Ok(prepared.index())
    }
}

/// Two tiles in memory. Their sets are numbered from 0: those of the earlier tile, then those of the later one. Every set
/// of the later tile is joined with those of the earlier one.
#[derive(Debug)]
pub struct TwoTiles {
    /// The ranks of its sets.
    pub(crate) earlier: Range<u32>,
    pub(crate) later: Range<u32>,
    /// Whether the earlier tile is also joined with itself.
    joins_earlier: bool,
    /// Whether the later tile is also joined with itself.
    joins_later: bool,
}

impl TwoTiles {
    /// Returns two tiles of a run that joins each tile with all tiles before it, in turn. A tile is joined with itself
    /// together with the tile before it, and the first one together with the second.
    pub(crate) fn in_turn(tiles: &[Range<u32>], first: usize, last: usize) -> Self {
        let is_next = first + 1 >= last;
        let (earlier, later) = (tiles[first].clone(), tiles[last].clone());
        if first == last {
            return Self::within(earlier);
        }
        Self {
            joins_earlier: is_next && earlier.start == 0,
            joins_later: is_next,
            earlier,
            later,
        }
    }

    /// Returns two different tiles that are joined with each other only.
    pub fn between(earlier: Range<u32>, later: Range<u32>) -> Self {
        Self {
            earlier,
            later,
            joins_earlier: false,
            joins_later: false,
        }
    }

    /// Returns one tile that is joined with itself.
    pub fn within(tile: Range<u32>) -> Self {
        Self {
            later: tile.end..tile.end,
            earlier: tile,
            joins_earlier: true,
            joins_later: false,
        }
    }

    /// Returns how many sets the earlier tile has.
    fn before(&self) -> u32 {
        self.earlier.end - self.earlier.start
    }

    /// Returns how many sets both tiles have.
    fn count(&self) -> u32 {
        self.before() + (self.later.end - self.later.start)
    }

    /// Returns how many sets are indexed: the first ones, which others can find.
    fn indexed(&self) -> u32 {
        if self.joins_later {
            self.count()
        } else {
            self.before()
        }
    }

    /// Returns the sets that look for others.
    pub fn probing(&self) -> Range<u32> {
        if self.joins_earlier {
            0..self.count()
        } else {
            self.before()..self.count()
        }
    }

    /// Returns whether the two tiles may have pairs. They may if the largest set of the earlier tile is large
    /// enough to be similar to the smallest set of the later one, if they may share enough weight, or if they have a
    /// candidate. A set that is contained in another one may have any size. `sizes` and `weights` are those of all sets, by
    /// rank.
    pub fn can_have_pairs(
        &self,
        options: &Options,
        sizes: &[u32],
        weights: &[u64],
        candidates: &[(u32, u32)],
    ) -> bool {
        if self.joins_earlier || self.joins_later || options.containment.is_some() {
            return true;
        }
        let can_be_heavy = |threshold| self.can_share_weight(threshold, sizes, weights);
        if options.weighted().is_some_and(can_be_heavy) {
            return true;
        }
        let largest = floor(sizes[self.earlier.end as usize - 1]);
        let smallest = floor(sizes[self.later.start as usize]);
        let least = floor(options.min_jaccard.least_size(smallest));
        largest >= least || !self.candidates(candidates).is_empty()
    }

    /// Returns whether a set of the earlier tile may share enough weight with a set of the later one. What two sets share
    /// weighs no more than the lighter of them, and what at least one has no less than the heavier.
    fn can_share_weight(
        &self,
        threshold: WeightedThreshold,
        sizes: &[u32],
        weights: &[u64],
    ) -> bool {
        let lightest_and_heaviest = |tile: &Range<u32>| {
            let ranks = tile.start as usize..tile.end as usize;
            let looked_at = ranks.filter(|&rank| sizes[rank] >= threshold.min_size);
            let of_rank = |rank| (weights[rank], weights[rank]);
            let wider = |x: (u64, u64), y: (u64, u64)| (x.0.min(y.0), x.1.max(y.1));
            looked_at.map(of_rank).reduce(wider)
        };
        let tiles = [&self.earlier, &self.later].map(lightest_and_heaviest);
        let [Some((least, most)), Some((other_least, other_most))] = tiles else {
            return false;
        };
        let lighter = most.min(other_most);
        let heavier = least.max(other_least);
        // If the ranges meet, two sets may weigh the same.
        lighter >= heavier
            || u128::from(lighter) * 10_000 >= u128::from(heavier) * u128::from(threshold.least)
    }

    /// Returns the number of the set of a rank; none if it is in neither tile.
    fn number(&self, rank: u32) -> Option<u32> {
        if self.earlier.contains(&rank) {
            Some(rank - self.earlier.start)
        } else if self.later.contains(&rank) {
            Some(rank - self.later.start + self.before())
        } else {
            None
        }
    }

    /// Returns the candidates that these tiles must find, by number. `candidates` are ordered.
    pub fn candidates(&self, candidates: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let (probing, indexed) = (self.probing(), self.indexed());
        let first = candidates.partition_point(|&(x, _)| x < self.earlier.start);
        let end = candidates.partition_point(|&(x, _)| x < self.later.end);
        let numbered = candidates[first..end]
            .iter()
            .filter_map(|&(x, y)| Some((self.number(x)?, self.number(y)?)));
        numbered
            .filter(|(x, y)| probing.contains(x) && *y < indexed)
            .collect()
    }

    /// Replaces the numbers of a pair by the ranks of its sets.
    pub fn renumber(&self, pair: &mut SetPair) {
        for number in [&mut pair.x, &mut pair.y] {
            *number = match number.checked_sub(self.before()) {
                None => *number + self.earlier.start,
                Some(later) => later + self.later.start,
            };
        }
    }

    /// Returns the values of the sets of both tiles. `all` are those of all sets, by rank.
    pub(crate) fn own(&self, all: &[u64]) -> Vec<u64> {
        let tiles = [&self.earlier, &self.later].into_iter();
        let own = tiles.flat_map(|tile| &all[tile.start as usize..tile.end as usize]);
        own.copied().collect()
    }

    /// Returns the data for the index of the sets of both tiles. `weights` are those of the sets.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TooMuch`].
    pub fn prepared(
        &self,
        sets: &[&[u64]],
        frequencies: &Frequencies,
        weights: Vec<u64>,
    ) -> Result<Prepared> {
        let known = Known {
            frequencies,
            sets: weights,
        };
        Prepared::new(sets, self.indexed(), Weighing::Known(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds the pairs of ranks that two tiles look at.
    fn add_met(two: &TwoTiles, met: &mut Vec<(u32, u32)>) {
        for x in two.probing() {
            for y in 0..x.min(two.indexed()) {
                let mut pair = SetPair {
                    x,
                    y,
                    ..SetPair::default()
                };
                two.renumber(&mut pair);
                assert_eq!(two.number(pair.x), Some(x));
                met.push((pair.x, pair.y));
            }
        }
    }

    #[test]
    fn every_pair_of_sets_meets_once() {
        for bounds in [vec![0, 7], vec![0, 3, 4], vec![0, 2, 5, 6, 10]] {
            let tiles: Vec<Range<u32>> = bounds.windows(2).map(|pair| pair[0]..pair[1]).collect();
            let (mut in_turn, mut each) = (Vec::new(), Vec::new());
            for last in 0..tiles.len() {
                for first in 0..last.max(usize::from(tiles.len() == 1)) {
                    add_met(&TwoTiles::in_turn(&tiles, first, last), &mut in_turn);
                }
                add_met(&TwoTiles::within(tiles[last].clone()), &mut each);
                for earlier in &tiles[..last] {
                    let two = TwoTiles::between(earlier.clone(), tiles[last].clone());
                    add_met(&two, &mut each);
                }
            }
            let end = bounds[bounds.len() - 1];
            let expected: Vec<_> = (0..end).flat_map(|x| (0..x).map(move |y| (x, y))).collect();
            for mut met in [in_turn, each] {
                met.sort_unstable();
                assert_eq!(met, expected, "{bounds:?}");
            }
        }
    }

    #[test]
    fn light_and_heavy_tiles_share_too_little() {
        let threshold = WeightedThreshold {
            least: 500,
            min_size: 80,
        };
        let two = TwoTiles::between(0..2, 2..4);
        let sizes = [80, 90, 100, 120];
        for (weights, expected) in [
            ([10, 40, 800, 900], true),
            ([10, 40, 801, 900], false),
            ([10, 40, 30, 900], true),
        ] {
            let can = two.can_share_weight(threshold, &sizes, &weights);
            assert_eq!(can, expected, "{weights:?}");
        }
        let short = [70, 79, 100, 120];
        assert!(!two.can_share_weight(threshold, &short, &[9; 4]));
    }
}
