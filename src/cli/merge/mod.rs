//! `dupfind merge`: the report of all tasks of a job.

pub(crate) mod args;

use anyhow::Result;

use crate::cli::merge::args::MergeArgs;
use crate::cli::process::exit::Status;
use crate::cli::scan;
use crate::scan::ScanOptions;
use crate::tiles::frozen::Frozen;
use crate::tiles::merge::{DoneJob, merge};

/// Runs the command.
pub(crate) fn run(args: &MergeArgs) -> Result<Status> {
    scan::report_of(
        &args.scan,
        |options: &ScanOptions, progress, judge, sink| {
            let frozen = Frozen::open(&args.frequencies, &options.engine)?;
            let job = DoneJob {
                frozen: &frozen,
                frozen_at: &args.frequencies,
                files: &args.scan.input.paths,
            };
            merge(options, &job, progress, judge, sink)
        },
    )
}
