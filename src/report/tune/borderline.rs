//! The list of pairs at the edge.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::report::escape::{padded, visible};
use crate::report::model::PairRecord;
use crate::report::table::{FAINT, HEADING, Table, in_order, style};
use crate::report::tune::model::{BorderlineRecord, TuneReport};
use crate::tune::borderline::{Borderline, CutOff};

/// What stands before the names of a pair: the relation and four numbers.
const FIXED: &str = "relation  weighted  Jaccard  contained  Hamming  ";

/// Writes the pairs on both sides of each cut-off, in the middle the nearest.
pub(crate) fn write_borderlines(
    report: &TuneReport<'_>,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all: Vec<(&Borderline, Vec<BorderlineRecord<'_>>)> = report
        .tuning
        .borderlines()
        .map(|borderline| (borderline, report.at(borderline).collect()))
        .filter(|(_, records): &(_, Vec<_>)| !records.is_empty())
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    let names = all.iter().flat_map(|(_, records)| records).map(|record| {
        let (first, second) = in_order(&record.pair);
        (visible(first).width(), visible(second).width())
    });
    let heads = ("document", "other document");
    let widest = names.fold((heads.0.len(), heads.1.len()), |widest, row| {
        (widest.0.max(row.0), widest.1.max(row.1))
    });
    let widths = table.columns(FIXED.len(), widest.0, widest.1);

    let title = "Borderline pairs, the nearest on each side of what decides about them";
    writeln!(out, "{}", table.paint(HEADING, title))?;
    let heading = format!("{FIXED}{}  {}", padded(heads.0, widths.0), heads.1);
    writeln!(out, "{heading}")?;
    for (borderline, records) in all {
        let (admitted, refused): (Vec<_>, Vec<_>) =
            records.iter().partition(|record| record.admitted);
        for record in admitted.iter().rev() {
            pair(&record.pair, widths, table, out)?;
        }
        let none = match (admitted.is_empty(), refused.is_empty()) {
            (true, _) => "; none above is near it",
            (_, true) => "; none below is near it",
            _ => "",
        };
        let line = format!("{:─<8}  above: {}{none}", "", rule(borderline.cut_off));
        writeln!(out, "{}", table.paint(FAINT, &line))?;
        for record in refused {
            pair(&record.pair, widths, table, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn pair(
    pair: &PairRecord<'_>,
    widths: (usize, usize),
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let similarity = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.4}"));
    let (first, second) = in_order(pair);
    let relation = format!("{:<8}", pair.relation.as_str());
    writeln!(
        out,
        "{}  {:>8}  {:>7}  {:>9}  {:>7}  {}  {}",
        table.paint(style(pair.relation), &relation),
        similarity(pair.weighted),
        similarity(pair.jaccard),
        similarity(pair.containment),
        pair.hamming.map_or("-".into(), |bits| bits.to_string()),
        padded(&table.fitted(first, widths.0), widths.0),
        table.fitted(second, widths.1),
    )
}

/// What a cut-off decides, in words.
fn rule(cut_off: CutOff) -> String {
    let value = cut_off.as_number();
    match cut_off {
        CutOff::Jaccard => format!("reported, Jaccard >= {value} (--min-jaccard)"),
        CutOff::Hamming => format!("reported, Hamming <= {value} (--max-hamming)"),
        CutOff::NearWeighted => format!("near, weighted >= {value}"),
        CutOff::NearJaccard => format!("near, Jaccard >= {value}"),
        CutOff::Contained => format!("contains, contained >= {value}"),
    }
}
