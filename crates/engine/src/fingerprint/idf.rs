//! Term weights: how rare a term is (inverse document frequency).

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprint::dictionary;
use crate::fingerprint::dictionary::AT_A_TIME;

/// Where term weights come from.
#[derive(Debug, Clone)]
pub enum Idf {
    /// The IDF table of jieba's dictionary: the same weights for every folder, so a document's
    /// fingerprint does not depend on its neighbours.
    Dictionary,
    /// Weights by term hash, and the weight of every other term.
    Table {
        /// Weight by the XXH3 hash of the term, in units of 1/4096.
        weights: HashMap<u64, u32>,
        /// The weight of a term that is not in the table.
        otherwise: u32,
    },
}

impl Idf {
    /// Weights are multiples of 2^-12.
    pub const SCALE_BITS: u32 = 12;

    /// Returns the name of the source of the weights. A table has a name made of a hash of its weights.
    pub(crate) fn source(&self) -> String {
        match self {
            Self::Dictionary => "dictionary".into(),
            Self::Table { weights, otherwise } => {
                let mut sorted: Vec<_> = weights.iter().collect();
                sorted.sort_unstable();
                let mut bytes = otherwise.to_le_bytes().to_vec();
                for (term, weight) in sorted {
                    bytes.extend_from_slice(&term.to_le_bytes());
                    bytes.extend_from_slice(&weight.to_le_bytes());
                }
                format!("table-{:016x}", xxh3_64(&bytes))
            }
        }
    }

    /// Writes the weights of the first [`AT_A_TIME`] terms to `weights`, each as [`Self::weight`] returns it.
    pub(crate) fn weigh(&self, terms: &[(u64, u32)], weights: &mut [u32; AT_A_TIME]) {
        match self {
            Self::Dictionary => dictionary::weights(terms, weights),
            Self::Table { .. } => {
                for (weight, &(term, _)) in weights.iter_mut().zip(terms) {
                    *weight = self.weight(term);
                }
            }
        }
    }

    /// Returns the weight of a term in units of 2^-12. `term` is the XXH3 hash of its text.
    #[inline]
    #[must_use]
    pub fn weight(&self, term: u64) -> u32 {
        match self {
            Self::Dictionary => dictionary::weight(term),
            Self::Table { weights, otherwise } => weights.get(&term).copied().unwrap_or(*otherwise),
        }
    }
}
