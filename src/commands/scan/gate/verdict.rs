//! Whether a run fails.

use dupfind_decide::gate::{Gate, Tripped};
use dupfind_scan::outcome::Outcome;

use crate::args::pairs::gate::GateArgs;
use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::next;
use crate::decision::messages::{empty_failed, pairs_failed};

/// Returns why a run fails, if it does.
pub(crate) fn tripped(args: &GateArgs, outcome: &Outcome, gate: &Gate) -> Option<Tripped> {
    let own = outcome.sources.own();
    let other = outcome.sources.documents.len() - own;
    let has_sides = gate.scope().has_sides();
    if args.fails_empty(own, has_sides.then_some(other)) {
        return Some(Tripped::Empty);
    }
    args.conditions().tripped(outcome.pair_counts, gate)
}

/// Prints why a run fails, if it does, and returns whether it does. `pairs_are_shown` means that the user sees the
/// pairs anyway.
pub(crate) fn fails(
    args: &ScanArgs,
    outcome: &Outcome,
    gate: &Gate,
    pairs_are_shown: bool,
) -> bool {
    match tripped(&args.gate, outcome, gate) {
        None => return false,
        Some(Tripped::Empty) => empty_failed(),
        Some(Tripped::Pairs {
            counts,
            allowed,
            only_new,
        }) => {
            let accept = args.typed.as_ref().and_then(next::accept);
            pairs_failed(
                counts,
                allowed,
                only_new,
                pairs_are_shown,
                accept.as_deref(),
            );
        }
    }
    true
}
