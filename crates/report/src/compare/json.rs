//! A comparison as one JSON object.

use std::io::{self, Write};
use std::ops::Range;

use serde::Serialize;

use crate::compare::ComparisonReport;
use crate::formats::json::JsonObject;
use crate::model::PairRecord;
use crate::style::numbers::ratio;
use dupfind_decide::compare::passages::{Passage, Swap, swaps};
use dupfind_decide::compare::side::Side;
use dupfind_decide::compare::{Compared, Comparison};
use dupfind_engine::verdict::reason::Reason;
use dupfind_engine::verdict::{Relation, Rule};

/// The settings that decide how texts are cut and weighed.
#[derive(Debug, Serialize)]
pub(super) struct CutRecord {
    /// Units in a shingle.
    pub(super) shingle_size: usize,
    /// `auto`, `char`, `word` or `ocr`.
    pub(super) shingle_unit: &'static str,
    /// `dictionary` or `file`.
    pub(super) idf: &'static str,
    /// Whether shared text was weighed by its rarity among other documents.
    pub(super) among_others: bool,
}

/// The verdict of a scan with these options on the two documents.
#[derive(Debug, Serialize)]
pub(super) struct VerdictRecord<'r> {
    /// Their relation, as in the report of a scan.
    pub(super) relation: Relation,
    /// The rule that decided it.
    pub(super) rule: Rule,
    /// Optional: `true` if the two are pages of a family, by their names or titles, and that decided.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) family: bool,
    /// The reason for the relation.
    pub(super) because: Reason,
    /// For `contains`, the document that contains the other one; otherwise `null`.
    pub(super) container: Option<&'r str>,
    /// Jaccard similarity of the shingle sets, rounded down to four decimals.
    pub(super) jaccard: f64,
    /// The same with shingles weighted by their rarity, among the documents that were named for that or
    /// in these two.
    pub(super) weighted: f64,
    /// How much of the first document's shingle set is in the second one's, rounded in the same way.
    pub(super) a_in_b: f64,
    /// How much of the second document's shingle set is in the first one's.
    pub(super) b_in_a: f64,
    /// Optional: about how similar the prose of the two is, if both have code blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prose: Option<f64>,
    /// Hamming distance of the fingerprints.
    pub(super) hamming: u32,
    /// The detectors that find the pair.
    pub(super) matched_by: Vec<&'static str>,
}

/// One of the documents.
#[derive(Debug, Serialize)]
pub(super) struct ComparedRecord<'r> {
    /// Its name, as in the report of a scan.
    pub(super) path: &'r str,
    /// The 64-bit SimHash, 16 hexadecimal digits.
    pub(super) fingerprint: String,
    /// The format of its file.
    pub(super) format: &'static str,
    /// The encoding it was decoded from.
    pub(super) encoding: &'static str,
    /// Its size before it was decoded.
    pub(super) bytes: usize,
    /// How many lines it has.
    pub(super) lines: usize,
    /// How many units.
    pub(super) units: usize,
    /// How many distinct shingles.
    pub(super) shingles: u32,
    /// How many tokens.
    pub(super) tokens: u32,
    /// How many distinct terms.
    pub(super) terms: u32,
}

/// How much the documents share.
#[derive(Debug, Serialize)]
pub(super) struct SharedRecord<'r> {
    /// How many passages there are.
    pub(super) passages: usize,
    /// How many of them are in another order in the second document.
    pub(super) moved: usize,
    /// How many units of them are the same in both documents.
    pub(super) units: usize,
    /// That number as a share of the first document's units, rounded down to four decimals.
    pub(super) share_of_a: f64,
    /// The same of the second document's.
    pub(super) share_of_b: f64,
    /// The words that are swapped most often.
    pub(super) swapped: Vec<SwapRecord<'r>>,
}

/// A passage that both documents have, but for the changes in it.
#[derive(Debug, Serialize)]
pub(super) struct PassageRecord<'r> {
    /// First and last line in the first document.
    a_lines: (usize, usize),
    /// First and last line in the second document.
    b_lines: (usize, usize),
    /// Optional: the pages of the first document's file that it is on, the first and the last one, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    a_pages: Option<(usize, usize)>,
    /// Optional: those of the second document's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    b_pages: Option<(usize, usize)>,
    /// How many units it has in the first document.
    pub(super) a_units: usize,
    /// How many units it has in the second document.
    pub(super) b_units: usize,
    /// How many of them are the same.
    pub(super) same_units: usize,
    /// Whether it is at another place in the order of the second document's passages.
    pub(super) moved: bool,
    /// Its text, in order: equal and changed parts by turns.
    pub(super) parts: Vec<PartRecord<'r>>,
}

/// Words that are replaced by others in the second document.
#[derive(Debug, Serialize)]
pub(super) struct SwapRecord<'r> {
    /// The words of the first document.
    pub(super) a: &'r str,
    /// The words of the second document.
    pub(super) b: &'r str,
    /// In how many places.
    pub(super) places: usize,
}

impl<'r> SwapRecord<'r> {
    fn new(swap: Swap<'r>) -> Self {
        Self {
            a: swap.before,
            b: swap.after,
            places: swap.places,
        }
    }
}

/// A part of a passage.
#[derive(Debug, Serialize)]
pub(super) struct PartRecord<'r> {
    /// Whether both documents have the same units here.
    pub(super) same: bool,
    /// The text of the first document.
    pub(super) a: &'r str,
    /// The text of the second document; where the units are the same it may still differ in
    /// punctuation, case and form.
    pub(super) b: &'r str,
}

/// A stretch that only one of the documents has.
#[derive(Debug, Serialize)]
pub(super) struct OnlyRecord<'r> {
    /// First and last line.
    lines: (usize, usize),
    /// How many units it has.
    pub(super) units: usize,
    /// Its text.
    pub(super) text: &'r str,
}

/// What the files of exact copies have that is no text.
#[derive(Debug, Serialize)]
pub(super) struct FilesRecord<'r> {
    /// Whether the files are the same but for their encoding and white space.
    pub(super) same: bool,
    /// The lines of the first file that the second one does not have.
    pub(super) only_a: Vec<SourceLineRecord<'r>>,
    /// The lines of the second file that the first one does not have.
    pub(super) only_b: Vec<SourceLineRecord<'r>>,
}

/// A line of a file.
#[derive(Debug, Serialize)]
pub(super) struct SourceLineRecord<'r> {
    /// Its number in the file.
    pub(super) line: usize,
    /// What is in it, without the white space at its ends.
    pub(super) text: &'r str,
}

impl<'r> ComparisonReport<'r> {
    /// Returns how the files of exact copies differ; nothing if the two are no exact copies, or have no lines.
    pub(super) fn files(&self) -> Option<FilesRecord<'r>> {
        let sources = self.sources?;
        let only = |which| {
            let lines = sources.only_in(which).map(|line| SourceLineRecord {
                line: line.number,
                text: line.text,
            });
            lines.collect()
        };
        Some(FilesRecord {
            same: sources.are_same(),
            only_a: only(0),
            only_b: only(1),
        })
    }

    pub(super) fn settings(&self) -> CutRecord {
        CutRecord {
            shingle_size: self.settings.shingle_size.get(),
            shingle_unit: self.settings.shingle_unit.as_str(),
            idf: "dictionary",
            among_others: self.is_among_others,
        }
    }

    pub(super) fn verdict(&self) -> VerdictRecord<'r> {
        let Comparison { verdict, .. } = self.comparison;
        let PairRecord {
            relation,
            rule,
            family,
            because,
            container,
            jaccard,
            weighted,
            a_in_b,
            b_in_a,
            prose,
            hamming,
            matched_by,
            ..
        } = PairRecord::new(&verdict.documents, &verdict.pair);
        VerdictRecord {
            relation,
            rule,
            family,
            because,
            container,
            jaccard: jaccard.unwrap_or_default(),
            weighted: weighted.unwrap_or_default(),
            a_in_b: a_in_b.unwrap_or_default(),
            b_in_a: b_in_a.unwrap_or_default(),
            prose,
            hamming: hamming.unwrap_or_default(),
            matched_by,
        }
    }

    pub(super) fn swaps(&self) -> Vec<Swap<'r>> {
        let Comparison { a, b, shared, .. } = self.comparison;
        swaps(&shared.passages, &a.side, &b.side)
    }

    pub(super) fn shared(&self) -> SharedRecord<'r> {
        let Comparison { a, b, shared, .. } = self.comparison;
        let (passages, units) = (&shared.passages, shared.same());
        SharedRecord {
            passages: passages.len(),
            moved: passages.iter().filter(|passage| passage.is_moved).count(),
            units,
            share_of_a: ratio(units as u64, a.side.units().len() as u64),
            share_of_b: ratio(units as u64, b.side.units().len() as u64),
            swapped: self.swaps().into_iter().map(SwapRecord::new).collect(),
        }
    }

    pub(super) fn passages(&self) -> impl Iterator<Item = PassageRecord<'r>> {
        let Comparison { a, b, shared, .. } = self.comparison;
        shared.passages.iter().map(|passage| {
            let (a_lines, b_lines) = (a.side.lines(&passage.a), b.side.lines(&passage.b));
            PassageRecord {
                a_lines,
                b_lines,
                a_pages: a.side.breaks().pages(a_lines),
                b_pages: b.side.breaks().pages(b_lines),
                a_units: passage.a.len(),
                b_units: passage.b.len(),
                same_units: passage.same(),
                moved: passage.is_moved,
                parts: parts(passage, &a.side, &b.side),
            }
        })
    }

    pub(super) fn only_a(&self) -> impl Iterator<Item = OnlyRecord<'r>> {
        only(&self.comparison.a.side, &self.comparison.shared.only[0])
    }

    pub(super) fn only_b(&self) -> impl Iterator<Item = OnlyRecord<'r>> {
        only(&self.comparison.b.side, &self.comparison.shared.only[1])
    }
}

impl<'r> ComparedRecord<'r> {
    pub(super) fn new(compared: &Compared<'r>) -> Self {
        Self {
            path: &compared.document.name,
            fingerprint: format!("{:016x}", compared.fingerprint),
            format: compared.document.format.as_str(),
            encoding: compared.document.encoding,
            bytes: compared.document.bytes,
            lines: compared.side.line_count(),
            units: compared.side.units().len(),
            shingles: compared.shingles,
            tokens: compared.tokens,
            terms: compared.terms,
        }
    }
}

fn only<'r>(
    side: &'r Side<'r>,
    stretches: &'r [Range<usize>],
) -> impl Iterator<Item = OnlyRecord<'r>> {
    stretches.iter().map(|units| OnlyRecord {
        lines: side.lines(units),
        units: units.len(),
        text: &side.text()[side.stretch(units)],
    })
}

fn parts<'r>(passage: &Passage, a: &Side<'r>, b: &Side<'r>) -> Vec<PartRecord<'r>> {
    let [in_a, in_b] = passage.texts(a, b);
    let texts = in_a.into_iter().zip(in_b);
    let parts = passage.parts.iter().zip(texts);
    parts
        .map(|(part, (in_a, in_b))| PartRecord {
            same: part.is_same,
            a: &a.text()[in_a],
            b: &b.text()[in_b],
        })
        .collect()
}

/// Writes a comparison as one JSON object.
///
/// # Errors
///
/// The writer fails.
pub fn write_comparison_json(report: &ComparisonReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut object = JsonObject::of_report(out)?;
    object.value("settings", &report.settings())?;
    object.value("verdict", &report.verdict())?;
    object.value("a", &ComparedRecord::new(&report.comparison.a))?;
    object.value("b", &ComparedRecord::new(&report.comparison.b))?;
    object.value("shared", &report.shared())?;
    object.list("passages", report.passages())?;
    object.list("only_a", report.only_a())?;
    object.list("only_b", report.only_b())?;
    object.value("files", &report.files())?;
    object.end()
}
