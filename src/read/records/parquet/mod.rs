//! Parquet: every row is a record.
//!
//! A file is read row group by row group, and of these only the columns with the text and the id, page by page. The
//! crate `parquet` decodes the values. It trusts what a file claims, so whatever it would reserve memory for is
//! checked first: the metadata in `metadata`, the pages in `pages`. A panic of it ends the file, not the program.

mod columns;
mod delta;
mod metadata;
mod pages;
mod values;

#[cfg(test)]
mod laws;

use std::borrow::Cow;
use std::io;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

use parquet::file::metadata::ParquetMetaData;

use self::columns::{ReadColumn, ReadColumns};
use self::values::Column;
use crate::document::SkipReason;
use crate::read::ReadOptions;
use crate::read::contained::contained;
use crate::read::records::fields::joined;
use crate::read::records::{Numbered, Record, Refused, malformed};
use crate::read::source::read::{open, skipped};

/// How much text fills a batch, in bytes, and how many records it has at most.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_ROWS: usize = 1 << 12;

/// How much text a file may hold: a fixed size, and more for each byte of the file. One text in a dictionary can stand
/// for any number of rows, so without a bound a kilobyte could keep a machine busy for ever.
const EXPANSION: u64 = 1 << 30;
const EXPANSION_PER_BYTE: u64 = 1 << 14;

/// How much a row counts besides its text, for its name and its entry in the report. So the smallest file can have a
/// million rows, and each byte of a file 16 more.
const ROW_BYTES: u64 = 1 << 10;

/// Reads a file batch by batch, up to the first error.
pub(super) struct Rows {
    path: PathBuf,
    size: u64,
    metadata: ParquetMetaData,
    columns: ReadColumns,
    /// Words on a record without a text.
    missing: String,
    /// The largest document, in bytes.
    limit: u64,
    /// The number of the next row group.
    next_group: usize,
    /// The columns of the current row group: of each text field, and of the id.
    text: Vec<Vec<Column>>,
    id: Vec<Column>,
    /// How many rows of it are left.
    left: u64,
    /// How many rows have been read.
    read: u64,
    /// How much text the rest of the file may hold.
    expansion_left: u64,
    /// Rows that have been read and not handed out.
    rows: Vec<Numbered<'static>>,
    failure: Option<io::Error>,
    is_over: bool,
}

impl Rows {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Why it is not compared. A table without a text is malformed only if the user named the field.
    pub(super) fn open(path: &Path, settings: &ReadOptions) -> Result<Self, Refused> {
        let read = open(path).and_then(|mut file| {
            contained(AssertUnwindSafe(|| metadata::read(&mut file)))
                .unwrap_or_else(|| Err(damaged("its metadata is damaged")))
        });
        let (metadata, size) = read.map_err(|error| skipped(&error))?;
        let fields = &settings.fields;
        let columns = ReadColumns::of(metadata.file_metadata().schema_descr(), fields);
        let columns = columns.map_err(|words| {
            if fields.is_named {
                malformed(words)
            } else {
                (SkipReason::Binary, (settings.wording.no_column)(words))
            }
        })?;
        Ok(Self {
            path: path.to_owned(),
            size,
            metadata,
            columns,
            missing: format!("no field {} with a text in it", fields.in_words()),
            limit: settings.max_filesize,
            next_group: 0,
            text: Vec::new(),
            id: Vec::new(),
            left: 0,
            read: 0,
            expansion_left: EXPANSION.saturating_add(size.saturating_mul(EXPANSION_PER_BYTE)),
            rows: Vec::new(),
            failure: None,
            is_over: false,
        })
    }

    /// Returns the share of the rows that have been read, in bytes of the file.
    pub(super) fn bytes_read(&self) -> u64 {
        let rows = u64::try_from(self.metadata.file_metadata().num_rows()).unwrap_or(0);
        let read = u128::from(self.size) * u128::from(self.read.min(rows));
        u64::try_from(read / u128::from(rows.max(1))).unwrap_or(self.size)
    }

    /// Reads rows until a batch is full or the file ends.
    fn fill(&mut self) -> io::Result<()> {
        let mut bytes = 0;
        while bytes < BATCH_BYTES && self.rows.len() < BATCH_ROWS && self.advance()? {
            let record = self.record()?;
            if let Ok(record) = &record {
                bytes += record.text.len();
            }
            self.read += 1;
            self.left -= 1;
            let number = self.read;
            self.rows.push(Numbered {
                number,
                lines: (0, 0),
                record,
            });
        }
        Ok(())
    }

    /// Opens the next row group with rows if the current one has no more. Returns whether there is a row.
    fn advance(&mut self) -> io::Result<bool> {
        while self.left == 0 {
            let Some(group) = self.metadata.row_groups().get(self.next_group) else {
                return Ok(false);
            };
            self.next_group += 1;
            let open = |columns: &Vec<ReadColumn>| -> io::Result<Vec<Column>> {
                let columns = columns.iter().map(|&ReadColumn { at, values }| {
                    values::open(&self.path, self.size, group.column(at), values, self.limit)
                });
                columns.collect()
            };
            self.text = self
                .columns
                .text
                .iter()
                .map(open)
                .collect::<io::Result<_>>()?;
            self.id = open(&self.columns.id)?;
            let rows = u64::try_from(group.num_rows());
            self.left = rows.map_err(|_| damaged("a group of rows has fewer than none"))?;
        }
        Ok(true)
    }

    /// Reads the next row.
    fn record(&mut self) -> io::Result<Result<Record<'static>, Refused>> {
        let mut reading = Reading {
            left: self.limit,
            seen: ROW_BYTES,
            is_too_large: false,
            is_damaged: false,
        };
        let mut texts = Vec::with_capacity(self.text.len());
        for columns in &mut self.text {
            texts.push(reading.read(columns, usize::MAX)?);
        }
        let id = reading.read(&mut self.id, 1)?;
        let rest = self.expansion_left.checked_sub(reading.seen);
        self.expansion_left = rest.ok_or_else(|| damaged("it expands to more than can be read"))?;
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

/// The state of reading one record.
struct Reading {
    /// How many bytes it may still have.
    left: u64,
    /// How much was read for it: bytes, kept or not, and values, missing or not.
    seen: u64,
    is_too_large: bool,
    is_damaged: bool,
}

impl Reading {
    /// Returns the first `most` values of some columns as lines, or nothing if they have no value.
    fn read(&mut self, columns: &mut [Column], most: usize) -> io::Result<Option<String>> {
        let mut text: Option<String> = None;
        let mut count = 0;
        for column in columns {
            let values = column(&mut |value| {
                count += 1;
                let Some(value) = value else {
                    self.is_damaged = true;
                    return;
                };
                self.seen += value.len() as u64;
                if count > most || self.is_too_large {
                    return;
                }
                let size = value.len() as u64 + u64::from(text.is_some());
                let Some(left) = self.left.checked_sub(size) else {
                    self.is_too_large = true;
                    return;
                };
                self.left = left;
                match &mut text {
                    Some(text) => {
                        text.push('\n');
                        text.push_str(value);
                    }
                    None => text = Some(value.to_owned()),
                }
            })?;
            self.seen += values as u64;
        }
        Ok(text)
    }
}

/// Returns the error of a file that is not as the format says.
fn damaged(words: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}

impl Iterator for Rows {
    type Item = Result<Vec<Numbered<'static>>, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.is_over {
            let filled = contained(AssertUnwindSafe(|| self.fill()));
            let filled = filled.unwrap_or_else(|| Err(damaged("a page is damaged")));
            self.is_over = filled.is_err() || self.rows.is_empty();
            self.failure = filled.err();
        }
        // Rows before the failure are handed out first.
        if !self.rows.is_empty() {
            return Some(Ok(std::mem::take(&mut self.rows)));
        }
        self.failure.take().map(|error| {
            let (reason, words) = skipped(&error);
            let row = self.read + 1;
            Err((
                reason,
                format!("row {row}: {words}; nothing behind it was read"),
            ))
        })
    }
}
