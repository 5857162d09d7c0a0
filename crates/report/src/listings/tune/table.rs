//! `dupfind tune` for people: the counts of pairs for each threshold.

use std::io::{self, Write};

use crate::formats::table::columns::Table;
use crate::formats::table::compared;
use crate::language::phrase;
use crate::listings::tune::model::TuneReport;
use crate::listings::tune::thresholds::write_thresholds;
use crate::say;
use crate::style::TableStyle;
use crate::style::numbers::amount;
use crate::style::paint::HEADING;
use dupfind_engine::verdict::Relation;

/// Writes the report for people. Names are escaped so that no file name can act on the terminal.
pub fn write_tune_table(
    report: &TuneReport<'_>,
    style: TableStyle,
    out: &mut dyn Write,
) -> io::Result<()> {
    let table = Table { style };
    let counts = report.run.outcome.pair_counts;
    let there = |relation: &Relation| counts.of(*relation) > 0;
    let relations: Vec<Relation> = Relation::ALL.into_iter().filter(there).collect();
    if counts.total() > 0 {
        write_thresholds(report.tuning, &relations, &table, out)?;
    }
    summary(report, &table, out)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Report;
    use crate::tests::{Canned, canned, empty};
    use dupfind_decide::gate::Gate;
    use dupfind_decide::tune::Tuning;
    use dupfind_engine::Options;
    use dupfind_engine::pairing::sink::PairSink;
    use dupfind_scan::ScanOptions;

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
    fn every_threshold_has_a_row() {
        let text = table(&canned(), TableStyle::default());
        assert_eq!(
            text,
            "\
What scan would report, each threshold by itself
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

4 documents compared (2 skipped: 1 binary, 1 unreadable): 2 pairs of Jaccard similarity >= 0.05 or \
             Hamming distance <= 4
"
        );
    }

    #[test]
    fn nothing_found_is_one_line() {
        let text = table(&empty(), TableStyle::default());
        assert_eq!(text, "0 documents compared: there was nothing to compare\n");
    }
}
