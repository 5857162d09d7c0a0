//! The layout of the documents, if comparing each language or version with itself is worth proposing.

use crate::model::Report;
use crate::say;
use crate::style::numbers::amount;
use dupfind_decide::gate::Gate;
use dupfind_decide::gate::scope::layout::{Layout, layout};
use dupfind_scan::outcome::Outcome;

/// How many folders are named.
const NAMED: usize = 4;

/// Returns the layout of the documents; none if the run divides them already.
#[must_use]
pub fn proposed(outcome: &Outcome, gate: &Gate) -> Option<Layout> {
    let scope = gate.scope();
    let names = outcome.documents.iter().map(|document| &*document.name);
    (!scope.has_sides() && !scope.is_divided())
        .then(|| layout(names))
        .flatten()
}

/// Returns a sentence with the option that compares each language or version with itself, if there are pairs between
/// them.
pub(crate) fn proposal(report: &Report<'_>) -> Option<String> {
    let layout = proposed(report.outcome, report.gate)?;
    let pairs = report.pairs.unwrap_or_default().iter();
    let between = pairs.filter(|pair| {
        let [a, b] = [pair.a, pair.b].map(|id| layout.of[id.index()]);
        a.is_some() && b.is_some() && a != b && report.gate.is_open(pair)
    });
    let between = between.count() as u64;
    if between == 0 {
        return None;
    }
    let rest = layout.values.len().saturating_sub(NAMED);
    let mut values = layout.values[..layout.values.len() - rest].join(", ");
    if rest > 0 {
        values.push_str(", …");
    }
    Some(say!(
        "{} between folders of languages or versions ({}): --within '{}' compares each with itself, and --init writes it to \
         dupfind.toml",
        amount(between, "pair"),
        values,
        layout.pattern
    ))
}
