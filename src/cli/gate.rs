//! From the options about which pairs count to the gate that judges them.

use crate::engine::observer::Observer;
use crate::engine::outcome::Outcome;
use crate::gate::{Conditions, Gate, Tripped};
use crate::scan::ScanOptions;
use anyhow::{Context, Result};

use crate::cli::args::ScanArgs;
use crate::cli::baseline::{self, Update};
use crate::cli::{messages, scope};

/// The gate that the options ask for, and how to update its baseline if that is asked for too.
pub(crate) fn open<'a>(
    args: &'a ScanArgs,
    settings: &ScanOptions,
    observer: &dyn Observer,
) -> Result<(Gate, Option<Update<'a>>)> {
    let (baseline, update) = match &args.gate.baseline_from {
        Some(reference) => {
            let baseline = baseline::of_revision(args, settings, reference, observer);
            (Some(baseline.context("--baseline-from")?), None)
        }
        None => baseline::open(args, settings)?,
    };
    Ok((Gate::new(scope::open(args, settings)?, baseline), update))
}

/// Why a run fails, if it does.
pub(crate) fn tripped(conditions: Conditions, outcome: &Outcome, gate: &Gate) -> Option<Tripped> {
    // What is only there to be compared with is not what was to be checked.
    let own = outcome
        .documents
        .iter()
        .filter(|document| !document.is_against);
    conditions.tripped(own.count(), outcome.pair_counts, gate)
}

/// Says why a run fails, if it does, and returns whether it does.
pub(crate) fn fails(
    conditions: Conditions,
    outcome: &Outcome,
    gate: &Gate,
    is_shown: bool,
) -> bool {
    match tripped(conditions, outcome, gate) {
        None => return false,
        Some(Tripped::Empty) => messages::failed(
            "nothing to compare: no document was found (--fail-on-empty); --format json lists what was \
             skipped",
        ),
        Some(Tripped::Pairs {
            counts,
            allowed,
            only_new,
        }) => messages::pairs_failed(counts, allowed, only_new, is_shown),
    }
    true
}
