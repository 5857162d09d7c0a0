//! The arguments of `dupfind query`.

use std::path::PathBuf;

use crate::args::comparing::CollectionArgs;
use crate::args::output::{OutputArgs, Reader, readers};
use crate::args::running::RunArgs;
use crate::args::{INPUT, OUTPUT, values};

pub(crate) const EXAMPLES: &str = "\
Examples:
  Ask:      dupfind query docs draft.md
            pbpaste | dupfind query docs -
            zcat new.jsonl.gz | dupfind query docs - --format json | jq -c '.pairs[]'
  Nearest:  dupfind query docs draft.md --top 5
  In CI:    dupfind query docs new/*.md --format json | jq -e '.summary.relations.near == 0'

Exit status: 0 it ran, 2 an error (a document that was named and cannot be compared is one)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// The folder of the pages
    ///
    /// The index of its pages is in '.dupfind' in this folder, which git ignores. It is brought up to date first.
    #[arg(value_name = "PATH")]
    pub(crate) pages: PathBuf,

    /// What to ask about: files, or '-' for a text or JSON Lines on standard input
    #[arg(value_name = "DRAFT", required = true)]
    pub(crate) drafts: Vec<PathBuf>,

    /// Keep the index in FILE instead of '.dupfind' in PATH
    #[arg(id = "own_index", hide_short_help = true, long = "index", value_name = "FILE", help_heading = INPUT)]
    pub(crate) index: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) collection: CollectionArgs,

    /// List the N documents that are most like each one, also below the thresholds
    ///
    /// Pairs come first. Then come the documents that have most of the rare text of the one in question, however little
    /// that is.
    #[arg(id = "own_top", long = "top", value_name = "N", value_parser = values::count::<usize>, help_heading = OUTPUT)]
    pub(crate) top: Option<usize>,

    /// Format of the answer
    #[arg(id = "own_format", short = 'f', long = "format", value_name = "FORMAT", value_parser = readers("table", "For people"), default_value = "table", help_heading = OUTPUT)]
    pub(crate) format: Reader,
    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}
