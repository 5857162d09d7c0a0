//! The arguments of `dupfind reuse`.

use crate::args::comparing::TextArgs;
use crate::args::input::InputArgs;
use crate::args::output::{ColorArgs, OutputArgs, Reader, readers};
use crate::args::running::RunningArgs;
use crate::args::{DETECTION, OUTPUT, values};

use dupfind_engine::Threshold;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      dupfind reuse docs
              dupfind reuse pages.jsonl --text-field body --id-field url
  Detection:  dupfind reuse docs --min-jaccard 0.8
  Output:     dupfind reuse docs --format json | jq '.groups[] | select(.documents > 9)'
              dupfind reuse docs --format json | jq '.groups[] | select(any(.wordings[]; .odd))'

Exit status:
  0  it ran, whether or not passages are in several places
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ReuseArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,

    /// Blocks with at least this Jaccard similarity of shingles are wordings of one passage
    #[arg(id = "own_min_jaccard", long = "min-jaccard", value_name = "T", default_value = "0.6", help_heading = DETECTION)]
    pub(crate) min_jaccard: Threshold,

    /// Format of the report
    #[arg(id = "own_format", short = 'f', long = "format", value_name = "FORMAT", value_parser = readers("table", "For people: the passages that save most"), default_value = "table", help_heading = OUTPUT)]
    pub(crate) format: Reader,

    /// List at most N passages [default: 20 in a table, all in JSON]
    #[arg(id = "own_top", long = "top", value_name = "N", value_parser = values::count::<usize>, help_heading = OUTPUT)]
    pub(crate) top: Option<usize>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
