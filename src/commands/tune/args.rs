//! The arguments of `dupfind tune`.

use clap::Arg;
use dupfind_decide::tune::Tuning;

use crate::args::documents::input::InputArgs;
use crate::args::documents::text::TextArgs;
use crate::args::headings::OUTPUT;
use crate::args::output::{ColorArgs, OutputArgs, Reader, readers};
use crate::args::pairs::similarity::SimilarityArgs;
use crate::args::run::RunningArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      dupfind tune docs --glob '*.md'
              dupfind tune pages.jsonl --text-field body --id-field url
  Text:       dupfind tune novels --shingle-size 5
  Detection:  dupfind tune docs --min-jaccard 0.15 --max-hamming 8
  Output:     dupfind tune docs --format json | jq -c '.thresholds[]'
  Running:    dupfind tune pages.jsonl --threads 1 --stats

Exit status:
  0  it ran, whether or not there are pairs
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared and counted)";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("max_hamming", looks_at_hamming),
    mut_arg("min_jaccard", looks_at_jaccard)
)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) range: SimilarityArgs,

    /// Format of the report
    #[arg(short, long, value_parser = readers("table", "For people: a table of thresholds"), default_value = "table", help_heading = OUTPUT)]
    pub(crate) format: Reader,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Sets the default and the help of the largest distance, which is larger than that of a scan.
fn looks_at_hamming(arg: Arg) -> Arg {
    arg.default_value(Tuning::MAX_HAMMING.to_string())
        .help("Look at pairs whose fingerprints differ in at most K of 64 bits")
        .long_help(
            "Look at pairs whose fingerprints differ in at most K of 64 bits\n\n\
             Of larger distances only the pairs that --min-jaccard lets in are counted.",
        )
}

/// Sets the default and the help of the least similarity, which is lower than that of a scan.
fn looks_at_jaccard(arg: Arg) -> Arg {
    arg.default_value(Tuning::LEAST_JACCARD.to_string())
        .help("Look at pairs whose shingle sets have at least this Jaccard similarity")
        .long_help(
            "Look at pairs whose shingle sets have at least this Jaccard similarity\n\n\
             The lower it is, the longer it takes: unrelated documents of one language share a few \
             shingles. Of lower similarities only the pairs that --max-hamming lets in are counted.",
        )
}
