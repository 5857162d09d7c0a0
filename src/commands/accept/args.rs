//! The arguments of `dupfind accept`.

use std::path::{Path, PathBuf};

use dupfind_read::display_name;

use crate::args::DECISION;
use crate::args::comparing::ComparingArgs;
use crate::args::gate::{BaselineArgs, FailOnArgs, ScopeArgs};
use crate::args::running::RunningArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  A pair:    dupfind accept docs/a.md docs/b.md docs --reason 'two products, one text'
             dupfind accept drafts/a.md b.md drafts --against . --reason 'the same law'
  A family:  dupfind accept --family docs/drivers --reason 'one page for each driver'
  All:       dupfind accept --all docs

Exit status: 0 it is done, 2 an error (two documents that are no finding are one)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct AcceptArgs {
    /// The first document, as reports name it: a file, or FILE#ID for a record
    #[arg(value_name = "A", required_unless_present_any = ["family", "all"])]
    pub(crate) a: Option<PathBuf>,

    /// The second document
    #[arg(value_name = "B", required_unless_present_any = ["family", "all"])]
    pub(crate) b: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,

    /// Accept a family instead of two documents: all files below FOLDER may be alike, but no copies
    ///
    /// For release notes, or one page for each driver. It adds a line with a glob to the file of accepted pairs, so that new
    /// pages of the family are accepted too. To take it back, delete the line.
    #[arg(long, value_name = "FOLDER", conflicts_with = "a", help_heading = DECISION)]
    pub(crate) family: Option<PathBuf>,

    /// Accept all pairs that there are
    ///
    /// Families are kept, and so are the reasons of pairs that are still there. Pairs that are gone are dropped.
    #[arg(long, conflicts_with = "family", help_heading = DECISION)]
    pub(crate) all: bool,

    /// Why the two may be alike
    #[arg(long, value_name = "TEXT", value_parser = reason, required_unless_present = "all", conflicts_with = "all", help_heading = DECISION)]
    pub(crate) reason: Option<String>,

    #[command(flatten)]
    pub(crate) baseline: BaselineArgs,
    #[command(flatten)]
    pub(crate) fail_on: FailOnArgs,
}
impl AcceptArgs {
    /// Takes the words that stand for two documents as paths, if all pairs are accepted.
    pub(crate) fn take_paths(&mut self) {
        if self.all {
            let named = self.a.take().into_iter().chain(self.b.take());
            self.comparing.input.paths.splice(..0, named);
        }
    }

    /// Returns the names of the two documents, as reports have them.
    pub(crate) fn names(&self, base: &Path) -> [String; 2] {
        [&self.a, &self.b].map(|path| display_name(path.as_deref().unwrap_or(Path::new("")), base))
    }

    /// Returns the reason.
    pub(crate) fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or_default()
    }
}

/// Reads a reason.
pub(crate) fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it is empty: why may they be alike?".into()),
        text => Ok(text.to_owned()),
    }
}
