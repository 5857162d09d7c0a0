//! The layout of the documents, if comparing each language or version with itself is worth proposing.

use crate::model::Report;
use crate::say;
use crate::style::numbers::amount;
use dupfind_decide::clean::worklist::layout::{Layout, layout};
use dupfind_decide::gate::Gate;
use dupfind_engine::verdict::pair::Pair;
use dupfind_scan::Scan;

/// How many folders are named.
const NAMED: usize = 4;

/// Returns the layout of the documents; none if the run divides them already.
#[must_use]
pub fn proposed(outcome: &Scan, gate: &Gate) -> Option<Layout> {
    let scope = gate.scope();
    let names = outcome.documents.iter().map(|document| &*document.name);
    (!scope.has_sides() && !scope.is_divided())
        .then(|| layout(names))
        .flatten()
}

/// The layout of a report with pairs between its languages or versions.
pub(crate) struct Proposal {
    layout: Layout,
    /// How many of the pairs to be looked at are between them.
    pairs: u64,
}

impl Proposal {
    /// Returns the layout, if it is worth proposing.
    pub(crate) fn of(report: &Report<'_>) -> Option<Self> {
        let layout = proposed(report.outcome, report.gate)?;
        let pairs = report.pairs.unwrap_or_default().iter();
        let between = pairs.filter(|pair| is_between(&layout, pair) && report.gate.is_open(pair));
        let pairs = between.count() as u64;
        (pairs > 0).then_some(Self { layout, pairs })
    }

    /// Returns whether a pair is between two languages or versions.
    pub(crate) fn is_between(&self, pair: &Pair) -> bool {
        is_between(&self.layout, pair)
    }

    /// Returns the option that compares each language or version with itself.
    pub(crate) fn option(&self) -> String {
        option(&self.layout)
    }

    /// Returns a sentence with the option.
    pub(crate) fn sentence(&self) -> String {
        say!(
            "{} between folders of languages or versions ({}): {} compares each with itself",
            amount(self.pairs, "pair"),
            values(&self.layout),
            self.option()
        )
    }
}

/// Returns the option that compares each language or version with itself.
#[must_use]
pub fn option(layout: &Layout) -> String {
    format!("--within '{}'", layout.pattern)
}

/// Returns the names of the folders of a layout, as people read them.
#[must_use]
pub fn values(layout: &Layout) -> String {
    let all = &layout.values;
    let rest = all.len().saturating_sub(NAMED);
    let mut values = all[..all.len() - rest].join(", ");
    if rest > 0 {
        values.push_str(", …");
    }
    values
}

fn is_between(layout: &Layout, pair: &Pair) -> bool {
    let [a, b] = [pair.a, pair.b].map(|id| layout.of[id.index()]);
    a.is_some() && b.is_some() && a != b
}
