//! Looking for the sets that a set of an index is similar to, that it shares weight with, or that contain it.
//!
//! Runs of sets of similar size, which a probing set goes through one after the other.
//!
//! Within a tile the counters fit the fastest cache, and the least overlap that a pair needs is known
//! more closely than for all sets at once: with equal sizes a pair at Jaccard 0.2 shares a third of
//! its elements, with sizes 1 : 5 a fifth of the larger set's. The more a pair needs, the longer the
//! tail that need not be counted.

pub(super) mod contained;
pub(super) mod probe;
pub(super) mod rank_set;
pub(super) mod weighted;

use std::ops::Range;

/// Where the tiles of a sequence of sets begin.
#[derive(Debug)]
pub(crate) struct SizeTiles {
    /// The first set of each tile, and the end of the last.
    starts: Vec<u32>,
}

impl SizeTiles {
    /// Returns the tiles of sets whose ascending floors of sizes are given.
    ///
    /// # Panics
    ///
    /// If there are 2^32 sets or more.
    pub(crate) fn new(floors: &[u32], tuning: &Tuning) -> Self {
        let mut starts = vec![0];
        let mut start = 0;
        for (at, &floor) in floors.iter().enumerate() {
            let count = at - start;
            let is_larger = floor > floors[start];
            if count == tuning.largest_tile || count >= tuning.smallest_tile && is_larger {
                starts.push(u32::try_from(at).expect("positions are 32 bits wide"));
                start = at;
            }
        }
        starts.push(u32::try_from(floors.len()).expect("positions are 32 bits wide"));
        Self { starts }
    }

    /// Returns a range of sets, cut where tiles begin.
    pub(crate) fn within(&self, sets: Range<u32>) -> impl Iterator<Item = Range<u32>> {
        let first = self.starts.partition_point(|&start| start <= sets.start);
        let mut start = sets.start;
        self.starts[first..].iter().map_while(move |&next| {
            let tile = start..next.min(sets.end);
            start = tile.end;
            (!tile.is_empty()).then_some(tile)
        })
    }
}

/// Limits of sizes, lengths and frequencies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tuning {
    /// Sets in a tile at least, unless it is the last: every tile costs a look at every list.
    pub(crate) smallest_tile: usize,
    /// Sets in a tile at most: 32 KiB of narrow counters.
    pub(crate) largest_tile: usize,
    /// Elements of fewer sets than this are not worth leaving out of counting.
    pub(crate) frequent: u32,
    /// Lists shorter than this are counted for all tiles at once: to look at them in every tile takes
    /// longer than it saves.
    pub(crate) short: u32,
    /// Up to so many elements a set is counted in narrow counters.
    pub(crate) narrow: usize,
    /// With fewer entries in its lists than one for so many sets, a probe goes through the lists once
    /// more instead of through all counters.
    pub(crate) few: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            smallest_tile: 1 << 11,
            largest_tile: 1 << 14,
            frequent: 8,
            short: 256,
            narrow: i16::MAX as usize,
            few: 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_every_range() {
        let tuning = Tuning::default();
        let floors: Vec<u32> = (0..40_000).map(|at| 10 + at / 1000).collect();
        let tiles = SizeTiles::new(&floors, &tuning);
        assert!(tiles.starts.len() > 5);
        for range in [0..40_000, 5..6, 100..39_000, 2048..4096, 7..7] {
            let cut: Vec<Range<u32>> = tiles.within(range.clone()).collect();
            assert!(cut.iter().all(|tile| tile.len() <= tuning.largest_tile));
            assert!(cut.into_iter().flatten().eq(range));
        }
        assert_eq!(SizeTiles::new(&[], &tuning).within(0..0).count(), 0);
    }

    #[test]
    fn equal_sizes_make_full_tiles() {
        let tuning = Tuning::default();
        let largest = tuning.largest_tile;
        let tiles = SizeTiles::new(&vec![3; largest + 1], &tuning);
        let whole = 0..u32::try_from(largest).unwrap() + 1;
        assert_eq!(tiles.within(whole).count(), 2);
    }
}
