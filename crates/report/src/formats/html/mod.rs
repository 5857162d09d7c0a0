//! The page for people: one file, with a map of the clusters, a list of the pairs, and each pair's documents
//! side by side.
//!
//! The page is a program with its data beside it. The data are JSON in script elements of a type that no
//! browser runs, escaped so that nothing in them can end the element; the program puts them into the page
//! as text only. A policy in the page forbids every script and style but its own, and all of the network.
//!
//! The data that are needed at once (measures, names, clusters) come first, then the program, then the texts, which are
//! parsed when a pair is opened.
//!
//! ```text
//! pairs ─> which have room ─> texts ─> sides ─> passages ─> rows ─┐
//! pairs, clusters, skipped ───────────────────────────────> data ─┴─> page
//! ```

pub(crate) mod beside;
mod data;
mod details;
mod harmless;
mod lang;
pub(crate) mod page;

use std::borrow::Cow;
use std::io::{self, Write};

use crate::formats::format::{Format, Writer};
use crate::formats::html::data::Data;
use crate::formats::html::details::Details;
use crate::formats::html::page::Page;
use crate::model::Report;
use crate::worklist::Worklist;
use dupfind_decide::Gate;
use dupfind_decide::gate::baseline::update::Lines;
use dupfind_engine::{Error, Pair, Relation, Relations};
use dupfind_read::source::data::OWN_PAGE;

/// A page for a browser.
pub static HTML: Format = Format {
    name: "html",
    endings: &["html", "htm"],
    help: "A page to look at: the pairs, the clusters, and the documents side by side",
    is_report: |head, _| head.contains(OWN_PAGE),
    writer: Writer::Whole {
        most_pairs: MAX_PAIRS,
        write: |report, _, out| {
            let listed = listed(report.pairs.unwrap_or_default(), report.gate);
            let report = Report {
                pairs: report.pairs.map(|_| &*listed),
                ..*report
            };
            let mut list = Worklist::new(&report);
            list.read((usize::MAX, usize::MAX))?;
            let details = Details::read(report.outcome, &listed, &opened(&listed, &list))?;
            write_html(&report, &details, &list, out).map_err(Error::Sink)
        },
    },
};

/// The most pairs that are listed. Nobody works through a longer list, and a browser would become slow.
const MAX_PAIRS: usize = 30_000;

/// How many pairs of an entry that sums pairs up can be opened: twice as many as a page shows at first. A family of a hundred pages
/// has thousands of pairs, and nobody opens them all.
const OPENED: usize = 12;

/// How many pairs can be opened whatever they are: all of a small folder.
const FIRST: usize = 100;

/// Returns for each listed pair whether it can be opened: it is among the best ones, one to look at by itself, or among the first
/// ones of an entry.
fn opened(pairs: &[Pair], list: &Worklist<'_>) -> Vec<bool> {
    let is_single = |(at, pair): (usize, &Pair)| {
        let relation = pair.relation();
        at < FIRST || Relations::DUPLICATES.have(relation) || relation == Relation::Related
    };
    let mut opened: Vec<bool> = pairs.iter().enumerate().map(is_single).collect();
    for entry in &list.entries {
        for member in entry.members.iter().take(OPENED) {
            opened[member.pair] = true;
        }
    }
    opened
}

/// Returns the pairs that a page lists, of all pairs with the best first. The open ones come first: the page is
/// opened for them, and accepted ones and those of code must not take their room.
fn listed<'p>(pairs: &'p [Pair], gate: &Gate) -> Cow<'p, [Pair]> {
    if gate.baseline().is_none() && gate.apart().total() == 0 {
        return Cow::Borrowed(&pairs[..pairs.len().min(MAX_PAIRS)]);
    }
    let that_are = |open| pairs.iter().filter(move |pair| gate.is_open(pair) == open);
    let in_turn = that_are(true).chain(that_are(false));
    in_turn.take(MAX_PAIRS).copied().collect()
}

/// Writes a report on pairs that are [`listed`] as a page.
fn write_html(
    report: &Report<'_>,
    details: &Details,
    list: &Worklist<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let data = Data::new(report, details, list);
    let lines = report.pairs.map(|pairs| accepting(report, pairs));
    Page::new(&data, details, lines.as_ref()).write(out)
}

/// Returns the lines of a baseline that would accept pairs.
fn accepting(report: &Report<'_>, pairs: &[Pair]) -> Lines {
    let (baseline, outcome) = (report.gate.baseline(), report.outcome);
    Lines::new(baseline, &outcome.documents, &outcome.sources, pairs)
}

#[cfg(test)]
mod tests;
