//! The SimHash detector: fingerprints within a Hamming distance (Charikar 2002; Manku et al. 2007).

use std::num::NonZeroUsize;

use crate::detect::{Detector, SignatureDetector, TermCounts};
use crate::fingerprint::simhash::{hash_of_all, simhash};
use crate::join::groups::Similar;
use crate::join::hamming::similar;

/// The largest Hamming distance of a pair by default (Manku et al. 2007).
pub const MAX_HAMMING: u32 = 3;

/// Compares fingerprints.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simhash {
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
        1
    }

    fn sign_terms(&self, document: TermCounts<'_>, out: &mut Vec<u64>) {
        let terms = document.terms;
        let is_short = (document.tokens as usize) < self.shingle_size.get();
        out.push(match is_short {
            true => hash_of_all(terms),
            false => simhash(terms),
        });
    }

    fn measure(&self, a: &[u64], b: &[u64]) -> u8 {
        u8::try_from((a[0] ^ b[0]).count_ones()).expect("at most 64")
    }

    fn similar(&self, signatures: &[u64]) -> Similar {
        similar(signatures, self.max_hamming)
    }
}
