//! The values of a column, record by record.

use std::io;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{ByteArrayType, DataType, Int32Type, Int64Type};

use super::columns::Values;
use super::{FEWER_ROWS, damaged, failed};

/// Is called with each value.
type Each<'e> = &'e mut dyn FnMut(Option<&str>);

/// Reads a column of a row group. Each call goes to the next record and hands out its values: none where the record
/// lacks the field, one for each element of a list. Numbers become texts; bytes that are not UTF-8 become `None`.
pub(super) type Column = Box<dyn FnMut(Each<'_>) -> io::Result<()> + Send>;

/// Returns a column whose values have a type.
pub(super) fn open(reader: ColumnReader, values: Values) -> Column {
    match values {
        Values::Text => column::<ByteArrayType>(reader, |value, each| {
            each(str::from_utf8(value.data()).ok());
        }),
        Values::Int32 => column::<Int32Type>(reader, |value, each| {
            each(Some(&value.to_string()));
        }),
        Values::UInt32 => column::<Int32Type>(reader, |value, each| {
            each(Some(&value.cast_unsigned().to_string()));
        }),
        Values::Int64 => column::<Int64Type>(reader, |value, each| {
            each(Some(&value.to_string()));
        }),
        Values::UInt64 => column::<Int64Type>(reader, |value, each| {
            each(Some(&value.cast_unsigned().to_string()));
        }),
    }
}

fn column<T: DataType>(reader: ColumnReader, hand_out: fn(&T::T, Each<'_>)) -> Column {
    let mut reader: ColumnReaderImpl<T> = get_typed_column_reader(reader);
    let (mut values, mut definition, mut repetition) = (Vec::new(), Vec::new(), Vec::new());
    Box::new(move |each| {
        values.clear();
        definition.clear();
        repetition.clear();
        let read =
            reader.read_records(1, Some(&mut definition), Some(&mut repetition), &mut values);
        let (1, ..) = read.map_err(failed)? else {
            return Err(damaged(FEWER_ROWS));
        };
        values.iter().for_each(|value| hand_out(value, each));
        Ok(())
    })
}
