//! Finds the text of a page elsewhere: in which other documents it is, on which lines, and how each is related to the
//! page.

use std::ops::Range;

use crate::compare::search::find_passages;
use crate::compare::side::Side;
use crate::gate::Gate;
use dupfind_engine::pairing::sink::Judge;
use dupfind_engine::text::blocks::{Block, BlockKind, blocks};
use dupfind_engine::verdict::pair::{Pair, Share};
use dupfind_engine::{Options, Result};
use dupfind_read::Ingested;
use dupfind_scan::live::Live;
use dupfind_scan::live::like::Like;

/// The fewest units that are a passage, unless the page has fewer. Fewer are turns of phrase, which nobody would replace by a
/// link.
pub const PASSAGE: usize = 24;

/// The first and the last line of a stretch of a text, from 1.
pub type Lines = (usize, usize);

/// Another document that has text of a page.
#[derive(Debug, Clone)]
pub struct Place {
    /// Its name.
    pub page: String,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// The last heading before the first passage in it.
    pub heading: Option<String>,
    /// How the two documents are related; `None` if they only share passages.
    pub pair: Option<Pair>,
    /// The share of the page's text that is in these passages.
    pub share: Share,
    /// The share of the other document's text that is in them.
    pub its_share: Share,
    /// The passages, in the order of the page.
    pub passages: Vec<SharedPassage>,
}

/// A passage of a page that another document has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedPassage {
    /// Its lines in the page.
    pub mine: Lines,
    /// Its lines in the other document.
    pub its: Lines,
    /// How many units are the same.
    pub units: usize,
    /// Its text in the other document.
    pub its_text: String,
    /// Whether both documents have the same units there, and its lines in the page have no others.
    pub is_all_of_its_lines: bool,
}

/// Where else the text of a page is.
#[derive(Debug, Default)]
pub struct Elsewhere {
    /// The other documents: pairs first, the closest relation first, then those that share the longest passages.
    pub places: Vec<Place>,
    /// The share of the page's text that is in a passage of at least one of them.
    pub share: Share,
    /// How many pairs are accepted, or left out by a rule.
    pub settled: usize,
}

/// Returns where else the text of a page is. `name` is its name, and may be empty. `gate` decides which pairs count. `None` if
/// the page has no text, or asks not to be compared.
///
/// # Errors
///
/// The index cannot be read, or is damaged.
pub fn elsewhere(
    live: &Live,
    mut gate: Gate,
    name: &str,
    page: &Ingested<'_>,
) -> Result<Option<Elsewhere>> {
    let Some(like) = live.like(name, page, &mut gate)? else {
        return Ok(None);
    };
    let Like {
        documents,
        pairs,
        parts,
        ..
    } = like;
    let mut is_open = |pair: &Pair| {
        let counts = gate.compares(pair.a, pair.b) && gate.counts(&documents, pair, 1);
        counts && gate.is_open(pair)
    };
    let (open, settled): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(&mut is_open);
    let names = |pairs: &[Pair]| -> Vec<String> {
        let names = pairs.iter().map(|pair| &documents[pair.b.index()].name);
        names.cloned().collect()
    };
    let (open_names, settled_names) = (names(&open), names(&settled));
    let mut page = Page::new(live, page);
    let pairs = open_names.iter().zip(&open);
    let mut places: Vec<Place> = pairs
        .filter_map(|(name, pair)| page.place(name, Some(*pair)))
        .collect();
    let is_new = |name: &&String| !open_names.contains(name) && !settled_names.contains(name);
    let parts = parts.iter().filter(is_new);
    let parts = parts.filter_map(|name| page.place(name, None));
    let mut parts: Vec<Place> = parts.filter(|part| !part.passages.is_empty()).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.share));
    places.append(&mut parts);
    Ok(Some(Elsewhere {
        places,
        share: page.share(),
        settled: settled.len(),
    }))
}

/// A page whose passages are looked for in others.
pub struct Page<'p> {
    live: &'p Live,
    options: Options,
    side: Side<'p>,
    is_elsewhere: Vec<bool>,
}

impl<'p> Page<'p> {
    /// Returns a page of these documents.
    #[must_use]
    pub fn new(live: &'p Live, page: &'p Ingested<'_>) -> Self {
        let options = live.scan_options().engine;
        let side = Side::new(&page.text, &options);
        Self {
            is_elsewhere: vec![false; side.units().len()],
            live,
            options,
            side,
        }
    }

    /// Returns the share of its text that is in the places that were looked at.
    #[must_use]
    pub fn share(&self) -> Share {
        let found = self.is_elsewhere.iter().filter(|&&is| is).count();
        share(found, self.is_elsewhere.len())
    }

    /// Returns whether the lines of some units have no other units.
    fn is_of_whole_lines(&self, units: &Range<usize>) -> bool {
        let (first, last) = self.side.lines(units);
        let line_of = |unit: usize| self.side.lines(&(unit..unit + 1));
        let before = units.start.checked_sub(1).map(|unit| line_of(unit).1);
        let behind = (units.end < self.side.units().len()).then(|| line_of(units.end).0);
        before.is_none_or(|line| line < first) && behind.is_none_or(|line| line > last)
    }

    /// Returns the passages that another document has. `None` if that cannot be read any more.
    pub fn place(&mut self, name: &str, pair: Option<Pair>) -> Option<Place> {
        let other = self.live.read(name)?;
        let its = Side::new(&other.text, &self.options);
        let passages = find_passages(&self.side, &its).passages;
        let least = PASSAGE.min(self.side.units().len());
        let mut shared = Vec::new();
        for found in passages.into_iter().filter(|found| found.same() >= least) {
            for part in found.parts.iter().filter(|part| part.is_same) {
                self.is_elsewhere[part.a.clone()].fill(true);
            }
            shared.push(SharedPassage {
                mine: self.side.lines(&found.a),
                its: its.lines(&found.b),
                units: found.same(),
                is_all_of_its_lines: found.changes() == 0 && self.is_of_whole_lines(&found.a),
                its_text: other.text[its.stretch(&found.b)].trim().to_owned(),
            });
        }
        shared.sort_by_key(|passage| passage.mine);
        let units = shared.iter().map(|passage| passage.units).sum();
        let line = shared.first().map_or(0, |found| found.its.0);
        let title = other.titled().title(&mut String::new());
        Some(Place {
            page: name.to_owned(),
            title: title.shown().map(str::to_owned),
            heading: heading(&other, line),
            pair,
            share: share(units, self.side.units().len()),
            its_share: share(units, its.units().len()),
            passages: shared,
        })
    }
}

fn share(units: usize, all: usize) -> Share {
    let [units, all] = [units, all].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    Share::new(units, all)
}

/// Returns the last heading of a document on or before a line.
fn heading(document: &Ingested<'_>, line: usize) -> Option<String> {
    let blocks = blocks(&document.text, &document.layout);
    let is_heading = |block: &&Block<'_>| block.kind == BlockKind::Heading;
    let mut headings = blocks.iter().filter(is_heading);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let before = headings.rfind(|block| block.start_line as usize <= line);
    before.map(|block| words(block.text))
}
