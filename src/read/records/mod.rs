//! Files of records: many documents in one file.
//!
//! Such a file may be far larger than memory, so it is read in batches of whole records, which are parsed
//! and compared like files of their own.

mod array;
mod encoding;
pub mod endless;
mod fields;
mod json;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod pieces;
mod stream;
mod table;

#[cfg(test)]
mod laws;

use std::borrow::Cow;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use encoding_rs::Encoding;

use crate::document::SkipReason;
use crate::read::ReadOptions;
use crate::read::format::{Format, Kind};
use crate::read::records::pieces::BATCH_BYTES;
use crate::read::records::stream::Stream;
use crate::read::records::table::Columns;
use crate::read::source::expand::expand;
use crate::read::source::read::skipped;

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
    /// What it is called without an id: the number of its line, in a JSON array and in Parquet its position; from 1.
    pub number: u64,
    /// The line it begins in, from 1, and the one it ends in; 0 in a file without lines.
    pub lines: (u64, u64),
    /// What is in it, or why nothing can be read.
    pub record: Result<Record<'l>, Refused>,
}

/// Why a record or a file is not compared, and words on it.
pub type Refused = (SkipReason, String);

/// What a record in a stream is.
#[derive(Debug)]
enum Layout {
    Json,
    Table(Columns),
}

/// Records, as they were read.
#[derive(Debug)]
enum Content {
    /// Bytes, to be parsed.
    Pieces(pieces::Batch, Arc<Layout>),
    /// Rows, which are what they are.
    #[cfg(feature = "parquet")]
    Rows(Vec<parquet::Row>),
}

/// Some whole records of a file.
#[derive(Debug)]
pub struct Batch {
    content: Content,
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
        let count = match &self.content {
            Content::Pieces(batch, _) => batch.pieces.len(),
            #[cfg(feature = "parquet")]
            Content::Rows(rows) => rows.len(),
        };
        (0..count).map(move |at| self.record(at, fields))
    }

    fn record<'b>(&'b self, at: usize, fields: &Fields) -> Numbered<'b> {
        match &self.content {
            Content::Pieces(batch, layout) => {
                let piece = &batch.pieces[at];
                Numbered {
                    number: piece.number,
                    lines: piece.lines,
                    record: match (batch.content(piece), &**layout) {
                        (None, _) => Err((SkipReason::TooLarge, String::new())),
                        (Some(bytes), Layout::Json) => {
                            json::parse(bytes, fields).map_err(malformed)
                        }
                        (Some(bytes), Layout::Table(columns)) => {
                            columns.parse(bytes).map_err(malformed)
                        }
                    },
                }
            }
            #[cfg(feature = "parquet")]
            Content::Rows(rows) => rows[at].numbered(),
        }
    }
}

fn malformed(words: String) -> Refused {
    (SkipReason::Malformed, words)
}

/// Reads a file of records batch by batch, up to the first error.
pub struct Batches(Box<dyn Iterator<Item = Result<Batch, Refused>> + Send>);

impl Batches {
    /// Takes a file, what it is, and how documents come to their texts, and opens it. Returns nothing if it
    /// holds no records after all and is a document as a whole.
    ///
    /// # Errors
    ///
    /// Why it is not compared: what the system says, what is wrong with how it is compressed, or that it has
    /// none of the fields that somebody named.
    pub fn open(path: &Path, kind: Kind, settings: &ReadOptions) -> Result<Option<Self>, Refused> {
        if !kind.may_hold_records() {
            return Ok(None);
        }
        if kind.format == Format::Parquet {
            return Self::of_rows(path, kind, settings).map(Some);
        }
        let source = File::open(path).and_then(|file| expand(file, kind.compression));
        let source = source.map_err(|error| skipped(&error))?;
        let stream = Stream::read(source, kind.format, settings, BATCH_BYTES)?;
        Ok(stream.map(|stream| Self(Box::new(stream))))
    }

    /// The same of a file of Parquet.
    #[cfg(feature = "parquet")]
    fn of_rows(path: &Path, kind: Kind, settings: &ReadOptions) -> Result<Self, Refused> {
        if let Some(compression) = kind.compression {
            let words = format!(
                "Parquet is read from its end, which {} hides: expand it first",
                compression.as_str()
            );
            return Err((SkipReason::Binary, words));
        }
        let rows = parquet::Rows::open(path, settings)?;
        Ok(Self(Box::new(rows.map(|rows| {
            rows.map(|rows| Batch {
                content: Content::Rows(rows),
                encoding: encoding_rs::UTF_8,
            })
        }))))
    }

    /// Says how it could be read.
    #[cfg(not(feature = "parquet"))]
    fn of_rows(_: &Path, _: Kind, _: &ReadOptions) -> Result<Self, Refused> {
        let words = "this build does not read Parquet; one with the feature does: \
                     'cargo install --path . --locked --features parquet'";
        Err((SkipReason::Binary, words.into()))
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}
