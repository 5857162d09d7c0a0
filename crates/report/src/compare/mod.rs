//! The report of `dupfind compare`.

mod json;
mod rows;

pub use json::write_comparison_json;

use std::io::{self, Write};
use std::ops::Range;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::compare::rows::RowStyle;
use crate::formats::columns::similarity;
use crate::language::{phrase, reason};
use crate::layout::{Layout, largest};
use crate::say;
use crate::style::escape::{Lines, legible, padded, visible};
use crate::style::{FAINT, HEADING, amount, painted, place};
use dupfind_decide::compare::passages::Passage;
use dupfind_decide::compare::{Comparison, SourceLine, Sources};
use dupfind_engine::{Document, Explanation, Options, Pair, Reason, Relation};

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
        rows: RowStyle {
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
    rows: RowStyle,
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
        writeln!(out, "A  {}", legible(&a.document.name))?;
        writeln!(out, "B  {}", legible(&b.document.name))?;
        let verdict = self.report.verdict();
        writeln!(out)?;
        let relation = match verdict.container {
            _ if verdict.matched_by.is_empty() => phrase("no pair for a scan with these options"),
            Some(name) if name == a.document.name => phrase("A contains B"),
            Some(_) => phrase("B contains A"),
            None => phrase(verdict.relation.as_str()),
        };
        let heading = self.paint(HEADING, relation);
        let Explanation {
            documents, pair, ..
        } = &self.report.comparison.verdict;
        writeln!(
            out,
            "{}",
            say!("{}: {}", heading, shares(documents, pair, ["A", "B"]))
        )?;
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
            Some(files) if files.have_same_bytes() => {
                phrase("The files are the same, byte for byte.")
            }
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

    /// Writes the reason and the measures.
    fn measures(&self, out: &mut dyn Write) -> io::Result<()> {
        let verdict = self.report.verdict();
        writeln!(out, "\n{}", reason(&verdict.because))?;
        let measures = [
            (phrase("Jaccard similarity"), similarity(verdict.jaccard)),
            (phrase("Weighted similarity"), similarity(verdict.weighted)),
            (
                phrase("Hamming distance"),
                say!("{} of 64 bits", verdict.hamming.unwrap_or_default()),
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
        if passages.is_empty() {
            return self.heading(phrase("No shared passages"), out);
        }
        let moved = match passages.iter().filter(|passage| passage.is_moved).count() {
            0 => String::new(),
            moved => say!(", {} moved", moved),
        };
        let heading = say!(
            "{} shared: {} the same{}",
            amount(passages.len(), "passage"),
            amount(self.layout.shared.same(), "unit"),
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
                self.rows.both(&block, sides, out)?;
            }
        }
        self.not_shown(passages.len() - shown.len(), "shorter passage", out)
    }

    fn only(&self, name: &str, which: usize, out: &mut dyn Write) -> io::Result<()> {
        let stretches = &self.layout.shared.only[which];
        if stretches.is_empty() {
            return self.heading(&say!("No other text is only in {}", name), out);
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
                self.rows.single(&block, self.layout.sides[which], out)?;
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
        self.rows.source(shown, out)?;
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

/// Returns how much of each of two documents, of these names, is in the other one, that of the smaller one first. Of copies it is
/// the reason.
pub(crate) fn shares(documents: &[Document], pair: &Pair, names: [&str; 2]) -> String {
    match pair.smaller_first(documents) {
        Some([(smaller, share), (_, other)]) if pair.relation() != Relation::Exact => {
            let [a, b] = names;
            let [one, two] = if smaller == pair.a { [a, b] } else { [b, a] };
            let (share, other) = (share.percent(), other.percent());
            say!(
                "{} % of {} is in {} ({} % of that text)",
                share,
                one,
                two,
                other
            )
        }
        _ => reason(&Reason::new(documents, pair)),
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
