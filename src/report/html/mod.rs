//! The page for people: one file that needs nothing else, with a map of the clusters, a list of the pairs,
//! and each pair's documents side by side.
//!
//! The page is a program with its data beside it. The data are JSON in script elements of a type that no
//! browser runs, escaped so that nothing in them can end the element; the program puts them into the page
//! as text only. A policy in the page forbids every script and style but its own, and all of the network.
//!
//! What is needed at once (measures, names, clusters) comes first, then the program, then the texts, which
//! are parsed when a pair is opened.
//!
//! ```text
//! pairs ─> which have room ─> texts ─> sides ─> passages ─> rows ─┐
//! pairs, clusters, skipped ───────────────────────────────> data ─┴─> page
//! ```

mod data;
mod details;
mod embed;
mod noscript;
mod offsets;
mod page;
mod rows;

use std::borrow::Cow;
use std::io::{self, Write};

pub(crate) use details::Details;

use crate::engine::outcome::Pair;
use crate::gate::Gate;
use crate::report::html::data::Data;
use crate::report::html::page::Page;
use crate::report::model::Report;

/// The most pairs that are listed: beyond, a list is no longer something to work through, and a browser
/// no longer quick. The first ones are taken.
pub(crate) const MOST_PAIRS: usize = 30_000;

/// Takes pairs, the best first, and who judged them; returns those that a page lists. With a baseline the open
/// ones come first: they are what the page is opened for, and accepted ones must not take their room.
pub(crate) fn listed<'p>(pairs: &'p [Pair], gate: &Gate) -> Cow<'p, [Pair]> {
    if gate.baseline().is_none() {
        return Cow::Borrowed(&pairs[..pairs.len().min(MOST_PAIRS)]);
    }
    let that_are = |open| pairs.iter().filter(move |pair| gate.is_open(pair) == open);
    let in_turn = that_are(true).chain(that_are(false));
    in_turn.take(MOST_PAIRS).copied().collect()
}

/// Writes a report on pairs that are [`listed`] as a page, with what is known about single pairs.
pub(crate) fn write_html(
    report: &Report<'_>,
    details: &Details,
    out: &mut dyn Write,
) -> io::Result<()> {
    let data = Data::new(report, details);
    Page::new(&data, details).write(out)
}

#[cfg(test)]
mod tests;
