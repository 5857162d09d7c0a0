//! The few documents that explain a document.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::language::phrase;
use crate::say;
use crate::style::escape::visible;
use crate::style::numbers::{place, place_in_words};
use dupfind_decide::compare::side::Side;
use dupfind_engine::Options;
use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::verdict::pair::Share;
use dupfind_index::gather::{Gathered, Part};
use dupfind_read::extract::pages::{Extent, PageBreaks};
use dupfind_read::format::Format;

/// The fewest units in a row that are a passage.
const PASSAGE: usize = 12;

/// The documents that explain a document, with the lines of its parts.
pub struct Explained {
    parts: Vec<ExplainedPart>,
    /// How much of it is in none of them; `None` if only passages are listed.
    nowhere: Option<Share>,
}

/// A part of a document that another one explains.
struct ExplainedPart {
    name: String,
    /// The share of the document that it adds.
    adds: Share,
    /// The share of the document that both have.
    shares: Share,
    /// Where it is in the document, and in the other one.
    lines: [Lines; 2],
}

/// Where a part is in a text.
#[derive(Default)]
struct Lines {
    /// The first and the last line of each stretch.
    stretches: Vec<(usize, usize)>,
    /// How many shingles of it begin in a row, at most.
    row: usize,
    /// Where the pages of the text begin.
    breaks: PageBreaks,
}

impl Lines {
    /// Returns the first and the last page of each stretch; none if the text has no pages.
    fn pages(&self) -> Vec<(usize, usize)> {
        let pages = |&lines| self.breaks.pages(lines);
        self.stretches.iter().filter_map(pages).collect()
    }

    /// Returns where the stretches are. Those that are on one page are one place.
    fn places(&self) -> Vec<Extent> {
        let mut places: Vec<Extent> = Vec::new();
        for &lines in &self.stretches {
            let place = self.breaks.extent(lines);
            match (places.last_mut(), place) {
                (Some(Extent::Pages(_, last)), Extent::Pages(first, end)) if *last >= first => {
                    *last = end;
                }
                _ => places.push(place),
            }
        }
        places
    }
}

/// Returns places as `3-80, 91`, or `p. 2, p. 5`.
fn listed(places: &[Extent]) -> String {
    let places: Vec<String> = places.iter().copied().map(place).collect();
    places.join(", ")
}

/// Returns places as `lines 3-80, 91`, or `p. 2, p. 5`.
fn in_words(places: &[Extent]) -> String {
    match places {
        [one] => place_in_words(*one),
        [Extent::Lines(..), ..] => say!("lines {}", listed(places)),
        _ => listed(places),
    }
}

/// The documents that explain a document.
#[derive(Debug, Serialize)]
pub struct ExplainedRecord<'r> {
    /// The document.
    a: &'r str,
    /// The documents that explain it, the one that explains most first.
    parts: Vec<PartRecord<'r>>,
    /// The share of it that is in none of them, from 0 to 1; `null` if only passages are listed.
    nowhere: Option<f64>,
}

/// A document that explains a part.
#[derive(Debug, Serialize)]
struct PartRecord<'r> {
    /// The document of the index.
    b: &'r str,
    /// The share of `a` that it explains and none before it does, from 0 to 1, rounded down to four decimals.
    adds: f64,
    /// The share of `a` that both have.
    shares: f64,
    /// The lines of `a` that it explains, as first and last line of each stretch; empty if they are not known.
    lines: &'r [(usize, usize)],
    /// Where these are in `b`; empty if it cannot be read or was changed since.
    b_lines: &'r [(usize, usize)],
    /// Optional: the pages of the file of `a` that each of these stretches is on, the first and the last one, from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pages: Vec<(usize, usize)>,
    /// Optional: those of the file of `b`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    b_pages: Vec<(usize, usize)>,
}

impl Explained {
    /// Returns the documents that explain a document of this text. Without a text lines are not known. `read` returns
    /// the text of a document of the index, if it is still the same.
    pub fn new(
        gathered: &Gathered,
        text: Option<(&str, Format)>,
        options: &Options,
        read: impl Fn(&Part) -> Option<(String, Format)>,
    ) -> Self {
        let nowhere = u32::try_from(gathered.nowhere).unwrap_or(u32::MAX);
        let all = u32::try_from(gathered.shingles).unwrap_or(u32::MAX);
        Self {
            nowhere: Some(Share::new(nowhere, all)),
            ..Self::with_rows(gathered, text, options, 0, read)
        }
    }

    /// As [`Self::new`], with the parts only that have enough units in a row to be a passage. `None` if there is none.
    pub fn passages(
        gathered: &Gathered,
        text: Option<(&str, Format)>,
        options: &Options,
        read: impl Fn(&Part) -> Option<(String, Format)>,
    ) -> Option<Self> {
        let least = PASSAGE
            .saturating_sub(options.shingle_size.get() - 1)
            .max(1);
        let found = Self::with_rows(gathered, text, options, least, read);
        (!found.parts.is_empty()).then_some(found)
    }

    /// Returns the parts with at least so many shingles that begin in a row.
    fn with_rows(
        gathered: &Gathered,
        text: Option<(&str, Format)>,
        options: &Options,
        least: usize,
        read: impl Fn(&Part) -> Option<(String, Format)>,
    ) -> Self {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let share = |part: usize| Share::new(count(part), count(gathered.shingles));
        let lines_in = |text: Option<(&str, Format)>, parts: &[Part]| -> Vec<Lines> {
            let found = text.map(|text| lines_of_parts(parts, text, options));
            found.unwrap_or_else(|| parts.iter().map(|_| Lines::default()).collect())
        };
        let parts = gathered.parts.as_slice();
        let of_parts = parts.iter().zip(lines_in(text, parts));
        let of_parts = of_parts.filter(|(_, lines)| lines.row >= least);
        let parts = of_parts.map(|(part, lines)| {
            let other = read(part);
            let other = other
                .as_ref()
                .map(|(text, format)| (text.as_str(), *format));
            let other = lines_in(other, std::slice::from_ref(part));
            ExplainedPart {
                name: part.name.clone(),
                adds: share(part.adds.len()),
                shares: share(part.shared),
                lines: [lines, other.into_iter().next().unwrap_or_default()],
            }
        });
        Self {
            parts: parts.collect(),
            nowhere: None,
        }
    }

    /// Returns the record of a document of this name.
    pub fn record<'r>(&'r self, name: &'r str) -> ExplainedRecord<'r> {
        let parts = self.parts.iter().map(|part| PartRecord {
            b: &part.name,
            adds: part.adds.as_number(),
            shares: part.shares.as_number(),
            lines: &part.lines[0].stretches,
            b_lines: &part.lines[1].stretches,
            pages: part.lines[0].pages(),
            b_pages: part.lines[1].pages(),
        });
        ExplainedRecord {
            a: name,
            parts: parts.collect(),
            nowhere: self.nowhere.map(Share::as_number),
        }
    }

    /// Writes the parts for people.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "  {}",
            match self.nowhere {
                Some(_) => phrase("made of:"),
                None => phrase("no pair, but passages of it are in:"),
            }
        )?;
        for part in &self.parts {
            let adds = part.adds.to_string();
            write!(out, "  {adds:>5}  {}", visible(&part.name))?;
            let [here, there] = part.lines.each_ref().map(Lines::places);
            match (here.as_slice(), there.as_slice()) {
                ([], _) => writeln!(out)?,
                (here, []) => writeln!(out, " {}", say!("(here: {})", in_words(here)))?,
                (here, there) => writeln!(
                    out,
                    " {}",
                    say!("({}; here: {})", in_words(there), listed(here))
                )?,
            }
        }
        match self.nowhere {
            Some(share) => writeln!(out, "  {:>5}  {}", share.to_string(), phrase("nowhere")),
            None => Ok(()),
        }
    }
}

/// Returns where each part is in a text. A stretch of lines is at least half explained by its part.
fn lines_of_parts(parts: &[Part], (text, format): (&str, Format), options: &Options) -> Vec<Lines> {
    let side = Side::of_file(text, format, options);
    let mut part_of = HashMap::new();
    for (at, part) in parts.iter().enumerate() {
        part_of.extend(part.adds.iter().map(|&shingle| (shingle, at)));
    }
    // How many shingles of each line each part explains, and how many begin there.
    let mut counts: HashMap<usize, (usize, HashMap<usize, usize>)> = HashMap::new();
    let of_part = |_| Lines {
        breaks: side.breaks().clone(),
        ..Lines::default()
    };
    let mut found: Vec<Lines> = parts.iter().map(of_part).collect();
    let mut row = (None, 0);
    let width = options.shingle_size.get();
    let mut shingler = Shingler::new();
    for (at, window) in side
        .units()
        .windows(width.min(side.units().len()).max(1))
        .enumerate()
    {
        let line = side.lines(&(at..at + 1)).0;
        let of_line = counts.entry(line).or_default();
        of_line.0 += 1;
        let set = shingler.set(window, options.shingle_size);
        let part = set
            .first()
            .and_then(|shingle| part_of.get(shingle))
            .copied();
        row = (part, if part == row.0 { row.1 + 1 } else { 1 });
        if let Some(part) = part {
            *of_line.1.entry(part).or_default() += 1;
            found[part].row = found[part].row.max(row.1);
        }
    }
    let mut filled: Vec<usize> = counts.keys().copied().collect();
    filled.sort_unstable();
    for (part, Lines { stretches, .. }) in found.iter_mut().enumerate() {
        // Lines without a text between them do not part a stretch.
        let mut last_place = None;
        for (place, &line) in filled.iter().enumerate() {
            let (all, of_parts) = &counts[&line];
            let own = of_parts.get(&part).copied().unwrap_or(0);
            if own * 2 < *all || own == 0 {
                continue;
            }
            match stretches.last_mut() {
                Some(stretch) if last_place.is_some_and(|last| last + 1 == place) => {
                    stretch.1 = line;
                }
                _ => stretches.push((line, line)),
            }
            last_place = Some(place);
        }
    }
    found
}
