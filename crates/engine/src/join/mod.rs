//! Self-joins: given one value per document, every pair that is similar enough, each verified.
//!
//! * [`agreement`] joins signatures that agree in enough places;
//! * [`hamming`] joins 64-bit codes by Hamming distance;
//! * [`jaccard`] joins sets by Jaccard similarity;
//! * [`inverted`] joins sets in all ways, also by how much of one is in the other, and by rare elements;
//! * [`oracle`] compares everything with everything. The tests compare the others with it.
//!
//! All of them are exact. They work on plain numbers and slices and know nothing of documents, so they can be
//! used for any codes and any sets.

pub mod agreement;
pub mod groups;
pub mod hamming;
pub mod inverted;
pub mod jaccard;
pub mod oracle;
pub mod shared;
pub mod threshold;
pub mod weighted;

/// Two sets of the requested similarity: positions `a < b` in the input and the sizes of their
/// intersection and union, so that the similarity `overlap / union` is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JaccardPair {
    /// Position of the first set.
    pub a: u32,
    /// Position of the second set.
    pub b: u32,
    /// How many elements both have.
    pub overlap: u32,
    /// How many elements at least one has.
    pub union: u32,
}
