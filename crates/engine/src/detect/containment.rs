//! The containment detector: pairs of shingle sets where one has most of the other (Broder 1997).

use crate::detect::Words;

/// The fewest shingles of a document that can be contained in another one. A heading and a sentence that many pages
/// have are shorter.
pub const MIN_CONTAINED: u32 = 30;

pub(super) static WORDS: Words = Words {
    name: "containment",
    count: None,
    found: None,
};
