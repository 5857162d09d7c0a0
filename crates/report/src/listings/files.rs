//! What `dupfind scan --files` prints: one file a line.

use std::io::{self, Write};

use serde::Serialize;

use crate::formats::machine::jsonl::write_line;
use crate::style::escape::{padded, visible};
use dupfind_scan::listing::Listed;

/// Stands for the encoding of a file of records in the table.
const NOT_READ: &str = "-";

/// One file, for the wire.
#[derive(Debug, Serialize)]
struct FileRecord<'r> {
    /// Its name.
    path: &'r str,
    /// What it is.
    format: &'static str,
    /// The encoding it is decoded from; `null` for a file of records, which is not read.
    encoding: Option<&'static str>,
    /// Its size: of a compressed file what was read for it.
    bytes: u64,
}

/// Writes one JSON object a line for each file.
pub fn write_files_jsonl(files: &[Listed], out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        let record = FileRecord {
            path: &file.name,
            format: file.format.as_str(),
            encoding: file.encoding,
            bytes: file.bytes,
        };
        write_line(&record, out)?;
    }
    Ok(())
}

/// Writes a line for each file: format, encoding, name. Names are escaped.
pub fn write_files_table(files: &[Listed], out: &mut dyn Write) -> io::Result<()> {
    let encoding = |file: &Listed| file.encoding.unwrap_or(NOT_READ);
    let widest = |column: &dyn Fn(&Listed) -> &'static str| {
        files
            .iter()
            .map(|file| column(file).len())
            .max()
            .unwrap_or(0)
    };
    let formats = widest(&|file| file.format.as_str());
    let encodings = widest(&encoding);
    for file in files {
        let format = padded(file.format.as_str(), formats);
        let encoding = padded(encoding(file), encodings);
        let name = visible(&file.name);
        writeln!(out, "{format}  {encoding}  {name}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_read::format::Format;

    fn files() -> Vec<Listed> {
        let file = |name: &str, format, encoding| Listed {
            name: name.into(),
            format,
            encoding,
            bytes: 7,
        };
        vec![
            file("a.jsonl", Format::JsonLines, None),
            file("b\u{202e}\n.md", Format::Markdown, Some("gb18030")),
        ]
    }

    #[test]
    fn a_line_for_each_file() {
        let mut out = Vec::new();
        write_files_table(&files(), &mut out).unwrap();
        let table = String::from_utf8(out).unwrap();
        assert_eq!(
            table,
            "jsonl     -        a.jsonl\nmarkdown  gb18030  b\\u{202e}\\n.md\n"
        );
    }

    #[test]
    fn an_object_for_each_file() {
        let mut out = Vec::new();
        write_files_jsonl(&files(), &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let expected =
            "{\"path\":\"a.jsonl\",\"format\":\"jsonl\",\"encoding\":null,\"bytes\":7}\n";
        assert!(lines.starts_with(expected), "{lines}");
        assert_eq!(lines.lines().count(), 2);
    }
}
