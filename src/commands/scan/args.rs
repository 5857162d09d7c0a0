//! The arguments of `dupfind scan`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dupfind_engine::verdict::Relations;

use crate::args::format::{FormatParser, FormatTo};
use crate::args::headings::{INPUT, OUTPUT};
use crate::args::output::{ColorArgs, OutputArgs};
use crate::args::pairs::comparing::ComparingArgs;
use crate::args::pairs::detect;
use crate::args::pairs::gate::GateArgs;
use crate::args::pairs::scope::ScopeArgs;
use crate::args::run::RunningArgs;
use crate::args::values::size;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,

    /// Read unchanged documents from an index, and bring it up to date
    ///
    /// The report is the same as without, but only changed documents are read. If there is no index, one is made. Files
    /// below the paths that are gone are removed from it.
    #[arg(hide_short_help = true, long, value_name = "INDEX", help_heading = INPUT)]
    pub(crate) index: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// Format of the report, and a file for it [default: table] (repeatable)
    ///
    /// One scan can write several reports: '--format table --format sarif=dupfind.sarif'. A format without a
    /// file goes to standard output, or to the file of --output.
    #[arg(short, long = "format", value_parser = FormatParser, value_name = "FORMAT[=FILE]", help_heading = OUTPUT)]
    pub(crate) formats: Vec<FormatTo>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Show only pairs of these relations
    ///
    /// The relations are exact, near, contains, variant, related, template and short; 'all' means every one. Separate
    /// them with commas. --cluster-on explains them.
    ///
    /// Every format leaves the other pairs out. They are found and counted nevertheless. --fail-on and baselines look
    /// at all pairs, and reports for CI also list pairs that make the run fail.
    #[arg(long, value_parser = detect::shown(), value_name = "LIST", value_delimiter = ',', default_value = "all", hide_possible_values = true, help_heading = OUTPUT)]
    pub(crate) show: Vec<Relations>,

    /// List all pairs with their measures, and the clusters, in the table
    ///
    /// Without it, the table lists what to look at first, and sums pairs up.
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) verbose: bool,

    /// Show only the first N entries of the table, or pairs and clusters
    ///
    /// The table counts those that are left out. By default a terminal shows 20 entries, and a pipe all.
    #[arg(long, value_name = "N", value_parser = size::count::<usize>, help_heading = OUTPUT)]
    pub(crate) top: Option<usize>,

    /// Report the clusters without the pairs; these are counted only
    ///
    /// A thousand copies of one document are half a million pairs and one cluster.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) no_pairs: bool,

    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) gate: GateArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,

    /// The typed options, for the command that goes on; `None` if the documents were read by another command.
    #[arg(skip)]
    pub(crate) typed: Option<TypedFor>,
    /// The words with which `dupfind compare` judges two of the documents; `None` if they cannot be read again.
    #[arg(skip)]
    pub(crate) compare: Option<Vec<OsString>>,
}

/// The typed options, as words of the command lines of other commands.
#[derive(Debug, Default)]
pub(crate) struct TypedFor {
    pub(crate) paths: Vec<OsString>,
    /// The options that the command has too.
    pub(crate) scan: Vec<OsString>,
    pub(crate) plan: Vec<OsString>,
    pub(crate) dedup: Vec<OsString>,
    pub(crate) accept: Vec<OsString>,
}

impl ScanArgs {
    /// Returns the files that reports go to.
    pub(crate) fn reports(&self) -> impl Iterator<Item = &Path> {
        let formats = self.formats.iter().filter_map(|to| to.file.as_deref());
        self.output.output.as_deref().into_iter().chain(formats)
    }

    /// Returns the relations whose pairs are shown.
    pub(crate) fn shown(&self) -> Relations {
        self.show.iter().flat_map(|shown| shown.iter()).collect()
    }

    /// Returns the files that the run writes.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &Path> {
        self.reports().chain(self.gate.baseline.as_deref())
    }
}
