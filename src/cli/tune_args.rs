//! What can be typed after `dupfind tune`.

use clap::ValueEnum;
use dupfind::join::hamming::MAX_DISTANCE;
use dupfind::join::threshold::Threshold;
use dupfind::scan::tune::Tuning;

use crate::cli::args::{
    Color, DETECTION, InputArgs, MemoryArgs, OUTPUT, OutputArgs, RunArgs, TextArgs,
};

pub(crate) const TUNE_EXAMPLES: &str = "\
Examples:
  Input:      dupfind tune docs --glob '*.md'
              dupfind tune pages.jsonl --text-field body --id-field url
  Text:       dupfind tune novels --shingle-size 5
  Detection:  dupfind tune docs --min-jaccard 0.15 --max-hamming 8
  Output:     dupfind tune docs --format json | jq -c '.thresholds[]'
              dupfind tune docs --format json | jq -r '.borderline[] | [.a, .b] | @tsv'
  Running:    dupfind tune pages.jsonl --threads 1 --stats

Exit status:
  0  it ran, whether or not there are pairs
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared and counted)";

/// `dupfind tune`.
#[derive(Debug, clap::Args)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) range: RangeArgs,

    /// Format of the report
    #[arg(short, long, value_enum, default_value_t = TuneFormat::Table, help_heading = OUTPUT)]
    pub(crate) format: TuneFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// When to colour the table
    ///
    /// By default on a terminal only, and not if NO_COLOR is set.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = OUTPUT)]
    pub(crate) color: Color,

    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

/// Which pairs are looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct RangeArgs {
    /// Look at pairs whose fingerprints differ in at most K of 64 bits
    ///
    /// Of larger distances only the pairs that --min-jaccard lets in are counted.
    #[arg(long, value_name = "K", default_value_t = Tuning::MAX_HAMMING, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE)), help_heading = DETECTION)]
    pub(crate) max_hamming: u32,

    /// Look at pairs whose shingle sets have at least this Jaccard similarity
    ///
    /// The lower it is, the longer it takes: unrelated documents of one language share a few shingles.
    /// Of lower similarities only the pairs that --max-hamming lets in are counted.
    #[arg(long, value_name = "T", default_value_t = Tuning::MIN_JACCARD, help_heading = DETECTION)]
    pub(crate) min_jaccard: Threshold,
}

/// Formats of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TuneFormat {
    /// For people: histograms, a table of thresholds, borderline pairs
    Table,
    /// One JSON object
    Json,
}
