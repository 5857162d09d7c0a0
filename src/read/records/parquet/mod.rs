//! Parquet: every row is a record.
//!
//! A file is read group of rows by group of rows, and of those only the columns that are the document, page by page.
//! The crate knows the encodings, but it believes what a file says of itself. So what it would reserve memory for is
//! looked at before, and pages are expanded here: see `footer`, `pages`.

mod codec;
mod column;
mod delta;
mod footer;
mod grammar;
mod header;
mod pages;
mod schema;
mod thrift;

#[cfg(test)]
mod laws;

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

use parquet::file::metadata::ParquetMetaData;

use self::column::Column;
use self::schema::{Columns, Wanted};
use self::thrift::wrong;
use crate::document::SkipReason;
use crate::read::ReadOptions;
use crate::read::contained::contained;
use crate::read::records::fields::joined;
use crate::read::records::{Numbered, Record, Refused, malformed};
use crate::read::source::read::skipped;

/// How much text a batch holds; it ends with the record that fills it.
const BATCH_BYTES: usize = 1 << 20;

/// How many records it holds at most.
const BATCH_ROWS: usize = 1 << 12;

/// How much a file may expand to whatever its size, and how much for each of its bytes. One text in a dictionary
/// stands for any number of rows, so without an end a kilobyte could keep a machine busy for ever.
const EXPANSION: u64 = 1 << 30;
const EXPANSION_PER_BYTE: u64 = 1 << 14;

/// What every row counts for, with text or without: it is a document or is reported as none, which takes some
/// hundred bytes with its name. So the smallest file can have a million rows, and each byte of a file 16 more.
const ROW_BYTES: u64 = 1 << 10;

/// A record.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Its number, from 1.
    pub(super) number: u64,
    /// The document in it, or why there is none.
    pub(super) record: Result<Record<'static>, Refused>,
}

impl Row {
    /// The same, borrowed. A row has no line.
    pub(super) fn numbered(&self) -> Numbered<'_> {
        Numbered {
            number: self.number,
            lines: (0, 0),
            record: match &self.record {
                Ok(Record { text, id }) => Ok(Record {
                    text: Cow::Borrowed(text),
                    id: id.as_deref().map(Cow::Borrowed),
                }),
                Err(refused) => Err(refused.clone()),
            },
        }
    }
}

/// Reads a file batch by batch, up to the first error.
pub(super) struct Rows {
    path: PathBuf,
    size: u64,
    metadata: ParquetMetaData,
    columns: Columns,
    /// What to say of a record without a text.
    missing: String,
    /// The largest document, in bytes.
    limit: u64,
    /// How many groups of rows have been opened, the last of them, and how many of its rows are left.
    opened: usize,
    group: Option<Group>,
    left: u64,
    /// How many rows have been read.
    before: u64,
    /// How much the rest of the file may expand to.
    expansion: u64,
    /// What has been read and not handed out.
    rows: Vec<Row>,
    failure: Option<io::Error>,
    is_over: bool,
}

/// The columns of a group of rows.
struct Group {
    text: Vec<Vec<Column>>,
    id: Vec<Column>,
}

impl Rows {
    /// Takes a file and how documents come to their texts.
    ///
    /// # Errors
    ///
    /// Why it is not compared. A table without a text is none that is damaged, unless somebody named the field.
    pub(super) fn open(path: &Path, settings: &ReadOptions) -> Result<Self, Refused> {
        let read = File::open(path).and_then(|mut file| {
            contained(AssertUnwindSafe(|| footer::read(&mut file)))
                .unwrap_or_else(|| Err(wrong("its metadata is damaged")))
        });
        let (metadata, size) = read.map_err(|error| skipped(&error))?;
        let fields = &settings.fields;
        let columns = Columns::of(metadata.file_metadata().schema_descr(), fields);
        let columns = columns.map_err(|words| {
            if fields.is_named {
                malformed(words)
            } else {
                let words = format!("{words}; --text-field names another one");
                (SkipReason::Binary, words)
            }
        })?;
        Ok(Self {
            path: path.to_owned(),
            size,
            metadata,
            columns,
            missing: format!("no field {} with a text in it", fields.in_words()),
            limit: settings.max_filesize,
            opened: 0,
            group: None,
            left: 0,
            before: 0,
            expansion: EXPANSION.saturating_add(size.saturating_mul(EXPANSION_PER_BYTE)),
            rows: Vec::new(),
            failure: None,
            is_over: false,
        })
    }

    /// Reads rows until there is a batch of them, or nothing more.
    fn fill(&mut self) -> io::Result<()> {
        let mut bytes = 0;
        while bytes < BATCH_BYTES && self.rows.len() < BATCH_ROWS && self.advance()? {
            let record = self.record()?;
            if let Ok(record) = &record {
                bytes += record.text.len();
            }
            self.before += 1;
            self.left -= 1;
            let number = self.before;
            self.rows.push(Row { number, record });
        }
        Ok(())
    }

    /// Goes on to the next group of rows if there are no more in this one; says whether there is a row.
    fn advance(&mut self) -> io::Result<bool> {
        while self.left == 0 {
            let Some(group) = self.metadata.row_groups().get(self.opened) else {
                return Ok(false);
            };
            self.opened += 1;
            let open = |wanted: &Vec<Wanted>| -> io::Result<Vec<Column>> {
                let columns = wanted.iter().map(|&Wanted { at, values }| {
                    Column::open(&self.path, self.size, group.column(at), values, self.limit)
                });
                columns.collect()
            };
            let text = self.columns.text.iter().map(open);
            self.group = Some(Group {
                text: text.collect::<io::Result<_>>()?,
                id: open(&self.columns.id)?,
            });
            let rows = u64::try_from(group.num_rows());
            self.left = rows.map_err(|_| wrong("a group of rows has fewer than none"))?;
        }
        Ok(true)
    }

    /// Reads the next row.
    fn record(&mut self) -> io::Result<Result<Record<'static>, Refused>> {
        let group = self.group.as_mut();
        let group = group.expect("there is a row, and so its group");
        let mut reading = Reading {
            left: self.limit,
            seen: 0,
            is_too_large: false,
            is_damaged: false,
        };
        let mut texts = Vec::with_capacity(group.text.len());
        for columns in &mut group.text {
            texts.push(reading.read(columns, usize::MAX)?);
        }
        let id = reading.read(&mut group.id, 1)?;
        let rest = self.expansion.checked_sub(reading.seen + ROW_BYTES);
        self.expansion = rest.ok_or_else(|| wrong("it expands to more than can be read"))?;
        if reading.is_too_large {
            return Ok(Err((SkipReason::TooLarge, String::new())));
        }
        if reading.is_damaged {
            return Ok(Err(malformed("a column is not valid UTF-8".into())));
        }
        let text = joined(texts.into_iter().flatten().map(Cow::Owned));
        let text = text.ok_or_else(|| malformed(self.missing.clone()));
        Ok(text.map(|text| Record {
            text,
            id: id.map(Cow::Owned),
        }))
    }
}

/// What is found out about a record while it is read.
struct Reading {
    /// How many bytes it may still have.
    left: u64,
    /// How much was gone through for it: bytes, wanted or not, and values, there or not.
    seen: u64,
    is_too_large: bool,
    is_damaged: bool,
}

impl Reading {
    /// Reads some columns, at most so many values of them, and returns what stands in them as lines; nothing if
    /// nothing does.
    fn read(&mut self, columns: &mut [Column], most: usize) -> io::Result<Option<String>> {
        let mut text: Option<String> = None;
        let mut count = 0;
        for column in columns {
            let values = column.next(|value| {
                count += 1;
                let Some(value) = value else {
                    self.is_damaged = true;
                    return;
                };
                self.seen += value.len() as u64;
                let size = value.len() as u64 + u64::from(text.is_some());
                let rest = self.left.checked_sub(size);
                self.is_too_large |= rest.is_none() && count <= most;
                let (false, Some(rest), true) = (self.is_too_large, rest, count <= most) else {
                    return;
                };
                self.left = rest;
                match &mut text {
                    Some(text) => {
                        text.push('\n');
                        text.push_str(&value);
                    }
                    None => text = Some(value.into_owned()),
                }
            })?;
            self.seen += values as u64;
        }
        Ok(text)
    }
}

impl Iterator for Rows {
    type Item = Result<Vec<Row>, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.is_over {
            let filled = contained(AssertUnwindSafe(|| self.fill()));
            let filled = filled.unwrap_or_else(|| Err(wrong("a page is damaged")));
            self.is_over = filled.is_err() || self.rows.is_empty();
            self.failure = filled.err();
        }
        // What was read before the failure stands.
        if !self.rows.is_empty() {
            return Some(Ok(std::mem::take(&mut self.rows)));
        }
        self.failure.take().map(|error| {
            let (reason, words) = skipped(&error);
            let row = self.before + 1;
            Err((
                reason,
                format!("row {row}: {words}; nothing behind it was read"),
            ))
        })
    }
}
