//! Text in columns of a terminal: wrapped by its width there, in which a Chinese character counts as
//! two, with changed stretches marked.

use anstyle::{AnsiColor, Style};

use crate::style::escape::visible;
use crate::style::wrap::{LongWords, line_end, width};

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
