//! Parquet: every row is a record.
//!
//! A file is read row group by row group, and of these only the columns with the text and the id. The crate `parquet`
//! reads them, and only the machine bounds its memory. A panic of it ends the file, not the program.

mod columns;
pub mod copy;

#[cfg(test)]
mod laws;

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::panic::AssertUnwindSafe;
use std::path::Path;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};

use self::columns::{Column, ReadColumn, ReadColumns, open_column};
use crate::ReadOptions;
use crate::contained::contained;
use crate::records::{Fields, Numbered, Record, Refused, joined, malformed};
use crate::skipped::SkipReason;
use crate::source::read;
use crate::source::read::skipped;

/// How much text fills a batch, in bytes, and how many records it has at most.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_ROWS: usize = 1 << 12;

/// The fault of a file whose columns end early.
const FEWER_ROWS: &str = "its group of rows has fewer of them than it says";

/// Opens a file and reads its metadata.
fn open(path: &Path) -> io::Result<SerializedFileReader<File>> {
    let file = read::open(path)?;
    let reader = contained(AssertUnwindSafe(|| SerializedFileReader::new(file)));
    reader.map_or_else(
        || Err(damaged("its metadata is damaged")),
        |reader| reader.map_err(failed),
    )
}

/// Reads a file batch by batch, up to the first error.
pub(super) struct ParquetRows {
    reader: SerializedFileReader<File>,
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
    /// ParquetRows that have been read and not handed out.
    rows: Vec<Numbered<'static>>,
    failure: Option<io::Error>,
    is_over: bool,
}

/// Returns that a file has no column for a text, in words; `None` if it has one, or cannot be read.
pub(super) fn without_text(path: &Path, fields: &Fields) -> Option<String> {
    let reader = open(path).ok()?;
    ReadColumns::of(reader.metadata().file_metadata().schema_descr(), fields).err()
}

impl ParquetRows {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Why it is not compared. A table without a text is malformed only if the user named the field.
    pub(super) fn open(path: &Path, settings: &ReadOptions) -> Result<Self, Refused> {
        let reader = open(path).map_err(|error| skipped(&error))?;
        let fields = &settings.fields;
        let columns = ReadColumns::of(reader.metadata().file_metadata().schema_descr(), fields);
        let columns = columns.map_err(|words| {
            if fields.is_named {
                malformed(words)
            } else {
                (SkipReason::Binary, (settings.wording.no_column)(words))
            }
        })?;
        Ok(Self {
            reader,
            columns,
            missing: format!("no field {} with a text in it", fields.in_words()),
            limit: settings.max_filesize,
            next_group: 0,
            text: Vec::new(),
            id: Vec::new(),
            left: 0,
            read: 0,
            rows: Vec::new(),
            failure: None,
            is_over: false,
        })
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
            if self.next_group == self.reader.num_row_groups() {
                return Ok(false);
            }
            let group = self.reader.get_row_group(self.next_group).map_err(failed)?;
            self.next_group += 1;
            let open = |columns: &Vec<ReadColumn>| -> io::Result<Vec<Column>> {
                let columns = columns.iter().map(|&ReadColumn { at, values }| {
                    let reader = group.get_column_reader(at).map_err(failed)?;
                    Ok(open_column(reader, values))
                });
                columns.collect()
            };
            let text = self.columns.text.iter().map(open);
            (self.text, self.id) = (text.collect::<io::Result<_>>()?, open(&self.columns.id)?);
            let rows = u64::try_from(group.metadata().num_rows());
            self.left = rows.map_err(|_| damaged("a group of rows has fewer than none"))?;
        }
        Ok(true)
    }

    /// Reads the next row.
    fn record(&mut self) -> io::Result<Result<Record<'static>, Refused>> {
        let mut reading = Reading {
            left: self.limit,
            is_too_large: false,
            is_damaged: false,
        };
        let mut texts = Vec::with_capacity(self.text.len());
        for columns in &mut self.text {
            texts.push(reading.read(columns, usize::MAX)?);
        }
        let id = reading.read(&mut self.id, 1)?;
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
            title: None,
        }))
    }
}

/// The state of reading one record.
struct Reading {
    /// How many bytes it may still have.
    left: u64,
    is_too_large: bool,
    is_damaged: bool,
}

impl Reading {
    /// Returns the first `most` values of some columns as lines, or nothing if they have no value.
    fn read(&mut self, columns: &mut [Column], most: usize) -> io::Result<Option<String>> {
        let mut text: Option<String> = None;
        let mut count = 0;
        for column in columns {
            column(&mut |value| {
                count += 1;
                let Some(value) = value else {
                    self.is_damaged = true;
                    return;
                };
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
        }
        Ok(text)
    }
}

/// Returns an error of the crate. It is one of the system, or the file breaks the rules of the format.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast() {
            Ok(inner) => *inner,
            Err(inner) => damaged(&inner.to_string()),
        },
        error => damaged(&error.to_string()),
    }
}

/// Returns the error of a file that breaks the rules of the format.
fn damaged(words: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}

impl Iterator for ParquetRows {
    type Item = Result<Vec<Numbered<'static>>, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.is_over {
            let filled = contained(AssertUnwindSafe(|| self.fill()));
            let filled = filled.unwrap_or_else(|| Err(damaged("a page is damaged")));
            self.is_over = filled.is_err() || self.rows.is_empty();
            self.failure = filled.err();
        }
        // ParquetRows before the failure are handed out first.
        if !self.rows.is_empty() {
            return Some(Ok(std::mem::take(&mut self.rows)));
        }
        self.failure.take().map(|error| {
            let (reason, words) = skipped(&error);
            let row = self.read;
            Err((
                reason,
                format!("row {row}: {words}; nothing behind it was read"),
            ))
        })
    }
}
