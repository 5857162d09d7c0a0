//! CSV (RFC 4180): the pairs, one a row, for spreadsheets and databases.

use std::io::{self, Write};

use csv::ErrorKind;

use crate::report::model::Report;

/// Writes the pairs of a report as CSV with a header row. `matched_by` has its names joined by `+`;
/// the measure of a detector that was off is empty.
///
/// # Errors
///
/// What the writer says.
pub fn write_csv(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    write(report, out).map_err(|error| match error.into_kind() {
        // As it is, so that a closed pipe can be told from a full disk.
        ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    })
}

fn write(report: &Report<'_>, out: &mut dyn Write) -> csv::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["a", "b", "jaccard", "hamming", "matched_by"])?;
    for pair in report.pairs() {
        let number = |n: Option<String>| n.unwrap_or_default();
        rows.write_record([
            pair.a,
            pair.b,
            &number(pair.jaccard.map(|j| j.to_string())),
            &number(pair.hamming.map(|d| d.to_string())),
            &pair.matched_by.join("+"),
        ])?;
    }
    Ok(rows.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::{canned, empty, rendered};

    #[test]
    fn rows_are_quoted_where_needed() {
        assert_eq!(
            rendered(&canned(), write_csv),
            "a,b,jaccard,hamming,matched_by\n\
             docs/a.md,docs/城市公园.md,1,0,simhash+shingle\n\
             docs/a.md,\"docs/evil\n\u{1b}[31m.md\",0.3333,17,shingle\n"
        );
        assert_eq!(
            rendered(&empty(), write_csv),
            "a,b,jaccard,hamming,matched_by\n"
        );
    }
}
