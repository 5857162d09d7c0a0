//! From the options about which pairs count to the gate that judges them.

use anyhow::Result;
use dupfind::gate::{Conditions, Gate, Tripped};
use dupfind::scan::Settings;
use dupfind::scan::outcome::Outcome;

use crate::cli::args::ScanArgs;
use crate::cli::{messages, scope};

/// The gate that the options ask for.
pub(crate) fn open(args: &ScanArgs, settings: &Settings) -> Result<Gate> {
    Ok(Gate::new(scope::open(args, settings)?, None))
}

/// Says why a run fails, if it does, and returns whether it does.
pub(crate) fn fails(
    conditions: Conditions,
    outcome: &Outcome,
    gate: &Gate,
    is_shown: bool,
) -> bool {
    // What is only there to be compared with is not what was to be checked.
    let own = outcome
        .documents
        .iter()
        .filter(|document| !document.is_against);
    let tripped = conditions.tripped(own.count(), outcome.pair_counts, gate);
    match tripped {
        None => return false,
        Some(Tripped::Empty) => messages::failed(
            "nothing to compare: no document was found (--fail-on-empty); --stats and the list of \
             skipped files say what was met",
        ),
        Some(Tripped::Pairs {
            counts,
            allowed,
            only_new,
        }) => messages::pairs_failed(counts, allowed, only_new, is_shown),
    }
    true
}
