//! Pieces in, one compact value per document out: the 64-bit SimHash fingerprint, the shingle set,
//! and signatures of it.

pub mod dictionary;
pub mod i_match;
pub mod shingles;
pub mod simhash;
pub mod sketch;
pub mod super_shingle;
pub mod terms;

/// Marks a place in a signature where a document has no value. It agrees with nothing, not even with itself. No value
/// is this number.
pub const ABSENT: u64 = 0;
