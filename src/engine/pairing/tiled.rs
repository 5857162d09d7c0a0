//! The join of shingle sets that are not in memory, tile against tile.
//!
//! Two tiles are in memory at a time. Every tile is joined with all tiles of smaller sets. Its pairs wait in a
//! temporary file until it has been joined with the last of these. So the order of the pairs does not depend on the
//! size of the tiles.

use std::ops::Range;
use std::time::Duration;

use crate::engine::collection::store::Budget;
use crate::engine::collection::store::runs::Runs;
use crate::engine::collection::store::sets::Sets;
use crate::engine::collection::store::sorted::SortedSets;
use crate::engine::options::Options;
use crate::engine::pairing::document_pairs::DocumentPairs;
use crate::engine::pairing::joined_sets::WeightedSets;
use crate::engine::pairing::search::search;
use crate::engine::stats::Join;
use crate::error::Result;
use crate::join::cost::{Estimate, Strategy};
use crate::join::index::distinct::Distinct;
use crate::join::index::rarity::{Known, Weighing};
use crate::join::index::size_class::floor;
use crate::join::index::{Index, Prepared, SetPair};

/// Joins sets that are in a temporary file, and hands all pairs on. `candidates` are pairs of groups
/// `(later, earlier)` that are measured in any case. Returns the distinct sets in the order of their ranks, and
/// what the join cost.
///
/// # Errors
///
/// [`crate::error::Error::TempFile`], and those of handing pairs on.
pub(crate) fn join_tiles(
    options: &Options,
    sets: Sets,
    distinct: &Distinct,
    candidates: &[(u32, u32)],
    document_pairs: &mut DocumentPairs<'_, '_>,
) -> Result<(WeightedSets, Join)> {
    let sizes = &distinct.sizes;
    let sets = sort_sets(&options.budget, sets, distinct)?;
    let tiles = sets.sorted.tiles();
    let mut estimate = Estimate::new(Strategy::Counting, sizes, (0, 0));
    estimate.counting = Duration::ZERO;
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
        let runs = join.with_earlier_tiles(last, &mut estimate)?;
        hand_on(&runs, handed_on..tile.end, document_pairs)?;
        handed_on = tile.end;
    }
    let join = Join {
        estimate,
        tiles: tiles.len(),
        spilled: sets.sorted.bytes(),
    };
    Ok((sets, join))
}

/// Writes the distinct sets to a file in the order of their ranks, and weighs them.
fn sort_sets(budget: &Budget, sets: Sets, distinct: &Distinct) -> Result<WeightedSets> {
    let positions: Vec<u32> = distinct.groups.firsts().collect();
    let folder = budget.temp_dir.as_deref();
    let sorted = SortedSets::write(&sets, &positions, &distinct.sizes, budget.tile(), folder)?;
    drop(sets);
    let (frequencies, weights, unshared) = sorted.frequencies(budget.entries())?;
    Ok(WeightedSets {
        sorted,
        frequencies,
        weights,
        unshared,
    })
}

/// Hands on the pairs of some groups in a row. Each run has the pairs of one more tile.
fn hand_on(
    runs: &Runs,
    groups: Range<u32>,
    document_pairs: &mut DocumentPairs<'_, '_>,
) -> Result<()> {
    let mut readers = runs.readers();
    let mut found = Vec::new();
    for group in groups {
        found.clear();
        for reader in &mut readers {
            reader.take(group, &mut found)?;
        }
        document_pairs.hand_on_groups(group..group + 1, &found)?;
    }
    Ok(())
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
    /// Joins a tile with all earlier ones. Returns one run of pairs for each of them. What the join costs is added
    /// to the estimate.
    fn with_earlier_tiles(&self, last: usize, estimate: &mut Estimate) -> Result<Runs> {
        let tiles = self.sets.sorted.tiles();
        let mut runs = Runs::create(self.options.budget.temp_dir.as_deref())?;
        for first in 0..last.max(usize::from(tiles.len() == 1)) {
            let two = TwoTiles::new(tiles, first, last);
            if two.can_have_pairs(self.options, self.sizes, self.candidates) {
                self.join(&two, &mut runs, estimate)?;
            }
        }
        Ok(runs)
    }

    /// Writes the pairs of two tiles as one run.
    fn join(&self, two: &TwoTiles, runs: &mut Runs, estimate: &mut Estimate) -> Result<()> {
        let known = Known {
            frequencies: &self.sets.frequencies,
            sets: two.weights(&self.sets.weights),
        };
        let index = two.index(&self.sets.sorted, known)?;
        let part = index.estimate(two.probing(), self.options.min_jaccard);
        estimate.additions += part.additions;
        estimate.counters += part.counters;
        estimate.counting += part.counting;
        let candidates = two.candidates(self.candidates);
        let probing = two.probing();
        search(&index, probing, self.options, candidates, |_, mut found| {
            found.iter_mut().for_each(|pair| two.renumber(pair));
            runs.write(&found)
        })?;
        runs.end_run();
        Ok(())
    }
}

/// Two tiles in memory. Their sets are numbered from 0: those of the earlier tile, then those of the later one.
struct TwoTiles {
    earlier: Range<u32>,
    later: Range<u32>,
    /// Whether the later tile follows the earlier one at once. Then the later one is also joined with itself.
    is_next: bool,
}

impl TwoTiles {
    fn new(tiles: &[Range<u32>], first: usize, last: usize) -> Self {
        let (earlier, mut later) = (tiles[first].clone(), tiles[last].clone());
        if first == last {
            later.start = later.end;
        }
        Self {
            earlier,
            later,
            is_next: first + 1 >= last,
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
        if self.is_next {
            self.count()
        } else {
            self.before()
        }
    }

    /// Returns the sets that look for others. The first two tiles are both joined with themselves.
    fn probing(&self) -> Range<u32> {
        if self.is_next && self.earlier.start == 0 {
            0..self.count()
        } else {
            self.before()..self.count()
        }
    }

    /// Returns whether the two tiles may have pairs. They may if the largest set of the earlier tile is large
    /// enough to be similar to the smallest set of the later one, or if they have a candidate. A set that is
    /// contained in another one, or shares rare elements with it, may have any size.
    fn can_have_pairs(&self, options: &Options, sizes: &[u32], candidates: &[(u32, u32)]) -> bool {
        if options.finds_by_signatures() {
            return !self.candidates(candidates).is_empty();
        }
        if self.is_next || options.containment.is_some() || options.weighted().is_some() {
            return true;
        }
        let largest = floor(sizes[self.earlier.end as usize - 1]);
        let smallest = floor(sizes[self.later.start as usize]);
        let least = floor(options.min_jaccard.least_size(smallest));
        largest >= least || !self.candidates(candidates).is_empty()
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

    /// Returns the candidates that these tiles must find, by number.
    fn candidates(&self, candidates: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let (probing, indexed) = (self.probing(), self.indexed());
        let numbered = candidates
            .iter()
            .filter_map(|&(x, y)| Some((self.number(x)?, self.number(y)?)));
        numbered
            .filter(|(x, y)| probing.contains(x) && *y < indexed)
            .collect()
    }

    /// Returns the weights of the sets of both tiles. `all` are the weights of all sets, by rank.
    fn weights(&self, all: &[u64]) -> Vec<u64> {
        let tiles = [&self.earlier, &self.later].into_iter();
        let weights = tiles.flat_map(|tile| &all[tile.start as usize..tile.end as usize]);
        weights.copied().collect()
    }

    /// Replaces the numbers of a pair by the ranks of its sets.
    fn renumber(&self, pair: &mut SetPair) {
        for number in [&mut pair.x, &mut pair.y] {
            *number = match number.checked_sub(self.before()) {
                None => *number + self.earlier.start,
                Some(later) => later + self.later.start,
            };
        }
    }

    /// Reads the sets and returns their index.
    fn index(&self, sorted: &SortedSets, known: Known<'_>) -> Result<Index> {
        let read = |ranks: &Range<u32>| sorted.read(ranks.clone());
        let shingles = [read(&self.earlier)?, read(&self.later)?];
        let tiles = [&self.earlier, &self.later].into_iter().zip(&shingles);
        let slices: Vec<&[u64]> = tiles
            .flat_map(|(ranks, shingles)| sorted.slices(ranks.clone(), shingles))
            .collect();
        let prepared = Prepared::new(
            &slices,
            self.indexed(),
            Strategy::Counting,
            Weighing::Known(known),
        )?;
        drop(slices);
        drop(shingles);
        Ok(prepared.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_sets_meets_once() {
        for bounds in [vec![0, 7], vec![0, 3, 4], vec![0, 2, 5, 6, 10]] {
            let tiles: Vec<Range<u32>> = bounds.windows(2).map(|pair| pair[0]..pair[1]).collect();
            let mut met = Vec::new();
            for last in 0..tiles.len() {
                for first in 0..last.max(usize::from(tiles.len() == 1)) {
                    let two = TwoTiles::new(&tiles, first, last);
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
            }
            met.sort_unstable();
            let end = bounds[bounds.len() - 1];
            let expected: Vec<_> = (0..end).flat_map(|x| (0..x).map(move |y| (x, y))).collect();
            assert_eq!(met, expected, "{bounds:?}");
        }
    }
}
