//! `dupfind merge`: the report of all tasks of a job.

pub(crate) mod args;
mod verdicts;

use anyhow::Result;

use crate::cli::merge::args::MergeArgs;
use crate::cli::process::exit::Status;
use crate::cli::scan;
use crate::engine::observer::Observer;
use crate::engine::pairing::sink::PairSink;
use crate::scan::outcome::Outcome;
use crate::scan::{ScanJudge, ScanOptions};
use crate::tiles::frozen::Frozen;
use crate::tiles::merge::{DoneJob, merge};

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
) -> crate::error::Result<Outcome> {
    let frozen = Frozen::open(&args.frequencies, &options.engine)?;
    let job = DoneJob {
        frozen: &frozen,
        frozen_at: &args.frequencies,
        files: &args.scan.input.paths,
    };
    merge(options, &job, observer, judge, sink)
}
