//! The shingle detector: shingle sets of a Jaccard similarity (Broder 1997).

use crate::detect::Words;
use crate::join::threshold::Threshold;

/// The least Jaccard similarity of a pair by default. Rewritten articles lie between 0.2 and 0.5.
pub const MIN_JACCARD: Threshold = Threshold::new(2, 10).expect("a fraction below 1");

pub(super) static WORDS: Words = Words {
    name: "shingle",
    count: None,
    found: None,
};
