//! Accepts all pairs that there are.

use std::path::Path;

use anyhow::{Result, bail};
use dupfind_decide::gate::baseline::content::LARGEST;
use dupfind_decide::{Baseline, Gate};
use dupfind_engine::{Pair, TopPairs};
use dupfind_files::Lock;

use crate::commands::accept::args::AcceptArgs;
use crate::decision::accepting::Accepting;
use crate::decision::baseline::names;
use crate::decision::kept_pairs::KeptPairs;
use crate::decision::messages as decided;
use crate::decision::scope::scope;
use crate::input::stdin;
use crate::process::exit::Status;
use crate::terminal::output;
use crate::terminal::progress::Progress;

/// Writes all pairs of a scan as accepted, with the reasons that are there. The file stays as it is if a document could
/// not be read, because its pairs are not known.
///
/// # Errors
///
/// The scan fails, or the file is damaged or cannot be written.
pub(super) fn accept(args: &AcceptArgs, path: &Path) -> Result<Status> {
    let mut options = (args.comparing).options(&args.scope, &args.running, &[], Some(path))?;
    let _stdin = stdin::spool(&mut options)?;
    let place = output::written(path)?;
    options
        .walk
        .outputs
        .extend(place.as_deref().map(Lock::file));
    // A narrower --fail-on keeps the accepted pairs of the other relations, with their reasons.
    let accepting = Accepting::begin(path, None, args.fail_on.relations())?;
    let scope = scope(&args.scope, &args.running.config, &options)?;
    let names = names(path, &options.walk)?;
    let baseline = Baseline::new(accepting.known.clone(), names);
    let mut gate = Gate::new(scope, Some(baseline));
    let kept = KeptPairs::of_baseline("--all", TopPairs::room(options.engine.budget.limit));
    let mut sink = kept.sink();
    let outcome = Progress::of_scan(&options, &mut gate, &mut sink);
    let outcome = outcome.map_err(|error| kept.explained(error.into()))?;
    gate.set_aside(&outcome.skipped);
    let status = Status::of(&outcome.skipped);
    if status != Status::Ok {
        decided::not_updated(path);
        return Ok(status);
    }
    let pairs = sink.into_pairs();
    let pairs: Vec<Pair> = pairs
        .into_iter()
        .filter(|pair| !gate.is_apart(pair))
        .collect();
    let Some(baseline) = gate.baseline() else {
        return Ok(status);
    };
    let (content, changes) = baseline.updated(&pairs, accepting.known.relations);
    let new = content.bytes();
    if new.len() as u64 > LARGEST {
        bail!(
            "--all: the baseline would have more than {} MB, which cannot be read again; --exclude leaves out documents",
            LARGEST >> 20
        );
    }
    let is_written = new != accepting.old;
    if is_written {
        accepting.write(&content)?;
    }
    decided::updated(path, changes, is_written);
    Ok(status)
}
