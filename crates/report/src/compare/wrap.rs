//! Text in columns of a terminal: wrapped by its width there, in which a Chinese character counts as
//! two, with changed stretches marked.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

use crate::style::escape::visible;

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

/// One character as it is shown.
#[derive(Debug, Clone, Copy)]
struct Glyph {
    c: char,
    width: usize,
    is_changed: bool,
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
    let glyphs = glyphs(line, whose, is_coloured);
    let columns = columns.unwrap_or(usize::MAX).max(2);
    let mut rows = Vec::new();
    let mut start = 0;
    while start < glyphs.len() {
        let (end, next) = row_end(&glyphs, start, columns);
        rows.push(row(&glyphs[start..end], whose, is_coloured));
        start = next;
    }
    rows
}

/// Returns the characters by which a line is shown.
fn glyphs(line: &[Span<'_>], whose: Whose, is_coloured: bool) -> Vec<Glyph> {
    let mut glyphs = Vec::new();
    for span in line {
        let (open, close) = match span.is_changed && !is_coloured {
            true => whose.marks(),
            false => ("", ""),
        };
        let shown = visible(&span.text.replace('\t', "    "));
        for c in open.chars().chain(shown.chars()).chain(close.chars()) {
            glyphs.push(Glyph {
                c,
                width: c.width().unwrap_or(0),
                is_changed: span.is_changed,
            });
        }
    }
    let end = glyphs.iter().rposition(|glyph| !glyph.c.is_whitespace());
    glyphs.truncate(end.map_or(0, |end| end + 1));
    glyphs
}

/// Returns where a row that begins at `start` ends, and where the next one begins.
fn row_end(glyphs: &[Glyph], start: usize, columns: usize) -> (usize, usize) {
    let mut used = 0;
    // Where the row ends if the rest does not fit.
    let mut end = None;
    for at in start..glyphs.len() {
        used += glyphs[at].width;
        if used > columns {
            let end = end.unwrap_or(at).max(start + 1);
            let blank = glyphs[end..].iter().take_while(|glyph| glyph.c == ' ');
            return (end, end + blank.count());
        }
        if glyphs
            .get(at + 1)
            .is_some_and(|&next| may_break(glyphs[at], next))
        {
            end = Some(at + 1);
        }
    }
    (glyphs.len(), glyphs.len())
}

/// Whether a row may end between two characters: at white space, and beside a wide character, unless the next row
/// would begin with a closing mark or this one would end with an opening one.
fn may_break(before: Glyph, after: Glyph) -> bool {
    if after.width == 0 || after.c == ' ' {
        return false;
    }
    let opens = "([{（［｛“‘「『《〈【〔".contains(before.c);
    let closes = ")]},.;:!?-+}）］｝”’」』》〉】〕、，。；：！？…".contains(after.c);
    before.c == ' ' || ((before.width > 1 || after.width > 1) && !opens && !closes)
}

fn row(glyphs: &[Glyph], whose: Whose, is_coloured: bool) -> Row {
    let mut text = String::new();
    let mut is_painted = false;
    let style = whose.style();
    for glyph in glyphs {
        if is_coloured && glyph.is_changed != is_painted {
            let switch = match glyph.is_changed {
                true => style.render().to_string(),
                false => style.render_reset().to_string(),
            };
            text.push_str(&switch);
            is_painted = glyph.is_changed;
        }
        text.push(glyph.c);
    }
    if is_painted {
        text.push_str(&style.render_reset().to_string());
    }
    Row {
        text,
        width: glyphs.iter().map(|glyph| glyph.width).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn rows_break_between_words_and_between_chinese_characters() {
        assert_eq!(rows(&[plain("one two three")], 8), ["one two ", "three"]);
        assert_eq!(rows(&[plain("一二三四五。")], 8), ["一二三四", "五。"]);
        // No full stop at the beginning of a row, no bracket at its end.
        assert_eq!(rows(&[plain("一二三四。")], 8), ["一二三", "四。"]);
        assert_eq!(rows(&[plain("一二三（四）")], 8), ["一二三", "（四）"]);
        assert_eq!(rows(&[plain("abcdefghij")], 4), ["abcd", "efgh", "ij"]);
        assert_eq!(rows(&[plain("   ")], 4), Vec::<String>::new());
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

    proptest! {
        #[test]
        fn rows_fit_and_nothing_is_lost(text in "[a-z 中文。（）\u{301}]{0,60}", columns in 2_usize..20) {
            let shown = wrapped(&[plain(&text)], Some(columns), Whose::A, false);
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            let whole: String = shown.iter().map(|row| row.text.as_str()).collect();
            prop_assert_eq!(bare(&whole), bare(&text));
            prop_assert!(shown.iter().all(|row| row.width <= columns));
        }

        #[test]
        fn nothing_acts_on_the_terminal(text in any::<String>(), columns in 2_usize..90) {
            for row in wrapped(&[changed(&text)], Some(columns), Whose::B, false) {
                let acts = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
                prop_assert!(!row.text.contains(acts));
            }
        }
    }
}
