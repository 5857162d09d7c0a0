//! The answers of an index: its documents that are like some others.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::formats::columns::{in_measure, in_relations, measure_headings};
use crate::formats::json::JsonObject;
use crate::language::phrase;
use crate::listings::elsewhere::{Asked, PassageRecord};
use crate::model::{JudgedRecord, SettingsRecord, by_relation};
use crate::say;
use crate::style::escape::{Lines, legible};
use crate::style::{amount, place_in_words};
use dupfind_decide::{Elsewhere, Standings};
use dupfind_engine::{Counts, Document};
use dupfind_index::Hit;
use dupfind_read::Skipped;
use dupfind_read::skipped::Note;
use dupfind_scan::ScanOptions;

/// The answers about some documents.
pub struct Answers<'a> {
    /// The options that the documents were read and compared with.
    pub options: &'a ScanOptions,
    /// One answer for each document, in their order.
    pub answers: Vec<Answer>,
    /// How many documents the index has.
    pub documents: u64,
    /// The documents that were not compared, and the pages that could not be read.
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
    /// Whether it is a page of the index.
    pub is_there: bool,
    /// Where its passages are in the index, if it is in no pair.
    pub passages: Option<Elsewhere>,
}

impl Answer {
    /// Returns the record of every hit: the pair, where the document that was asked about is `a`.
    fn records(&self) -> impl Iterator<Item = serde_json::Result<Value>> {
        let standings = Standings::default();
        self.hits.iter().map(move |hit| {
            let both = [self.document.clone(), hit.document.clone()];
            serde_json::to_value(JudgedRecord::new(&both, &hit.pair, &standings))
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

    fn summary(&self) -> serde_json::Result<Value> {
        let counts = self.counts();
        Ok(json!({
            "asked": self.answers.len(),
            "documents": self.documents,
            "skipped": self.skipped.iter().map(Skipped::count).sum::<u64>(),
            "pairs": counts.total(),
            "relations": by_relation(&counts, serde_json::value::Serializer)?,
        }))
    }

    /// Returns the passages of the documents that are in no pair, the longest first.
    fn passages(&self) -> impl Iterator<Item = Value> {
        self.answers.iter().filter_map(|answer| {
            let found = answer.passages.as_ref()?;
            let asked = Asked {
                name: &answer.document.name,
                is_there: answer.is_there,
            };
            let passages = found.passages.iter();
            let record = |passage| PassageRecord::parts(found, passage, asked, usize::MAX);
            let passages: Vec<PassageRecord> = passages.flat_map(record).collect();
            Some(json!({"a": asked.name, "passages": passages}))
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
    object.value("summary", &answers.summary()?)?;
    object.list("pairs", pairs.into_iter())?;
    object.list("passages", answers.passages())?;
    object.list("skipped", answers.skipped.iter())?;
    object.list("notes", answers.notes.iter())?;
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
        let name = legible(&answer.document.name);
        if answer.hits.is_empty() && answer.passages.is_none() {
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
        if let Some(found) = &answer.passages {
            write_passages(found, out)?;
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
        Some(jaccard) => jaccard
            .shares(sizes)
            .map(|share| say!("{} %", share.percent())),
        None => ["-".to_owned(), "-".to_owned()],
    };
    let name = legible(&hit.document.name);
    writeln!(
        out,
        "  {}  {}  {}  {name}",
        in_relations(relation),
        in_measure("share", &share),
        in_measure("other way", &other)
    )
}

/// Writes the passages of a document that is in no pair.
fn write_passages(found: &Elsewhere, out: &mut dyn Write) -> io::Result<()> {
    let heading = phrase("no pair, but passages of it are in:");
    writeln!(out, "  {heading}")?;
    for passage in &found.passages {
        let (share, twin) = (say!("{} %", passage.share.percent()), &passage.twins[0]);
        let name = legible(&found.place(twin).page);
        let name = match passage.copies() {
            1 => name,
            all => say!("{} and {} more", name, all - 1),
        };
        let [there, here] = [twin.extent, passage.extent].map(place_in_words);
        let lines = say!("({}; here: {})", there, here);
        writeln!(out, "  {share:>5}  {name} {lines}")?;
    }
    Ok(())
}
