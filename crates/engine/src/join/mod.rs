//! Self-joins: given one value per document, every pair that is similar enough, each verified.
//!
//! * [`agreement`] joins signatures that agree in enough places;
//! * [`hamming`] joins 64-bit codes by Hamming distance;
//! * [`jaccard`] joins sets by Jaccard similarity;
//! * [`containment`] joins sets of which one contains most of the other;
//! * [`weighted_jaccard`] joins sets that share rare elements;
//! * [`exhaustive`] compares everything with everything. The tests compare the others with it.
//!
//! All of them are exact. They work on plain numbers and slices and know nothing of documents, so they can be
//! used for any codes and any sets.

pub mod agreement;
pub mod containment;
pub mod exhaustive;
pub mod groups;
pub mod hamming;
pub mod inverted;
pub mod jaccard;
pub mod pairwise;
pub mod threshold;
pub mod weighted;
pub mod weighted_jaccard;

/// Two codes within the requested distance: positions `a < b` in the input and their distance in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HammingPair {
    /// Position of the first code.
    pub a: u32,
    /// Position of the second code.
    pub b: u32,
    /// In how many bits they differ.
    pub distance: u32,
}

/// Two signatures that agree in enough places: positions `a < b` in the input and in how many they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgreementPair {
    /// Position of the first signature.
    pub a: u32,
    /// Position of the second signature.
    pub b: u32,
    /// In how many places both have the same value.
    pub agreeing: u32,
}

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

/// Two sets that share enough weight: positions `a < b` in the input and their weighted measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WeightedPair {
    /// Position of the first set.
    pub a: u32,
    /// Position of the second set.
    pub b: u32,
    /// The weighted measures.
    pub weighted: weighted::Weighted,
}
