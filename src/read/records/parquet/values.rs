//! The values of a column, record by record.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;

use super::columns::Values;
use super::damaged;
use super::pages::Pages;

/// Is called with each value.
type Each<'e> = &'e mut dyn FnMut(Option<&str>);

/// Reads a column of a row group. Each call goes to the next record and hands out its values: none where the record
/// lacks the field, one for each element of a list. Numbers become texts; bytes that are not UTF-8 become `None`.
/// Returns how many values there are, with the missing ones.
pub(super) type Column = Box<dyn FnMut(Each<'_>) -> io::Result<usize> + Send>;

/// Opens a column of a file of this size. `limit` is the size of the largest document.
pub(super) fn open(
    path: &Path,
    size: u64,
    chunk: &ColumnChunkMetaData,
    values: Values,
    limit: u64,
) -> io::Result<Column> {
    let values_read = Arc::new(AtomicU32::new(0));
    let pages = Pages::open(path, size, chunk, limit, Arc::clone(&values_read))?;
    Ok(match values {
        Values::Text => column::<ByteArrayType>(pages, chunk, values_read, |value, each| {
            each(str::from_utf8(value.data()).ok());
        }),
        Values::Int32 => column::<Int32Type>(pages, chunk, values_read, |value, each| {
            each(Some(&value.to_string()));
        }),
        Values::UInt32 => column::<Int32Type>(pages, chunk, values_read, |value, each| {
            each(Some(&value.cast_unsigned().to_string()));
        }),
        Values::Int64 => column::<Int64Type>(pages, chunk, values_read, |value, each| {
            each(Some(&value.to_string()));
        }),
        Values::UInt64 => column::<Int64Type>(pages, chunk, values_read, |value, each| {
            each(Some(&value.cast_unsigned().to_string()));
        }),
    })
}

/// Reads one record at a time: strings that share their beginnings expand to any size when many are read together.
fn column<T: DataType>(
    pages: Pages,
    chunk: &ColumnChunkMetaData,
    values_read: Arc<AtomicU32>,
    hand_out: fn(&T::T, Each<'_>),
) -> Column {
    let mut reader = ColumnReaderImpl::<T>::new(chunk.column_descr_ptr(), Box::new(pages));
    let (mut values, mut definition, mut repetition) = (Vec::new(), Vec::new(), Vec::new());
    Box::new(move |each| {
        values_read.store(0, Ordering::Relaxed);
        values.clear();
        definition.clear();
        repetition.clear();
        let read =
            reader.read_records(1, Some(&mut definition), Some(&mut repetition), &mut values);
        let (1, _, count) = read.map_err(in_words)? else {
            return Err(damaged("its group of rows has fewer of them than it says"));
        };
        values.iter().for_each(|value| hand_out(value, each));
        Ok(count)
    })
}

fn in_words(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) if inner.kind() == ErrorKind::UnexpectedEof => damaged("a page is cut off"),
            Ok(inner) => *inner,
            Err(inner) => damaged(&inner.to_string()),
        },
        error => damaged(&format!("a page is damaged: {error}")),
    }
}
