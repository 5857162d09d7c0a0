//! Term weights: how rare a term is (inverse document frequency), in integers.

use crate::fingerprint::dictionary;
use crate::fingerprint::dictionary::AT_A_TIME;
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64;

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

/// The scale of [`ln`]: its results are multiples of 1/65536.
pub const ONE: u64 = 1 << 16;

/// ln 2 in units of 2^-32.
const LN_2: u64 = 2_977_044_471;

/// Returns ln x in units of 1/65536, rounded down; 0 for x = 0.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a const fn has no try_from"
)]
pub const fn ln(x: u64) -> u64 {
    if x <= 1 {
        return 0;
    }
    let whole = x.ilog2();
    // The mantissa in [1, 2), in units of 2^-63.
    let mut mantissa = (x << (63 - whole)) as u128;
    let mut fraction = 0_u64;
    let mut bit = 0;
    while bit < 32 {
        mantissa = (mantissa * mantissa) >> 63;
        fraction <<= 1;
        if mantissa >> 64 != 0 {
            mantissa >>= 1;
            fraction |= 1;
        }
        bit += 1;
    }
    let log2 = ((whole as u64) << 32 | fraction) as u128;
    // At most 64 * ln 2 * 65536: it fits.
    ((log2 * LN_2 as u128) >> 48) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_floating_point() {
        for x in (1..5000).chain([65_536, 1_000_003, u64::from(u32::MAX), u64::MAX]) {
            let expected = (x as f64).ln() * 65_536.0;
            let got = ln(x) as f64;
            assert!(
                got <= expected && expected - got < 1.5,
                "ln {x}: {got} {expected}"
            );
        }
        assert_eq!(ln(0), 0);
    }

    #[test]
    fn never_falls() {
        assert!((1..100_000).map(ln).is_sorted());
    }
}
