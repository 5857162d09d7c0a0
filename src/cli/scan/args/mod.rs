//! The arguments of `dupfind scan`.

pub(crate) mod detect;
pub(crate) mod format;
pub(crate) mod gate;
pub(crate) mod scope;

use std::path::Path;

use crate::cli::args::config::ConfigArgs;
use crate::cli::args::headings::{CONFIGURATION, OUTPUT};
use crate::cli::args::input::InputArgs;
use crate::cli::args::output::{ColorArgs, OutputArgs};
use crate::cli::args::run::{MemoryArgs, RunArgs};
use crate::cli::args::size;
use crate::cli::args::text::TextArgs;
use crate::cli::scan::args::detect::DetectArgs;
use crate::cli::scan::args::format::{FormatParser, FormatTo};
use crate::cli::scan::args::gate::GateArgs;
use crate::cli::scan::args::scope::ScopeArgs;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ScanArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) detect: DetectArgs,

    #[command(flatten)]
    pub(crate) scope: ScopeArgs,

    /// Format of the report, and a file for it [default: table] (repeatable)
    ///
    /// One scan can write several reports: '--format table --format sarif=dupfind.sarif'. A format without a
    /// file goes to standard output or where --output says.
    #[arg(short, long = "format", value_parser = FormatParser, value_name = "FORMAT[=FILE]", help_heading = OUTPUT)]
    pub(crate) formats: Vec<FormatTo>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// List the files that would be read, with format and encoding, and compare nothing
    ///
    /// As a table, or with --format jsonl as objects. A file of records is listed once.
    #[arg(hide_short_help = true, long, help_heading = OUTPUT)]
    pub(crate) files: bool,
    /// Show only the first N pairs and clusters of the table
    ///
    /// The table says how many are left out.
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
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Print these options as a configuration file, with all others in comments
    ///
    /// 'dupfind scan --dump-config > dupfind.toml' makes a file to edit. Paths and globs are relative to the
    /// folder of the configuration that is used, or to the current folder.
    #[arg(long, help_heading = CONFIGURATION)]
    pub(crate) dump_config: bool,
}

impl ScanArgs {
    /// Returns the files that reports go to.
    pub(crate) fn reports(&self) -> impl Iterator<Item = &Path> {
        let formats = self.formats.iter().filter_map(|to| to.file.as_deref());
        self.output.output.as_deref().into_iter().chain(formats)
    }

    /// Returns the files that the run writes.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &Path> {
        self.reports().chain(self.gate.baseline.as_deref())
    }
}
