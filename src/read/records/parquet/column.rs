//! The values of a column, record by record.

use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;

use super::pages::Pages;
use super::schema::Values;
use super::thrift::wrong;

/// Reads a column of a group of rows. Numbers become texts.
pub(super) enum Column {
    Text(Typed<ByteArrayType>),
    Int32 {
        column: Typed<Int32Type>,
        is_signed: bool,
    },
    Int64 {
        column: Typed<Int64Type>,
        is_signed: bool,
    },
}

impl Column {
    /// Takes a file, its size, where the column is in it, what is in that, and the size of the largest document.
    pub(super) fn open(
        path: &Path,
        size: u64,
        chunk: &ColumnChunkMetaData,
        values: Values,
        limit: u64,
    ) -> io::Result<Self> {
        let pages = Pages::open(path, size, chunk, limit)?;
        Ok(match values {
            Values::Text => Self::Text(Typed::new(pages, chunk)),
            Values::Int32 { is_signed } => Self::Int32 {
                column: Typed::new(pages, chunk),
                is_signed,
            },
            Values::Int64 { is_signed } => Self::Int64 {
                column: Typed::new(pages, chunk),
                is_signed,
            },
        })
    }

    /// Goes to the next record and hands out what stands in it: nothing where it is missing, the elements of a list
    /// one by one. Bytes that are no UTF-8 are handed out as nothing. Returns how many values there are, with those
    /// that are missing.
    pub(super) fn next(&mut self, mut each: impl FnMut(Option<Cow<'_, str>>)) -> io::Result<usize> {
        let mut number = |number: String| each(Some(Cow::Owned(number)));
        match self {
            Self::Text(column) => column.next(|value| {
                each(str::from_utf8(value.data()).ok().map(Cow::Borrowed));
            }),
            Self::Int32 { column, is_signed } => column.next(|&value| {
                number(match is_signed {
                    true => value.to_string(),
                    false => value.cast_unsigned().to_string(),
                });
            }),
            Self::Int64 { column, is_signed } => column.next(|&value| {
                number(match is_signed {
                    true => value.to_string(),
                    false => value.cast_unsigned().to_string(),
                });
            }),
        }
    }
}

/// A column of values of one type.
pub(super) struct Typed<T: DataType> {
    reader: ColumnReaderImpl<T>,
    /// How many values its pages gave out for this record.
    given: Arc<AtomicU32>,
    /// The values of this record, and the levels that say where they are, which nobody wants to know.
    values: Vec<T::T>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl<T: DataType> Typed<T> {
    fn new((pages, given): (Pages, Arc<AtomicU32>), chunk: &ColumnChunkMetaData) -> Self {
        Self {
            reader: ColumnReaderImpl::new(chunk.column_descr_ptr(), Box::new(pages)),
            given,
            values: Vec::new(),
            definition: Vec::new(),
            repetition: Vec::new(),
        }
    }

    /// Hands out the values of the next record. One record at a time: strings that share their beginnings expand to
    /// any size when many are taken together.
    fn next(&mut self, each: impl FnMut(&T::T)) -> io::Result<usize> {
        self.given.store(0, Ordering::Relaxed);
        self.values.clear();
        self.definition.clear();
        self.repetition.clear();
        let (definition, repetition) = (&mut self.definition, &mut self.repetition);
        let read =
            self.reader
                .read_records(1, Some(definition), Some(repetition), &mut self.values);
        match read.map_err(in_words)? {
            (1, _, levels) => {
                self.values.iter().for_each(each);
                Ok(levels)
            }
            _ => Err(wrong("its group of rows has fewer of them than it says")),
        }
    }
}

/// What the system said, or what is wrong.
fn in_words(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) if inner.kind() == ErrorKind::UnexpectedEof => wrong("a page is cut off"),
            Ok(inner) => *inner,
            Err(inner) => wrong(&inner.to_string()),
        },
        error => wrong(&format!("a page is damaged: {error}")),
    }
}
