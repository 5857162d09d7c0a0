//! The arguments of `dupfind index`.

use std::path::{Path, PathBuf};

use crate::args::config::ConfigArgs;
use crate::args::group::groups;
use crate::args::headings::OUTPUT;
use crate::args::pairs::comparing::ComparingArgs;
use crate::args::run::RunningArgs;
use crate::config::Configured;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Make or update:  dupfind index docs -o site.dupidx
                   dupfind index docs -o site.dupidx --prune
  Remove:          dupfind index -o site.dupidx --remove 'docs/old/**'
  Look into it:    dupfind index info site.dupidx
                   dupfind index check site.dupidx
  Ask it:          dupfind query site.dupidx draft.md
                   dupfind scan docs --index site.dupidx

'info' and 'check' take the place of PATH. A folder of such a name is './info'.

Exit status: 0 it ran, 2 an error; then the index is as it was";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,

    /// The index: a folder, which is made if it is not there
    ///
    /// By custom its name ends in '.dupidx'; folders of such names are never walked. Its files can be copied and cached
    /// like any others.
    #[arg(short = 'o', long = "index", value_name = "INDEX", help_heading = OUTPUT)]
    pub(crate) index: Option<PathBuf>,

    /// Remove the documents whose names match the glob (repeatable)
    ///
    /// The names are those of reports. '*' also matches '/'. Without a PATH nothing is read.
    #[arg(long, value_name = "GLOB", help_heading = OUTPUT)]
    pub(crate) remove: Vec<String>,

    /// Remove the documents of files that are gone
    ///
    /// These are files of the index below the paths that are not found there any more, or that are left out now.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) prune: bool,

    /// Count anew how rare each shingle is
    ///
    /// This is counted when an index is made, and stays as it is when documents come and go: so a verdict does not change
    /// because somebody added a page. 'dupfind index info' shows how many came or went since. Without a PATH nothing is read.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) reweigh: bool,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
groups!(IndexArgs: comparing, running);

impl Configured for IndexArgs {
    fn config(&mut self) -> &mut ConfigArgs {
        &mut self.running.config
    }

    fn start(&self) -> Option<&Path> {
        self.comparing.input.paths.first().map(PathBuf::as_path)
    }
}
