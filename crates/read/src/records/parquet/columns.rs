//! Which columns hold the text and the id of a document.
//!
//! Columns are named as fields of JSON are: `meta.title` is a column in a group. The groups that the format puts
//! between a list and its elements are not part of a name, so that a name leads through lists as it does in JSON.

use std::io;

use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::schema::types::{BasicTypeInfo, SchemaDescriptor, Type};

use super::{FEWER_ROWS, damaged, failed};
use crate::records::{Fields, listed};

/// The type of the values of a column that is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Values {
    Text,
    Int32,
    UInt32,
    Int64,
    UInt64,
}

/// A column that is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadColumn {
    /// Its position among all columns.
    pub(super) at: usize,
    pub(super) values: Values,
}

/// All columns that are read.
#[derive(Debug)]
pub(super) struct ReadColumns {
    /// The columns of each text field, in the order of the fields.
    pub(super) text: Vec<Vec<ReadColumn>>,
    pub(super) id: Vec<ReadColumn>,
}

impl ReadColumns {
    /// Returns the columns of the fields.
    ///
    /// # Errors
    ///
    /// The message that no column holds a text.
    pub(super) fn of(schema: &SchemaDescriptor, fields: &Fields) -> Result<Self, String> {
        let root = schema.root_schema().get_fields();
        let mut names = Vec::new();
        for field in root {
            name_columns(field, "", &mut names);
        }
        let find = |wanted: &String| -> Vec<ReadColumn> {
            let found = names.iter().enumerate().filter(|(_, name)| *name == wanted);
            let column = |(at, _)| {
                let values = values_of(schema.column(at).self_type())?;
                Some(ReadColumn { at, values })
            };
            found.filter_map(column).collect()
        };
        let columns = Self {
            text: fields.text.iter().map(find).collect(),
            id: fields.id.iter().flat_map(find).collect(),
        };
        if columns.text.iter().any(|columns| !columns.is_empty()) {
            return Ok(columns);
        }
        let wanted = fields.in_words();
        Err(if names.iter().any(|name| fields.text.contains(name)) {
            format!("its column {wanted} has no text in it")
        } else {
            let top = listed(root.iter().map(|field| field.name()));
            format!("it has no column {wanted}; it has {top}")
        })
    }
}

/// Appends the names of the columns in a field, in their order. `before` is the name of the group around it.
fn name_columns(field: &Type, before: &str, names: &mut Vec<String>) {
    let name = if before.is_empty() {
        field.name().to_owned()
    } else {
        format!("{before}.{}", field.name())
    };
    name_within(field, name, names);
}

/// Appends the names of the columns in a field of this name.
fn name_within(field: &Type, name: String, names: &mut Vec<String>) {
    if !field.is_group() {
        names.push(name);
        return;
    }
    if let Some(element) = element(field) {
        return name_within(element, name, names);
    }
    for inner in field.get_fields() {
        name_columns(inner, &name, names);
    }
}

/// Returns the element of a group that is a list or a map. Lists of old programs lack a level; the format has rules
/// for them.
fn element(field: &Type) -> Option<&Type> {
    let info = field.get_basic_info();
    let (is_list, is_map) = match (info.logical_type_ref(), info.converted_type()) {
        (Some(LogicalType::List), _) | (None, ConvertedType::LIST) => (true, false),
        (Some(LogicalType::Map), _) | (None, ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE) => {
            (false, true)
        }
        _ => (false, false),
    };
    let [repeated] = field.get_fields() else {
        return None;
    };
    if is_map {
        return Some(repeated);
    }
    if !is_list {
        return None;
    }
    let is_element = !repeated.is_group()
        || repeated.get_fields().len() != 1
        || repeated.name() == "array"
        || repeated.name().strip_suffix("_tuple") == Some(field.name());
    Some(if is_element {
        repeated
    } else {
        &repeated.get_fields()[0]
    })
}

/// Returns the type of a column, or nothing if it holds neither texts nor whole numbers.
fn values_of(column: &Type) -> Option<Values> {
    let info: &BasicTypeInfo = column.get_basic_info();
    let (logical, converted) = (info.logical_type_ref(), info.converted_type());
    let is_integer = matches!(logical, None | Some(LogicalType::Integer(_)));
    let is_signed = match converted {
        ConvertedType::NONE
        | ConvertedType::INT_8
        | ConvertedType::INT_16
        | ConvertedType::INT_32
        | ConvertedType::INT_64 => Some(true),
        ConvertedType::UINT_8
        | ConvertedType::UINT_16
        | ConvertedType::UINT_32
        | ConvertedType::UINT_64 => Some(false),
        _ => None,
    };
    let is_text = matches!(
        logical,
        None | Some(LogicalType::String | LogicalType::Enum | LogicalType::Json)
    ) && matches!(
        converted,
        ConvertedType::NONE | ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON
    );
    match (column.get_physical_type(), is_signed) {
        // Old programs do not mark bytes as text.
        (Physical::BYTE_ARRAY, _) if is_text => Some(Values::Text),
        (Physical::INT32, Some(true)) if is_integer => Some(Values::Int32),
        (Physical::INT32, Some(false)) if is_integer => Some(Values::UInt32),
        (Physical::INT64, Some(true)) if is_integer => Some(Values::Int64),
        (Physical::INT64, Some(false)) if is_integer => Some(Values::UInt64),
        _ => None,
    }
}

/// Is called with each value.
type Each<'e> = &'e mut dyn FnMut(Option<&str>);

/// Reads a column of a row group. Each call goes to the next record and hands out its values: none where the record
/// lacks the field, one for each element of a list. Numbers become texts; bytes that are not UTF-8 become `None`.
pub(super) type Column = Box<dyn FnMut(Each<'_>) -> io::Result<()> + Send>;

/// Returns a column whose values have a type.
pub(super) fn open_column(reader: ColumnReader, values: Values) -> Column {
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
