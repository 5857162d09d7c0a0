//! The arguments of `dupfind features`.

use std::path::PathBuf;

use crate::args::headings::OUTPUT;
use crate::args::pairs::comparing::ComparingArgs;
use crate::args::pairs::detect::before_pairs;
use crate::args::run::RunningArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      dupfind features docs -o docs.feat
              dupfind features pages-01.jsonl.gz --text-field body --id-field url -o part-01.feat
  Text:       dupfind features novels --shingle-size 5 -o novels.feat
  Detection:  dupfind features docs --detectors simhash,shingle,super-shingle -o docs.feat
  Then:       dupfind freeze part-*.feat -o frequencies
              dupfind join part-*.feat --frequencies frequencies --tiles 4 --tile 1,2 -o pairs-1-2
              dupfind merge part-*.feat pairs-* --frequencies frequencies --format json

Exit status: 0 it ran, 2 an error; then no file is written, or, if a document cannot be read, all others are in it";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(mut_args(before_pairs))]
pub(crate) struct FeaturesArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,

    /// Write the features to FILE
    ///
    /// It is about as large as the text. The file is replaced when it is complete, and untouched if the run fails.
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
