//! `dupfind tune` for people: charts, what each threshold reports, pairs at the edge, a hint.

use std::io::{self, Write};

use crate::engine::pair::Resemblance;
use crate::engine::pair::relation::Relation;
use crate::language::{phrase, say};
use crate::report::style::TableStyle;
use crate::report::style::numbers::amount;
use crate::report::style::paint::HEADING;
use crate::report::table::columns::Table;
use crate::report::table::compared;
use crate::report::tune::borderline::write_borderlines;
use crate::report::tune::chart::{Chart, ChartRow};
use crate::report::tune::model::{BinRecord, MeasureValue, TuneReport};
use crate::report::tune::thresholds::write_thresholds;
use crate::tune::choice::Choice;

/// Writes the report for people. Names are escaped so that no file name can act on the terminal.
pub(crate) fn write_tune_table(
    report: &TuneReport<'_>,
    style: TableStyle,
    out: &mut dyn Write,
) -> io::Result<()> {
    let table = Table { style };
    let counts = report.run.outcome.pair_counts;
    let there = |relation: &Relation| counts.of(*relation) > 0;
    let relations: Vec<Relation> = Relation::ALL.into_iter().filter(there).collect();
    if counts.total() > 0 {
        charts(report, &relations, &table, out)?;
        write_thresholds(report.tuning, &relations, &table, out)?;
        write_borderlines(report, &table, out)?;
    }
    summary(report, &table, out)?;
    match (report.tuning.default_choice(), report.tuning.suggestion()) {
        (Some(default), Some(suggested)) => hint(&default, &suggested, &table, out),
        _ => Ok(()),
    }
}

fn charts(
    report: &TuneReport<'_>,
    relations: &[Relation],
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let settings = report.run.settings;
    let (floor, most) = (settings.engine.min_jaccard, settings.engine.max_hamming);
    let row = |bin: BinRecord| ChartRow {
        label: label(&bin),
        counts: bin.counts,
        is_complete: bin.complete,
    };
    // Of the weighted similarity no row is complete, which needs no mark at each.
    let unmarked = |bin: BinRecord| ChartRow {
        is_complete: true,
        ..row(bin)
    };
    let charts = [
        Chart {
            title: phrase("Jaccard similarity"),
            rows: report.jaccard().map(row).collect(),
            missing: say!(
                "* below {} only pairs at Hamming distance <= {}",
                floor,
                most
            ),
        },
        Chart {
            title: phrase("Weighted similarity"),
            rows: report.weighted().map(unmarked).collect(),
            missing: String::new(),
        },
        Chart {
            title: phrase("Hamming distance"),
            rows: report.hamming().map(row).collect(),
            missing: say!(
                "* beyond {} only pairs of Jaccard similarity >= {}",
                most,
                floor
            ),
        },
    ];
    charts
        .iter()
        .try_for_each(|chart| chart.write(relations, table, out))
}

/// Returns the values in a bin, in words.
fn label(bin: &BinRecord) -> String {
    match (bin.from, bin.to) {
        (MeasureValue::Similarity(from), Some(MeasureValue::Similarity(to))) => {
            format!("{from:.2}–{to:.2}")
        }
        (MeasureValue::Similarity(from), _) => format!("{from:.2}"),
        (MeasureValue::Bits(from), None) => say!("{} and more", from),
        (MeasureValue::Bits(from), _) => from.to_string(),
    }
}

fn summary(report: &TuneReport<'_>, table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let settings = report.run.settings;
    let summary = report.run.summary();
    let range = say!(
        "Jaccard similarity >= {} or Hamming distance <= {}",
        settings.engine.min_jaccard,
        settings.engine.max_hamming
    );
    let found = match summary.pairs {
        0 if summary.documents == 0 => phrase("there was nothing to compare").into(),
        0 => say!("no pairs of {}", range),
        pairs => amount(pairs, "pair") + &say!(" of {}", range),
    };
    let text = say!("{}: {}", compared(&report.run, &summary), found);
    writeln!(out, "{}", table.paint(HEADING, &text))
}

/// The command with a better threshold, and what it is better for.
fn hint(
    default: &Choice,
    suggested: &Choice,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let least = Resemblance::as_number(suggested.min_jaccard.unwrap_or_default());
    let command = say!("Try: dupfind scan … --min-jaccard {}", least);
    writeln!(out, "\n{}", table.paint(HEADING, &command))?;
    writeln!(
        out,
        "{}",
        say!(
            "With the same paths and options it reports {} of the {} exact, near and contains pairs that the\ndefaults report, and {} instead of {} others.",
            suggested.duplicates(),
            default.duplicates(),
            suggested.others(),
            default.others()
        )
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::engine::pairing::sink::PairSink;
    use crate::gate::Gate;
    use crate::report::model::Report;
    use crate::report::testing::{Canned, canned, empty};
    use crate::scan::ScanOptions;
    use crate::tune::Tuning;
    use unicode_width::UnicodeWidthStr;

    fn table(canned: &Canned, style: TableStyle) -> String {
        let settings = ScanOptions {
            engine: Options {
                min_jaccard: Tuning::LEAST_JACCARD,
                max_hamming: 4,
                ..Options::default()
            },
            ..ScanOptions::for_paths(["docs"])
        };
        let (outcome, pairs) = (&canned.outcome, canned.pairs.as_deref());
        let mut tuning = Tuning::new(&settings);
        tuning.take(&outcome.documents, pairs.unwrap()).unwrap();
        let gate = Gate::default();
        let report = TuneReport {
            run: Report::new(&settings, outcome, None, &gate),
            tuning: &tuning,
        };
        let mut out = Vec::new();
        write_tune_table(&report, style, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn charts_thresholds_and_borderline_pairs() {
        let text = table(&canned(), TableStyle::default());
        let (charts, rest) = text.split_once("What scan").unwrap();
        assert!(
            charts.ends_with(
                "\
Hamming distance  bars: log scale, a full one is 10 pairs
            pairs  exact               near
0               1  1 ████▋
1               0
2               0
3               0
4               0
5 and more*     1                      1 ████▋
* beyond 4 only pairs of Jaccard similarity >= 0.05

"
            ),
            "{charts}"
        );
        assert_eq!(
            rest,
            " would report, each threshold by itself
                             pairs  documents  exact  near
--min-jaccard 0.1                2          3      1     1
--min-jaccard 0.2 (default)      2          3      1     1
--min-jaccard 0.3                2          3      1     1
--min-jaccard 0.4                1          2      1     0
--min-jaccard 0.5                1          2      1     0
--min-jaccard 0.6                1          2      1     0
--min-jaccard 0.7                1          2      1     0
--min-jaccard 0.8                1          2      1     0
--min-jaccard 0.9                1          2      1     0

--max-hamming 0                  1          2      1     0
--max-hamming 1                  1          2      1     0
--max-hamming 2                  1          2      1     0
--max-hamming 3   (default)      1          2      1     0
--max-hamming 4                  1          2      1     0

both defaults                    2          3      1     1

Borderline pairs, the nearest on each side of what decides about them
relation  weighted  Jaccard  contained  Hamming  document   other document
near        0.2100   0.3333     0.5000       17  docs/a.md  docs/evil\\n\\u{1b}[31m.md
────────  above: near, weighted >= 0.15; none below is near it

4 documents compared (2 skipped: 1 binary, 1 unreadable): 2 pairs of Jaccard similarity >= 0.05 or \
             Hamming distance <= 4
"
        );
    }

    #[test]
    fn charts_and_pairs_fit_the_terminal() {
        let style = TableStyle {
            width: Some(80),
            ..TableStyle::default()
        };
        let text = table(&canned(), style);
        let lines = || text.lines().filter(|line| !line.contains("compared"));
        assert!(lines().all(|line| line.width() <= 80), "{text}");
    }

    #[test]
    fn nothing_found_is_one_line() {
        let text = table(&empty(), TableStyle::default());
        assert_eq!(text, "0 documents compared: there was nothing to compare\n");
    }
}
