//! Copies some of the rows of files to a file with the same columns.
//!
//! The values of a column are copied as they are, with the levels that place them in rows and lists. So no type is
//! converted, and the new file has the schema of the old one.

use std::io::{self, Write};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Repetition, ZstdLevel};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, TypePtr};

use super::{FEWER_ROWS, damaged, failed, open};
use crate::contained::contained;

/// How many rows of a column are copied at a time.
const ROWS: usize = 1 << 10;

/// Returns the position of the first file that has the columns of all, of the same types. `Err` has the positions of two files
/// that do not go together: a column of one is missing in the other or is another one there, or a file without it needs a value.
///
/// # Errors
///
/// Those of reading.
pub fn widest(paths: &[&Path]) -> io::Result<std::result::Result<usize, [usize; 2]>> {
    let columns = |path: &&Path| {
        let reader = open(path)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        // The root has a name too, which each program chooses as it likes.
        Ok(schema.root_schema().get_fields().to_vec())
    };
    let all: Vec<Vec<TypePtr>> = paths.iter().map(columns).collect::<io::Result<_>>()?;
    let numbered = || all.iter().enumerate();
    let Some((at, widest)) = numbered().rev().max_by_key(|(_, columns)| columns.len()) else {
        return Ok(Ok(0));
    };
    let may_lack = |column: &TypePtr| {
        let info = column.get_basic_info();
        info.has_repetition() && info.repetition() != Repetition::REQUIRED
    };
    let fits = |columns: &[TypePtr]| {
        let lacks = widest.iter().filter(|column| !columns.contains(column));
        columns.iter().all(|column| widest.contains(column)) && lacks.into_iter().all(may_lack)
    };
    let other = numbered().find(|(_, columns)| !fits(columns));
    Ok(match other {
        Some((other, _)) => Err([at.min(other), at.max(other)]),
        None => Ok(at),
    })
}

/// Writes a file of Parquet.
pub struct RowWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    schema: Arc<SchemaDescriptor>,
}

impl<W: Write + Send> RowWriter<W> {
    /// Begins a file with the columns of another one, their compression, and its metadata of programs.
    ///
    /// # Errors
    ///
    /// Those of reading and writing.
    pub fn like(path: &Path, out: W) -> io::Result<Self> {
        let reader = open(path)?;
        let metadata = reader.metadata();
        let file = metadata.file_metadata();
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_key_value_metadata(file.key_value_metadata().cloned());
        let group = metadata.row_groups().first();
        for column in group.map_or(&[][..], RowGroupMetaData::columns) {
            let (path, compression) = (column.column_path().clone(), column.compression());
            properties = properties.set_column_compression(path, compression);
        }
        let schema = file.schema_descr().root_schema_ptr();
        let descriptor = SchemaDescriptor::new(Arc::clone(&schema));
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties.build()));
        let writer = writer.map_err(failed)?;
        Ok(Self {
            writer,
            schema: Arc::new(descriptor),
        })
    }

    /// Copies the rows of a file with the same columns, or some of them, that `is_copied` chooses by their numbers, from 1. Returns how
    /// many rows the file has.
    ///
    /// # Errors
    ///
    /// Those of reading and writing.
    pub fn copy(&mut self, path: &Path, is_copied: impl Fn(u64) -> bool) -> io::Result<u64> {
        let reader = open(path)?;
        let mut rows = 0;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).map_err(failed)?;
            let first = rows + 1;
            rows += u64::try_from(group.metadata().num_rows()).unwrap_or(0);
            let is_copied: Vec<bool> = (first..=rows).map(&is_copied).collect();
            if is_copied.contains(&true) {
                let copied = contained(AssertUnwindSafe(|| self.copy_group(&*group, &is_copied)));
                copied.unwrap_or_else(|| Err(damaged("a page is damaged")))?;
            }
        }
        Ok(rows)
    }

    fn copy_group(&mut self, group: &dyn RowGroupReader, is_copied: &[bool]) -> io::Result<()> {
        let schema = Arc::clone(&self.schema);
        let columns = schema.columns().iter();
        let mut out = self.writer.next_row_group().map_err(failed)?;
        for column in columns {
            let place = |column: &ColumnDescPtr| {
                let mut own = group.metadata().columns().iter();
                own.position(|it| it.column_path() == column.path())
            };
            let at = place(column);
            let Some(mut column) = out.next_column().map_err(failed)? else {
                break;
            };
            let Some(at) = at else {
                let rows = is_copied.iter().filter(|is_copied| **is_copied).count();
                let written = write_nothing(&mut column, rows);
                written.and_then(|()| column.close()).map_err(failed)?;
                continue;
            };
            let reader = group.get_column_reader(at).map_err(failed)?;
            let copied = match reader {
                ColumnReader::BoolColumnReader(from) => copy(from, &mut column, is_copied),
                ColumnReader::Int32ColumnReader(from) => copy(from, &mut column, is_copied),
                ColumnReader::Int64ColumnReader(from) => copy(from, &mut column, is_copied),
                ColumnReader::Int96ColumnReader(from) => copy(from, &mut column, is_copied),
                ColumnReader::FloatColumnReader(from) => copy(from, &mut column, is_copied),
                ColumnReader::DoubleColumnReader(from) => copy(from, &mut column, is_copied),
                ColumnReader::ByteArrayColumnReader(from) => copy(from, &mut column, is_copied),
                ColumnReader::FixedLenByteArrayColumnReader(from) => {
                    copy(from, &mut column, is_copied)
                }
            };
            copied.and_then(|()| column.close()).map_err(failed)?;
        }
        out.close().map_err(failed)?;
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn finish(self) -> io::Result<()> {
        self.writer.close().map(drop).map_err(failed)
    }
}

/// Writes so many rows of a column that their file does not have.
fn write_nothing(column: &mut SerializedColumnWriter<'_>, rows: usize) -> Result<()> {
    match column.untyped() {
        ColumnWriter::BoolColumnWriter(to) => nothing(to, rows),
        ColumnWriter::Int32ColumnWriter(to) => nothing(to, rows),
        ColumnWriter::Int64ColumnWriter(to) => nothing(to, rows),
        ColumnWriter::Int96ColumnWriter(to) => nothing(to, rows),
        ColumnWriter::FloatColumnWriter(to) => nothing(to, rows),
        ColumnWriter::DoubleColumnWriter(to) => nothing(to, rows),
        ColumnWriter::ByteArrayColumnWriter(to) => nothing(to, rows),
        ColumnWriter::FixedLenByteArrayColumnWriter(to) => nothing(to, rows),
    }
}

fn nothing<T: DataType>(to: &mut ColumnWriterImpl<'_, T>, rows: usize) -> Result<()> {
    let levels = vec![0; rows];
    let is_repeated = to.get_descriptor().max_rep_level() > 0;
    to.write_batch(&[], Some(&levels), is_repeated.then_some(&levels))?;
    Ok(())
}

/// Copies some of the rows of a column.
fn copy<T: DataType>(
    mut from: ColumnReaderImpl<T>,
    to: &mut SerializedColumnWriter<'_>,
    is_copied: &[bool],
) -> Result<()> {
    let to = to.typed::<T>();
    let [most_defined, most_repeated] = {
        let column = to.get_descriptor();
        [column.max_def_level(), column.max_rep_level()]
    };
    let (mut values, mut definition, mut repetition) = (Vec::new(), Vec::new(), Vec::new());
    for is_copied in is_copied.chunks(ROWS) {
        values.clear();
        definition.clear();
        repetition.clear();
        let (rows, _, levels) = from.read_records(
            is_copied.len(),
            Some(&mut definition),
            Some(&mut repetition),
            &mut values,
        )?;
        if rows != is_copied.len() {
            return Err(ParquetError::General(FEWER_ROWS.into()));
        }
        // Each level belongs to the row of the last level 0 of repetition, and the highest levels of definition have
        // the values.
        let mut rows = is_copied.iter();
        let mut is_in_row = false;
        let (mut copied_levels, mut copied_values) = (Vec::new(), Vec::new());
        for at in 0..levels {
            if repetition.get(at).is_none_or(|level| *level == 0) {
                is_in_row = rows.next().copied().unwrap_or(false);
            }
            copied_levels.push(is_in_row);
            if definition
                .get(at)
                .is_none_or(|level| *level == most_defined)
            {
                copied_values.push(is_in_row);
            }
        }
        retain(&mut values, &copied_values);
        retain(&mut definition, &copied_levels);
        retain(&mut repetition, &copied_levels);
        to.write_batch(
            &values,
            (most_defined > 0).then_some(&definition),
            (most_repeated > 0).then_some(&repetition),
        )?;
    }
    Ok(())
}

/// Removes the elements that are not copied.
fn retain<T>(elements: &mut Vec<T>, is_copied: &[bool]) {
    let mut is_copied = is_copied.iter();
    elements.retain(|_| is_copied.next() == Some(&true));
}
