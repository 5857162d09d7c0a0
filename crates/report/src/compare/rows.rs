//! Prints blocks, every line with its number: two documents beside each other if there is room, otherwise one below
//! the other.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::compare::lines::{Line, lines};
use crate::compare::wrap::{Row, Span, Whose, wrapped};
use crate::layout::Block;
use crate::say;
use crate::style::numbers::amount;
use crate::style::paint::{FAINT, painted};
use dupfind_decide::compare::side::Side;
use dupfind_decide::compare::sources::SourceLine;

/// The narrowest a column of text is made; with less room the documents are one below the other.
const NARROWEST: usize = 30;

/// The line between two documents that are beside each other.
const SEPARATOR: &str = " │ ";

/// How blocks are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    /// How many columns; without a limit, lines are not wrapped.
    pub(super) width: Option<usize>,
    pub(super) color: bool,
    /// Columns of a line number.
    pub(super) digits: usize,
}

impl Page {
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
        let Page { digits, .. } = *self;
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
        let Page { digits, .. } = *self;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn line<'t>(number: usize, text: &'t str, change: &'t str) -> Line<'t> {
        let span = |text, is_changed| Span { text, is_changed };
        let mut spans = vec![span(text, false)];
        if !change.is_empty() {
            spans.push(span(change, true));
        }
        Line { number, spans }
    }

    fn printed(width: Option<usize>, a: &[Line<'_>], b: &[Line<'_>]) -> String {
        let page = Page {
            width,
            color: false,
            digits: 3,
        };
        let mut out = Vec::new();
        page.lines(a, b, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn both_documents_line_up() {
        let long = "四十年前向市民开放了".repeat(2);
        let a = [line(1, "河边的老公园", "三"), line(2, "short", "")];
        let b = [line(12, &long, "")];
        assert_eq!(
            printed(Some(71), &a, &b),
            "  1 河边的老公园[-三-]             │  12 四十年前向市民开放了四十年前向
  2 short                          │     市民开放了
"
        );
        assert_eq!(
            printed(Some(70), &a, &b),
            "  1      河边的老公园[-三-]
  2      short
     12  四十年前向市民开放了四十年前向市民开放了
"
        );
    }

    #[test]
    fn lines_that_are_the_same_are_printed_once() {
        let a = [line(1, "same", ""), line(2, "text", "")];
        let b = [line(7, "same", ""), line(8, "text", "")];
        assert_eq!(printed(None, &a, &b), "  1   7  same\n  2   8  text\n");
    }
}
