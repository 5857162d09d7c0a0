//! The super-shingle detector: documents with enough equal super-shingles (Fetterly et al. 2003).

use crate::detect::Detector;
use crate::detect::SignatureDetector;
use crate::fingerprint::super_shingle::{LEAST, SuperShingler, WIDTH};
use crate::join::agreement::similar;
use crate::join::groups::Similar;
use crate::join::shared::agreeing;

/// The detector.
#[derive(Debug, Default)]
pub(crate) struct SuperShingles(SuperShingler);

impl SignatureDetector for SuperShingles {
    fn detector(&self) -> Detector {
        Detector::SuperShingle
    }

    fn width(&self) -> usize {
        WIDTH
    }

    fn sign_shingles(&mut self, set: &[u64], out: &mut Vec<u64>) {
        self.0.append(set, out);
    }

    fn measure(&self, a: &[u64], b: &[u64]) -> u8 {
        u8::try_from(agreeing(a, b)).unwrap_or(u8::MAX)
    }

    fn similar(&self, signatures: &[u64]) -> Similar {
        similar(signatures, WIDTH, LEAST as usize)
    }
}
