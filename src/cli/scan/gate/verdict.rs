//! Whether a run fails.

use crate::gate::{Conditions, Gate, Tripped};
use crate::scan::outcome::Outcome;

use crate::cli::scan::gate::messages::pairs_failed;
use crate::cli::terminal::messages::failed;

/// Returns why a run fails, if it does.
pub(crate) fn tripped(conditions: Conditions, outcome: &Outcome, gate: &Gate) -> Option<Tripped> {
    // The documents of --against are not those that are checked.
    let sources = outcome.sources.documents.iter();
    let own = sources.filter(|source| !source.is_against);
    conditions.tripped(own.count(), outcome.pair_counts, gate)
}

/// Prints why a run fails, if it does, and returns whether it does. `pairs_are_shown` says that the user sees the
/// pairs anyway.
pub(crate) fn fails(
    conditions: Conditions,
    outcome: &Outcome,
    gate: &Gate,
    pairs_are_shown: bool,
) -> bool {
    match tripped(conditions, outcome, gate) {
        None => return false,
        Some(Tripped::Empty) => failed(
            "nothing to compare: no document was found; --format json lists what was skipped, --allow-empty takes \
             it for right",
        ),
        Some(Tripped::Pairs {
            counts,
            allowed,
            only_new,
        }) => pairs_failed(counts, allowed, only_new, pairs_are_shown),
    }
    true
}
