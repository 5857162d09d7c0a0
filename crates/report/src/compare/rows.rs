//! Prints blocks, every line with its number: two documents beside each other if there is room, otherwise one below
//! the other.

use std::io::{self, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::layout::Block;
use crate::say;
use crate::style::escape::visible;
use crate::style::wrap::{LongWords, line_end, width};
use crate::style::{FAINT, amount, painted};
use dupfind_decide::compare::SourceLine;
use dupfind_decide::compare::side::Side;

/// The narrowest a column of text is made; with less room the documents are one below the other.
const NARROWEST: usize = 30;

/// The line between two documents that are beside each other.
const SEPARATOR: &str = " │ ";

/// How blocks are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowStyle {
    /// How many columns; without a limit, lines are not wrapped.
    pub(super) width: Option<usize>,
    pub(super) color: bool,
    /// Columns of a line number.
    pub(super) digits: usize,
}

impl RowStyle {
    /// Prints a block of both documents.
    pub(super) fn both(
        &self,
        block: &Block,
        sides: [&Side<'_>; 2],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match block {
            Block::Hidden(units) => self.hidden(*units, out),
            Block::Places([in_a, in_b]) => {
                self.lines(&lines(in_a, sides[0]), &lines(in_b, sides[1]), out)
            }
        }
    }

    /// Prints a block of one document, which is that of the side.
    pub(super) fn single(
        &self,
        block: &Block,
        side: &Side<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match block {
            Block::Hidden(units) => self.hidden(*units, out),
            Block::Places(places) => self.alone(&lines(&places.concat(), side), out),
        }
    }

    /// Prints lines of a file as they are written.
    pub(super) fn source(&self, lines: &[SourceLine<'_>], out: &mut dyn Write) -> io::Result<()> {
        let line = |&SourceLine { number, text }| Line {
            number,
            spans: vec![Span {
                text,
                is_changed: false,
            }],
        };
        self.alone(&lines.iter().map(line).collect::<Vec<_>>(), out)
    }

    fn alone(&self, lines: &[Line<'_>], out: &mut dyn Write) -> io::Result<()> {
        let RowStyle { digits, .. } = *self;
        for (number, row) in self.rows(lines, self.room(digits + 2), Whose::A) {
            writeln!(out, "{number:>digits$}  {}", row.text)?;
        }
        Ok(())
    }

    fn lines(&self, a: &[Line<'_>], b: &[Line<'_>], out: &mut dyn Write) -> io::Result<()> {
        match self.column() {
            Some(column) => self.beside(a, b, column, out),
            None => self.below(a, b, out),
        }
    }

    fn hidden(&self, units: usize, out: &mut dyn Write) -> io::Result<()> {
        let text = format!(
            "{:>1$}  {2}",
            "…",
            self.digits,
            say!("{} more", amount(units, "unit"))
        );
        writeln!(out, "{}", painted(FAINT, &text, self.color))
    }

    /// Returns the width of the text of a document beside the other one, if there is room for both.
    fn column(&self) -> Option<usize> {
        let numbers = 2 * (self.digits + 1);
        let column = self.width?.checked_sub(numbers + SEPARATOR.width())? / 2;
        (column >= NARROWEST).then_some(column)
    }

    /// Returns the width of a text that is beside no other, after `before` columns.
    fn room(&self, before: usize) -> Option<usize> {
        let width = self.width?;
        Some(width.saturating_sub(before).max(NARROWEST))
    }

    /// Returns the lines of a document in rows, each first row with the line's number.
    fn rows(&self, lines: &[Line<'_>], columns: Option<usize>, whose: Whose) -> Vec<(String, Row)> {
        let mut rows = Vec::new();
        for line in lines {
            let mut number = line.number.to_string();
            for row in wrapped(&line.spans, columns, whose, self.color) {
                rows.push((std::mem::take(&mut number), row));
            }
        }
        rows
    }

    fn beside(
        &self,
        a: &[Line<'_>],
        b: &[Line<'_>],
        column: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let a = self.rows(a, Some(column), Whose::A);
        let b = self.rows(b, Some(column), Whose::B);
        let none = (String::new(), Row::default());
        for at in 0..a.len().max(b.len()) {
            let [(number_a, row_a), (number_b, row_b)] =
                [&a, &b].map(|rows| rows.get(at).unwrap_or(&none));
            let digits = self.digits;
            let line = format!(
                "{number_a:>digits$} {}{}{SEPARATOR}{number_b:>digits$} {}",
                row_a.text,
                " ".repeat(column.saturating_sub(row_a.width)),
                row_b.text,
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Prints one document below the other, or only one of them if they are the same to the letter.
    fn below(&self, a: &[Line<'_>], b: &[Line<'_>], out: &mut dyn Write) -> io::Result<()> {
        let RowStyle { digits, .. } = *self;
        let columns = self.room(2 * digits + 3);
        let is_same = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.spans == b.spans);
        for (at, line) in a.iter().enumerate() {
            let twin = if is_same { b.get(at) } else { None };
            let mut number_b = twin.map(|line| line.number.to_string()).unwrap_or_default();
            for (number_a, row) in self.rows(std::slice::from_ref(line), columns, Whose::A) {
                let number_b = std::mem::take(&mut number_b);
                writeln!(out, "{number_a:>digits$} {number_b:>digits$}  {}", row.text)?;
            }
        }
        if !is_same {
            for (number_b, row) in self.rows(b, columns, Whose::B) {
                writeln!(out, "{:digits$} {number_b:>digits$}  {}", "", row.text)?;
            }
        }
        Ok(())
    }
}

/// A line of a document, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'t> {
    pub(super) number: usize,
    pub(super) spans: Vec<Span<'t>>,
}

/// Marks the rest of a line that is shown in part.
const GOES_ON: Span<'_> = Span {
    text: "…",
    is_changed: false,
};

/// Returns the lines of some stretches of a text that follow each other, without blank ones.
pub(super) fn lines<'t>(stretches: &[(Range<usize>, bool)], side: &Side<'t>) -> Vec<Line<'t>> {
    let mut lines: Vec<Line<'t>> = Vec::new();
    let mut is_new = true;
    for (place, is_changed) in stretches {
        let mut at = place.start;
        for whole in side.text()[place.clone()].split_inclusive('\n') {
            let number = side.line(at);
            let mut text = whole.trim_end_matches(['\n', '\r']);
            if is_new {
                let mut spans = Vec::new();
                if side.goes_on(at) {
                    spans.push(GOES_ON);
                    text = text.trim_start();
                }
                lines.push(Line { number, spans });
            }
            is_new = whole.ends_with('\n');
            at += whole.len();
            if let Some(line) = lines.last_mut()
                && !text.is_empty()
            {
                let is_changed = *is_changed;
                line.spans.push(Span { text, is_changed });
            }
        }
    }
    if let (Some((place, _)), Some(line)) = (stretches.last(), lines.last_mut())
        && side.is_cut(place.end)
    {
        line.spans.push(GOES_ON);
    }
    let is_seen = |span: &Span<'_>| *span != GOES_ON && !span.text.trim().is_empty();
    lines.retain(|line| line.spans.iter().any(is_seen));
    lines
}

/// Whose changes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// Those of the first document: red, or `[-so-]`.
    A,
    /// Those of the second document: green, or `{+so+}`.
    B,
}

impl Whose {
    fn style(self) -> Style {
        match self {
            Self::A => AnsiColor::Red.on_default().bold(),
            Self::B => AnsiColor::Green.on_default().bold(),
        }
    }

    fn marks(self) -> (&'static str, &'static str) {
        match self {
            Self::A => ("[-", "-]"),
            Self::B => ("{+", "+}"),
        }
    }
}

/// A stretch of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span<'t> {
    /// Its text, as it is in the document.
    pub(super) text: &'t str,
    /// Whether it is a change.
    pub(super) is_changed: bool,
}

/// A row of a column, ready to be printed.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    /// The text with its colours.
    pub(super) text: String,
    /// How many columns it has.
    pub(super) width: usize,
}

/// Returns a line as rows of at most so many columns. Nothing in them acts on a terminal.
pub(super) fn wrapped(
    line: &[Span<'_>],
    columns: Option<usize>,
    whose: Whose,
    is_coloured: bool,
) -> Vec<Row> {
    let (chars, changed) = shown(line, whose, is_coloured);
    let columns = columns.unwrap_or(usize::MAX).max(2);
    let (mut rows, mut start) = (Vec::new(), 0);
    while start < chars.len() {
        let (end, next) = line_end(&chars, start, columns, LongWords::Cut);
        let (chars, changed) = (&chars[start..end], &changed[start..end]);
        rows.push(row(chars, changed, whose, is_coloured));
        start = next;
    }
    rows
}

/// Returns the characters by which a line is shown, and which of them are changes.
fn shown(line: &[Span<'_>], whose: Whose, is_coloured: bool) -> (Vec<char>, Vec<bool>) {
    let (mut chars, mut changed) = (Vec::new(), Vec::new());
    for span in line {
        let (open, close) = match span.is_changed && !is_coloured {
            true => whose.marks(),
            false => ("", ""),
        };
        let text = visible(&span.text.replace('\t', "    "));
        chars.extend([open, &text, close].iter().flat_map(|part| part.chars()));
        changed.resize(chars.len(), span.is_changed);
    }
    let end = chars.iter().rposition(|c| !c.is_whitespace());
    chars.truncate(end.map_or(0, |end| end + 1));
    changed.truncate(chars.len());
    (chars, changed)
}

fn row(chars: &[char], changed: &[bool], whose: Whose, is_coloured: bool) -> Row {
    let mut text = String::new();
    let mut is_painted = false;
    let style = whose.style();
    for (&c, &is_changed) in chars.iter().zip(changed) {
        if is_coloured && is_changed != is_painted {
            let switch = match is_changed {
                true => style.render().to_string(),
                false => style.render_reset().to_string(),
            };
            text.push_str(&switch);
            is_painted = is_changed;
        }
        text.push(c);
    }
    if is_painted {
        text.push_str(&style.render_reset().to_string());
    }
    Row {
        text,
        width: chars.iter().map(|&c| width(c)).sum(),
    }
}

#[cfg(test)]
mod tests;
