//! The I-Match detector: equal hashes of the most typical terms of a document, by several lexicons (Chowdhury et
//! al. 2002; Kołcz et al. 2004).

use crate::detect::Detector;
use crate::detect::{SignatureDetector, TermCounts};
use crate::fingerprint::i_match::{WIDTH, hash_into};
use crate::join::agreement::similar;
use crate::join::groups::Similar;
use crate::join::shared::agreeing;

/// The fewest equal signatures of a pair.
pub(crate) const LEAST: u32 = 1;

/// The detector.
#[derive(Debug)]
pub(crate) struct IMatch;

impl SignatureDetector for IMatch {
    fn detector(&self) -> Detector {
        Detector::IMatch
    }

    fn width(&self) -> usize {
        WIDTH
    }

    fn sign_terms(&self, document: TermCounts<'_>, out: &mut Vec<u64>) {
        hash_into(document.terms, out);
    }

    fn measure(&self, a: &[u64], b: &[u64]) -> u8 {
        u8::try_from(agreeing(a, b)).unwrap_or(u8::MAX)
    }

    fn similar(&self, signatures: &[u64]) -> Similar {
        similar(signatures, WIDTH, LEAST as usize)
    }
}
