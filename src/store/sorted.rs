//! Distinct sets in the order of their ranks, in a temporary file, tile by tile: a tile is one
//! stretch of the file.

use std::ops::Range;
use std::path::Path;

use crate::error::Result;
use crate::store::file::TempFile;
use crate::store::sets::Sets;

/// The file, and where the tiles are.
#[derive(Debug)]
pub(crate) struct SortedSets {
    file: TempFile,
    tiles: Vec<(Range<u32>, Range<u64>)>,
}

impl SortedSets {
    /// Takes sets, the positions of those wanted and their sizes, both by rank, and how many shingles
    /// a tile may have; writes the sets to a file in a folder.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TempFile`].
    pub(crate) fn write(
        sets: &Sets,
        positions: &[u32],
        sizes: &[u32],
        largest: u64,
        folder: Option<&Path>,
    ) -> Result<Self> {
        let mut file = TempFile::create(folder)?;
        let mut tiles = Vec::new();
        for ranks in cut(sizes, largest) {
            let shingles = sets.load(&positions[ranks.start as usize..ranks.end as usize])?;
            let start = file.append(bytemuck::cast_slice(&shingles))?;
            tiles.push((ranks, start..file.length()));
        }
        Ok(Self { file, tiles })
    }

    /// The ranks in each tile.
    pub(crate) fn tiles(&self) -> Vec<Range<u32>> {
        self.tiles.iter().map(|(ranks, _)| ranks.clone()).collect()
    }

    /// How many bytes the file has.
    pub(crate) fn bytes(&self) -> u64 {
        self.file.length()
    }

    /// The sets of a tile, one after the other.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TempFile`].
    pub(crate) fn read(&self, tile: usize) -> Result<Vec<u64>> {
        let place = &self.tiles[tile].1;
        let bytes = usize::try_from(place.end - place.start).expect("it was in memory");
        let mut shingles = vec![0; bytes / size_of::<u64>()];
        self.file
            .read(bytemuck::cast_slice_mut(&mut shingles), place.start)?;
        Ok(shingles)
    }
}

/// Cuts sets into tiles of at most `largest` shingles, or of one set.
fn cut(sizes: &[u32], largest: u64) -> Vec<Range<u32>> {
    let mut tiles = Vec::new();
    let (mut start, mut shingles) = (0, 0);
    for (rank, &size) in (0_u32..).zip(sizes) {
        if rank > start && shingles + u64::from(size) > largest {
            tiles.push(start..rank);
            (start, shingles) = (rank, 0);
        }
        shingles += u64::from(size);
    }
    if let Ok(end) = u32::try_from(sizes.len())
        && end > start
    {
        tiles.push(start..end);
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_hold_what_fits() {
        assert_eq!(cut(&[], 10), []);
        assert_eq!(cut(&[1, 2, 3, 4, 50, 60], 6), [0..3, 3..4, 4..5, 5..6]);
        assert_eq!(cut(&[1, 2, 3], u64::MAX).len(), 1);
    }
}
