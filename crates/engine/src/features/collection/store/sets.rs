//! Keeps the shingle sets of many documents in few large blocks.
//!
//! A box for each set would leave small gaps between the names of documents when the sets are dropped. None of that
//! memory would go back to the system, which is a third of the peak of a large scan. Blocks of megabytes do go back,
//! need fewer allocations, and can be written to a temporary file when there are too many.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::features::collection::store::TempFile;
use crate::join::inverted::distinct::{SetKey, are_equal};
use crate::run::{Budget, Result};

/// The place of a shingle set, and its key, which no other set has.
#[derive(Debug, Clone, Copy, Default)]
pub struct SetPlace {
    block: u32,
    start: u32,
    key: SetKey,
}

impl SetPlace {
    /// Returns the place of a set that is not kept: its key alone.
    pub(crate) fn not_kept(key: SetKey) -> Self {
        Self {
            block: u32::MAX,
            start: 0,
            key,
        }
    }

    /// Returns how many shingles the set has.
    pub fn size(self) -> u32 {
        self.key.size
    }
}

/// The blocks of all writers, which share it.
#[derive(Debug)]
pub struct Blocks {
    budget: Budget,
    /// How many shingles a block has room for. A larger set has a block of its own.
    room: usize,
    filled: Mutex<Filled>,
}

/// The blocks that writers have handed over.
#[derive(Debug, Default)]
struct Filled {
    blocks: Vec<Block>,
    /// How many bytes the blocks in memory have.
    in_memory: u64,
    file: Option<TempFile>,
    /// Why the file could not be written. Nothing is kept from then on.
    error: Option<crate::run::Error>,
}

/// The shingles of some sets, one set after the other.
#[derive(Debug)]
enum Block {
    Memory(Vec<u64>),
    /// The position of its first byte in the file.
    File(u64),
}

impl Blocks {
    /// Returns an empty store that uses no more memory than the budget allows.
    pub fn new(budget: Budget) -> Self {
        Self {
            room: budget.block(rayon::current_num_threads()),
            budget,
            filled: Mutex::default(),
        }
    }

    /// Returns whether a set could not be kept. Then [`Self::into_sets`] fails.
    pub(crate) fn has_failed(&self) -> bool {
        self.filled().error.is_some()
    }

    /// Returns the sets at these places, in this order. All writers must have been dropped, as they hand over their
    /// last block then.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`] if a set could not be kept.
    pub fn into_sets(self, places: Vec<SetPlace>) -> Result<Sets> {
        let filled = self.filled.into_inner();
        let filled = filled.unwrap_or_else(PoisonError::into_inner);
        match filled.error {
            Some(error) => Err(error),
            None => Ok(Sets {
                blocks: filled.blocks,
                file: filled.file,
                places,
            }),
        }
    }

    fn filled(&self) -> MutexGuard<'_, Filled> {
        self.filled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of a block that is going to be handed over.
    fn reserve(&self) -> u32 {
        let mut filled = self.filled();
        filled.blocks.push(Block::Memory(Vec::new()));
        u32::try_from(filled.blocks.len() - 1).expect("blocks are megabytes")
    }

    fn hand_over(&self, number: u32, block: Vec<u64>) {
        let mut filled = self.filled();
        filled.in_memory += size_of_val(block.as_slice()) as u64;
        filled.blocks[number as usize] = Block::Memory(block);
        if filled.error.is_none() && filled.in_memory > self.budget.in_memory() {
            filled.error = filled.spill(&self.budget).err();
        }
        if filled.error.is_some() {
            filled.blocks[number as usize] = Block::Memory(Vec::new());
        }
    }
}

impl Filled {
    /// Moves all blocks from memory to the file.
    fn spill(&mut self, budget: &Budget) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(TempFile::create(budget.temp_dir.as_deref())?),
        };
        for block in &mut self.blocks {
            if let Block::Memory(shingles) = block
                && !shingles.is_empty()
            {
                *block = Block::File(file.append(bytemuck::cast_slice(shingles))?);
            }
        }
        self.in_memory = 0;
        Ok(())
    }
}

/// Writes the sets of one worker.
#[derive(Debug)]
pub struct SetWriter<'b> {
    blocks: &'b Blocks,
    /// The block that is being filled, and its number.
    open: Option<(u32, Vec<u64>)>,
}

impl<'b> SetWriter<'b> {
    /// Returns a writer to these blocks.
    pub fn new(blocks: &'b Blocks) -> Self {
        Self { blocks, open: None }
    }

    /// Copies a set. Returns the place of the copy.
    ///
    /// # Panics
    ///
    /// If the set has more than 2^32 shingles.
    pub fn write(&mut self, set: &[u64]) -> SetPlace {
        if set.is_empty() {
            return SetPlace::default();
        }
        let is_full = |block: &Vec<u64>| block.len() + set.len() > block.capacity();
        if self.open.as_ref().is_none_or(|(_, block)| is_full(block)) {
            self.close();
            let room = set.len().max(self.blocks.room);
            self.open = Some((self.blocks.reserve(), Vec::with_capacity(room)));
        }
        let (number, block) = self.open.as_mut().expect("opened above");
        let place = SetPlace {
            block: *number,
            start: u32::try_from(block.len()).expect("fewer than 2^32 shingles"),
            key: SetKey::of(set),
        };
        block.extend_from_slice(set);
        place
    }

    fn close(&mut self) {
        if let Some((number, mut block)) = self.open.take() {
            if block.len() < block.capacity() / 2 {
                block.shrink_to_fit();
            }
            self.blocks.hand_over(number, block);
        }
    }
}

impl Drop for SetWriter<'_> {
    fn drop(&mut self) {
        self.close();
    }
}

/// Shingle sets in the order of their documents.
#[derive(Debug, Default)]
pub struct Sets {
    blocks: Vec<Block>,
    file: Option<TempFile>,
    places: Vec<SetPlace>,
}

impl Sets {
    /// Returns the sets by position; `None` if they are not in memory.
    pub fn slices(&self) -> Option<Vec<&[u64]>> {
        let slice = |place: &SetPlace| match self.blocks.get(place.block as usize) {
            Some(Block::Memory(block)) => Some(slice(block, place)),
            Some(Block::File(_)) => None,
            None => Some(&[][..]),
        };
        self.places.iter().map(slice).collect()
    }

    /// Returns how many shingles are kept in memory.
    #[cfg(test)]
    pub(in crate::features) fn kept(&self) -> usize {
        let blocks = self.blocks.iter().map(|block| match block {
            Block::Memory(shingles) => shingles.len(),
            Block::File(_) => 0,
        });
        blocks.sum()
    }

    /// Returns whether all sets are in memory.
    pub(crate) fn are_in_memory(&self) -> bool {
        self.file.is_none()
    }

    /// Returns the keys of the sets, by position.
    pub fn keys(&self) -> Vec<SetKey> {
        self.places.iter().map(|place| place.key).collect()
    }

    /// Returns whether two sets with equal keys are equal.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`].
    pub fn are_equal(&self, a: u32, b: u32) -> Result<bool> {
        match (self.in_memory(a), self.in_memory(b)) {
            (Some(x), Some(y)) => Ok(are_equal(x, y)),
            _ => Ok(are_equal(&self.load(&[a])?, &self.load(&[b])?)),
        }
    }

    /// Returns the set at a position; `None` if it is not in memory.
    fn in_memory(&self, position: u32) -> Option<&[u64]> {
        let place = &self.places[position as usize];
        match self.blocks.get(place.block as usize) {
            Some(Block::Memory(block)) => Some(slice(block, place)),
            _ => None,
        }
    }

    /// Returns the sets at these positions, one after the other.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`].
    pub fn load(&self, positions: &[u32]) -> Result<Vec<u64>> {
        let place = |&position: &u32| self.places[position as usize];
        let total: usize = positions.iter().map(|at| place(at).size() as usize).sum();
        let mut shingles = vec![0; total];
        let mut rest = shingles.as_mut_slice();
        let mut places = Vec::with_capacity(positions.len());
        for position in positions {
            let (own, others) = rest.split_at_mut(place(position).size() as usize);
            places.push((place(position), own));
            rest = others;
        }
        // Ordered as in the file, so that it is read from its beginning to its end.
        places.par_sort_unstable_by_key(|(place, _)| (place.block, place.start));
        let read = |(place, own): (SetPlace, &mut [u64])| self.read(place, own);
        places.into_par_iter().with_min_len(64).try_for_each(read)?;
        Ok(shingles)
    }

    fn read(&self, place: SetPlace, shingles: &mut [u64]) -> Result<()> {
        match self.blocks.get(place.block as usize) {
            Some(Block::Memory(block)) => shingles.copy_from_slice(slice(block, &place)),
            Some(&Block::File(offset)) => {
                let file = self.file.as_ref().expect("blocks are in it");
                let start = offset + u64::from(place.start) * size_of::<u64>() as u64;
                file.read(bytemuck::cast_slice_mut(shingles), start)?;
            }
            None => {}
        }
        Ok(())
    }
}

/// Returns the set at a place of a block.
fn slice<'b>(block: &'b [u64], place: &SetPlace) -> &'b [u64] {
    &block[place.start as usize..][..place.size() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::LARGEST_BLOCK;

    fn budget(limit: Option<u64>) -> Budget {
        Budget {
            limit,
            temp_dir: None,
        }
    }

    #[test]
    fn sets_come_back_in_the_order_asked_for() {
        for limit in [None, Some(1)] {
            let blocks = Blocks::new(budget(limit));
            let large: Vec<u64> = (0..LARGEST_BLOCK as u64 + 5).collect();
            let places = {
                let (mut one, mut two) = (SetWriter::new(&blocks), SetWriter::new(&blocks));
                let a = one.write(&[1, 2]);
                let b = two.write(&[3]);
                let c = one.write(&large);
                let d = one.write(&[]);
                let e = two.write(&[2, 1]);
                assert_eq!((a.size(), d.size()), (2, 0));
                vec![c, b, d, a, e]
            };
            let sets = blocks.into_sets(places).unwrap();
            let expected: [&[u64]; 5] = [&large, &[3], &[], &[1, 2], &[2, 1]];
            match limit {
                None => assert_eq!(sets.slices().unwrap(), expected),
                Some(_) => assert_eq!(sets.slices(), None),
            }
            assert_eq!(sets.load(&[3, 2, 1]).unwrap(), [1, 2, 3]);
            assert_eq!(sets.load(&[0]).unwrap(), large);
            assert_eq!(sets.keys()[3], sets.keys()[4]);
            assert!(sets.are_equal(3, 4).unwrap());
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_at_the_end() {
        let blocks = Blocks::new(Budget {
            limit: Some(0),
            temp_dir: Some("/no/such/folder".into()),
        });
        let mut writer = SetWriter::new(&blocks);
        writer.write(&[1]);
        drop(writer);
        assert!(blocks.has_failed());
        assert!(blocks.into_sets(vec![]).is_err());
    }
}
