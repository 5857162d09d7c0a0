//! The report of `dupfind compare`.

mod rows;

use std::io::{self, Write};
use std::ops::Range;

use anstyle::Style;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::compare::rows::Page;
use crate::formats::json::JsonObject;
use crate::language::{phrase, reason};
use crate::layout::{Layout, largest};
use crate::model::PairRecord;
use crate::say;
use crate::style::escape::{padded, visible};
use crate::style::inert::Lines;
use crate::style::numbers::{amount, place, ratio};
use crate::style::{FAINT, HEADING, painted};
use dupfind_decide::compare::passages::{Passage, Swap, swaps};
use dupfind_decide::compare::side::Side;
use dupfind_decide::compare::sources::{SourceLine, Sources};
use dupfind_decide::compare::{Compared, Comparison};
use dupfind_engine::Options;
use dupfind_engine::fingerprint::idf::Idf;
use dupfind_engine::pairing::explanation::Explanation;
use dupfind_engine::verdict::reason::Reason;
use dupfind_engine::verdict::{Relation, Rule};

/// How a comparison is laid out.
#[derive(Debug, Clone, Copy, Default)]
pub struct ComparisonStyle {
    /// Columns to lay it out for; without them, lines are not wrapped and documents are one below the
    /// other.
    pub width: Option<usize>,
    /// Whether to write colours.
    pub color: bool,
    /// Whether to show everything: all passages, and all of each.
    pub all: bool,
}

/// How many passages are shown, and how many of the stretches that only one document has.
const MAX_SHOWN: usize = 50;

/// Writes a comparison as text. No text of a document can act on the terminal.
pub fn write_comparison(
    report: &ComparisonReport<'_>,
    style: ComparisonStyle,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Comparison { a, b, shared, .. } = report.comparison;
    let most = a.side.line_count().max(b.side.line_count());
    let text = Text {
        report: *report,
        layout: Layout::new(&a.side, &b.side, shared, style.all),
        most: if style.all { usize::MAX } else { MAX_SHOWN },
        style,
        page: Page {
            width: style.width,
            color: style.color,
            digits: most.to_string().len().max(3),
        },
    };
    let mut lines = Lines::new(out);
    text.verdict(&mut lines)?;
    text.measures(&mut lines)?;
    text.passages(&mut lines)?;
    text.only("A", 0, &mut lines)?;
    text.only("B", 1, &mut lines)?;
    text.only_in_file("A", 0, &mut lines)?;
    text.only_in_file("B", 1, &mut lines)?;
    lines.finish()
}

struct Text<'r> {
    report: ComparisonReport<'r>,
    layout: Layout<'r, 'r>,
    /// How many passages are shown, and how many stretches of each document.
    most: usize,
    style: ComparisonStyle,
    page: Page,
}

impl Text<'_> {
    fn paint(&self, style: Style, text: &str) -> String {
        painted(style, text, self.style.color)
    }

    fn heading(&self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n{}", self.paint(HEADING, text))
    }

    fn verdict(&self, out: &mut dyn Write) -> io::Result<()> {
        let Comparison { a, b, .. } = self.report.comparison;
        writeln!(out, "A  {}", visible(&a.document.name))?;
        writeln!(out, "B  {}", visible(&b.document.name))?;
        let verdict = self.report.verdict();
        writeln!(out)?;
        let relation = match verdict.container {
            _ if verdict.matched_by.is_empty() => phrase("no pair for a scan with these options"),
            Some(name) if name == a.document.name => phrase("A contains B"),
            Some(_) => phrase("B contains A"),
            None => phrase(verdict.relation.as_str()),
        };
        let heading = self.paint(HEADING, relation);
        writeln!(out, "{}", say!("{}: {}", heading, self.shares()))?;
        if verdict.relation == Relation::Variant {
            for swap in self.report.swaps() {
                let (before, after) = (visible(swap.before), visible(swap.after));
                let text = say!("'{}' became '{}' in {} places", before, after, swap.places);
                writeln!(out, "{text}")?;
            }
        }
        let text = match self.report.around {
            Some(folder) => Some(say!("(among the documents of {})", visible(folder))),
            None if self.report.is_among_others => None,
            // Copies are copies among any others.
            None if verdict.relation == Relation::Exact => None,
            None if verdict.matched_by.is_empty() => self.shares_text().then(|| {
                phrase("(judged by themselves; among others they may be a pair: dupfind compare A B FOLDER tells)")
                    .to_owned()
            }),
            None => Some(
                phrase("(judged by themselves; among others this may be a variant or a template: dupfind compare A B FOLDER tells)")
                    .to_owned(),
            ),
        };
        if let Some(text) = text {
            writeln!(out, "{}", self.paint(FAINT, &text))?;
        }
        let files = match self.report.sources {
            Some(files) if files.are_same() => {
                phrase("The files are the same but for their encoding and white space.")
            }
            Some(_) => phrase("The texts are the same, and the files are not."),
            None => return Ok(()),
        };
        writeln!(out, "{files}")
    }

    /// Returns whether the two documents have any shingle in common.
    fn shares_text(&self) -> bool {
        let jaccard = self.report.comparison.verdict.pair.jaccard();
        jaccard.is_none_or(|jaccard| jaccard.overlap > 0)
    }

    /// Returns how much of each document is in the other one, that of the smaller one first. Of copies it is the reason.
    fn shares(&self) -> String {
        let Explanation {
            documents, pair, ..
        } = &self.report.comparison.verdict;
        match pair.smaller_first(documents) {
            Some([(smaller, share), (_, other)]) if pair.relation() != Relation::Exact => {
                let names = match smaller == pair.a {
                    true => ["A", "B"],
                    false => ["B", "A"],
                };
                say!(
                    "{} % of {} is in {}, {} % the other way",
                    share.percent(),
                    names[0],
                    names[1],
                    other.percent()
                )
            }
            _ => reason(&Reason::new(documents, pair)),
        }
    }

    /// Writes the reason and the measures.
    fn measures(&self, out: &mut dyn Write) -> io::Result<()> {
        let verdict = self.report.verdict();
        writeln!(out, "\n{}", reason(&verdict.because))?;
        let measures = [
            (
                phrase("Jaccard similarity"),
                format!("{:.4}", verdict.jaccard),
            ),
            (
                phrase("Weighted similarity"),
                format!("{:.4}", verdict.weighted),
            ),
            (
                phrase("Hamming distance"),
                say!(
                    "{} of {} bits",
                    verdict.hamming,
                    self.report.settings.simhash_width.bits()
                ),
            ),
        ];
        let widest = measures.iter().map(|(name, _)| name.width()).max();
        for (name, value) in &measures {
            writeln!(out, "{}  {value}", padded(name, widest.unwrap_or_default()))?;
        }
        Ok(())
    }

    fn passages(&self, out: &mut dyn Write) -> io::Result<()> {
        let Layout { sides, .. } = self.layout;
        let passages = &self.layout.shared.passages;
        let shared = self.report.shared();
        if passages.is_empty() {
            return self.heading(phrase("No shared passages"), out);
        }
        let moved = match shared.moved {
            0 => String::new(),
            moved => say!(", {} moved", moved),
        };
        let heading = say!(
            "{} shared: {} the same{}",
            amount(shared.passages, "passage"),
            amount(shared.units, "unit"),
            moved
        );
        self.heading(&heading, out)?;
        let shown = largest(passages, self.most, Passage::same);
        for passage in &shown {
            let changes = match passage.changes() {
                0 => String::new(),
                changes => say!(", {}", amount(changes, "change")),
            };
            let moved = if passage.is_moved {
                phrase(", moved")
            } else {
                ""
            };
            let heading = say!(
                "A {} = B {}: {}{}{}",
                place(sides[0].extent(&passage.a)),
                place(sides[1].extent(&passage.b)),
                amount(passage.same(), "unit"),
                changes,
                moved
            );
            self.heading(&heading, out)?;
            for block in self.layout.passage(passage) {
                self.page.both(&block, sides, out)?;
            }
        }
        self.not_shown(passages.len() - shown.len(), "shorter passage", out)
    }

    fn only(&self, name: &str, which: usize, out: &mut dyn Write) -> io::Result<()> {
        let stretches = &self.layout.shared.only[which];
        if stretches.is_empty() {
            return self.heading(&say!("No text is only in {}", name), out);
        }
        let units: usize = stretches.iter().map(Range::len).sum();
        let heading = say!(
            "Only in {}: {} in {}",
            name,
            amount(units, "unit"),
            amount(stretches.len(), "stretch")
        );
        self.heading(&heading, out)?;
        let shown = largest(stretches, self.most, Range::len);
        for (number, &stretch) in shown.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            for block in self.layout.only(which, stretch) {
                self.page.single(&block, self.layout.sides[which], out)?;
            }
        }
        self.not_shown(stretches.len() - shown.len(), "shorter stretch", out)
    }

    /// Writes the lines that only one of two files has whose texts are the same.
    fn only_in_file(&self, name: &str, which: usize, out: &mut dyn Write) -> io::Result<()> {
        let lines: Vec<SourceLine<'_>> = match self.report.sources {
            Some(sources) => sources.only_in(which).collect(),
            None => return Ok(()),
        };
        if lines.is_empty() {
            return Ok(());
        }
        let count = amount(lines.len(), "line");
        self.heading(&say!("Only in the file of {}: {}", name, count), out)?;
        let shown = &lines[..lines.len().min(self.most)];
        self.page.source(shown, out)?;
        self.not_shown(lines.len() - shown.len(), "more line", out)
    }

    fn not_shown(&self, count: usize, what: &str, out: &mut dyn Write) -> io::Result<()> {
        if count == 0 {
            return Ok(());
        }
        let text = say!("… and {} (--all shows them)", amount(count, what));
        writeln!(out, "\n{}", self.paint(FAINT, &text))
    }
}

/// The data for a report on a comparison.
#[derive(Debug, Clone, Copy)]
pub struct ComparisonReport<'r> {
    /// How the texts were cut.
    pub settings: &'r Options,
    /// The comparison of the two documents.
    pub comparison: &'r Comparison<'r>,
    /// Whether shared text was weighed among other documents.
    pub is_among_others: bool,
    /// The folder of these others, if the user did not name them.
    pub around: Option<&'r str>,
    /// The files of exact copies, if they have lines.
    pub sources: Option<&'r Sources>,
}

/// The settings that decide how texts are cut and weighed.
#[derive(Debug, Serialize)]
pub(crate) struct CutRecord {
    /// Units in a shingle.
    pub(crate) shingle_size: usize,
    /// `auto`, `char`, `word` or `ocr`.
    pub(crate) shingle_unit: &'static str,
    /// `dictionary` or `file`.
    pub(crate) idf: &'static str,
    /// Whether shared text was weighed by its rarity among other documents.
    pub(crate) among_others: bool,
}

/// The verdict of a scan with these options on the two documents.
#[derive(Debug, Serialize)]
pub(crate) struct VerdictRecord<'r> {
    /// Their relation, as in the report of a scan.
    pub(crate) relation: Relation,
    /// The rule that decided it.
    pub(crate) rule: Rule,
    /// Optional: `true` if the two are pages of a family, by their names or titles, and that decided.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) family: bool,
    /// The reason for the relation.
    pub(crate) because: Reason,
    /// For `contains`, the document that contains the other one; otherwise `null`.
    pub(crate) container: Option<&'r str>,
    /// Jaccard similarity of the shingle sets, rounded down to four decimals.
    pub(crate) jaccard: f64,
    /// The same with shingles weighted by their rarity, among the documents that were named for that or
    /// in these two.
    pub(crate) weighted: f64,
    /// How much of the first document's shingle set is in the second one's, rounded in the same way.
    pub(crate) a_in_b: f64,
    /// How much of the second document's shingle set is in the first one's.
    pub(crate) b_in_a: f64,
    /// Optional: about how similar the prose of the two is, if both have code blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prose: Option<f64>,
    /// Hamming distance of the fingerprints.
    pub(crate) hamming: u32,
    /// The detectors that find the pair.
    pub(crate) matched_by: Vec<&'static str>,
}

/// One of the documents.
#[derive(Debug, Serialize)]
pub(crate) struct ComparedRecord<'r> {
    /// Its name, as in the report of a scan.
    pub(crate) path: &'r str,
    /// The 64-bit SimHash, 16 hexadecimal digits.
    pub(crate) fingerprint: String,
    /// The format of its file.
    pub(crate) format: &'static str,
    /// The encoding it was decoded from.
    pub(crate) encoding: &'static str,
    /// Its size before it was decoded.
    pub(crate) bytes: usize,
    /// How many lines it has.
    pub(crate) lines: usize,
    /// How many units.
    pub(crate) units: usize,
    /// How many distinct shingles.
    pub(crate) shingles: u32,
    /// How many tokens.
    pub(crate) tokens: u32,
    /// How many distinct terms.
    pub(crate) terms: u32,
}

/// How much the documents share.
#[derive(Debug, Serialize)]
pub(crate) struct SharedRecord<'r> {
    /// How many passages there are.
    pub(crate) passages: usize,
    /// How many of them are in another order in the second document.
    pub(crate) moved: usize,
    /// How many units of them are the same in both documents.
    pub(crate) units: usize,
    /// That number as a share of the first document's units, rounded down to four decimals.
    pub(crate) share_of_a: f64,
    /// The same of the second document's.
    pub(crate) share_of_b: f64,
    /// The words that are swapped most often.
    pub(crate) swapped: Vec<SwapRecord<'r>>,
}

/// A passage that both documents have, but for the changes in it.
#[derive(Debug, Serialize)]
pub(crate) struct PassageRecord<'r> {
    /// First and last line in the first document.
    pub(crate) a_lines: (usize, usize),
    /// First and last line in the second document.
    pub(crate) b_lines: (usize, usize),
    /// Optional: the pages of the first document's file that it is on, the first and the last one, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) a_pages: Option<(usize, usize)>,
    /// Optional: those of the second document's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) b_pages: Option<(usize, usize)>,
    /// How many units it has in the first document.
    pub(crate) a_units: usize,
    /// How many units it has in the second document.
    pub(crate) b_units: usize,
    /// How many of them are the same.
    pub(crate) same_units: usize,
    /// Whether it is at another place in the order of the second document's passages.
    pub(crate) moved: bool,
    /// Its text, in order: equal and changed parts by turns.
    pub(crate) parts: Vec<PartRecord<'r>>,
}

/// Words that are replaced by others in the second document.
#[derive(Debug, Serialize)]
pub(crate) struct SwapRecord<'r> {
    /// The words of the first document.
    pub(crate) a: &'r str,
    /// The words of the second document.
    pub(crate) b: &'r str,
    /// In how many places.
    pub(crate) places: usize,
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
pub(crate) struct PartRecord<'r> {
    /// Whether both documents have the same units here.
    pub(crate) same: bool,
    /// The text of the first document.
    pub(crate) a: &'r str,
    /// The text of the second document; where the units are the same it may still differ in
    /// punctuation, case and form.
    pub(crate) b: &'r str,
}

/// A stretch that only one of the documents has.
#[derive(Debug, Serialize)]
pub(crate) struct OnlyRecord<'r> {
    /// First and last line.
    pub(crate) lines: (usize, usize),
    /// How many units it has.
    pub(crate) units: usize,
    /// Its text.
    pub(crate) text: &'r str,
}

/// What the files of exact copies have that is no text.
#[derive(Debug, Serialize)]
pub(crate) struct FilesRecord<'r> {
    /// Whether the files are the same but for their encoding and white space.
    pub(crate) same: bool,
    /// The lines of the first file that the second one does not have.
    pub(crate) only_a: Vec<SourceLineRecord<'r>>,
    /// The lines of the second file that the first one does not have.
    pub(crate) only_b: Vec<SourceLineRecord<'r>>,
}

/// A line of a file.
#[derive(Debug, Serialize)]
pub(crate) struct SourceLineRecord<'r> {
    /// Its number in the file.
    pub(crate) line: usize,
    /// What is in it, without the white space at its ends.
    pub(crate) text: &'r str,
}

impl<'r> ComparisonReport<'r> {
    /// Returns how the files of exact copies differ; nothing if the two are no exact copies, or have no lines.
    pub(crate) fn files(&self) -> Option<FilesRecord<'r>> {
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

    pub(crate) fn settings(&self) -> CutRecord {
        CutRecord {
            shingle_size: self.settings.shingle_size.get(),
            shingle_unit: self.settings.shingle_unit.as_str(),
            idf: match *self.settings.idf {
                Idf::Dictionary => "dictionary",
                Idf::Table { .. } => "file",
            },
            among_others: self.is_among_others,
        }
    }

    pub(crate) fn verdict(&self) -> VerdictRecord<'r> {
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

    pub(crate) fn swaps(&self) -> Vec<Swap<'r>> {
        let Comparison { a, b, shared, .. } = self.comparison;
        swaps(&shared.passages, &a.side, &b.side)
    }

    pub(crate) fn shared(&self) -> SharedRecord<'r> {
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

    pub(crate) fn passages(&self) -> impl Iterator<Item = PassageRecord<'r>> {
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

    pub(crate) fn only_a(&self) -> impl Iterator<Item = OnlyRecord<'r>> {
        only(&self.comparison.a.side, &self.comparison.shared.only[0])
    }

    pub(crate) fn only_b(&self) -> impl Iterator<Item = OnlyRecord<'r>> {
        only(&self.comparison.b.side, &self.comparison.shared.only[1])
    }
}

impl<'r> ComparedRecord<'r> {
    pub(crate) fn new(compared: &Compared<'r>) -> Self {
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
