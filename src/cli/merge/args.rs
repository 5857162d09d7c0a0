//! The arguments of `dupfind merge`.

use std::path::PathBuf;

use clap::Arg;

use crate::cli::args::headings::{INPUT, OUTPUT};
use crate::cli::args::keep::KeepArgs;
use crate::cli::scan::args::ScanArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  Report:  dupfind merge part-*.feat pairs-* --frequencies frequencies
           dupfind merge part-*.feat pairs-* --frequencies frequencies --format json=report.json
  Plan:    dupfind plan report.json -o plan.jsonl
           dupfind merge part-*.feat pairs-* --frequencies frequencies --drop exact,near --verdicts gone.jsonl
  Gate:    dupfind merge part-*.feat pairs-* --frequencies frequencies --fail-on near

Exit status: that of 'dupfind scan'";

/// Refuses an option of a scan that decides what is read, or that needs the files of the documents.
fn not_here(arg: Arg) -> Arg {
    arg.hide(true).conflicts_with("frequencies")
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
    mut_arg("globs", not_here),
    mut_arg("types", not_here),
    mut_arg("extensions", not_here),
    mut_arg("exclude", not_here),
    mut_arg("hidden", not_here),
    mut_arg("no_ignore", not_here),
    mut_arg("follow", not_here),
    mut_arg("max_depth", not_here),
    mut_arg("pre", not_here),
    mut_arg("pre_glob", not_here),
    mut_arg("pre_timeout", not_here),
    mut_arg("files_from", not_here),
    mut_arg("null", not_here),
    mut_arg("index", not_here),
    mut_arg("frozen", not_here),
    mut_arg("files", not_here),
    mut_arg("against", not_here),
    mut_arg("changed_since", not_here),
    mut_arg("baseline_from", not_here),
    mut_arg("link", not_here),
    mut_arg("dump_config", not_here)
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
