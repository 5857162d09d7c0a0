//! CSV (RFC 4180): the pairs, one a row, for spreadsheets and databases.

use std::io::{self, Write};

use csv::ErrorKind;

use crate::engine::document::Document;
use crate::engine::pair::Pair;
use crate::engine::pairing::sink::PairSink;
use crate::gate::baseline::{Standing, Standings};
use crate::report::format::{Format, PairWriter, Writer};
use crate::report::model::JudgedRecord;

pub(crate) static CSV: Format = Format {
    name: "csv",
    help: "The pairs, for spreadsheets",
    writer: Writer::Streamed {
        pairs: |out, standings| {
            Box::new(CsvPairs {
                rows: csv::Writer::from_writer(out),
                standings,
                has_header: false,
            })
        },
        rest: None,
    },
};

const HEADER: [&str; 10] = [
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
];

/// Nothing is written before the first pair or the end.
struct CsvPairs<W: Write> {
    rows: csv::Writer<W>,
    standings: Standings,
    has_header: bool,
}

impl<W: Write> CsvPairs<W> {
    fn write_header(&mut self) -> csv::Result<()> {
        if !std::mem::replace(&mut self.has_header, true) {
            self.rows.write_record(HEADER)?;
        }
        Ok(())
    }

    /// Writes a pair. The names in `matched_by` are joined by `+`; the measure of a detector that was
    /// off is empty.
    fn write_row(&mut self, documents: &[Document], pair: &Pair) -> csv::Result<()> {
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
        self.write_header().map_err(as_io)?;
        for pair in pairs {
            self.write_row(documents, pair).map_err(as_io)?;
        }
        Ok(())
    }
}

impl<W: Write + Send> PairWriter for CsvPairs<W> {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.write_header().map_err(as_io)?;
        self.rows.flush()
    }
}

/// Returns the error of the writer itself, so that a closed pipe can be told from a full disk.
fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::{canned, empty, written};

    #[test]
    fn rows_are_quoted_where_needed() {
        assert_eq!(
            written(&canned(), &CSV),
            "a,b,jaccard,hamming,matched_by,containment,weighted,relation,container,standing\n\
             docs/a.md,docs/城市公园.md,1,0,simhash+shingle,1,1,exact,,\n\
             docs/a.md,\"docs/evil\n\u{1b}[31m.md\",0.3333,17,shingle,0.5,0.21,near,,\n"
        );
        assert_eq!(
            written(&empty(), &CSV),
            "a,b,jaccard,hamming,matched_by,containment,weighted,relation,container,standing\n"
        );
    }
}
