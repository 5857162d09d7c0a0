//! The weighted detector: shingle sets that share enough rare shingles, however few these are among all.
//!
//! A text that was rewritten, or read from a scan, has few of the shingles of its original, but hardly any other
//! document has them. Its Jaccard similarity is low and its weighted similarity ([`crate::join::weighted`]) is not.

use crate::detect::Words;
use crate::join::threshold::Threshold;

/// The least weighted similarity of rewritten texts: who looks for them asks for it.
pub(super) const REWRITTEN: Threshold = Threshold::new(5, 100).expect("at most 1");

/// The fewest shingles of a document that this detector looks at. By chance two shorter ones share as much.
pub const MIN_WEIGHTED_SIZE: u32 = 80;

/// The fewest documents among which this detector looks. Among fewer nothing is common, and so everything is rare: of
/// two unrelated Japanese pages alone, 29 % have a weighted similarity of 0.05.
pub const MIN_WEIGHTED_DOCUMENTS: usize = 100;

pub(super) static WORDS: Words = Words {
    name: "weighted",
    count: None,
    found: None,
};
