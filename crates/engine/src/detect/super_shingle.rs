//! The super-shingle detector: documents with enough equal super-shingles (Fetterly et al. 2003).

use crate::detect::signature::{SignatureDetector, Signer, SimilarSignatures};
use crate::detect::{CountWords, Detector, Words};
use crate::fingerprint::super_shingle::{LEAST, SuperShingler, WIDTH};
use crate::join::agreement::Collapsed;
use crate::join::jaccard::agreeing;

pub(super) static WORDS: Words = Words {
    name: "super-shingle",
    count: Some(CountWords {
        key: "super_shingles",
        heading: "super-shingles",
    }),
    found: Some(["1 super-shingle is equal", "{} super-shingles are equal"]),
};

/// The detector.
#[derive(Debug)]
pub(crate) struct SuperShingles;

impl SignatureDetector for SuperShingles {
    fn detector(&self) -> Detector {
        Detector::SuperShingle
    }

    fn width(&self) -> usize {
        WIDTH
    }

    fn signer(&self) -> Signer {
        let mut shingler = SuperShingler::default();
        Signer::OfShingles(Box::new(move |set, out| shingler.append(set, out)))
    }

    fn measure(&self, a: &[u64], b: &[u64]) -> u8 {
        u8::try_from(agreeing(a, b)).unwrap_or(u8::MAX)
    }

    fn similar(&self, signatures: &[u64]) -> SimilarSignatures {
        let collapsed = Collapsed::new(signatures, WIDTH, LEAST as usize);
        SimilarSignatures {
            pairs: collapsed.near(),
            groups: collapsed.groups,
        }
    }
}
