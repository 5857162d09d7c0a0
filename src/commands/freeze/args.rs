//! The arguments of `dupfind freeze`.

use std::path::PathBuf;

use crate::args::headings::OUTPUT;
use crate::args::pairs::comparing::EngineArgs;
use crate::args::run::RunningArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Files:      dupfind freeze part-*.feat -o frequencies
  Detection:  dupfind freeze part-*.feat --min-jaccard 0.5 -o frequencies
  Running:    dupfind freeze part-*.feat --memory-limit 8G -o frequencies

Exit status: 0 it ran, 2 an error; then no file is written";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(mut_arg("cluster_on", |arg| arg.hide(true)))]
pub(crate) struct FreezeArgs {
    /// All files of features of the job, which 'dupfind features' has written
    #[arg(value_name = "FEATURES", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    /// Write the frequencies to FILE
    ///
    /// The file is replaced when it is complete, and untouched if the run fails.
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
