//! The arguments of `dupfind reuse`.

use crate::args::documents::input::InputArgs;
use crate::args::documents::text::TextArgs;
use crate::args::group::groups;
use crate::args::headings::{DETECTION, OUTPUT};
use crate::args::output::{ColorArgs, OutputArgs, Reader, readers};
use crate::args::run::RunningArgs;
use crate::args::values::size;

use dupfind_engine::join::threshold::Threshold;

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
    #[arg(long, value_name = "T", default_value = "0.6", help_heading = DETECTION)]
    pub(crate) min_jaccard: Threshold,

    /// Format of the report
    #[arg(short, long, value_parser = readers("table", "For people: the passages that save most"), default_value = "table", help_heading = OUTPUT)]
    pub(crate) format: Reader,

    /// List at most N passages [default: 20 in a table, all in JSON]
    #[arg(long, value_name = "N", value_parser = size::count::<usize>, help_heading = OUTPUT)]
    pub(crate) top: Option<usize>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
groups!(ReuseArgs: input, text, color, running);
