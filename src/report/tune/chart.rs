//! A histogram in characters: a row for each bin, a column of bars for each relation.
//!
//! Bars of different relations stand beside each other and not on one another: on a log scale, parts of
//! a bar cannot be compared with the whole. So the chart can be read without colours.

use std::io::{self, Write};

use crate::engine::relation::{Counts, Relation};
use crate::report::escape::padded;
use crate::report::paint::{FAINT, HEADING, relation_style};
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
pub(crate) struct Row {
    /// The values in the bin.
    pub(crate) label: String,
    /// Its pairs.
    pub(crate) counts: Counts,
    /// Whether all pairs with these values are among them.
    pub(crate) is_complete: bool,
}

/// A histogram to be drawn.
pub(crate) struct Chart<'c> {
    pub(crate) title: &'c str,
    pub(crate) rows: Vec<Row>,
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
        let has_pairs = |row: &Row| row.counts.total() > 0;
        let first = self.rows.iter().position(has_pairs).unwrap_or_default();
        let end = self.rows.iter().rposition(has_pairs).map_or(0, |at| at + 1);
        let rows = &self.rows[first.min(end)..end];

        let cells = rows
            .iter()
            .flat_map(|row| relations.iter().map(|&r| row.counts.of(r)));
        // A handful of pairs is not to look like many.
        let most = cells.max().unwrap_or_default().max(FEW);
        let label = rows.iter().map(|row| row.label.chars().count()).max();
        let label = label.unwrap_or_default() + 1;
        let total = digits(rows.iter().map(|row| row.counts.total())).max("pairs".len());
        let counts: Vec<usize> = relations
            .iter()
            .map(|&relation| digits(rows.iter().map(|row| row.counts.of(relation))))
            .collect();

        let fixed = label + 1 + total + counts.iter().map(|digits| digits + 3).sum::<usize>();
        let room = table.style.width.unwrap_or(COLUMNS).saturating_sub(fixed);
        let bar = (room / relations.len().max(1)).clamp(BAR.1, BAR.0);

        let scale = format!("bars: log scale, a full one is {most} pairs");
        writeln!(
            out,
            "{}  {}",
            table.paint(HEADING, self.title),
            table.paint(FAINT, &scale)
        )?;
        let mut heading = format!("{:label$} {:>total$}", "", "pairs");
        for (relation, digits) in relations.iter().zip(&counts) {
            heading += &format!("  {}", padded(relation.as_str(), digits + 1 + bar));
        }
        writeln!(out, "{}", heading.trim_end())?;
        for row in rows {
            let mark = if row.is_complete { "" } else { "*" };
            let name = padded(&format!("{}{mark}", row.label), label);
            let mut line = format!("{name} {:>total$}", row.counts.total());
            for (&relation, &digits) in relations.iter().zip(&counts) {
                let cell = match row.counts.of(relation) {
                    0 => " ".repeat(digits + 1 + bar),
                    count => {
                        let cell = format!("{count:>digits$} {}", drawn(count, most, bar));
                        table.paint(relation_style(relation), &padded(&cell, digits + 1 + bar))
                    }
                };
                line += &format!("  {cell}");
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        if rows.iter().any(|row| !row.is_complete) {
            writeln!(out, "{}", table.paint(FAINT, &self.missing))?;
        }
        writeln!(out)
    }
}

/// How many digits the largest of some numbers has.
fn digits(counts: impl Iterator<Item = u64>) -> usize {
    counts.max().unwrap_or_default().to_string().len()
}

/// A bar as long as the logarithm of a count, and no shorter than can be seen; `most` fills the columns.
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
