//! Pieces in, one compact value per document out: the 64-bit SimHash fingerprint and the shingle
//! set.

pub mod dictionary;
pub mod i_match;
pub mod idf;
pub mod log;
pub mod shingles;
pub mod simhash;
pub mod terms;
