//! CSV (RFC 4180): the pairs, one a row, for databases and, safe to open, for spreadsheets; or the documents, one a row.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::formats::{Format, PairWriter, Writer};
use crate::language::phrase;
use crate::model::JudgedRecord;
use crate::style::escape::legible;
use dupfind_decide::{Standing, Standings};
use dupfind_engine::{Document, Pair, PairSink};

pub(crate) static CSV: Format = Format {
    name: "csv",
    endings: &["csv"],
    help: "The pairs, for databases and scripts",
    writer: Writer::Streamed {
        pairs: |out, standings| Box::new(CsvPairs::new(out, standings, false)),
        rest: None,
    },
};

pub(crate) static CSV_EXCEL: Format = Format {
    name: "csv-excel",
    endings: &[],
    help: "The same for spreadsheets: with a byte order mark, and no name runs as a formula",
    writer: Writer::Streamed {
        pairs: |out, standings| Box::new(CsvPairs::new(out, standings, true)),
        rest: None,
    },
};

/// Returns the text of a cell.
fn cell(text: &str, is_defused: bool) -> Cow<'_, str> {
    match is_defused {
        true => Cow::Owned(defused(text)),
        false => Cow::Borrowed(text),
    }
}

/// Returns the text of a cell in which nothing acts: not as a formula in a spreadsheet, nor on a terminal.
fn defused(text: &str) -> String {
    let shown = legible(text);
    // Tabs and carriage returns, which may be before these, are escaped.
    match shown.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        true => format!("'{shown}"),
        false => shown,
    }
}

const HEADER: [&str; 12] = [
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
    "prose",
    "apart",
];

/// Nothing is written before the first pair or the end.
struct CsvPairs<W: Write> {
    out: W,
    standings: Standings,
    has_header: bool,
    is_for_spreadsheets: bool,
    /// The row that is written. One for all of them, as it is made once then.
    row: String,
}

impl<W: Write> CsvPairs<W> {
    fn new(out: W, standings: Standings, is_for_spreadsheets: bool) -> Self {
        Self {
            out,
            standings,
            has_header: false,
            is_for_spreadsheets,
            row: String::new(),
        }
    }

    fn write_header(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.has_header, true) {
            return Ok(());
        }
        if !self.is_for_spreadsheets {
            return write_row(&mut self.out, &mut self.row, HEADER, false);
        }
        // Without the mark, Excel does not read UTF-8.
        self.out.write_all("\u{feff}".as_bytes())?;
        write_row(&mut self.out, &mut self.row, HEADER.map(phrase), true)
    }

    /// Writes a pair. The names in `matched_by` are joined by `+`; the measure of a detector that was
    /// off is empty.
    fn write_pair(&mut self, documents: &[Document], pair: &Pair) -> io::Result<()> {
        let JudgedRecord {
            pair,
            standing,
            apart,
            ..
        } = JudgedRecord::new(documents, pair, &self.standings);
        let number = |n: Option<String>| n.unwrap_or_default();
        let is_defused = self.is_for_spreadsheets;
        let cells = [
            &*cell(pair.a, is_defused),
            &*cell(pair.b, is_defused),
            &number(pair.jaccard.map(|j| j.to_string())),
            &number(pair.hamming.map(|d| d.to_string())),
            &pair.matched_by.join("+"),
            &number(pair.containment.map(|c| c.to_string())),
            &number(pair.weighted.map(|w| w.to_string())),
            pair.relation.as_str(),
            &*cell(pair.container.unwrap_or_default(), is_defused),
            standing.map(Standing::as_str).unwrap_or_default(),
            &number(pair.prose.map(|p| p.to_string())),
            apart.unwrap_or_default(),
        ];
        write_row(&mut self.out, &mut self.row, cells, is_defused)
    }
}

/// Writes a row. Where the separator of a spreadsheet is a semicolon, only quotes keep a name in its cell.
fn write_row(
    out: &mut impl Write,
    row: &mut String,
    cells: [&str; HEADER.len()],
    is_quoted: bool,
) -> io::Result<()> {
    row.clear();
    for cell in cells {
        if is_quoted
            || cell
                .bytes()
                .any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'))
        {
            row.push('"');
            row.push_str(&cell.replace('"', "\"\""));
            row.push('"');
        } else {
            row.push_str(cell);
        }
        row.push(',');
    }
    row.pop();
    row.push('\n');
    out.write_all(row.as_bytes())
}

impl<W: Write + Send> PairSink for CsvPairs<W> {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        self.write_header()?;
        for pair in pairs {
            self.write_pair(documents, pair)?;
        }
        Ok(())
    }
}

impl<W: Write + Send> PairWriter for CsvPairs<W> {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.write_header()?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{canned, empty, written};

    #[test]
    fn spreadsheets_run_no_name() {
        let mut canned = canned();
        canned.outcome.documents[0].name = "=HYPERLINK(\"x\")".into();
        let text = written(&canned, &CSV_EXCEL);
        let rows = text.strip_prefix('\u{feff}').unwrap();
        assert!(rows.starts_with("\"a\",\"b\",\"jaccard\","), "{rows}");
        assert!(
            rows.contains("\n\"'=HYPERLINK(\"\"x\"\")\",\"docs/"),
            "{rows}"
        );
        assert!(rows.contains("\"docs/evil\\n\\u{1b}[31m.md\""), "{rows}");
        for (name, expected) in [
            ("a=b.md", "a=b.md"),
            ("@a", "'@a"),
            ("-1+1", "'-1+1"),
            ("＋a", "'＋a"),
            ("\t=1", "\\t=1"),
            ("\r=1", "\\r=1"),
            ("\u{202e}x", "\\u{202e}x"),
        ] {
            assert_eq!(defused(name), expected);
        }
    }

    #[test]
    fn rows_are_quoted_where_needed() {
        let expected = "a,b,jaccard,hamming,matched_by,containment,weighted,relation,container,standing,prose,apart\n\
             docs/a.md,docs/城市公园.md,1,0,simhash+shingle,1,1,exact,,,,\n\
             docs/a.md,\"docs/evil\n\u{1b}[31m.md\",0.3333,17,shingle,0.5,0.21,near,,,,\n";
        assert_eq!(written(&canned(), &CSV), expected);
        let expected = "a,b,jaccard,hamming,matched_by,containment,weighted,relation,container,standing,prose,apart\n";
        assert_eq!(written(&empty(), &CSV), expected);
    }
}
