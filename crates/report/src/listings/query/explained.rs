//! Which few documents explain a document.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::language::phrase;
use crate::say;
use crate::style::escape::visible;
use crate::style::numbers::line_numbers;
use dupfind_decide::compare::side::Side;
use dupfind_engine::Options;
use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::text::segmenter::Segmenter;
use dupfind_index::gather::Gathered;

/// What a document is made of, with the lines of its parts.
pub struct Explained {
    parts: Vec<ExplainedPart>,
    nowhere: f64,
}

/// A part of a document that another one explains.
struct ExplainedPart {
    name: String,
    /// The share of the document that it adds, from 0 to 1.
    adds: f64,
    /// The share of the document that both have.
    shares: f64,
    /// The first and the last line of each stretch.
    lines: Vec<(usize, usize)>,
}

/// What a document is made of.
#[derive(Serialize)]
pub struct ExplainedRecord<'r> {
    /// The document.
    a: &'r str,
    /// The documents that explain it, the one that explains most first.
    parts: Vec<PartRecord<'r>>,
    /// The share of it that is in none of them, from 0 to 1.
    nowhere: f64,
}

/// A document that explains a part.
#[derive(Serialize)]
struct PartRecord<'r> {
    /// The document of the index.
    b: &'r str,
    /// The share of `a` that it explains and none before it does, from 0 to 1 with four decimals.
    adds: f64,
    /// The share of `a` that both have.
    shares: f64,
    /// The lines of `a` that it explains, as first and last line of each stretch; empty if they are not known.
    lines: &'r [(usize, usize)],
}

impl Explained {
    /// Returns what a document of this text is made of; without a text lines are not known.
    pub fn new(gathered: Gathered, text: Option<&str>, options: &Options) -> Self {
        let whole = gathered.shingles.max(1);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let share = |count: usize| (count as f64 / whole as f64 * 1e4).round() / 1e4;
        let mut lines = vec![Vec::new(); gathered.parts.len()];
        if let Some(text) = text {
            lines = lines_of_parts(&gathered, text, options);
        }
        let parts = gathered.parts.into_iter().zip(lines);
        let parts = parts.map(|(part, lines)| ExplainedPart {
            name: part.name,
            adds: share(part.adds.len()),
            shares: share(part.shared),
            lines,
        });
        Self {
            parts: parts.collect(),
            nowhere: share(gathered.nowhere),
        }
    }

    /// Returns the record of a document of this name.
    pub fn record<'r>(&'r self, name: &'r str) -> ExplainedRecord<'r> {
        let parts = self.parts.iter().map(|part| PartRecord {
            b: &part.name,
            adds: part.adds,
            shares: part.shares,
            lines: &part.lines,
        });
        ExplainedRecord {
            a: name,
            parts: parts.collect(),
            nowhere: self.nowhere,
        }
    }

    /// Writes it for people.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  {}", say!("made of:"))?;
        for part in &self.parts {
            write!(out, "  {:>5.1} %  {}", part.adds * 1e2, visible(&part.name))?;
            let lines: Vec<String> = part.lines.iter().copied().map(line_numbers).collect();
            match lines.as_slice() {
                [] => writeln!(out)?,
                [one] if !one.contains('-') => writeln!(out, " {}", say!("(line {})", one))?,
                lines => writeln!(out, " {}", say!("(lines {})", lines.join(", ")))?,
            }
        }
        writeln!(
            out,
            "  {:>5.1} %  {}",
            self.nowhere * 1e2,
            phrase("nowhere")
        )
    }
}

/// Returns the stretches of lines that each part explains. A stretch is at least half explained by its part.
fn lines_of_parts(gathered: &Gathered, text: &str, options: &Options) -> Vec<Vec<(usize, usize)>> {
    let segmenter = Segmenter::default();
    let side = Side::new(text, options, &segmenter);
    let mut part_of = HashMap::new();
    for (at, part) in gathered.parts.iter().enumerate() {
        part_of.extend(part.adds.iter().map(|&shingle| (shingle, at)));
    }
    // How many shingles of each line each part explains, and how many begin there.
    let mut counts: HashMap<usize, (usize, HashMap<usize, usize>)> = HashMap::new();
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
        if let Some(&part) = set.first().and_then(|shingle| part_of.get(shingle)) {
            *of_line.1.entry(part).or_default() += 1;
        }
    }
    let mut filled: Vec<usize> = counts.keys().copied().collect();
    filled.sort_unstable();
    let mut lines: Vec<Vec<(usize, usize)>> = vec![Vec::new(); gathered.parts.len()];
    for (part, lines) in lines.iter_mut().enumerate() {
        // Lines without a text between them do not part a stretch.
        let mut last_place = None;
        for (place, &line) in filled.iter().enumerate() {
            let (all, of_parts) = &counts[&line];
            let own = of_parts.get(&part).copied().unwrap_or(0);
            if own * 2 < *all || own == 0 {
                continue;
            }
            match lines.last_mut() {
                Some(stretch) if last_place.is_some_and(|last| last + 1 == place) => {
                    stretch.1 = line;
                }
                _ => lines.push((line, line)),
            }
            last_place = Some(place);
        }
    }
    lines
}
