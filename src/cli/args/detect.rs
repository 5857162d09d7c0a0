//! The options about what makes a pair.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use dupfind::join::hamming::MAX_DISTANCE;
use dupfind::join::threshold::Threshold;
use dupfind::scan::Settings;
use dupfind::scan::relation::Relation;

use crate::cli::args::DETECTION;

/// How similar a pair must be.
#[derive(Debug, clap::Args)]
pub(crate) struct SimilarityArgs {
    /// Report pairs whose fingerprints differ in at most K bits
    #[arg(long, value_name = "K", default_value_t = Settings::MAX_HAMMING, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE)), help_heading = DETECTION)]
    pub(crate) max_hamming: u32,

    /// Report pairs with at least this Jaccard similarity of shingles
    #[arg(long, value_name = "T", default_value_t = Settings::MIN_JACCARD, help_heading = DETECTION)]
    pub(crate) min_jaccard: Threshold,
}

/// What makes a pair.
#[derive(Debug, clap::Args)]
pub(crate) struct DetectArgs {
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    /// Also report pairs of which one has this share of the other's shingles
    ///
    /// A short text inside a long one has a low Jaccard similarity and a high containment. Documents of
    /// fewer than 30 shingles are not looked for.
    #[arg(long, value_name = "C", help_heading = DETECTION)]
    pub(crate) min_containment: Option<Threshold>,

    /// Which detectors run, separated by commas
    ///
    /// A pair is reported if one of them finds it. A detector that does not run costs nothing, and
    /// its measure is missing from the report.
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', default_value = "simhash,shingle", help_heading = DETECTION)]
    pub(crate) detectors: Vec<Detector>,

    /// Relations of pairs that make a cluster
    ///
    /// 'related' documents and pages of one 'template' are not duplicates: connecting them would chain
    /// what has nothing to do with each other.
    #[arg(hide_short_help = true, long, value_parser = relations(), value_name = "LIST", value_delimiter = ',', default_value = "exact,near,contains", help_heading = DETECTION)]
    pub(crate) cluster_on: Vec<Relation>,
}

/// The detectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Detector {
    /// Fingerprints within --max-hamming
    Simhash,
    /// Shingle sets with at least --min-jaccard
    Shingle,
}

/// Reads the name of a relation; its help and its errors list them.
fn relations() -> impl TypedValueParser<Value = Relation> {
    let names = Relation::ALL.map(|relation| {
        let value = PossibleValue::new(relation.as_str());
        value.help(match relation {
            Relation::Exact => "The same text, white space aside",
            Relation::Near => "Near-duplicates: copies, revisions, rewritten texts",
            Relation::Contains => "One contains most of the other, and much more",
            Relation::Related => "They share something, and it is rare",
            Relation::Template => "What they share is common text",
            Relation::Short => "Too short to judge",
        })
    });
    PossibleValuesParser::new(names).map(|name| {
        let mut all = Relation::ALL.into_iter();
        let found = all.find(|relation| relation.as_str() == name);
        found.expect("the parser takes no other name")
    })
}
