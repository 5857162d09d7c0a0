//! The arguments of `dupfind features`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::args::config::ConfigArgs;
use crate::cli::args::headings::OUTPUT;
use crate::cli::args::input::InputArgs;
use crate::cli::args::run::{MemoryArgs, RunArgs};
use crate::cli::args::text::TextArgs;
use crate::cli::scan::args::detect::DetectArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      dupfind features docs -o docs.feat
              dupfind features pages-01.jsonl.gz --text-field body --id-field url -o part-01.feat
  Text:       dupfind features novels --shingle-size 5 -o novels.feat
  Detection:  dupfind features docs --detectors simhash,shingle,super-shingle -o docs.feat
  Then:       dupfind freeze part-*.feat -o frequencies
              dupfind join part-*.feat --frequencies frequencies --tiles 4 --tile 1,2 -o pairs-1-2
              dupfind merge part-*.feat pairs-* --frequencies frequencies --format json
  For SQL:    dupfind features docs --format jsonl -o docs.jsonl

Exit status: 0 it ran, 2 an error; then no file is written, or, if a document cannot be read, all others are in it";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("max_hamming", |arg| arg.hide(true)),
    mut_arg("min_jaccard", |arg| arg.hide(true)),
    mut_arg("min_containment", |arg| arg.hide(true)),
    mut_arg("min_weighted", |arg| arg.hide(true)),
    mut_arg("require", |arg| arg.hide(true)),
    mut_arg("min_super_shingles", |arg| arg.hide(true)),
    mut_arg("cluster_on", |arg| arg.hide(true))
)]
pub(crate) struct FeaturesArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) detect: DetectArgs,

    /// What is written
    #[arg(short, long, value_enum, default_value_t = FeaturesFormat::Features, help_heading = OUTPUT)]
    pub(crate) format: FeaturesFormat,

    /// Write the features to FILE
    ///
    /// It is about as large as the text. The file is replaced when it is complete, and untouched if the run fails.
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// What is written of each document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FeaturesFormat {
    /// All that is compared, for 'dupfind freeze', 'join' and 'merge'
    Features,
    /// The shingle set as one JSON object a line, for the statement of 'dupfind sql'
    Jsonl,
}
