//! The first step of making an index.

use std::sync::Mutex;

use crate::join::inverted::Index;
use crate::join::inverted::postings::Postings;
use crate::join::inverted::postings::parts::{Part, parts, weights};
use crate::join::inverted::rarity::{Rarity, Weighing};
use crate::join::inverted::search::tiles::SizeTiles;
use crate::join::inverted::search::tuning::Tuning;
use crate::join::inverted::size_class::floor;
use crate::run::error::Result;

/// The data of some sets for making their [`Index`]. The sets can be dropped before the index is made: both together
/// would need twice the memory.
#[derive(Debug)]
pub struct Prepared {
    sizes: Vec<u32>,
    indexed: u32,
    pub(super) tuning: Tuning,
    parts: Vec<Part>,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    None,
    Own,
    /// Of the sets and of the ranks.
    Known(Vec<u64>, Vec<u32>),
}

impl Prepared {
    /// Returns the data for the index of some sets, which ascend by size class and have distinct elements in any
    /// order. Only the first `indexed` sets can be found, by the sets after them.
    ///
    /// # Errors
    ///
    /// [`crate::run::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
    pub fn new(sets: &[&[u64]], indexed: u32, weighing: Weighing<'_>) -> Result<Self> {
        let (parts, weights) = match weighing {
            Weighing::None => (parts(sets, None)?, Weights::None),
            Weighing::Own => (parts(sets, None)?, Weights::Own),
            Weighing::Known(known) => {
                let parts = parts(sets, Some(known.frequencies))?;
                let of_ranks = weights(&parts);
                (parts, Weights::Known(known.sets, of_ranks))
            }
        };
        let size = |set: &&[u64]| u32::try_from(set.len()).expect("checked in `parts`");
        Ok(Self {
            sizes: sets.iter().map(size).collect(),
            indexed,
            tuning: Tuning::default(),
            parts,
            weights,
        })
    }

    /// Makes the index.
    pub fn index(self) -> Index {
        let floors: Vec<u32> = self.sizes.iter().copied().map(floor).collect();
        debug_assert!(floors.is_sorted());
        let postings = Postings::new(self.parts, self.sizes.len());
        let rarity = match self.weights {
            Weights::None => None,
            Weights::Known(sets, ranks) => Some(Rarity::among_more(sets, ranks)),
            Weights::Own => Some(Rarity::of_all(&self.sizes, &postings)),
        };
        Index {
            tiles: SizeTiles::new(&floors[..self.indexed as usize], &self.tuning),
            sizes: self.sizes,
            floors,
            tuning: self.tuning,
            indexed: self.indexed,
            postings,
            rarity,
            idle: Mutex::default(),
        }
    }
}
