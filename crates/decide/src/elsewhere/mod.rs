//! Finds the text of a page elsewhere: for each of its passages every other document that has it, with the lines, and how
//! each document is related to the page.

mod notes;
mod passage;
mod reading;

use std::cmp::Reverse;

use crate::elsewhere::passage::passages;
use crate::elsewhere::reading::{Other, Own, Read};
use crate::gate::Gate;
use dupfind_engine::verdict::pair::Share;
use dupfind_engine::{DocId, Judge, Pair, Relations, Result};
use dupfind_read::site::names::is_navigation;
use dupfind_read::{Extent, Ingested};
use dupfind_scan::{Like, Live};
use rayon::prelude::*;

pub use crate::elsewhere::notes::{Notes, Perhaps};
pub use crate::elsewhere::passage::Heading;

/// The fewest units that are a passage of a page that is long. Fewer are turns of phrase, which nobody would replace by a link.
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
    /// How the two documents are related; `None` if they only share passages.
    pub pair: Option<Pair>,
    /// How much of the page is in it: the share of a pair, or else that of the passages of both.
    pub share: Share,
}

impl Place {
    /// Returns whether it is a duplicate of the page: the two are exact or near, or one contains most of the other.
    pub fn is_duplicate(&self) -> bool {
        is_duplicate(self.pair.as_ref())
    }
}

/// Returns whether the two documents of a pair, if it is one, are duplicates.
fn is_duplicate(pair: Option<&Pair>) -> bool {
    pair.is_some_and(|pair| Relations::DUPLICATES.have(pair.relation()))
}

/// What the text of a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text for readers.
    Text,
    /// Program code.
    Code,
    /// A licence or a notice of rights.
    Licence,
}

/// A passage of a page that other documents have.
#[derive(Debug, Clone)]
pub struct Passage {
    /// Its lines in the page.
    pub mine: Lines,
    /// The pages of a PDF that they are on, else the lines.
    pub extent: Extent,
    /// Its share of the page's text.
    pub share: Share,
    /// How many of its units are elsewhere.
    pub units: usize,
    /// What it is.
    pub kind: Kind,
    /// Where it is elsewhere: duplicates of the page that have half of it first, then the document that has most of it. Never empty.
    pub twins: Vec<Twin>,
}

impl Passage {
    /// Returns how many documents have half of what the first one has, and more. They are the first ones.
    pub fn copies(&self) -> usize {
        let first = self.twins[0].units;
        self.twins.partition_point(|twin| twin.units * 2 >= first)
    }
}

/// A passage, or most of it, in another document.
#[derive(Debug, Clone)]
pub struct Twin {
    /// The position of the document in [`Elsewhere::places`].
    pub place: usize,
    /// Its lines in that document.
    pub its: Lines,
    /// The pages of a PDF that they are on, else the lines.
    pub extent: Extent,
    /// The last heading on or before these lines.
    pub heading: Option<Heading>,
    /// How many units are the same.
    pub units: usize,
    /// The most of them in a row, but for those of headings, code and tables.
    pub run: usize,
    /// Its text in that document.
    pub text: String,
    /// Whether both documents have the same units there, and its lines in the page have no others.
    pub is_all_of_its_lines: bool,
    /// Whether the two have other numbers or versions there, or one negates what the other says.
    pub tells_other: bool,
}

/// Where else the text of a page is.
#[derive(Debug, Default)]
pub struct Elsewhere {
    /// The passages: the longest one of each duplicate of the page, then the others, both with the longest first. Their lines in
    /// the page do not overlap.
    pub passages: Vec<Passage>,
    /// How many of the first passages are the longest one of a duplicate.
    pub duplicates: usize,
    /// The other documents: pairs first, the closest relation first, then those that share most.
    pub places: Vec<Place>,
    /// The share of the page's text that is in a passage.
    pub share: Share,
    /// How many pairs are accepted.
    pub accepted: usize,
    /// How many documents share text with the page and were not looked at, as they are other versions or languages of the site.
    pub apart: usize,
}

impl Elsewhere {
    /// Returns the document that a twin is in.
    pub fn place(&self, twin: &Twin) -> &Place {
        &self.places[twin.place]
    }
}

/// Returns where else the text of a page is. `name` is its name, and may be empty; otherwise documents of another version or
/// language are left out. `gate` decides which pairs count. `None` if the page has no text, or asks not to be compared.
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
        holders,
    } = like;
    let is_apart = |id: DocId| live.are_apart(name, &documents[id.index()].name);
    let mut is_open = |pair: &Pair| {
        let counts = gate.compares(pair.a, pair.b) && gate.counts(&documents, pair, 1);
        counts && (is_apart(pair.b) || gate.is_open(pair))
    };
    let (open, settled): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(&mut is_open);
    let is_accepted = |pair: &&Pair| gate.compares(pair.a, pair.b) && !gate.is_apart(pair);
    let accepted = settled.iter().filter(is_accepted).count();
    let is_pair = |id: &DocId| open.iter().chain(&settled).any(|pair| pair.b == *id);
    let others = holders.iter().filter(|id| !is_pair(id));
    let others = others.filter(|id| gate.compares(DocId::from(0), **id));
    let others = others.map(|id| (*id, None));
    // Nobody links to data, such as translations of the page, or to a table of contents.
    let is_text = |id: DocId, pair: Option<&Pair>| {
        let other = &documents[id.index()];
        let is_menu = is_navigation(&other.name) && !is_duplicate(pair);
        (documents[0].is_code || !other.is_code) && !is_menu
    };
    let wanted = open.iter().map(|pair| (pair.b, Some(*pair))).chain(others);
    let wanted = wanted.filter(|(id, pair)| is_text(*id, pair.as_ref()));
    let (apart, wanted): (Vec<_>, Vec<_>) = wanted.partition(|(id, _)| is_apart(*id));
    let read = |(id, pair): (DocId, _)| Read::new(live, &documents[id.index()].name, pair);
    let texts: Vec<Read> = wanted.into_par_iter().filter_map(read).collect();
    let options = live.scan_options().engine;
    let own = Own::new(page, &options);
    let others = texts.par_iter().filter_map(|text| own.shared(text));
    let mut others: Vec<Other<'_>> = others.collect();
    others.sort_by_cached_key(|other| {
        let relation = other.read.pair.map(|pair| pair.relation());
        let rank = (relation.is_none(), relation, Reverse(other.same()));
        (rank, other.read.name.clone())
    });
    let (passages, duplicates) = passages(&own, &others);
    Ok(Some(Elsewhere {
        share: own.share(passages.iter().map(|passage| passage.units).sum()),
        passages,
        duplicates,
        places: others
            .iter()
            .map(|other| other.place(&own, &documents))
            .collect(),
        accepted,
        apart: apart.len(),
    }))
}
