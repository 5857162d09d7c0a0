//! The data for the worklist of a report.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::formats::worklist::generated::is_generated;
use crate::model::Report;
use dupfind_decide::clean::worklist::{Wanted, Worklist};
use dupfind_engine::detect::Detector;
use dupfind_engine::features::features_of;
use dupfind_engine::run::observer::Silent;
use dupfind_engine::verdict::pair::Pair;
use dupfind_engine::{DocId, Options};
use dupfind_scan::texts::read_texts;

/// The most documents whose beginnings are read to see whether a program wrote them.
const MOST: usize = 5_000;

/// Returns the worklist of the pairs of a report that are to be looked at.
pub(crate) fn worklist(report: &Report<'_>) -> Worklist {
    let pairs = report.pairs.unwrap_or_default();
    wanted(report, |wanted| {
        Worklist::new(&report.outcome.documents, pairs, wanted)
    })
}

/// Calls a function with the data for the worklist of a report.
pub(super) fn wanted<T>(report: &Report<'_>, make: impl FnOnce(&Wanted<'_>) -> T) -> T {
    let known = RefCell::new(HashMap::new());
    let is_generated = |id: DocId| {
        let mut known = known.borrow_mut();
        let has_room = known.len() < MOST;
        *known
            .entry(id)
            .or_insert_with(|| has_room && is_generated(report, id))
    };
    make(&Wanted {
        is_listed: &|pair: &Pair| report.gate.is_open(pair),
        is_generated: &|pair: &Pair| is_generated(pair.a) && is_generated(pair.b),
        has_sides: report.gate.scope().has_sides(),
        failing: report.failing,
        shingles: &|ids: &[DocId]| shingles(report, ids),
    })
}

/// Returns the shingle sets of documents that are whole files and are still the same.
fn shingles(report: &Report<'_>, ids: &[DocId]) -> Vec<Option<Vec<u64>>> {
    let sources = &report.outcome.sources;
    if ids.iter().any(|&id| sources.of(id).is_record()) {
        return vec![None; ids.len()];
    }
    let texts = read_texts(report.settings, report.outcome, ids).into_iter();
    let texts: Vec<Option<String>> = texts.map(Result::ok).collect();
    let options = Options {
        detectors: [Detector::Shingle].into_iter().collect(),
        ..report.settings.engine.clone()
    };
    let made = features_of(&options, &texts, &Silent);
    let made = made.unwrap_or_else(|_| vec![None; ids.len()]);
    made.into_iter()
        .map(|features| Some(features?.sorted_shingles()))
        .collect()
}
