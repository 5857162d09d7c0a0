//! The answers of an index: its documents that are like some others.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use crate::formats::json::JsonObject;
use crate::formats::table::{in_measure, in_relations, measure_headings};
use crate::language::phrase;
use crate::model::{JudgedRecord, NoteRecord, RelationsRecord, SettingsRecord, SkippedRecord};
use crate::say;
use crate::style::escape::visible;
use crate::style::inert::Lines;
use crate::style::numbers::{amount, place, place_in_words};
use dupfind_decide::compare::side::Side;
use dupfind_decide::gate::baseline::Standings;
use dupfind_engine::features::document::Document;
use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::verdict::Counts;
use dupfind_engine::verdict::pair::{Pair, Share};
use dupfind_engine::{DocId, Options};
use dupfind_index::gather::{Gathered, Part};
use dupfind_index::query::Hit;
use dupfind_read::extract::pages::{Extent, PageBreaks};
use dupfind_read::format::Format;
use dupfind_read::skipped::{Note, Skipped};
use dupfind_scan::ScanOptions;

/// The answers about some documents.
pub struct Answers<'a> {
    /// The options that the documents were read and compared with.
    pub options: &'a ScanOptions,
    /// One answer for each document, in their order.
    pub answers: Vec<Answer>,
    /// How many documents the index has.
    pub documents: u64,
    /// The documents that were not compared.
    pub skipped: &'a [Skipped],
    /// Notes about single documents.
    pub notes: &'a [Note],
}

/// The answer about a document.
pub struct Answer {
    /// The document that was asked about.
    pub document: Document,
    /// The documents that are like it, the best first.
    pub hits: Vec<Hit>,
    /// The documents that explain it, if that is wanted; else its passages, if there is no pair.
    pub explained: Option<Explained>,
}

/// A document of the index and the one that was asked about, which is `a`.
#[derive(Serialize)]
struct HitRecord<'r> {
    #[serde(flatten)]
    pair: JudgedRecord<'r>,
    /// How much of `a` is in `b`, from 0 to 1 and rounded down to four decimals. Rare shingles weigh more.
    share: f64,
}

/// The counts of a run.
#[derive(Serialize)]
struct SummaryRecord {
    /// How many documents were asked about.
    asked: usize,
    /// How many documents the index has.
    documents: u64,
    /// How many entries could not be asked about.
    skipped: u64,
    /// How many pairs there are.
    pairs: u64,
    relations: RelationsRecord,
}

impl Answer {
    /// Returns the record of every hit, as JSON.
    fn records(&self) -> impl Iterator<Item = serde_json::Result<Value>> {
        let standings = Standings::default();
        self.hits.iter().map(move |hit| {
            let pair = Pair {
                a: DocId::from(0),
                b: DocId::from(1),
                ..hit.pair
            };
            let both = [self.document.clone(), hit.document.clone()];
            serde_json::to_value(HitRecord {
                pair: JudgedRecord::new(&both, &pair, &standings),
                share: f64::from(hit.share) / 1e4,
            })
        })
    }
}

impl Answers<'_> {
    /// Returns how many pairs there are of each relation.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for hit in self.answers.iter().flat_map(|answer| &answer.hits) {
            counts.add(hit.pair.relation(), u64::from(hit.is_pair));
        }
        counts
    }

    fn summary(&self) -> SummaryRecord {
        let counts = self.counts();
        SummaryRecord {
            asked: self.answers.len(),
            documents: self.documents,
            skipped: self.skipped.iter().map(Skipped::count).sum(),
            pairs: counts.total(),
            relations: counts.into(),
        }
    }

    fn skipped(&self) -> impl Iterator<Item = SkippedRecord<'_>> {
        self.skipped.iter().map(SkippedRecord::of)
    }

    fn notes(&self) -> impl Iterator<Item = NoteRecord<'_>> {
        let notes = self.notes.iter();
        notes.map(|Note { path, note }| NoteRecord { path, note })
    }

    fn explained(&self) -> impl Iterator<Item = ExplainedRecord<'_>> {
        self.answers.iter().filter_map(|answer| {
            let explained = answer.explained.as_ref()?;
            Some(explained.record(&answer.document.name))
        })
    }
}

/// Writes answers as one JSON object.
pub fn write_answers_json(answers: &Answers<'_>, out: &mut dyn Write) -> io::Result<()> {
    let pairs = answers.answers.iter().flat_map(Answer::records);
    let pairs = pairs.collect::<serde_json::Result<Vec<Value>>>()?;
    let mut object = JsonObject::of_report(out)?;
    // The text that is asked about is one more.
    let documents = usize::try_from(answers.documents).map_or(usize::MAX, |n| n.saturating_add(1));
    object.value("settings", &SettingsRecord::new(answers.options, documents))?;
    object.value("summary", &answers.summary())?;
    object.list("pairs", pairs.into_iter())?;
    if answers
        .answers
        .iter()
        .any(|answer| answer.explained.is_some())
    {
        object.list("gathered", answers.explained())?;
    }
    object.list("skipped", answers.skipped())?;
    object.list("notes", answers.notes())?;
    object.end()
}

/// Writes answers for people.
pub fn write_answers_table(answers: &Answers<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Lines::new(out);
    write_table(answers, &mut lines)?;
    lines.finish()
}

fn write_table(answers: &Answers<'_>, out: &mut dyn Write) -> io::Result<()> {
    for (at, answer) in answers.answers.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        let name = visible(&answer.document.name);
        if answer.hits.is_empty() && answer.explained.is_none() {
            writeln!(out, "{}", say!("{}: nothing like it", name))?;
        } else {
            writeln!(out, "{name}:")?;
        }
        if !answer.hits.is_empty() {
            let headings = measure_headings(&["share", "other way"]);
            writeln!(out, "  {headings}{}", phrase("document"))?;
        }
        for hit in &answer.hits {
            write_hit(&answer.document, hit, out)?;
        }
        if let Some(explained) = &answer.explained {
            explained.write(out)?;
        }
    }
    let (asked, pairs) = (answers.answers.len(), answers.counts().total());
    writeln!(
        out,
        "\n{}",
        say!(
            "{} asked about, {} in the index: {}",
            amount(asked as u64, "document"),
            answers.documents,
            amount(pairs, "pair")
        )
    )
}

fn write_hit(asked: &Document, hit: &Hit, out: &mut dyn Write) -> io::Result<()> {
    let pair = &hit.pair;
    let relation = if hit.is_pair {
        phrase(pair.relation().as_str())
    } else {
        "-"
    };
    let sizes = [asked.shingles, hit.document.shingles];
    let [share, other] = match pair.jaccard() {
        Some(jaccard) => jaccard.shares(sizes).map(|share| share.to_string()),
        None => ["-".to_owned(), "-".to_owned()],
    };
    let name = visible(&hit.document.name);
    writeln!(
        out,
        "  {}  {}  {}  {name}",
        in_relations(relation),
        in_measure("share", &share),
        in_measure("other way", &other)
    )
}

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
    lines: [PartLines; 2],
}

/// Where a part is in a text.
#[derive(Default)]
struct PartLines {
    /// The first and the last line of each stretch.
    stretches: Vec<(usize, usize)>,
    /// How many shingles of it begin in a row, at most.
    row: usize,
    /// Where the pages of the text begin.
    breaks: PageBreaks,
}

impl PartLines {
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
        let lines_in = |text: Option<(&str, Format)>, parts: &[Part]| -> Vec<PartLines> {
            let found = text.map(|text| lines_of_parts(parts, text, options));
            found.unwrap_or_else(|| parts.iter().map(|_| PartLines::default()).collect())
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
            let [here, there] = part.lines.each_ref().map(PartLines::places);
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
fn lines_of_parts(
    parts: &[Part],
    (text, format): (&str, Format),
    options: &Options,
) -> Vec<PartLines> {
    let side = Side::of_file(text, format, options);
    let mut part_of = HashMap::new();
    for (at, part) in parts.iter().enumerate() {
        part_of.extend(part.adds.iter().map(|&shingle| (shingle, at)));
    }
    // How many shingles of each line each part explains, and how many begin there.
    let mut counts: HashMap<usize, (usize, HashMap<usize, usize>)> = HashMap::new();
    let of_part = |_| PartLines {
        breaks: side.breaks().clone(),
        ..PartLines::default()
    };
    let mut found: Vec<PartLines> = parts.iter().map(of_part).collect();
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
    for (part, PartLines { stretches, .. }) in found.iter_mut().enumerate() {
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
