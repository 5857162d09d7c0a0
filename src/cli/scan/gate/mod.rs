//! The gate of a scan: which pairs count, which are new, and whether the run fails.

pub(crate) mod baseline;
pub(crate) mod messages;
mod revision;
pub(crate) mod scope;
pub(crate) mod verdict;

use crate::engine::observer::Observer;
use crate::gate::Gate;
use crate::read::source::git::{self, Repository};
use crate::read::source::walk::WalkOptions;
use crate::scan::ScanOptions;
use anyhow::{Context, Result};

use crate::cli::process::interrupt;
use crate::cli::scan::args::ScanArgs;
use crate::cli::scan::gate::baseline::Update;

/// Returns the gate that the arguments ask for, and the update of its baseline if that is asked for.
///
/// # Errors
///
/// The baseline, a file of ignored pairs or a git revision cannot be read.
pub(crate) fn open<'a>(
    args: &'a ScanArgs,
    options: &ScanOptions,
    observer: &dyn Observer,
) -> Result<(Gate, Option<Update<'a>>)> {
    let (baseline, update) = match &args.gate.baseline_from {
        Some(reference) => {
            let baseline = baseline::of_revision(args, options, reference, observer);
            (Some(baseline.context("--baseline-from")?), None)
        }
        None => baseline::open(args, options)?,
    };
    Ok((Gate::new(scope::open(args, options)?, baseline), update))
}

/// Returns the repository that the documents lie in. An interrupt ends git.
fn repository(walk: &WalkOptions) -> Result<Repository> {
    interrupt::ends_programs(git::stop);
    Ok(Repository::of(&walk.paths, &walk.base)?)
}
