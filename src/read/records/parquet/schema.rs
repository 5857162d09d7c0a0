//! Which columns are the document.
//!
//! Columns have names as fields of JSON do: `meta.title` is a column in a group. What the format puts between a list
//! and its elements is no part of them, so a name leads through lists as it does in JSON.

use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::schema::types::{BasicTypeInfo, SchemaDescriptor, Type};

use crate::read::records::fields::{Fields, listed};

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Text,
    Int32 { is_signed: bool },
    Int64 { is_signed: bool },
}

/// A column with a text or with whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Its position among all columns.
    pub(super) at: usize,
    pub(super) values: Values,
}

/// The columns that are read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Columns {
    /// Those of each field with the text, in the order of these.
    pub(super) text: Vec<Vec<Wanted>>,
    pub(super) id: Vec<Wanted>,
}

impl Columns {
    /// Takes what columns there are and the names of the fields.
    ///
    /// # Errors
    ///
    /// In words, that none of them is a field with the text.
    pub(super) fn of(schema: &SchemaDescriptor, fields: &Fields) -> Result<Self, String> {
        let root = schema.root_schema().get_fields();
        let mut names = Vec::new();
        for field in root {
            name_columns(field, "", &mut names);
        }
        let find = |wanted: &String| -> Vec<Wanted> {
            let found = names.iter().enumerate().filter(|(_, name)| *name == wanted);
            let column = |(at, _)| {
                let values = values_of(schema.column(at).self_type())?;
                Some(Wanted { at, values })
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

/// Adds the names of the columns in a field, in their order.
fn name_columns(field: &Type, before: &str, names: &mut Vec<String>) {
    let name = if before.is_empty() {
        field.name().to_owned()
    } else {
        format!("{before}.{}", field.name())
    };
    name_within(field, name, names);
}

/// Adds the names of the columns in a field of this name.
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

/// What is repeated, if a group is a list or a map. Lists that old programs wrote lack a level: their rules are those
/// of the format.
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

/// What a column has in it; nothing if that is neither text nor whole numbers, which JSON has as such.
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
        // Old programs do not say that bytes are text.
        (Physical::BYTE_ARRAY, _) if is_text => Some(Values::Text),
        (Physical::INT32, Some(is_signed)) if is_integer => Some(Values::Int32 { is_signed }),
        (Physical::INT64, Some(is_signed)) if is_integer => Some(Values::Int64 { is_signed }),
        _ => None,
    }
}
