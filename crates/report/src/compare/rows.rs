//! Prints blocks, every line with its number: two documents beside each other if there is room, otherwise one below
//! the other.

use std::io::{self, Write};
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::layout::Block;
use crate::say;
use crate::style::escape::visible;
use crate::style::numbers::amount;
use crate::style::wrap::{LongWords, line_end, width};
use crate::style::{FAINT, painted};
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
mod tests {
    use super::*;
    use crate::layout::Layout;
    use dupfind_decide::compare::search::find_passages;
    use dupfind_engine::Options;

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

    fn side(text: &str) -> Side<'_> {
        Side::new(text, &Options::default())
    }

    /// The blocks of the only passage of two texts: lines as `number:text`, changes in brackets.
    fn shown(a: &str, b: &str, is_whole: bool) -> Vec<(String, String)> {
        let (a, b) = (side(a), side(b));
        let shared = &find_passages(&a, &b);
        assert_eq!(shared.passages.len(), 1);
        let layout = Layout::new(&a, &b, shared, is_whole);
        let text = |stretches: &[(Range<usize>, bool)], side| {
            let lines = lines(stretches, side).into_iter().map(|line| {
                let spans = line.spans.iter().map(|span| match span.is_changed {
                    true => format!("[{}]", span.text),
                    false => span.text.to_owned(),
                });
                format!("{}:{}", line.number, spans.collect::<String>())
            });
            lines.collect::<Vec<_>>().join("|")
        };
        let blocks = layout.passage(&shared.passages[0]).into_iter();
        blocks
            .map(|block| match block {
                Block::Places([in_a, in_b]) => (text(&in_a, &a), text(&in_b, &b)),
                Block::Hidden(units) => (units.to_string(), String::new()),
            })
            .filter(|shown| *shown != Default::default())
            .collect()
    }

    #[test]
    fn blocks_end_where_both_documents_begin_a_line() {
        let a = "一二三四五六七八，\n九十。\n\n甲乙丙丁戊己庚辛\n";
        let b = "一二三四五六七八，九十。\r\n甲乙丙丁戊己庚新辛";
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            shown(a, b, false),
            [
                pair(
                    "1:一二三四五六七八，|2:九十。",
                    "1:一二三四五六七八，九十。"
                ),
                pair("4:甲乙丙丁戊己庚辛", "2:甲乙丙丁戊己庚[新]辛"),
            ]
        );
    }

    #[test]
    fn lines_that_begin_or_end_with_a_change_have_blocks_of_their_own() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let a = "一二三四五六七八旧\n- 老九十甲乙丙丁戊己\n庚辛壬癸";
        let b = "一二三四五六七八新\n- 少九十甲乙丙丁戊己\n插入\n庚辛壬癸";
        assert_eq!(
            shown(a, b, false),
            [
                pair(
                    "1:一二三四五六七八[旧]|2:[- 老]九十甲乙丙丁戊己",
                    "1:一二三四五六七八[新]|2:[- 少]九十甲乙丙丁戊己"
                ),
                pair("", "3:[插入]"),
                pair("3:庚辛壬癸", "4:庚辛壬癸"),
            ]
        );
        let a = "一二三四五六七八\n- 老九十甲乙丙丁戊旧\n庚辛壬癸";
        let b = "一二三四五六七八\n- 少九十甲乙丙丁戊新\n庚辛壬癸";
        assert_eq!(
            shown(a, b, false),
            [
                pair("1:一二三四五六七八", "1:一二三四五六七八"),
                pair("2:- [老]九十甲乙丙丁戊[旧]", "2:- [少]九十甲乙丙丁戊[新]"),
                pair("3:庚辛壬癸", "3:庚辛壬癸"),
            ]
        );
    }

    #[test]
    fn long_stretches_are_shortened_at_line_ends_near_by() {
        let line = "一二三四五六七八九十甲乙丙丁戊己庚辛壬癸\n";
        let text: String = (0..20).map(|n| format!("{n} {line}")).collect();
        let blocks = shown(&text, &text, false);
        let hidden: Vec<&str> = blocks
            .iter()
            .filter(|(_, b)| b.is_empty())
            .map(|(units, _)| units.as_str())
            .collect();
        assert_eq!(hidden, ["336"]);
        assert!(blocks.iter().all(|(a, _)| !a.contains('…')), "{blocks:?}");
        assert_eq!(shown(&text, &text, true).len(), 20);
        // Without lines the cut is marked.
        let text = text.replace('\n', "");
        let blocks = shown(&text, &text, false);
        assert_eq!(blocks.len(), 3);
        assert!(blocks[0].0.ends_with('…') && blocks[2].0.starts_with("1:…"));
    }

    fn plain(text: &str) -> Span<'_> {
        Span {
            text,
            is_changed: false,
        }
    }

    fn changed(text: &str) -> Span<'_> {
        Span {
            text,
            is_changed: true,
        }
    }

    fn rows(line: &[Span<'_>], columns: usize) -> Vec<String> {
        let rows = wrapped(line, Some(columns), Whose::A, false);
        rows.into_iter().map(|row| row.text).collect()
    }

    #[test]
    fn changes_are_marked_or_coloured() {
        let line = [plain("三十"), changed("年"), plain("前")];
        assert_eq!(rows(&line, 80), ["三十[-年-]前"]);
        let shown = wrapped(&line, None, Whose::B, false);
        assert_eq!(shown[0].text, "三十{+年+}前");
        let shown = wrapped(&line, Some(4), Whose::B, true);
        let texts: Vec<&str> = shown.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(texts, ["三十", "\u{1b}[1m\u{1b}[32m年\u{1b}[0m前"]);
    }
}
