//! The data for the worklist of a report.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::formats::worklist::generated::is_generated;
use crate::model::Report;
use dupfind_decide::clean::worklist::{Wanted, Worklist};
use dupfind_engine::DocId;
use dupfind_engine::verdict::pair::Pair;

/// The most documents whose beginnings are read to see whether a program wrote them.
const MOST: usize = 5_000;

/// Returns the worklist of the pairs of a report that are to be looked at.
pub(crate) fn worklist(report: &Report<'_>) -> Worklist {
    let pairs = report.pairs.unwrap_or_default();
    let known = RefCell::new(HashMap::new());
    let is_generated = |id: DocId| {
        let mut known = known.borrow_mut();
        let has_room = known.len() < MOST;
        *known
            .entry(id)
            .or_insert_with(|| has_room && is_generated(report, id))
    };
    let wanted = Wanted {
        is_listed: &|pair: &Pair| report.gate.is_open(pair),
        is_generated: &|pair: &Pair| is_generated(pair.a) && is_generated(pair.b),
        has_sides: report.gate.scope().has_sides(),
        failing: report.failing,
    };
    Worklist::new(&report.outcome.documents, pairs, &wanted)
}
