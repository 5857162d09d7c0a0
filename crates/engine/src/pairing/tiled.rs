//! The join of shingle sets that are not in memory, tile against tile.
//!
//! Two tiles are in memory at a time. Every tile is joined with all tiles of smaller sets. Its pairs wait in a
//! temporary file until it has been joined with the last of these. So the order of the pairs does not depend on the
//! size of the tiles.

use std::ops::Range;

use crate::detect::options::Options;
use crate::features::collection::store::runs::Runs;
use crate::features::collection::store::sets::Sets;
use crate::features::collection::store::sorted::SortedSets;
use crate::join::inverted::Index;
use crate::join::inverted::distinct::Distinct;
use crate::pairing::document_pairs::DocumentPairs;
use crate::pairing::joined::sets::WeightedSets;
use crate::pairing::search::search;
use crate::pairing::two_tiles::TwoTiles;
use crate::run::budget::Budget;
use crate::run::error::Result;
use crate::run::stats::Join;

/// Joins sets that are in a temporary file, and hands all pairs on. `candidates` are pairs of groups
/// `(later, earlier)` that are measured in any case. Returns the distinct sets in the order of their ranks, and
/// the cost of the join.
///
/// # Errors
///
/// [`crate::run::error::Error::TempFile`], and those of handing pairs on.
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
        let runs = join.with_earlier_tiles(last)?;
        hand_on(&runs, handed_on..tile.end, document_pairs)?;
        handed_on = tile.end;
    }
    let join = Join {
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
    /// Joins a tile with all earlier ones. Returns one run of pairs for each of them.
    fn with_earlier_tiles(&self, last: usize) -> Result<Runs> {
        let tiles = self.sets.sorted.tiles();
        let mut runs = Runs::create(self.options.budget.temp_dir.as_deref())?;
        for first in 0..last.max(usize::from(tiles.len() == 1)) {
            let two = TwoTiles::in_turn(tiles, first, last);
            if two.can_have_pairs(
                self.options,
                self.sizes,
                &self.sets.weights,
                self.candidates,
            ) {
                self.join(&two, &mut runs)?;
            }
        }
        Ok(runs)
    }

    /// Writes the pairs of two tiles as one run.
    fn join(&self, two: &TwoTiles, runs: &mut Runs) -> Result<()> {
        let index = self.index(two)?;
        let candidates = two.candidates(self.candidates);
        let probing = two.probing();
        search(&index, probing, self.options, candidates, |_, mut found| {
            found.iter_mut().for_each(|pair| two.renumber(pair));
            runs.write(&found)
        })?;
        runs.end_run();
        Ok(())
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
