//! The gate of a scan: which pairs count, which are new, and whether the run fails. It is opened before the scan. Its
//! findings are printed after the scan.

mod baseline_file;
mod left_out;
mod revision;

use anyhow::{Context, Result};
use dupfind_decide::gate::{Gate, Tripped};
use dupfind_engine::run::observer::Observer;
use dupfind_report::formats::TABLE;
use dupfind_scan::ScanOptions;
use dupfind_scan::outcome::Outcome;

use crate::args::pairs::gate::GateArgs;
use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::gate::baseline_file::BaselineUpdate;
use crate::commands::scan::next;
use crate::decision::messages as decided;
use crate::terminal::messages;

/// Returns the gate that the arguments ask for, and the update of its baseline if that is requested.
///
/// # Errors
///
/// The baseline, a pattern or a git revision cannot be read.
pub(super) fn open<'a>(
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

/// Prints the accepted pairs that are gone, the rules that left out pairs, and the arguments about the scope that had no
/// effect.
pub(super) fn report(args: &ScanArgs, outcome: &Outcome, gate: &Gate) {
    // A run of changed documents does not see all pairs, and an update drops those that are gone.
    let sees_all = args.scope.changed_since.is_none() && !args.gate.update_baseline;
    if let (true, Some(path), Some(baseline)) = (sees_all, &args.gate.baseline, gate.baseline()) {
        decided::stale(path, baseline.stale());
    }
    if args.report.format.is_empty() || args.report.format.iter().any(|to| to.format == &TABLE) {
        gate.left_out_by().iter().for_each(decided::left_out);
    }
    if let Some(unmatched) = gate.scope().unmatched() {
        messages::warning(&unmatched);
    }
    let mut sources = outcome.sources.documents.iter();
    let has_other_side = sources.any(|source| source.is_against);
    if !args.scope.against.is_empty() && !has_other_side {
        messages::warning("--against: it has no document that the other paths do not have");
    }
}

/// Returns why a run fails, if it does.
pub(super) fn tripped(args: &GateArgs, outcome: &Outcome, gate: &Gate) -> Option<Tripped> {
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
pub(super) fn fails(
    args: &ScanArgs,
    outcome: &Outcome,
    gate: &Gate,
    pairs_are_shown: bool,
) -> bool {
    match tripped(&args.gate, outcome, gate) {
        None => return false,
        Some(Tripped::Empty) => decided::empty_failed(),
        Some(Tripped::Pairs {
            counts,
            allowed,
            only_new,
        }) => {
            let accept = next::accept(&args.typed);
            decided::pairs_failed(
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
