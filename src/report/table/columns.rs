//! What all tables share: colours, and columns of names that fit the terminal.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::engine::pair::relation::Relation;
use crate::language::phrase;
use crate::report::model::PairRecord;
use crate::report::style::TableStyle;
use crate::report::style::escape::{padded, padded_left, shortened, visible};
use crate::report::style::paint::{painted, relation_style};

/// The widest column of names where there is no terminal to fill.
const WIDEST: usize = 60;

/// The width of the column of relations.
const RELATION: usize = 8;

/// The narrowest that a name is made.
pub(super) const NARROWEST: usize = 12;

/// Returns the headings of the columns of names.
pub(super) fn headings() -> (&'static str, &'static str) {
    (phrase("document"), phrase("other document"))
}

/// Returns headings of columns, each behind two spaces. The first is of relations.
pub(crate) fn measure_headings(names: &[&str]) -> String {
    let measures = names
        .iter()
        .map(|name| padded_left(phrase(name), name.len()));
    let measures: Vec<String> = measures.collect();
    let relation = padded(phrase("relation"), RELATION);
    format!("{relation}  {}  ", measures.join("  "))
}

pub(crate) struct Table {
    pub(crate) style: TableStyle,
}

/// The widths of the two columns with the names of pairs.
#[derive(Clone, Copy)]
pub(crate) struct NameColumns(usize, usize);

impl Table {
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        painted(style, text, self.style.color)
    }

    /// Returns the cell with the relation of a pair.
    pub(crate) fn relation(&self, relation: Relation) -> String {
        let text = padded(phrase(relation.as_str()), RELATION);
        self.paint(relation_style(relation), &text)
    }

    /// Returns a name as it is shown: nothing in it acts on the terminal, and there it is cut to the width of
    /// its column.
    fn fitted(&self, name: &str, columns: usize) -> String {
        let name = visible(name);
        match self.style.width {
            Some(_) => shortened(&name, columns),
            None => name,
        }
    }

    /// Returns the columns for the names of pairs, which follow columns of `fixed` characters. Each gets half of
    /// the terminal; what one column leaves over the other may use. Without a terminal nothing is cut, and a
    /// very long name sticks out, so that not every row becomes as wide.
    pub(crate) fn name_columns<'r>(
        &self,
        fixed: usize,
        names: impl Iterator<Item = (&'r str, &'r str)>,
    ) -> NameColumns {
        let width = |name: &str| visible(name).width();
        let headings = (headings().0.width(), headings().1.width());
        let (a, b) = names.fold(headings, |(a, b), (first, second)| {
            (a.max(width(first)), b.max(width(second)))
        });
        let Some(width) = self.style.width else {
            return NameColumns(a.min(WIDEST), b);
        };
        let room = width.saturating_sub(fixed + 2).max(2 * NARROWEST);
        let half = room / 2;
        if a + b <= room {
            NameColumns(a, b)
        } else if a <= half {
            NameColumns(a, room - a)
        } else if b <= half {
            NameColumns(room - b, b)
        } else {
            NameColumns(half, room - half)
        }
    }
}

impl NameColumns {
    pub(crate) fn headings(self) -> String {
        let (first, second) = headings();
        format!("{}  {second}", padded(first, self.0))
    }

    /// Returns both names as they are shown.
    pub(crate) fn cells(self, table: &Table, (first, second): (&str, &str)) -> String {
        let (first, second) = self.fitted(table, first, second);
        format!("{}  {second}", padded(&first, self.0))
    }

    fn fitted(self, table: &Table, first: &str, second: &str) -> (String, String) {
        (table.fitted(first, self.0), table.fitted(second, self.1))
    }
}

/// Returns the names of a pair; a document that contains the other one comes first.
pub(crate) fn names_in_order<'r>(pair: &PairRecord<'r>) -> (&'r str, &'r str) {
    if pair.container == Some(pair.b) {
        (pair.b, pair.a)
    } else {
        (pair.a, pair.b)
    }
}

/// Returns a name for the beginning of a line. GitHub Actions takes a line that begins with `::`, white space
/// aside, for a command.
pub(super) fn leading(name: &str) -> String {
    let name = visible(name);
    if name.trim_start().starts_with("::") {
        format!("./{name}")
    } else {
        name
    }
}

/// Returns a similarity with four decimals; `-` if it was not measured.
pub(crate) fn similarity(value: Option<f64>) -> String {
    value.map_or("-".into(), |value| format!("{value:.4}"))
}

/// Returns a Hamming distance; `-` if it was not measured.
pub(crate) fn distance(bits: Option<u32>) -> String {
    bits.map_or("-".into(), |bits| bits.to_string())
}
