//! How reports for people look: the width and colours of a table, and how names, numbers and commands are written.

pub mod escape;
pub mod shell;
pub mod wrap;

use std::fmt::{self, Display, Write};

use anstyle::{AnsiColor, Style};
use dupfind_engine::{Relation, Resemblance};
use dupfind_read::Extent;

use crate::language::{Language, Phrase, filled, phrase};
use crate::{language, say};

/// How the table is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct TableStyle {
    /// Columns of the terminal; `None` if there is none, or its size is not known.
    pub width: Option<usize>,
    /// Whether somebody reads it in a terminal, where a long list is cut.
    pub is_terminal: bool,
    /// Whether to write colours.
    pub color: bool,
    /// How many entries, pairs and clusters to show at most.
    pub top: Option<usize>,
}

pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Returns text in a style, or plain without colours.
pub(crate) fn painted(style: Style, text: &str, has_colour: bool) -> String {
    if has_colour {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

pub(crate) fn relation_style(relation: Relation) -> Style {
    match relation {
        Relation::Exact => AnsiColor::Red.on_default().bold(),
        Relation::Near => AnsiColor::Yellow.on_default(),
        Relation::Contains => AnsiColor::Cyan.on_default(),
        Relation::Variant | Relation::Related => Style::new(),
        Relation::Template | Relation::Short => FAINT,
    }
}

/// Returns a number with its noun, which is put into the plural unless the number is one: `1 copy`, `2 copies`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) {
        return format!("{count} {noun}");
    }
    match noun.strip_suffix('y') {
        Some(stem) => format!("{count} {stem}ies"),
        None if noun.ends_with("ch") => format!("{count} {noun}es"),
        None => format!("{count} {noun}s"),
    }
}

/// Returns [`counted`] in the language of the reader. The table of the language has the noun behind a hole for the number.
pub fn amount<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    match language::current() {
        Language::English => counted(count, noun),
        Language::Chinese => filled(phrase(&format!("{{}} {noun}")), &[&count]),
    }
}

/// A number that is written with commas between thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grouped(pub u64);

impl From<u8> for Grouped {
    fn from(number: u8) -> Self {
        Self(number.into())
    }
}

impl Display for Grouped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                out.write_char(',')?;
            }
            out.write_char(digit)?;
        }
        Ok(())
    }
}

/// Returns the first and the last number of a range: `3`, or `3-80`.
pub fn range<N: Display + PartialEq>((first, last): (N, N)) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}

/// Returns lines as `3-80`, pages as `p. 12` in the language of the reader.
pub(crate) fn place(extent: Extent) -> String {
    match extent {
        Extent::Lines(first, last) => range((first, last)),
        Extent::Pages(first, last) => say!("p. {}", range((first, last))),
    }
}

/// Returns `line 3`, `lines 3-80`, or `p. 12` in the language of the reader.
pub(crate) fn place_in_words(extent: Extent) -> String {
    place_in(phrase, extent)
}

/// Returns [`place_in_words`] in a language.
pub(crate) fn place_in(phrase: Phrase, extent: Extent) -> String {
    match extent {
        Extent::Lines(first, last) if first == last => filled(phrase("line {}"), &[&first]),
        Extent::Lines(first, last) => filled(phrase("lines {}"), &[&range((first, last))]),
        Extent::Pages(first, last) => filled(phrase("p. {}"), &[&range((first, last))]),
    }
}

/// Returns a part of a whole, from 0 to 1, rounded down to four decimals.
pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    Resemblance::as_number(part * Resemblance::STEPS / whole.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_their_numbers() {
        for (count, noun, expected) in [
            (1, "copy", "1 copy"),
            (0, "more entry", "0 more entries"),
            (2, "stretch", "2 stretches"),
            (3, "document", "3 documents"),
        ] {
            assert_eq!(counted::<u64>(count, noun), expected);
        }
    }

    #[test]
    fn thousands_are_set_apart() {
        for (number, expected) in [(1, "1"), (1234, "1,234"), (1_234_567, "1,234,567")] {
            assert_eq!(Grouped(number).to_string(), expected);
        }
        assert_eq!(amount(Grouped(1_695), "page"), "1,695 pages");
        assert_eq!(amount(Grouped(1), "page"), "1 page");
    }
}
