//! Two sets of an index, and their shared shingles.

use bytemuck::{Pod, Zeroable};

use crate::join::weighted::Weighted;

/// Two distinct sets that are similar enough or were requested, by rank, with what they share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct SetPair {
    /// The later one.
    pub x: u32,
    /// The earlier one.
    pub y: u32,
    /// How many elements both have.
    pub overlap: u32,
    /// How many elements at least one has.
    pub union: u32,
    /// The weighted measures, if there are weights.
    pub weighted: Weighted,
}

/// The size that docs/how-it-works.md gives for pairs in temporary files.
const _: () = assert!(size_of::<SetPair>() == 20);
