//! Files of records: many documents in one file.
//!
//! Such a file may be far larger than memory, so it is read in batches of whole records, which are parsed
//! and compared like files of their own.

mod array;
mod encoding;
mod fields;
mod json;
mod lines;
mod pieces;
pub mod stream;
mod table;

#[cfg(test)]
mod laws;

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use encoding_rs::Encoding;

use crate::document::SkipReason;
use crate::format::{Format, Kind};
use crate::ingest::Settings;
use crate::ingest::records::array::Elements;
use crate::ingest::records::encoding::{Source, peek, utf8};
use crate::ingest::records::lines::Lines;
use crate::ingest::records::pieces::{BATCH_BYTES, Cut, Numbering, Pieces};
use crate::ingest::records::table::{Columns, Rows};
use crate::source::expand::expand;
use crate::source::read::skipped;

pub use fields::Fields;

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
    /// What it is called without an id: the number of its line, in a JSON array its position; from 1.
    pub number: u64,
    /// The line it begins in, from 1.
    pub line: u64,
    /// What is in it, or why nothing can be read.
    pub record: Result<Record<'l>, Refused>,
}

/// Why a record or a file is not compared, and words on it.
pub type Refused = (SkipReason, String);

/// What a record is.
#[derive(Debug)]
enum Layout {
    Json,
    Table(Columns),
}

/// Some whole records of a file.
#[derive(Debug)]
pub struct Batch {
    pieces: pieces::Batch,
    layout: Arc<Layout>,
    encoding: &'static Encoding,
}

impl Batch {
    /// The encoding of the file.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Takes the names of the fields and parses the records.
    pub fn records<'b>(&'b self, fields: &'b Fields) -> impl Iterator<Item = Numbered<'b>> {
        self.pieces.pieces.iter().map(move |piece| Numbered {
            number: piece.number,
            line: piece.line,
            record: match (self.pieces.content(piece), &*self.layout) {
                (None, _) => Err((SkipReason::TooLarge, String::new())),
                (Some(bytes), Layout::Json) => json::parse(bytes, fields).map_err(malformed),
                (Some(bytes), Layout::Table(columns)) => columns.parse(bytes).map_err(malformed),
            },
        })
    }
}

fn malformed(words: String) -> Refused {
    (SkipReason::Malformed, words)
}

/// Reads a file of records batch by batch, up to the first error.
pub struct Batches {
    /// What had to be read to know what the file is.
    first: Option<io::Result<pieces::Batch>>,
    pieces: Pieces<Source>,
    layout: Arc<Layout>,
    encoding: &'static Encoding,
}

impl Batches {
    /// Takes a file, what it is, and how documents come to their texts, and opens it. Returns nothing if it
    /// holds no records after all and is a document as a whole.
    ///
    /// # Errors
    ///
    /// Why it is not compared: what the system says, what is wrong with how it is compressed, or that it has
    /// none of the fields that somebody named.
    pub fn open(path: &Path, kind: Kind, settings: &Settings) -> Result<Option<Self>, Refused> {
        if !kind.may_hold_records() {
            return Ok(None);
        }
        let source = File::open(path).and_then(|file| expand(file, kind.compression));
        let source = source.map_err(|error| skipped(&error))?;
        Self::read(source, kind.format, settings, BATCH_BYTES)
    }

    /// The same of bytes that are read from anywhere, so many at a time.
    fn read(
        source: Source,
        format: Format,
        settings: &Settings,
        batch_bytes: usize,
    ) -> Result<Option<Self>, Refused> {
        let text = utf8(source, format, settings.encoding).map_err(|error| skipped(&error))?;
        let Some((text, encoding)) = text else {
            return Ok(None);
        };
        let (fields, limit) = (&settings.fields, settings.max_filesize);
        let new = |text, cut: Box<dyn Cut>, numbering, layout| Self {
            first: None,
            pieces: Pieces::new(text, cut, numbering, limit, batch_bytes),
            layout: Arc::new(layout),
            encoding,
        };
        // A file that is not what was asked for is one document as a whole, unless it was asked for in so many
        // words.
        let refused = |words: String| {
            if fields.is_named {
                Err(malformed(words))
            } else {
                Ok(None)
            }
        };
        let wanted = fields.in_words();
        match format {
            Format::Json => {
                let mut batches = new(
                    text,
                    Box::<Elements>::default(),
                    Numbering::Position,
                    Layout::Json,
                );
                let names = match batches.probe(fields) {
                    Ok(()) => return Ok(Some(batches)),
                    Err(names) => names,
                };
                refused(match names {
                    Some(names) => format!(
                        "its first record has no field {wanted}; it has {}",
                        fields::listed(names.iter().map(String::as_str))
                    ),
                    None => format!("it is no array of objects with a field {wanted}"),
                })
            }
            Format::Csv | Format::Tsv => {
                let (head, text) = peek(text).map_err(|error| skipped(&error))?;
                let columns = match Columns::of(&head, format, fields) {
                    Ok(columns) => columns,
                    Err(names) => {
                        return refused(format!("it has no column {wanted}; it has {names}"));
                    }
                };
                let rows = Box::new(Rows::new(columns.delimiter));
                let mut batches = new(text, rows, Numbering::Line, Layout::Table(columns));
                batches.pass_header();
                Ok(Some(batches))
            }
            _ => Ok(Some(new(
                text,
                Box::new(Lines),
                Numbering::Line,
                Layout::Json,
            ))),
        }
    }

    /// Whether the first element of an array is a record; the names of its fields if it is an object all the
    /// same.
    fn probe(&mut self, fields: &Fields) -> Result<(), Option<Vec<String>>> {
        self.first = self.pieces.next();
        let Some(Ok(batch)) = &self.first else {
            return Err(None);
        };
        let first = batch.pieces.first().and_then(|piece| batch.content(piece));
        json::probe(first.ok_or(None)?, fields)
    }

    /// Reads the row with the names of the columns.
    fn pass_header(&mut self) {
        let mut first = self.pieces.next();
        if let Some(Ok(batch)) = &mut first
            && !batch.pieces.is_empty()
        {
            batch.pieces.remove(0);
        }
        self.first = first;
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        let pieces = self.first.take().or_else(|| self.pieces.next())?;
        Some(match pieces {
            Ok(pieces) => Ok(Batch {
                pieces,
                layout: Arc::clone(&self.layout),
                encoding: self.encoding,
            }),
            Err(error) => Err(skipped(&error)),
        })
    }
}
