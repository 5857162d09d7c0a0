//! The first step of making an index.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::error::Result;
use crate::join::cost::Strategy;
use crate::join::inverted::postings::Postings;
use crate::join::inverted::postings::parts::{Part, parts, weights};
use crate::join::inverted::rarity::{Known, Rarity, Weighing};
use crate::join::inverted::search::tiles::SizeTiles;
use crate::join::inverted::search::tuning::Tuning;
use crate::join::inverted::size_class::floor;
use crate::join::inverted::{Form, Index};
use crate::join::pairwise::sorted;

/// What is needed of some sets to make their [`Index`]. The sets can be dropped before the index is
/// made, which together would need twice the memory.
#[derive(Debug)]
pub struct Prepared {
    sizes: Vec<u32>,
    indexed: u32,
    pub(super) tuning: Tuning,
    form: PreparedForm,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    None,
    Own,
    /// Of the sets and of the ranks.
    Known(Vec<u64>, Vec<u32>),
}

#[derive(Debug)]
enum PreparedForm {
    Sorted(Vec<Vec<u64>>),
    Parts(Vec<Part>),
}

impl Prepared {
    /// Returns the data for the index of some sets, which ascend by size class and have distinct elements in any
    /// order. Only the first `indexed` sets can be found, by the sets after them. If there are weights, more
    /// than two sets are never compared one by one: the weights come with the index.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
    pub fn new(
        sets: &[&[u64]],
        indexed: u32,
        strategy: Strategy,
        weighing: Weighing<'_>,
    ) -> Result<Self> {
        let frequencies = match &weighing {
            Weighing::Known(Known { frequencies, .. }) => Some(*frequencies),
            Weighing::None | Weighing::Own => None,
        };
        let is_even = match weighing {
            Weighing::None => true,
            Weighing::Own => sets.len() <= 2,
            Weighing::Known(_) => false,
        };
        let form = match strategy {
            Strategy::Exhaustive if is_even => {
                PreparedForm::Sorted(sets.par_iter().map(|set| sorted(set)).collect())
            }
            _ => PreparedForm::Parts(parts(sets, frequencies)?),
        };
        let weights = match (weighing, &form) {
            (Weighing::Known(Known { sets, .. }), PreparedForm::Parts(parts)) => {
                Weights::Known(sets, weights(parts))
            }
            (Weighing::None, _) => Weights::None,
            _ => Weights::Own,
        };
        let size = |set: &&[u64]| u32::try_from(set.len()).expect("checked in `parts`");
        let sizes: Vec<u32> = sets.iter().map(size).collect();
        Ok(Self {
            sizes,
            indexed,
            tuning: Tuning::default(),
            form,
            weights,
        })
    }

    /// Makes the index.
    pub fn index(self) -> Index {
        let floors: Vec<u32> = self.sizes.iter().copied().map(floor).collect();
        debug_assert!(floors.is_sorted());
        let form = match self.form {
            PreparedForm::Sorted(sets) => Form::Sorted(sets),
            PreparedForm::Parts(parts) => Form::Postings(
                Postings::new(parts, self.sizes.len()),
                SizeTiles::new(&floors[..self.indexed as usize], &self.tuning),
            ),
        };
        let rarity = match (self.weights, &form) {
            (Weights::None, _) => None,
            (Weights::Known(sets, ranks), _) => Some(Rarity::among_more(sets, ranks)),
            (Weights::Own, Form::Sorted(_)) => Some(Rarity::even(&self.sizes)),
            (Weights::Own, Form::Postings(postings, _)) => {
                Some(Rarity::of_all(&self.sizes, postings))
            }
        };
        Index {
            sizes: self.sizes,
            floors,
            tuning: self.tuning,
            indexed: self.indexed,
            form,
            rarity,
            idle: Mutex::default(),
        }
    }
}
