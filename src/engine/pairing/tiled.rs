//! The join of shingle sets that are not in memory, tile against tile.
//!
//! Two tiles are in memory at a time. Every tile is joined with all tiles of smaller sets, and its
//! pairs wait in a temporary file until the last of these has been seen: so pairs come in the same
//! order, whatever the size of the tiles.

use std::ops::Range;
use std::time::Duration;

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

/// Sets that have been joined tile by tile.
pub(crate) struct Tiled {
    pub(crate) join: Join,
    /// The sets.
    pub(crate) sets: WeightedSets,
}

/// Takes sets, the groups of equal ones and pairs of groups that are wanted in any case; hands all
/// pairs on. The sets are used up; they are in the file that is returned.
///
/// # Errors
///
/// Those of temporary files and of the sink.
pub(crate) fn join_tiles(
    settings: &Options,
    sets: Sets,
    distinct: &Distinct,
    wanted: &[(u32, u32)],
    document_pairs: &mut DocumentPairs<'_, '_>,
) -> Result<Tiled> {
    let (budget, sizes) = (&settings.budget, &distinct.sizes);
    let positions: Vec<u32> = distinct.groups.firsts().collect();
    let folder = budget.temp_dir.as_deref();
    let sorted = SortedSets::write(&sets, &positions, sizes, budget.tile(), folder)?;
    drop(sets);
    let (frequencies, weights) = sorted.frequencies(budget.entries())?;
    let tiles = sorted.tiles().to_vec();
    let mut whole = Estimate::new(Strategy::Counting, sizes, (0, 0));
    whole.counting = Duration::ZERO;
    let mut handed_on = 0;
    for (last, later) in tiles.iter().enumerate() {
        if last == 0 && tiles.len() > 1 {
            // Joined with itself when the next one is there.
            continue;
        }
        let mut runs = Runs::create(folder)?;
        for first in 0..last.max(usize::from(tiles.len() == 1)) {
            let two = TwoTiles::new(&tiles, first, last);
            if !two.can_have_pairs(settings, sizes, wanted) {
                continue;
            }
            let known = Known {
                frequencies: &frequencies,
                sets: two.weights(&weights),
            };
            let index = two.index(&sorted, known)?;
            let estimate = index.estimate(two.probing(), settings.min_jaccard);
            whole.additions += estimate.additions;
            whole.counters += estimate.counters;
            whole.counting += estimate.counting;
            let wanted = two.wanted(wanted);
            search(&index, two.probing(), settings, wanted, |_, mut found| {
                found.iter_mut().for_each(|pair| two.renumber(pair));
                runs.write(&found)
            })?;
            runs.end_run();
        }
        let mut readers = runs.readers();
        let mut found = Vec::new();
        for group in handed_on..later.end {
            found.clear();
            for reader in &mut readers {
                reader.take(group, &mut found)?;
            }
            document_pairs.part(group..group + 1, &found)?;
        }
        handed_on = later.end;
    }
    let join = Join {
        estimate: whole,
        tiles: tiles.len(),
        spilled: sorted.bytes(),
    };
    let sets = WeightedSets {
        sorted,
        frequencies,
        weights,
    };
    Ok(Tiled { join, sets })
}

/// Two tiles in memory: the sets of the earlier one and then those of the later one, numbered from 0.
struct TwoTiles {
    earlier: Range<u32>,
    later: Range<u32>,
    /// Whether the earlier one is the one before the later one; then the later one is joined with
    /// itself, too.
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

    /// How many sets the earlier one has.
    fn before(&self) -> u32 {
        self.earlier.end - self.earlier.start
    }

    /// How many sets both have.
    fn count(&self) -> u32 {
        self.before() + (self.later.end - self.later.start)
    }

    /// How many sets can be found, from the first.
    fn indexed(&self) -> u32 {
        if self.is_next {
            self.count()
        } else {
            self.before()
        }
    }

    /// The sets that look for others. The first two tiles are both joined with themselves.
    fn probing(&self) -> Range<u32> {
        if self.is_next && self.earlier.start == 0 {
            0..self.count()
        } else {
            self.before()..self.count()
        }
    }

    /// Whether the largest set of the earlier tile is large enough for the smallest of the later one,
    /// or a pair is wanted; to be contained a set may be of any size.
    fn can_have_pairs(&self, settings: &Options, sizes: &[u32], wanted: &[(u32, u32)]) -> bool {
        if settings.finds_by_signatures() {
            return !self.wanted(wanted).is_empty();
        }
        if self.is_next || settings.containment.is_some() {
            return true;
        }
        let largest = floor(sizes[self.earlier.end as usize - 1]);
        let smallest = floor(sizes[self.later.start as usize]);
        let least = floor(settings.min_jaccard.least_size(smallest));
        largest >= least || !self.wanted(wanted).is_empty()
    }

    /// The number of a rank in one of the tiles.
    fn number(&self, rank: u32) -> Option<u32> {
        if self.earlier.contains(&rank) {
            Some(rank - self.earlier.start)
        } else if self.later.contains(&rank) {
            Some(rank - self.later.start + self.before())
        } else {
            None
        }
    }

    /// Those of the wanted pairs that these tiles are to find, by number.
    fn wanted(&self, wanted: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let (probing, indexed) = (self.probing(), self.indexed());
        let numbered = wanted
            .iter()
            .filter_map(|&(x, y)| Some((self.number(x)?, self.number(y)?)));
        numbered
            .filter(|(x, y)| probing.contains(x) && *y < indexed)
            .collect()
    }

    /// The weights of the sets of both, of those of all.
    fn weights(&self, all: &[u64]) -> Vec<u64> {
        let tiles = [&self.earlier, &self.later].into_iter();
        let weights = tiles.flat_map(|tile| &all[tile.start as usize..tile.end as usize]);
        weights.copied().collect()
    }

    /// Gives the sets of a pair their ranks back.
    fn renumber(&self, pair: &mut SetPair) {
        for number in [&mut pair.x, &mut pair.y] {
            *number = match number.checked_sub(self.before()) {
                None => *number + self.earlier.start,
                Some(later) => later + self.later.start,
            };
        }
    }

    /// Reads and indexes the sets.
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
