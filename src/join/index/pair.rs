//! Two sets of an index, and what they share.

use bytemuck::{Pod, Zeroable};

use crate::join::weighted::Weighted;

/// Two distinct sets that are similar enough or were asked for, by rank, with what they share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SetPair {
    /// The later one.
    pub(crate) x: u32,
    /// The earlier one.
    pub(crate) y: u32,
    /// How many elements both have.
    pub(crate) overlap: u32,
    /// How many elements at least one has.
    pub(crate) union: u32,
    /// The weighted measures, if there are weights.
    pub(crate) weighted: Weighted,
}

/// What docs/how-it-works.md says of pairs in temporary files.
const _: () = assert!(size_of::<SetPair>() == 20);
