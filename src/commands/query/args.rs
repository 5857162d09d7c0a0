//! The arguments of `dupfind query`.

use std::path::{Path, PathBuf};

use crate::args::config::ConfigArgs;
use crate::args::group::groups;
use crate::args::headings::{GATE, OUTPUT};
use crate::args::output::{OutputArgs, Reader, readers};
use crate::args::pairs::comparing::ComparingArgs;
use crate::args::pairs::gate::{EmptyArgs, FailOn};
use crate::args::run::RunningArgs;
use crate::args::values::{Value, size};
use crate::config::{Configured, Conflict};

pub(crate) const EXAMPLES: &str = "\
Examples:
  Ask:      dupfind query site.dupidx draft.md
            pbpaste | dupfind query site.dupidx -
            zcat new.jsonl.gz | dupfind query site.dupidx - --format json | jq -c '.pairs[]'
  Nearest:  dupfind query site.dupidx draft.md --top 5
  Sources:  dupfind query site.dupidx draft.md --gather
  In CI:    dupfind query site.dupidx new/ --fail-on near

Exit status: 0 it ran, 1 --fail-on (also if there is nothing to compare), 2 an error (a document that was named and cannot be compared is one)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    pub(crate) site: PathBuf,

    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,

    /// List the N documents that are most like each one, also below the thresholds
    ///
    /// Pairs come first. Then come the documents that have most of the rare text of the one in question, however little
    /// that is.
    #[arg(long, value_name = "N", value_parser = size::count::<usize>, help_heading = OUTPUT)]
    pub(crate) top: Option<usize>,

    /// Show the few documents that explain each one, and which share of it
    ///
    /// The document that has most of its shingles comes first, then the one that has most of the rest, and so on.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) gather: bool,

    /// Format of the answer
    #[arg(short, long, value_parser = readers("table", "For people"), default_value = "table", help_heading = OUTPUT)]
    pub(crate) format: Reader,
    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Exit with status 1 if there is a pair of this relation or a stronger one [default: never]
    #[arg(long, value_parser = <FailOn as Value>::parser(), value_name = "RELATION", help_heading = GATE)]
    pub(crate) fail_on: Option<FailOn>,

    #[command(flatten)]
    pub(crate) empty: EmptyArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
groups!(QueryArgs: comparing, empty, running);

impl Configured for QueryArgs {
    fn config(&mut self) -> &mut ConfigArgs {
        &mut self.running.config
    }

    fn start(&self) -> Option<&Path> {
        self.comparing.input.paths.first().map(PathBuf::as_path)
    }

    fn conflict(&self) -> Option<Conflict> {
        self.comparing.engine.detect.conflict()
    }
}
