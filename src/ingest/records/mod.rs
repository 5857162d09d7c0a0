//! Files of records: many documents in one file.
//!
//! Such a file may be far larger than memory, so it is read in batches of whole records, which are parsed
//! and compared like files of their own.

mod json;
mod lines;

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::document::SkipReason;
use crate::format::Kind;
use crate::ingest::records::lines::Lines;

/// Which fields of a record are the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The field with the text.
    pub text: String,
    /// The field with the id; by default a record is known by its number.
    pub id: Option<String>,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            text: "text".into(),
            id: None,
        }
    }
}

/// One record's document.
#[derive(Debug, PartialEq, Eq)]
pub struct Record<'l> {
    /// The text.
    pub text: Cow<'l, str>,
    /// The id, if there is a field for it and the record has it.
    pub id: Option<Cow<'l, str>>,
}

/// A record, or why it is none, and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub struct Numbered<'l> {
    /// What it is called without an id: the number of its line, from 1.
    pub number: u64,
    /// The line it begins in, from 1.
    pub line: u64,
    /// What is in it, or why nothing can be read.
    pub record: Result<Record<'l>, (SkipReason, String)>,
}

/// Some whole records of a file.
#[derive(Debug)]
pub struct Batch {
    lines: lines::Batch,
}

impl Batch {
    /// Takes the names of the fields and the largest size of a record in bytes, and parses the records.
    pub fn records(&self, fields: &Fields, limit: u64) -> impl Iterator<Item = Numbered<'_>> {
        self.lines.numbered().map(move |(line, bytes)| Numbered {
            number: line,
            line,
            record: match bytes {
                Some(bytes) if bytes.len() as u64 <= limit => {
                    json::parse(bytes, fields).map_err(|error| (SkipReason::Malformed, error))
                }
                _ => Err((SkipReason::TooLarge, String::new())),
            },
        })
    }
}

/// Reads a file of records batch by batch.
#[derive(Debug)]
pub struct Batches {
    lines: Lines<File>,
}

impl Batches {
    /// Takes a file, what it is, the names of the fields and the largest size of a record in bytes, and opens it.
    /// Returns nothing if it holds no records after all and is a document as a whole.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn open(path: &Path, kind: Kind, _fields: &Fields, limit: u64) -> io::Result<Option<Self>> {
        if !kind.is_by_line() {
            return Ok(None);
        }
        let lines = Lines::new(File::open(path)?, limit);
        Ok(Some(Self { lines }))
    }
}

impl Iterator for Batches {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let lines = self.lines.next()?;
        Some(lines.map(|lines| Batch { lines }))
    }
}
