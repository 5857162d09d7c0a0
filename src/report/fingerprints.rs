//! What `dupfind fingerprint` prints: one document a line.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::engine::outcome::Document;
use crate::report::escape::{padded, visible};
use crate::report::jsonl::write_line;
use crate::report::model::FingerprintRecord;

/// Writes one JSON object a line for each document.
pub(crate) fn write_fingerprints_jsonl(
    documents: &[Document],
    out: &mut dyn Write,
) -> io::Result<()> {
    for document in documents {
        write_line(&FingerprintRecord::new(document), out)?;
    }
    Ok(())
}

/// Writes a table with a row for each document. Names are escaped.
pub(crate) fn write_fingerprints_table(
    documents: &[Document],
    out: &mut dyn Write,
) -> io::Result<()> {
    let records: Vec<_> = documents.iter().map(FingerprintRecord::new).collect();
    let formats = widest("format", records.iter().map(|record| record.format));
    let encodings = widest("encoding", records.iter().map(|record| record.encoding));
    writeln!(
        out,
        "fingerprint         tokens    terms  shingles  {}  {}  document",
        padded("format", formats),
        padded("encoding", encodings)
    )?;
    for record in &records {
        writeln!(
            out,
            "{}  {:>8}  {:>7}  {:>8}  {}  {}  {}",
            record.fingerprint,
            record.tokens,
            record.terms,
            record.shingles,
            padded(record.format, formats),
            padded(record.encoding, encodings),
            visible(record.path),
        )?;
    }
    Ok(())
}

/// Takes the heading of a column and what stands in it, and returns its width.
pub(super) fn widest<'c>(heading: &str, column: impl Iterator<Item = &'c str>) -> usize {
    let widths = column.map(UnicodeWidthStr::width);
    widths.max().unwrap_or(0).max(heading.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::canned;

    #[test]
    fn one_line_a_document() {
        let documents = canned().outcome.documents;
        let mut out = Vec::new();
        write_fingerprints_jsonl(&documents[..2], &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let expected = "{\"path\":\"docs/a.md\",\"fingerprint\":\"00000000000000ab\",\
             \"tokens\":20,\"terms\":15,\"shingles\":30,\"format\":\"text\",\"encoding\":\"UTF-8\"}";
        assert_eq!(lines.lines().next().unwrap(), expected);
        assert_eq!(lines.lines().count(), 2);
    }

    #[test]
    fn a_table_lines_up() {
        let mut out = Vec::new();
        write_fingerprints_table(&canned().outcome.documents[..2], &mut out).unwrap();
        let table = String::from_utf8(out).unwrap();
        assert_eq!(
            table,
            "\
fingerprint         tokens    terms  shingles  format  encoding  document
00000000000000ab        20       15        30  text    UTF-8     docs/a.md
0000000000001234        20       15        30  text    UTF-8     docs/evil\\n\\u{1b}[31m.md
"
        );
    }
}
