//! The records of a file, with the same bytes as in it.

use std::io::{self, ErrorKind, Read};
use std::path::Path;

use encoding_rs::UTF_8;

use crate::ReadOptions;
use crate::format::{Format, Kind};
use crate::records::pieces::{Cut, Lines, Step};
use crate::records::stream::{first_sign_of, peek, utf8};
use crate::records::table::{Dialect, Rows};
use crate::records::{Refused, malformed};
use crate::skipped::SkipReason;
use crate::source::read::{expand, open, skipped};

/// How many bytes are read at a time.
const CHUNK: usize = 1 << 20;

/// Some bytes of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawPart<'b> {
    /// The number of the line where the record begins, from 1, as in [`Numbered`](crate::records::Numbered). A
    /// blank line is a record here.
    pub number: u64,
    /// The bytes that follow those of the last part, with the line end.
    pub bytes: &'b [u8],
    /// Whether the record ends here.
    pub is_end: bool,
}

/// A file of records that is read as it is.
pub struct RawRecords {
    source: Box<dyn Read + Send>,
    cut: Box<dyn Cut>,
    /// How it is written, if it is a table. Otherwise it is JSON Lines.
    pub dialect: Option<Dialect>,
    /// The name of its encoding.
    pub encoding: &'static str,
}

/// Returns the first byte of a file that is no white space, which tells lines of objects from an array whatever its name is.
///
/// # Errors
///
/// The first byte cannot be read.
pub fn first_sign(path: &Path, kind: Kind) -> io::Result<Option<u8>> {
    let (head, _) = peek(expand(open(path)?, kind.compression)?)?;
    Ok(first_sign_of(&head))
}

impl RawRecords {
    /// Opens a file of JSON Lines or a table, and expands it.
    ///
    /// # Errors
    ///
    /// Why its records cannot be copied.
    pub fn open(path: &Path, kind: Kind, settings: &ReadOptions) -> Result<Self, Refused> {
        let expanded = || {
            let opened = open(path).and_then(|file| expand(file, kind.compression));
            opened.map_err(|error| skipped(&error))
        };
        let format = kind.format;
        let text = utf8(expanded()?, format, settings.encoding).map_err(|error| skipped(&error))?;
        let Some((text, encoding)) = text else {
            return Err((SkipReason::Binary, String::new()));
        };
        if encoding != UTF_8 && !encoding.is_ascii_compatible() {
            let words = format!(
                "its records cannot be copied as they are from {0}; make UTF-8 of it first: iconv -f {0} -t UTF-8",
                encoding.name()
            );
            return Err(malformed(words));
        }
        let (cut, dialect): (Box<dyn Cut>, _) = match format {
            Format::Csv | Format::Tsv => {
                let (head, _) = peek(text).map_err(|error| skipped(&error))?;
                let dialect = Dialect::of(&head, format, &settings.fields);
                (Box::new(Rows::new(dialect)), Some(dialect))
            }
            _ => (Box::new(Lines), None),
        };
        Ok(Self {
            source: expanded()?,
            cut,
            dialect,
            encoding: encoding.name(),
        })
    }

    /// Returns the records at the beginning, up to so many bytes. The last one may be cut off.
    #[must_use]
    pub fn beginning(self, bytes: u64) -> Self {
        Self {
            source: Box::new(self.source.take(bytes)),
            ..self
        }
    }

    /// Hands out the bytes of all records, in order.
    ///
    /// # Errors
    ///
    /// Those of reading and expanding, and those of `take`.
    pub fn read(mut self, mut take: impl FnMut(RawPart<'_>) -> io::Result<()>) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK];
        let (mut line, mut number) = (1, 1);
        let mut is_within = false;
        loop {
            let size = match self.source.read(&mut chunk) {
                Ok(size) => size,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if size == 0 {
                break;
            }
            let mut rest = &chunk[..size];
            while !rest.is_empty() {
                let (bytes, is_end) = match self.cut.step(rest) {
                    Step::End(size) => (&rest[..size], true),
                    Step::Gap(size) => (&rest[..size], false),
                    // Only messages wait, which are not copied.
                    Step::More => (rest, false),
                    Step::Broken(words) => {
                        return Err(io::Error::new(ErrorKind::InvalidData, words));
                    }
                };
                take(RawPart {
                    number,
                    bytes,
                    is_end,
                })?;
                line += memchr::memchr_iter(b'\n', bytes).count() as u64;
                is_within = !is_end;
                if is_end {
                    number = line;
                }
                rest = &rest[bytes.len()..];
            }
        }
        if is_within {
            take(RawPart {
                number,
                bytes: b"",
                is_end: true,
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Batches, Fields, Numbered};
    use proptest::prelude::*;

    fn parts(name: &str, content: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let raw = RawRecords::open(&path, Kind::of(&path), &ReadOptions::default()).unwrap();
        let mut parts: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut is_begun = false;
        raw.read(|part| {
            if !is_begun {
                parts.push((part.number, Vec::new()));
            }
            parts.last_mut().unwrap().1.extend_from_slice(part.bytes);
            is_begun = !part.is_end;
            Ok(())
        })
        .unwrap();
        parts
    }

    #[test]
    fn lines_and_rows_keep_their_bytes() {
        let lines = parts("a.jsonl", b"{\"a\":1}\r\n\n  {\"b\":2}");
        let expected: [(u64, &[u8]); 3] = [(1, b"{\"a\":1}\r\n"), (2, b"\n"), (3, b"  {\"b\":2}")];
        assert!(lines.iter().map(|(n, b)| (*n, &**b)).eq(expected));
        let rows = parts("a.csv", b"id,text\n1,\"a\nb\"\n2,c\n");
        let numbers: Vec<u64> = rows.iter().map(|row| row.0).collect();
        assert_eq!(numbers, [1, 2, 4]);
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_a_scan(
            texts in prop::collection::vec("([a-z]{1,3}|a\"b|a\nb|)", 0..12),
            is_table in any::<bool>(),
        ) {
            let mut content = String::new();
            for text in &texts {
                match is_table {
                    true => content.push_str(&format!("\"{}\",x\n", text.replace('"', "\"\""))),
                    false if text.is_empty() => content.push('\n'),
                    false => {
                        content.push_str(&serde_json::json!({ "text": text }).to_string());
                        content.push('\n');
                    }
                }
            }
            let name = if is_table { "a.csv" } else { "a.jsonl" };
            if is_table {
                content.insert_str(0, "text,other\n");
            }
            let raw = parts(name, content.as_bytes());
            prop_assert_eq!(raw.iter().map(|part| &part.1[..]).collect::<Vec<_>>().concat(), content.as_bytes());
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            std::fs::write(&path, &content).unwrap();
            let fields = Fields::default();
            let batches = Batches::open(&path, Kind::of(&path), &ReadOptions::default()).unwrap().unwrap();
            for batch in batches {
                let batch = batch.unwrap();
                for Numbered { number, record, .. } in batch.records(&fields) {
                    let own = raw.iter().find(|part| part.0 == number).unwrap();
                    if let (Ok(record), false) = (record, is_table) {
                        let text = serde_json::json!({ "text": record.text }).to_string();
                        prop_assert_eq!(text.as_bytes(), own.1.trim_ascii());
                    }
                }
            }
        }
    }
}
