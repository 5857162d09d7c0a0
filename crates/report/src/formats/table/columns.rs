//! The common parts of all tables: colours, headings and cells.

use anstyle::Style;

use crate::language::phrase;
use crate::model::PairRecord;
use crate::style::TableStyle;
use crate::style::escape::{padded, padded_left, visible};
use crate::style::paint::{painted, relation_style};
use dupfind_engine::verdict::Relation;

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

impl Table {
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        painted(style, text, self.style.color)
    }

    /// Returns the cell with the relation of a pair.
    pub(crate) fn relation(&self, relation: Relation) -> String {
        let text = padded(phrase(relation.as_str()), RELATION);
        self.paint(relation_style(relation), &text)
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

/// Returns a name for the beginning of a line. For GitHub Actions, a line that begins with `::`, white space aside, is
/// a command.
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
