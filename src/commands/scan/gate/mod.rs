//! The gate of a scan: which pairs count, which are new, and whether the run fails.

pub(crate) mod baseline_file;
pub(crate) mod left_out;
mod revision;
pub(crate) mod verdict;

use anyhow::{Context, Result};
use dupfind_decide::gate::Gate;
use dupfind_engine::run::observer::Observer;
use dupfind_scan::ScanOptions;

use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::gate::baseline_file::BaselineUpdate;

/// Returns the gate that the arguments ask for, and the update of its baseline if that is requested.
///
/// # Errors
///
/// The baseline, a pattern or a git revision cannot be read.
pub(crate) fn open<'a>(
    args: &'a ScanArgs,
    options: &ScanOptions,
    observer: &dyn Observer,
) -> Result<(Gate, Option<BaselineUpdate<'a>>)> {
    let (baseline, update) = match &args.gate.baseline_from {
        Some(reference) => {
            let baseline = baseline_file::of_revision(args, options, reference, observer);
            (Some(baseline.context("--baseline-from")?), None)
        }
        None => baseline_file::open(args, options)?,
    };
    Ok((Gate::new(left_out::open(args, options)?, baseline), update))
}
