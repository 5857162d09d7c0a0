//! Keeps distinct sets in a temporary file, in the order of their ranks. A tile is a stretch of the file.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use crate::features::collection::store::TempFile;
use crate::features::collection::store::sets::Sets;
use crate::join::inverted::mix;
use crate::join::inverted::postings::Frequencies;
use crate::join::weighted::Counted;
use crate::run::Result;

/// How many shingles are read at a time to count them: 8 MiB.
const STRETCH: u64 = 1 << 20;

/// The file of the sets, and where each set and tile is.
#[derive(Debug)]
pub(crate) struct SortedSets {
    file: TempFile,
    /// The ranks of the sets of each tile.
    tiles: Vec<Range<u32>>,
    /// How many shingles are before each set, and at the end the number of all.
    starts: Vec<u64>,
}

impl SortedSets {
    /// Writes sets to a file in a folder, in tiles of at most `largest` shingles. `positions` and `sizes` are those of
    /// the sets to be written, by rank.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`].
    pub(crate) fn write(
        sets: &Sets,
        positions: &[u32],
        sizes: &[u32],
        largest: u64,
        folder: Option<&Path>,
    ) -> Result<Self> {
        let mut file = TempFile::create(folder)?;
        let tiles = cut(sizes, largest);
        for ranks in &tiles {
            let shingles = sets.load(&positions[ranks.start as usize..ranks.end as usize])?;
            file.append(bytemuck::cast_slice(&shingles))?;
        }
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend(sizes.iter().map(|&size| {
            end += u64::from(size);
            end
        }));
        Ok(Self {
            file,
            tiles,
            starts,
        })
    }

    /// Returns the ranks of the sets of each tile.
    pub(crate) fn tiles(&self) -> &[Range<u32>] {
        &self.tiles
    }

    /// Returns how many bytes the file has.
    pub(crate) fn bytes(&self) -> u64 {
        self.file.length()
    }

    /// Returns the sets of some ranks in a row, one after the other.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`].
    pub(crate) fn read(&self, ranks: Range<u32>) -> Result<Vec<u64>> {
        let start = self.starts[ranks.start as usize];
        let count = self.starts[ranks.end as usize] - start;
        let mut shingles = vec![0; usize::try_from(count).expect("it was in memory")];
        let start = start * size_of::<u64>() as u64;
        self.file
            .read(bytemuck::cast_slice_mut(&mut shingles), start)?;
        Ok(shingles)
    }

    /// Returns each set of some ranks in a row, from what [`Self::read`] has returned for them.
    pub(crate) fn slices<'s>(
        &self,
        ranks: Range<u32>,
        shingles: &'s [u64],
    ) -> impl Iterator<Item = &'s [u64]> + use<'s, '_> {
        let mut rest = shingles;
        let starts = &self.starts[ranks.start as usize..=ranks.end as usize];
        starts.windows(2).map(move |pair| {
            let size = usize::try_from(pair[1] - pair[0]).expect("it is in memory");
            let (set, others) = rest.split_at(size);
            rest = others;
            set
        })
    }

    /// Returns how many sets that count have each element, and the weight of every set. At most about `most` elements are sorted
    /// at a time.
    ///
    /// The hashes of elements are cut into ranges. Each pass reads the whole file for one range, and keeps only
    /// elements of three or more sets. All elements at once would need as much memory as the sets.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`].
    pub(crate) fn frequencies(
        &self,
        most: u64,
        counted: Option<&Counted>,
    ) -> Result<(Frequencies, Vec<u64>)> {
        let mut frequencies = Frequencies::default();
        let mut weights = vec![0; self.starts.len() - 1];
        let total = self.starts.last().copied().unwrap_or(0);
        let passes = total / most.max(1) + 1;
        let sizes: Vec<u32> = self
            .starts
            .windows(2)
            .map(|pair| u32::try_from(pair[1] - pair[0]).expect("the size of a set"))
            .collect();
        let mut entries: Vec<(u64, u32)> = Vec::new();
        for pass in 0..passes {
            entries.clear();
            let hashes = hash_range(pass, passes);
            for ranks in cut(&sizes, STRETCH) {
                let shingles = self.read(ranks.clone())?;
                let sets: Vec<(u32, &[u64])> = ranks
                    .clone()
                    .zip(self.slices(ranks.clone(), &shingles))
                    .collect();
                entries.par_extend(sets.into_par_iter().flat_map_iter(|(rank, set)| {
                    let mixed = set.iter().map(|&shingle| mix(shingle));
                    let hashes = &hashes;
                    let here = mixed.filter(move |mixed| hashes.contains(&u128::from(*mixed)));
                    here.map(move |mixed| (mixed, rank))
                }));
            }
            entries.par_sort_unstable();
            frequencies.extend(&entries, counted, &mut weights);
        }
        frequencies.shrink();
        Ok((frequencies, weights))
    }
}

/// Returns one of `of` equal ranges of all hashes.
fn hash_range(number: u64, of: u64) -> Range<u128> {
    let start = |number: u64| (u128::from(number) << 64) / u128::from(of);
    start(number)..start(number + 1)
}

/// Returns the ranks of tiles of at most `largest` shingles. A larger set is a tile by itself.
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
    use crate::features::collection::store::sets::{Blocks, SetWriter};
    use crate::join::weighted::weight;
    use crate::run::Budget;

    #[test]
    fn tiles_hold_what_fits() {
        assert_eq!(cut(&[], 10), []);
        assert_eq!(cut(&[1, 2, 3, 4, 50, 60], 6), [0..3, 3..4, 4..5, 5..6]);
        assert_eq!(cut(&[1, 2, 3], u64::MAX).len(), 1);
    }

    #[test]
    fn ranges_cover_all_hashes() {
        for of in [1, 2, 3, 7, 1000] {
            assert_eq!(hash_range(0, of).start, 0);
            assert_eq!(hash_range(of - 1, of).end, 1 << 64);
            assert!(
                (1..of)
                    .all(|number| hash_range(number - 1, of).end == hash_range(number, of).start)
            );
        }
    }

    #[test]
    fn sets_come_back_and_every_pass_counts_its_share() {
        let sets = (1..60_u64).map(|set| (0..200).filter(|element| element % set == 0).collect());
        let sets: Vec<Vec<u64>> = sets.collect();
        let blocks = Blocks::new(Budget {
            limit: None,
            temp_dir: None,
        });
        let places = {
            let mut writer = SetWriter::new(&blocks);
            sets.iter().map(|set| writer.write(set)).collect()
        };
        let all = blocks.into_sets(places).unwrap();
        let positions: Vec<u32> = (0..59).rev().collect();
        let set = |rank: u32| &sets[positions[rank as usize] as usize];
        let sizes = (0..59).map(|rank| u32::try_from(set(rank).len()).unwrap());
        let sizes: Vec<u32> = sizes.collect();
        let sorted = SortedSets::write(&all, &positions, &sizes, 100, None).unwrap();
        assert!(sorted.tiles().len() > 3);
        let shingles = sorted.read(7..20).unwrap();
        assert!(
            sorted
                .slices(7..20, &shingles)
                .eq((7..20).map(|rank| set(rank).as_slice()))
        );

        // Every third set is a reference, and all others count once.
        let is_reference: Vec<bool> = (0..59).map(|rank| rank % 3 == 0).collect();
        let counted = Counted { is_reference };
        for (most, counted) in [
            (1_000_000, None),
            (300, None),
            (50, Some(&counted)),
            (1_000_000, Some(&counted)),
        ] {
            let having = |element: &u64| {
                let ranks = (0..59_u32).filter(|&rank| set(rank).contains(element));
                ranks.collect::<Vec<u32>>()
            };
            let frequency = |element: &u64| {
                let having = having(element);
                let references = having.iter().filter(|&rank| rank % 3 == 0).count();
                let count = match counted {
                    None => having.len(),
                    Some(_) => references + usize::from(references < having.len()),
                };
                u32::try_from(count).unwrap()
            };
            let (frequencies, weights) = sorted.frequencies(most, counted).unwrap();
            let all = frequencies.part(0, 0);
            assert!((0..200).all(|element| all.weight(element) == weight(frequency(&element))));
            for (rank, &weight_of_set) in (0..).zip(&weights) {
                let elements = set(rank).iter().map(frequency).map(weight);
                assert_eq!(weight_of_set, elements.map(u64::from).sum::<u64>());
            }
        }
    }
}
