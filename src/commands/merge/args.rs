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
const NOT_HERE: [&str; 18] = [
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
    "files",
    "against",
    "changed_since",
    "baseline_from",
];

/// The options about the report, which is not written with `--verdicts`.
const OF_REPORT: [&str; 11] = [
    "formats",
    "output",
    "show",
    "verbose",
    "top",
    "no_pairs",
    "fail_on",
    "fail_on_new",
    "max_pairs",
    "fail_on_empty",
    "update_baseline",
];

/// The options about which document goes, which the report does not tell.
const OF_VERDICTS: [&str; 3] = ["keep", "drop", "min_drop"];

/// Refuses an option that has no meaning here, or not with or without `--verdicts`.
fn fits(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        id if NOT_HERE.contains(&id) => arg.hide(true).conflicts_with("frequencies"),
        id if OF_REPORT.contains(&id) => arg.conflicts_with("verdicts"),
        id if OF_VERDICTS.contains(&id) => arg.requires("verdicts"),
        _ => arg,
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
    mut_args(fits)
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
