//! A histogram in characters: a row for each bin, a column of bars for each relation.
//!
//! Bars of different relations stand beside each other and not on one another: on a log scale, parts of
//! a bar cannot be compared with the whole. So the chart can be read without colours.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::engine::pair::relation::{Counts, Relation};
use crate::language::{phrase, say};
use crate::report::style::escape::{padded, padded_left};
use crate::report::style::paint::{FAINT, HEADING, relation_style};
use crate::report::table::columns::Table;

/// The columns of a chart where there is no terminal to fill.
const COLUMNS: usize = 100;

/// The widest and the narrowest bar.
const BAR: (usize, usize) = (16, 4);

/// A full bar is never fewer pairs than this.
const FEW: u64 = 10;

/// A bar ends with one of these, which fill an eighth of a column, two, ... all of it.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// A row of a chart.
pub(crate) struct ChartRow {
    /// The values in the bin.
    pub(crate) label: String,
    pub(crate) counts: Counts,
    /// Whether all pairs with these values are among them.
    pub(crate) is_complete: bool,
}

/// A histogram to be drawn.
pub(crate) struct Chart<'c> {
    pub(crate) title: &'c str,
    pub(crate) rows: Vec<ChartRow>,
    /// What is not counted in the rows that are not complete.
    pub(crate) missing: String,
}

impl Chart<'_> {
    /// Draws the rows from the first to the last that has pairs, with a column for each of some relations.
    pub(crate) fn write(
        &self,
        relations: &[Relation],
        table: &Table,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let has_pairs = |row: &ChartRow| row.counts.total() > 0;
        let first = self.rows.iter().position(has_pairs).unwrap_or_default();
        let end = self.rows.iter().rposition(has_pairs).map_or(0, |at| at + 1);
        let rows = &self.rows[first.min(end)..end];
        let columns = ChartColumns::new(rows, relations, table);

        let scale = say!("bars: log scale, a full one is {} pairs", columns.most);
        writeln!(
            out,
            "{}  {}",
            table.paint(HEADING, self.title),
            table.paint(FAINT, &scale)
        )?;
        writeln!(out, "{}", columns.headings().trim_end())?;
        for row in rows {
            writeln!(out, "{}", columns.line(row, table).trim_end())?;
        }
        if rows.iter().any(|row| !row.is_complete) {
            writeln!(out, "{}", table.paint(FAINT, &self.missing))?;
        }
        writeln!(out)
    }
}

/// The widths of the columns of a chart.
struct ChartColumns {
    label: usize,
    total: usize,
    /// The relations, each with the digits of its counts.
    relations: Vec<(Relation, usize)>,
    bar: usize,
    /// How many pairs a full bar is.
    most: u64,
}

impl ChartColumns {
    fn new(rows: &[ChartRow], relations: &[Relation], table: &Table) -> Self {
        let cells = rows
            .iter()
            .flat_map(|row| relations.iter().map(|&r| row.counts.of(r)));
        // So that a handful of pairs does not look like many.
        let most = cells.max().unwrap_or_default().max(FEW);
        let label = rows.iter().map(|row| row.label.width()).max();
        let label = label.unwrap_or_default() + 1;
        let total = digits(rows.iter().map(|row| row.counts.total())).max(phrase("pairs").width());
        let relations: Vec<(Relation, usize)> = relations
            .iter()
            .map(|&relation| {
                (
                    relation,
                    digits(rows.iter().map(|row| row.counts.of(relation))),
                )
            })
            .collect();
        let counts: usize = relations.iter().map(|(_, digits)| digits + 3).sum();
        let fixed = label + 1 + total + counts;
        let room = table.style.width.unwrap_or(COLUMNS).saturating_sub(fixed);
        let bar = (room / relations.len().max(1)).clamp(BAR.1, BAR.0);
        Self {
            label,
            total,
            relations,
            bar,
            most,
        }
    }

    fn headings(&self) -> String {
        let Self { label, total, .. } = *self;
        let mut headings = format!("{:label$} {}", "", padded_left(phrase("pairs"), total));
        for (relation, digits) in &self.relations {
            headings += &format!(
                "  {}",
                padded(phrase(relation.as_str()), digits + 1 + self.bar)
            );
        }
        headings
    }

    fn line(&self, row: &ChartRow, table: &Table) -> String {
        let mark = if row.is_complete { "" } else { "*" };
        let name = padded(&format!("{}{mark}", row.label), self.label);
        let mut line = format!("{name} {:>1$}", row.counts.total(), self.total);
        for &(relation, digits) in &self.relations {
            let width = digits + 1 + self.bar;
            let cell = match row.counts.of(relation) {
                0 => " ".repeat(width),
                count => {
                    let cell = format!("{count:>digits$} {}", drawn(count, self.most, self.bar));
                    table.paint(relation_style(relation), &padded(&cell, width))
                }
            };
            line += &format!("  {cell}");
        }
        line
    }
}

/// Returns how many digits the largest of some numbers has.
fn digits(counts: impl Iterator<Item = u64>) -> usize {
    counts.max().unwrap_or_default().to_string().len()
}

/// Returns a bar as long as the logarithm of a count, and long enough to be seen. `most` fills the columns.
fn drawn(count: u64, most: u64, columns: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "it is only drawn")]
    let log = |count: u64| (count as f64 + 1.0).ln();
    let eighth = log(most) / (8 * columns) as f64;
    let is_reached = |&eighths: &usize| eighth * eighths as f64 <= log(count) * (1.0 + 1e-9);
    let length = (1..=8 * columns).take_while(is_reached).count().max(1);
    let mut bar = EIGHTHS[7].to_string().repeat(length / 8);
    if length % 8 > 0 {
        bar.push(EIGHTHS[length % 8 - 1]);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_the_logarithm() {
        assert_eq!(drawn(999, 999, 3), "███");
        assert_eq!(drawn(99, 999, 3), "██");
        assert_eq!(drawn(9, 999, 3), "█");
        assert_eq!(drawn(1, 999, 3), "▎");
        assert_eq!(drawn(1, u64::MAX, 3), "▏");
        assert_eq!(drawn(1, 1, 2), "██");
    }
}
