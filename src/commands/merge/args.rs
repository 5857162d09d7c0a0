//! The arguments of `dupfind merge`.

use std::path::PathBuf;

use clap::Arg;

use crate::args::headings::{INPUT, OUTPUT};
use crate::args::pairs::keep::KeepArgs;
use crate::commands::scan::args::ScanArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Report:  dupfind merge part-*.feat pairs-* --frequencies frequencies
           dupfind merge part-*.feat pairs-* --frequencies frequencies --format json=report.json
  Plan:    dupfind merge part-*.feat pairs-* --frequencies frequencies --drop exact,near --verdicts gone.jsonl
  Gate:    dupfind merge part-*.feat pairs-* --frequencies frequencies --fail-on near

Exit status: that of 'dupfind scan'";

/// The options of a scan that decide what is read, or that need the files of the documents.
const NOT_HERE: [&str; 21] = [
    "globs",
    "types",
    "extensions",
    "exclude",
    "hidden",
    "no_ignore",
    "follow",
    "max_depth",
    "pre",
    "pre_glob",
    "pre_timeout",
    "files_from",
    "null",
    "index",
    "frozen",
    "files",
    "against",
    "changed_since",
    "baseline_from",
    "link",
    "watch",
];

/// Refuses an option of a scan that has no meaning here.
fn not_here(arg: Arg) -> Arg {
    if NOT_HERE.contains(&arg.get_id().as_str()) {
        arg.hide(true).conflicts_with("frequencies")
    } else {
        arg
    }
}

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("paths", |arg| arg.value_name("FILE").required(true).help(
        "All files of features and of pairs of the job, in any order"
    ).long_help(
        "All files of features and of pairs of the job, in any order\n\n\
         They are told apart by their content. A job whose pairs are not complete is refused."
    )),
    mut_args(not_here)
)]
pub(crate) struct MergeArgs {
    /// The file that 'dupfind freeze' has written
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) frequencies: PathBuf,

    /// Write no report, but for each document that goes which one stays for it, as JSON Lines
    ///
    /// The lines are those of 'dupfind dedup --verdicts', with the measures of the two and the rule that decided.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) verdicts: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) keep: KeepArgs,
    #[command(flatten)]
    pub(crate) scan: ScanArgs,
}
