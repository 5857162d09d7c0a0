//! CSV (RFC 4180): the pairs, one a row, for spreadsheets and databases.

use std::io::{self, Write};

use csv::ErrorKind;

use crate::engine::outcome::{Document, Pair};
use crate::engine::sink::PairSink;
use crate::gate::baseline::{Standing, Standings};
use crate::report::model::JudgedRecord;

/// Writes pairs as they are found as CSV with a header row. `matched_by` has its names joined by `+`;
/// the measure of a detector that was off is empty.
#[derive(Debug)]
pub(crate) struct CsvPairs<W: Write> {
    rows: csv::Writer<W>,
    standings: Standings,
    has_header: bool,
}

impl<W: Write> CsvPairs<W> {
    /// Takes where to write to, and how pairs stand. Nothing is written before the first pair or the end.
    pub(crate) fn new(out: W, standings: Standings) -> Self {
        Self {
            standings,
            rows: csv::Writer::from_writer(out),
            has_header: false,
        }
    }

    /// Writes what is left, the header if there was no pair.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.header().map_err(as_io)?;
        self.rows.flush()
    }

    fn header(&mut self) -> csv::Result<()> {
        if !std::mem::replace(&mut self.has_header, true) {
            self.rows.write_record([
                "a",
                "b",
                "jaccard",
                "hamming",
                "matched_by",
                "containment",
                "weighted",
                "relation",
                "container",
                "standing",
            ])?;
        }
        Ok(())
    }

    fn row(&mut self, documents: &[Document], pair: &Pair) -> csv::Result<()> {
        let JudgedRecord { pair, standing, .. } =
            JudgedRecord::new(documents, pair, &self.standings);
        let number = |n: Option<String>| n.unwrap_or_default();
        self.rows.write_record([
            pair.a,
            pair.b,
            &number(pair.jaccard.map(|j| j.to_string())),
            &number(pair.hamming.map(|d| d.to_string())),
            &pair.matched_by.join("+"),
            &number(pair.containment.map(|c| c.to_string())),
            &number(pair.weighted.map(|w| w.to_string())),
            pair.relation.as_str(),
            pair.container.unwrap_or_default(),
            standing.map(Standing::as_str).unwrap_or_default(),
        ])
    }
}

impl<W: Write + Send> PairSink for CsvPairs<W> {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        self.header().map_err(as_io)?;
        for pair in pairs {
            self.row(documents, pair).map_err(as_io)?;
        }
        Ok(())
    }
}

/// The error of the writer as it is, so that a closed pipe can be told from a full disk.
fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::{Canned, canned, empty, rendered};

    fn csv(canned: &Canned) -> String {
        rendered(canned, |report, out| {
            let mut rows = CsvPairs::new(out, report.gate.standings().clone());
            rows.take(&report.outcome.documents, report.pairs.unwrap())?;
            rows.finish()
        })
    }

    #[test]
    fn rows_are_quoted_where_needed() {
        assert_eq!(
            csv(&canned()),
            "a,b,jaccard,hamming,matched_by,containment,weighted,relation,container,standing\n\
             docs/a.md,docs/城市公园.md,1,0,simhash+shingle,1,1,exact,,\n\
             docs/a.md,\"docs/evil\n\u{1b}[31m.md\",0.3333,17,shingle,0.5,0.21,near,,\n"
        );
        assert_eq!(
            csv(&empty()),
            "a,b,jaccard,hamming,matched_by,containment,weighted,relation,container,standing\n"
        );
    }
}
