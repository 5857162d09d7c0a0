//! The SimHash detector: fingerprints within a Hamming distance (Charikar 2002; Manku et al. 2007).

use std::num::NonZeroUsize;

use crate::detect::{Detector, SignatureDetector, TermCounts};
use crate::fingerprint::simhash::{Width, another, hash_of_all, simhash, simhash_high};
use crate::join::groups::Similar;
use crate::join::hamming::similar;

/// The largest Hamming distance of a pair by default (Manku et al. 2007).
pub const MAX_HAMMING: u32 = 3;

/// The largest Hamming distance of a pair by default, with fingerprints of 128 bits. It corresponds to the same angle.
pub const MAX_HAMMING_128: u32 = 6;

/// Compares fingerprints.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simhash {
    /// How many bits a fingerprint has.
    pub(crate) width: Width,
    /// The largest Hamming distance of a pair.
    pub(crate) max_hamming: u32,
    /// Units in a shingle. A document of fewer tokens matches only documents with the same terms
    /// and counts.
    pub(crate) shingle_size: NonZeroUsize,
}

impl SignatureDetector for Simhash {
    fn detector(&self) -> Detector {
        Detector::Simhash
    }

    fn width(&self) -> usize {
        match self.width {
            Width::Bits64 => 1,
            Width::Bits128 => 2,
        }
    }

    /// The upper half of a fingerprint of 128 bits comes first.
    fn sign_terms(&self, document: TermCounts<'_>, out: &mut Vec<u64>) {
        let terms = document.terms;
        let is_short = (document.tokens as usize) < self.shingle_size.get();
        let lower = if is_short {
            hash_of_all(terms)
        } else {
            simhash(terms)
        };
        if self.width == Width::Bits128 {
            out.push(if is_short {
                another(lower)
            } else {
                simhash_high(terms)
            });
        }
        out.push(lower);
    }

    fn measure(&self, a: &[u64], b: &[u64]) -> u8 {
        let bits = a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones());
        u8::try_from(bits.sum::<u32>()).expect("at most 128")
    }

    fn similar(&self, signatures: &[u64]) -> Similar {
        match self.width {
            Width::Bits64 => similar(signatures, self.max_hamming),
            Width::Bits128 => {
                let halves = signatures.chunks_exact(2);
                let codes =
                    halves.map(|halves| u128::from(halves[0]) << 64 | u128::from(halves[1]));
                similar(&codes.collect::<Vec<u128>>(), self.max_hamming)
            }
        }
    }
}
