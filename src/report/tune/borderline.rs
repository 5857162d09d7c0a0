//! The pairs nearest to what decides about them.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::language::{phrase, say};
use crate::report::model::PairRecord;
use crate::report::style::paint::{FAINT, HEADING};
use crate::report::table::columns::{
    NameColumns, Table, distance, measure_headings, names_in_order, similarity,
};
use crate::report::tune::model::{BorderlineRecord, TuneReport};
use crate::tune::borderline::{Borderline, CutOff};

/// The columns with measures.
const MEASURES: [&str; 4] = ["weighted", "Jaccard", "contained", "Hamming"];

/// Writes the pairs on both sides of each cut-off. The nearest ones are next to it.
pub(crate) fn write_borderlines(
    report: &TuneReport<'_>,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all: Vec<(&Borderline, Vec<BorderlineRecord<'_>>)> = report
        .tuning
        .borderlines()
        .map(|borderline| (borderline, report.nearest(borderline).collect()))
        .filter(|(_, records): &(_, Vec<_>)| !records.is_empty())
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    let records = all.iter().flat_map(|(_, records)| records);
    let names = records.map(|record| names_in_order(&record.pair));
    let measures = measure_headings(&MEASURES);
    let columns = table.name_columns(measures.width(), names);

    let title = phrase("Borderline pairs, the nearest on each side of what decides about them");
    writeln!(out, "{}", table.paint(HEADING, title))?;
    writeln!(out, "{measures}{}", columns.headings())?;
    for (borderline, records) in all {
        let (admitted, refused): (Vec<_>, Vec<_>) =
            records.iter().partition(|record| record.admitted);
        for record in admitted.iter().rev() {
            write_pair(&record.pair, columns, table, out)?;
        }
        let none = match (admitted.is_empty(), refused.is_empty()) {
            (true, _) => phrase("; none above is near it"),
            (_, true) => phrase("; none below is near it"),
            _ => "",
        };
        let line = format!(
            "{:─<8}  {}{none}",
            "",
            say!("above: {}", rule(borderline.cut_off))
        );
        writeln!(out, "{}", table.paint(FAINT, &line))?;
        for record in refused {
            write_pair(&record.pair, columns, table, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_pair(
    pair: &PairRecord<'_>,
    columns: NameColumns,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "{}  {:>8}  {:>7}  {:>9}  {:>7}  {}",
        table.relation(pair.relation),
        similarity(pair.weighted),
        similarity(pair.jaccard),
        similarity(pair.containment),
        distance(pair.hamming),
        columns.cells(table, names_in_order(pair)),
    )
}

/// Returns what a cut-off decides, in words.
fn rule(cut_off: CutOff) -> String {
    let value = cut_off.as_number();
    match cut_off {
        CutOff::Jaccard => say!("reported, Jaccard >= {} (--min-jaccard)", value),
        CutOff::Hamming => say!("reported, Hamming <= {} (--max-hamming)", value),
        CutOff::NearWeighted => say!("near, weighted >= {}", value),
        CutOff::NearJaccard => say!("near, Jaccard >= {}", value),
        CutOff::Contained => say!("contains, contained >= {}", value),
    }
}
