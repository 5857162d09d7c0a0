//! The I-Match detector: equal hashes of the most typical terms of a document, by several lexicons (Chowdhury et
//! al. 2002; Kołcz et al. 2004).

use crate::detect::signature::{SignatureDetector, Signer, SimilarSignatures};
use crate::detect::{CountWords, Detector, Words};
use crate::fingerprint::i_match::IMatch;
use crate::join::agreement::Collapsed;
use crate::join::jaccard::agreeing;

pub(super) static WORDS: Words = Words {
    name: "i-match",
    count: Some(CountWords {
        key: "i_match",
        heading: "I-Match",
    }),
    found: Some([
        "1 I-Match signature is equal",
        "{} I-Match signatures are equal",
    ]),
};

/// The fewest equal signatures of a pair.
pub(crate) const LEAST: u32 = 1;

impl SignatureDetector for IMatch {
    fn detector(&self) -> Detector {
        Detector::IMatch
    }

    fn width(&self) -> usize {
        IMatch::width(self)
    }

    fn signer(&self) -> Signer {
        let i_match = *self;
        Signer::OfTerms(Box::new(move |document, idf, out| {
            i_match.hash_into(document.terms, idf, out);
        }))
    }

    fn measure(&self, a: &[u64], b: &[u64]) -> u8 {
        u8::try_from(agreeing(a, b)).unwrap_or(u8::MAX)
    }

    fn similar(&self, signatures: &[u64]) -> SimilarSignatures {
        let collapsed = Collapsed::new(signatures, IMatch::width(self), LEAST as usize);
        SimilarSignatures {
            pairs: collapsed.near(),
            groups: collapsed.groups,
        }
    }
}
