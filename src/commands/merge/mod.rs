//! `dupfind merge`: the report of all tasks of a job.

pub(crate) mod args;
mod verdicts;

use anyhow::Result;

use crate::commands::merge::args::MergeArgs;
use crate::commands::scan;
use crate::process::exit::Status;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::run::observer::Observer;
use dupfind_jobs::files::merge::merge;
use dupfind_scan::outcome::Outcome;
use dupfind_scan::{ScanJudge, ScanOptions};

/// Runs the command.
pub(crate) fn run(args: &MergeArgs) -> Result<Status> {
    if let Some(target) = &args.verdicts {
        return verdicts::write(args, target);
    }
    scan::report_of(&args.scan, |options, observer, judge, sink| {
        merged(args, options, observer, judge, sink)
    })
}

/// Returns the outcome of the job.
fn merged<'t>(
    args: &MergeArgs,
    options: &ScanOptions,
    observer: &dyn Observer,
    judge: Option<&'t mut (dyn ScanJudge + 't)>,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> dupfind_engine::Result<Outcome> {
    let files = (
        args.frequencies.as_path(),
        args.scan.comparing.input.paths.as_slice(),
    );
    merge(options, files, observer, judge, sink)
}
