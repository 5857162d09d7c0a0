//! The arguments of `dupfind compare`.

use std::path::PathBuf;

use clap::Arg;

use crate::args::OUTPUT;
use crate::args::comparing::EngineArgs;
use crate::args::input::WalkArgs;
use crate::args::output::{ColorArgs, OutputArgs, Reader, readers};
use crate::args::reading::ReadingArgs;
use crate::args::running::ConfigArgs;
use crate::args::values::document;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:   dupfind compare old/guide.md new/guide.md
           dupfind compare docs/a.md docs/b.md docs
           dupfind compare pages.jsonl#17 pages.jsonl#42 --id-field id
  Text:    dupfind compare a.md b.md --shingle-size 5
  Output:  COLUMNS=160 dupfind compare a.md b.md --color always | less -R
           dupfind compare a.md b.md --format json | jq '.only_b[].text'

Exit status: 0 they were compared, however similar they are, 2 an error (a document that cannot be
compared is one)";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(mut_arg("color", marks_changes))]
pub(crate) struct CompareArgs {
    /// The first document: a file, or FILE#ID for a record of a file of records
    #[arg(value_name = "A", value_parser = document())]
    pub(crate) a: PathBuf,

    /// The second document
    #[arg(value_name = "B", value_parser = document())]
    pub(crate) b: PathBuf,

    /// Files and folders among which the two are judged
    ///
    /// The relation and the measures are then those of a scan of them. By default these are the folder of the
    /// dupfind.toml in force, or else the nearest one that a query, an agent or an editor has indexed, or else the
    /// repository of both documents, if it has at most 5,000 files with 64 MB of text.
    #[arg(value_name = "PATH")]
    pub(crate) among: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    /// Format of the comparison
    #[arg(id = "own_format", short = 'f', long = "format", value_name = "FORMAT", value_parser = readers("text", "For people"), default_value = "text", help_heading = OUTPUT)]
    pub(crate) format: Reader,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Show all passages, and all of each
    ///
    /// By default the 50 longest are shown, and long stretches that are the same are shortened. JSON
    /// always has everything.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// Adds to the help of `--color` how changes are marked without colours.
fn marks_changes(arg: Arg) -> Arg {
    arg.long_help(
        "When to colour the output\n\n\
         By default on a terminal only, and not if NO_COLOR is set. Without colours what only one document has \
         is marked [-so-] for A and {+so+} for B.",
    )
}
