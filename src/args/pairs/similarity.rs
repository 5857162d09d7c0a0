//! The arguments about how similar a pair must be.

use dupfind_engine::Options;
use dupfind_engine::fingerprint::simhash::Width;
use dupfind_engine::join::hamming::MAX_DISTANCE;
use dupfind_engine::join::threshold::Threshold;

use crate::args::headings::DETECTION;
use crate::args::values::choice::choice;

/// How similar a pair must be.
#[derive(Debug, clap::Args)]
pub(crate) struct SimilarityArgs {
    /// Report pairs whose fingerprints differ in at most K bits
    #[arg(long, value_name = "K", default_value_t = Options::MAX_HAMMING, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE)), help_heading = DETECTION)]
    pub(crate) max_hamming: u32,

    /// Report pairs with at least this Jaccard similarity of shingles
    #[arg(long, value_name = "T", default_value_t = Options::MIN_JACCARD, help_heading = DETECTION)]
    min_jaccard: Threshold,
}

impl SimilarityArgs {
    /// Returns the options with these thresholds.
    pub(crate) fn added_to(&self, options: Options) -> Options {
        Options {
            max_hamming: self.max_hamming,
            min_jaccard: self.min_jaccard,
            ..options
        }
    }
}

/// How fingerprints are made.
#[derive(Debug, clap::Args)]
pub(crate) struct SimhashArgs {
    /// How many bits a fingerprint has
    ///
    /// The lower half of 128 bits is the fingerprint of 64. Twice the bits measure the angle between two
    /// documents more exactly, at twice the memory.
    #[arg(hide_short_help = true, long, value_parser = choice(WIDTHS), value_name = "BITS", default_value = "64", help_heading = DETECTION)]
    pub(crate) simhash_bits: Width,
}

/// The widths of fingerprints.
const WIDTHS: [(Width, &str, &str); 2] = [
    (Width::Bits64, "64", "As in the paper of Manku et al"),
    (Width::Bits128, "128", "Twice as wide"),
];
