//! The words of reports on the entries of a worklist.
//!
//! ```text
//! entries to be shown ─> texts, read again ─> differences ──┐
//! entries, pairs ───────────────────────────────────────────┴─> sentences
//! ```

mod details;
mod differences;
mod sentence;

use crate::model::Report;
use dupfind_decide::clean::worklist::{Wanted, Worklist};
use dupfind_engine::verdict::pair::Pair;

pub(crate) use details::{Details, swapped};
pub(crate) use differences::Swapped;
pub(crate) use sentence::sentence;

/// Returns the worklist of the pairs of a report that are to be looked at.
pub(crate) fn worklist(report: &Report<'_>) -> Worklist {
    let pairs = report.pairs.unwrap_or_default();
    let wanted = Wanted {
        is_listed: &|pair: &Pair| report.gate.is_open(pair),
        has_sides: report.gate.scope().has_sides(),
        failing: report.failing,
    };
    Worklist::new(&report.outcome.documents, pairs, &wanted)
}
