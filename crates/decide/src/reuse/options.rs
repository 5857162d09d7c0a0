//! Options for finding passages that are in several documents.

use dupfind_engine::Options;
use dupfind_engine::join::threshold::Threshold;

/// Options for finding passages that are in several documents.
#[derive(Debug, Clone)]
pub struct ReuseOptions {
    /// How texts are cut into units and shingles, and how many threads there are.
    pub engine: Options,
    /// How many units a block has at least.
    pub min_units: u32,
    /// The least Jaccard similarity of two wordings of one passage.
    pub min_jaccard: Threshold,
}

impl ReuseOptions {
    /// How many units a block has at least by default.
    pub const MIN_UNITS: u32 = 8;
}

impl Default for ReuseOptions {
    fn default() -> Self {
        Self {
            engine: Options::default(),
            min_units: Self::MIN_UNITS,
            min_jaccard: "0.6".parse().expect("a number from 0 to 1"),
        }
    }
}
