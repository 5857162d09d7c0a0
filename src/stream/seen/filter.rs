//! A blocked Bloom filter, counting if it has to forget.
//!
//! Bloom 1970; Fan et al. 2000 replaced the bits by counters of 4 bits, so that what was put in can be taken out
//! again; Putze, Sanders and Singler 2007 put all cells of a part into one block of the size of a cache line. For a rate of
//! 1 % that takes 4 % more memory with bits, an eighth more with counters, and is two to four times as fast: with
//! 200 M parts in 256 MB, 0.30 us for a question and an insertion against 1.1 us with cells all over the filter,
//! each of which is a miss of the cache.
//!
//! Without a window nothing is ever taken out, so a cell is one bit and the same memory holds four times as much.

use std::collections::TryReserveError;

use crate::stream::seen::{PART_BITS, Part, rate};

/// The bits of a block: a cache line.
pub(crate) const BLOCK_BITS: u32 = 512;

/// The bytes of a block.
pub(crate) const BLOCK_BYTES: u64 = (BLOCK_BITS / 8) as u64;

/// The words of a block.
const WORDS: usize = (BLOCK_BITS / u64::BITS) as usize;

/// What a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    /// One bit, for what is never taken out.
    Bit,
    /// A counter of four bits.
    Counter,
}

impl Cell {
    /// How many bits it has.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Bit => 1,
            Self::Counter => 4,
        }
    }

    /// How many of them a block has.
    pub(crate) fn per_block(self) -> u32 {
        BLOCK_BITS / self.bits()
    }
}

/// Cells that are looked at together, on one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Block(pub(super) [u64; WORDS]);

/// Holds parts: one that was put in is held until it is taken out as often.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    blocks: Vec<Block>,
    cell: Cell,
    hashes: u32,
    /// How many cells are not zero.
    filled: u64,
    /// How many times a full counter was not counted down.
    spared: u64,
}

impl Filter {
    /// Takes the number of blocks, how many cells a part sets, and what a cell is; returns an empty filter.
    pub(crate) fn new(blocks: u64, hashes: u32, cell: Cell) -> Result<Self, TryReserveError> {
        assert!(blocks > 0, "a filter has a block");
        let count = usize::try_from(blocks).unwrap_or(usize::MAX);
        let mut blocks = Vec::new();
        blocks.try_reserve_exact(count)?;
        blocks.resize(count, Block([0; WORDS]));
        Ok(Self {
            blocks,
            cell,
            hashes,
            filled: 0,
            spared: 0,
        })
    }

    /// Whether a part is held, or seems to be.
    pub(crate) fn holds(&self, part: Part) -> bool {
        let block = &self.blocks[self.block(part)].0;
        let mut cells = self.cells(part);
        cells.all(|Place { word, shift, most }| block[word] >> shift & most != 0)
    }

    /// Puts a part in.
    pub(crate) fn insert(&mut self, part: Part) {
        let at = self.block(part);
        let cells = self.cells(part);
        let block = &mut self.blocks[at].0;
        for Place { word, shift, most } in cells {
            let count = block[word] >> shift & most;
            self.filled += u64::from(count == 0);
            block[word] += u64::from(count < most) << shift;
        }
    }

    /// Puts several in.
    pub(super) fn insert_all(&mut self, parts: &[Part]) {
        for &part in parts {
            self.insert(part);
        }
    }

    /// Takes a part out that was put in. A counter that is full stays so: who knows how many parts it counts.
    pub(crate) fn remove(&mut self, part: Part) {
        let at = self.block(part);
        let cells = self.cells(part);
        let block = &mut self.blocks[at].0;
        for Place { word, shift, most } in cells {
            let count = block[word] >> shift & most;
            self.spared += u64::from(count == most);
            self.filled -= u64::from(count == 1 && most > 1);
            block[word] -= u64::from(0 < count && count < most) << shift;
        }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.blocks.fill(Block([0; WORDS]));
        self.filled = 0;
        self.spared = 0;
    }

    /// The block of a part: by its upper bits, which the places in the block do not depend on.
    fn block(&self, part: Part) -> usize {
        let blocks = self.blocks.len() as u128;
        let block = (u128::from(part) * blocks) >> PART_BITS;
        usize::try_from(block).expect("less than there are blocks")
    }

    /// The places of a part in its block. They may coincide, which the formula counts in.
    fn cells(&self, part: Part) -> impl Iterator<Item = Place> + use<> {
        let bits = self.cell.bits();
        let width = self.cell.per_block().trailing_zeros();
        let per_number = u64::BITS / width;
        let most = (1 << bits) - 1;
        let mut random = 0;
        (0..self.hashes).map(move |at| {
            if at % per_number == 0 {
                random = mixed(part, u64::from(at / per_number));
            }
            let place = (random & ((1 << width) - 1)) * u64::from(bits);
            random >>= width;
            Place {
                word: usize::try_from(place / u64::from(u64::BITS)).expect("below 8"),
                shift: place % u64::from(u64::BITS),
                most,
            }
        })
    }

    /// How many cells a part sets.
    pub(crate) fn hashes(&self) -> u32 {
        self.hashes
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// How often a counter was not counted down because it was full, since the filter was last empty.
    pub(crate) fn spared(&self) -> u64 {
        self.spared
    }

    /// The share of cells that are not zero.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn fill(&self) -> f64 {
        let cells = self.blocks() * u64::from(self.cell.per_block());
        self.filled as f64 / cells as f64
    }

    /// The rate of false positives now, by the formula for as many parts as fill it so far.
    pub(crate) fn rate(&self) -> f64 {
        let load = rate::load_of_fill(self.cell, self.hashes, self.fill());
        rate::rate(self.cell, self.hashes, load)
    }

    /// Its blocks, to be written to a file.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.blocks.iter().flat_map(|block| block.0)
    }

    /// Takes how often full counters were spared, and what a file has of the blocks.
    pub(super) fn restore<E>(
        &mut self,
        spared: u64,
        words: impl Iterator<Item = Result<u64, E>>,
    ) -> Result<(), E> {
        let (bits, mut filled) = (self.cell.bits(), 0);
        let own = self.blocks.iter_mut().flat_map(|block| &mut block.0);
        for (word, read) in own.zip(words) {
            *word = read?;
            filled += u64::from(filled_cells(*word, bits));
        }
        (self.filled, self.spared) = (filled, spared);
        Ok(())
    }
}

/// Where a cell is in its block, and its largest value.
struct Place {
    word: usize,
    shift: u64,
    most: u64,
}

/// How many cells of a word are not zero.
fn filled_cells(word: u64, bits: u32) -> u32 {
    match bits {
        1 => word.count_ones(),
        _ => ((word | word >> 1 | word >> 2 | word >> 3) & 0x1111_1111_1111_1111).count_ones(),
    }
}

/// A part and a number as 64 random bits (Steele et al. 2014, SplitMix64).
fn mixed(part: Part, number: u64) -> u64 {
    let mixed = part.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_as_they_are_filled() {
        for cell in [Cell::Bit, Cell::Counter] {
            let mut filter = Filter::new(9, 5, cell).unwrap();
            for part in (0..40_u64).map(|at| mixed(at, 0) >> 16) {
                filter.insert(part);
                let bits = cell.bits();
                let filled: u32 = filter.words().map(|word| filled_cells(word, bits)).sum();
                assert_eq!(u64::from(filled), filter.filled);
                assert!(filter.holds(part));
            }
        }
    }

    #[test]
    fn what_was_taken_out_leaves_nothing() {
        let mut filter = Filter::new(3, 6, Cell::Counter).unwrap();
        let empty = Filter::new(3, 6, Cell::Counter).unwrap();
        let parts: Vec<Part> = (0..12_u64).map(|at| mixed(at, 7) >> 16).collect();
        filter.insert_all(&parts);
        assert_ne!(filter, empty);
        for &part in &parts {
            filter.remove(part);
        }
        assert_eq!(filter, empty);
    }

    #[test]
    fn a_full_counter_is_not_counted_down() {
        let mut filter = Filter::new(1, 3, Cell::Counter).unwrap();
        (0..20).for_each(|_| filter.insert(5));
        (0..20).for_each(|_| filter.remove(5));
        assert!(filter.holds(5));
        assert!(filter.spared() >= 60);
        filter.clear();
        assert!(!filter.holds(5));
    }
}
