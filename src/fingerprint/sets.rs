//! The shingle sets of many documents, in few large pieces of memory.
//!
//! A box for each set would leave the memory of a whole collection in crumbs between the names of
//! documents when the sets are dropped, and none of it would go back to the system: a third of the
//! peak of a large scan. Blocks of megabytes do go back, and take fewer allocations.

use std::sync::{Mutex, PoisonError};

/// How many shingles a block has room for, unless one set needs more: 4 MiB.
const BLOCK: usize = 1 << 19;

/// Where one set is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place {
    block: u32,
    start: u32,
    len: u32,
}

impl Place {
    /// How many shingles the set has.
    #[must_use]
    pub fn size(self) -> u32 {
        self.len
    }
}

/// The blocks of all writers. Share it between them.
#[derive(Debug, Default)]
pub struct Blocks(Mutex<Vec<Vec<u64>>>);

impl Blocks {
    /// Returns no blocks yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the places of the sets in the order that is wanted and returns the sets. All writers
    /// must have been dropped: what they have not handed over is missing.
    #[must_use]
    pub fn into_sets(self, places: Vec<Place>) -> Sets {
        Sets {
            blocks: self.0.into_inner().unwrap_or_else(PoisonError::into_inner),
            places,
        }
    }

    /// Reserves a number for a block that is handed over later.
    fn reserve(&self) -> u32 {
        let mut blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.push(Vec::new());
        u32::try_from(blocks.len() - 1).expect("blocks are megabytes")
    }

    fn hand_over(&self, number: u32, block: Vec<u64>) {
        let mut blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        blocks[number as usize] = block;
    }
}

/// Writes sets, for one worker.
#[derive(Debug)]
pub struct SetWriter<'b> {
    blocks: &'b Blocks,
    /// The block that is being filled, and its number.
    open: Option<(u32, Vec<u64>)>,
}

impl<'b> SetWriter<'b> {
    /// Returns a writer to these blocks.
    #[must_use]
    pub fn new(blocks: &'b Blocks) -> Self {
        Self { blocks, open: None }
    }

    /// Takes a set, copies it and returns where it is now.
    ///
    /// # Panics
    ///
    /// If the set has more than 2^32 shingles.
    pub fn write(&mut self, set: &[u64]) -> Place {
        if set.is_empty() {
            return Place::default();
        }
        let is_full = |block: &Vec<u64>| block.len() + set.len() > block.capacity();
        if self.open.as_ref().is_none_or(|(_, block)| is_full(block)) {
            self.close();
            let room = set.len().max(BLOCK);
            self.open = Some((self.blocks.reserve(), Vec::with_capacity(room)));
        }
        let (number, block) = self.open.as_mut().expect("opened above");
        let narrow = |size: usize| u32::try_from(size).expect("fewer than 2^32 shingles");
        let place = Place {
            block: *number,
            start: narrow(block.len()),
            len: narrow(set.len()),
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
    blocks: Vec<Vec<u64>>,
    places: Vec<Place>,
}

impl Sets {
    /// The sets, by position.
    #[must_use]
    pub fn slices(&self) -> Vec<&[u64]> {
        let slice = |place: &Place| {
            let block = self.blocks.get(place.block as usize);
            block.map_or(&[][..], |block| {
                &block[place.start as usize..][..place.len as usize]
            })
        };
        self.places.iter().map(slice).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_back_in_the_order_asked_for() {
        let blocks = Blocks::new();
        let large: Vec<u64> = (0..BLOCK as u64 + 5).collect();
        let places = {
            let (mut one, mut two) = (SetWriter::new(&blocks), SetWriter::new(&blocks));
            let a = one.write(&[1, 2]);
            let b = two.write(&[3]);
            let c = one.write(&large);
            let d = one.write(&[]);
            assert_eq!((a.size(), d.size()), (2, 0));
            vec![c, b, d, a]
        };
        let sets = blocks.into_sets(places);
        let expected: [&[u64]; 4] = [&large, &[3], &[], &[1, 2]];
        assert_eq!(sets.slices(), expected);
        assert!(Blocks::new().into_sets(vec![Place::default()]).slices()[0].is_empty());
    }
}
