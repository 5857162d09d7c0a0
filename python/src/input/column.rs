//! Columns of texts.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, LargeStringArray, RecordBatch, StringArray, StringViewArray,
    downcast_primitive_array,
};
use arrow_schema::{ArrowError, DataType, Schema};
use pyo3::prelude::*;

use crate::call::InputError;
use crate::input::{ColumnNames, Text};
use dupfind_read::records::joined;

/// A column of texts.
pub(crate) enum StringColumn {
    Utf8(StringArray),
    LargeUtf8(LargeStringArray),
    Utf8View(StringViewArray),
    /// Positions in a column of distinct texts.
    Dictionary(Vec<usize>, ArrayRef, Box<StringColumn>),
    Null(ArrayRef),
}

impl StringColumn {
    /// Returns a column if it is one of texts.
    fn new(array: &ArrayRef) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Self::Utf8(array.as_string::<i32>().clone()),
            DataType::LargeUtf8 => Self::LargeUtf8(array.as_string::<i64>().clone()),
            DataType::Utf8View => Self::Utf8View(array.as_string_view().clone()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = Self::new(dictionary.values())?;
                let keys = match values.len() {
                    0 => vec![0; array.len()],
                    _ => dictionary.normalized_keys(),
                };
                Self::Dictionary(keys, array.clone(), Box::new(values))
            }
            DataType::Null => Self::Null(array.clone()),
            _ => return None,
        })
    }

    /// Returns a column with its values as strings. Numbers, and values that are stored as numbers, such as dates, are
    /// the strings of these numbers: they have the order of the values.
    ///
    /// # Errors
    ///
    /// The values are no texts and no numbers.
    pub(super) fn in_words(name: &str, array: &ArrayRef) -> PyResult<Self> {
        if let Some(column) = Self::new(array) {
            return Ok(column);
        }
        // Arrow's own cast would do it too, and brings casts between all types into the package: 4 MB.
        let words: StringArray = downcast_primitive_array! {
            array => array.iter().map(|value| value.map(|value| format!("{value:?}"))).collect(),
            DataType::Boolean => {
                let values = array.as_boolean().iter();
                values.map(|value| value.map(|value| value.to_string())).collect()
            },
            other => {
                return Err(InputError::new_err(format!(
                    "the column '{name}' is of type {other}, and not of text or numbers"
                )));
            }
        };
        Ok(Self::Utf8(words))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Utf8(array) => array.len(),
            Self::LargeUtf8(array) => array.len(),
            Self::Utf8View(array) => array.len(),
            Self::Dictionary(_, array, _) | Self::Null(array) => array.len(),
        }
    }

    pub(crate) fn is_null(&self, at: usize) -> bool {
        match self {
            Self::Utf8(array) => array.is_null(at),
            Self::LargeUtf8(array) => array.is_null(at),
            Self::Utf8View(array) => array.is_null(at),
            Self::Dictionary(keys, array, values) => array.is_null(at) || values.is_null(keys[at]),
            Self::Null(_) => true,
        }
    }

    pub(crate) fn value(&self, at: usize) -> &str {
        match self {
            Self::Utf8(array) => array.value(at),
            Self::LargeUtf8(array) => array.value(at),
            Self::Utf8View(array) => array.value(at),
            Self::Dictionary(keys, _, values) => values.value(keys[at]),
            Self::Null(_) => "",
        }
    }
}

/// The columns with the texts: each row is one.
pub(crate) struct TextColumns(Vec<StringColumn>);

impl TextColumns {
    pub(crate) fn len(&self) -> usize {
        self.0[0].len()
    }

    /// Returns the value of the first column.
    pub(crate) fn first(&self, at: usize) -> &str {
        self.0[0].value(at)
    }

    /// Returns the text of a row, if it has one. A text of one column is not copied.
    pub(crate) fn text(self: &Arc<Self>, at: usize) -> Option<Text> {
        if let [column] = &*self.0 {
            return (!column.is_null(at)).then(|| Text::OfColumn(Arc::clone(self), at));
        }
        let columns = self.0.iter().filter(|column| !column.is_null(at));
        let text = joined(columns.map(|column| Cow::Borrowed(column.value(at))))?;
        Some(Text::Own(text.into_owned()))
    }
}

/// Returns the exception of an error of Arrow.
pub(crate) fn of_arrow(error: ArrowError) -> PyErr {
    InputError::new_err(error.to_string())
}

/// Returns the positions of the columns of texts, and of the column of ids if there is one.
pub(crate) fn positions(
    schema: &Schema,
    names: &ColumnNames,
) -> PyResult<(Vec<usize>, Option<usize>)> {
    let fields = schema.fields();
    let find = |name: &str| {
        let position = fields.iter().position(|field| field.name() == name);
        position.ok_or_else(|| {
            let known: Vec<&String> = fields.iter().map(|field| field.name()).collect();
            InputError::new_err(missing(name, &known))
        })
    };
    let text = names.text.iter().map(|name| find(name));
    let text = text.collect::<PyResult<_>>()?;
    let id = names.id.as_deref().map(find).transpose()?;
    Ok((text, id))
}

pub(crate) fn missing(name: &str, known: &[impl AsRef<str>]) -> String {
    let quoted = known.iter().map(|name| format!("'{}'", name.as_ref()));
    match known {
        [] => format!("there is no column '{name}', and no other one"),
        _ => format!(
            "there is no column '{name}': the columns are {}",
            quoted.collect::<Vec<_>>().join(", ")
        ),
    }
}

/// Returns the texts of a batch, and the ids if there are any.
pub(crate) fn columns(
    batch: &RecordBatch,
    names: &ColumnNames,
) -> PyResult<(TextColumns, Option<StringColumn>)> {
    let of_type = |name: &str, array: &ArrayRef| {
        StringColumn::new(array).ok_or_else(|| {
            InputError::new_err(format!(
                "the column '{name}' is of type {}, and not of text",
                array.data_type()
            ))
        })
    };
    let (text, id) = positions(&batch.schema(), names)?;
    let texts = names.text.iter().zip(text);
    let texts = texts.map(|(name, text)| of_type(name, batch.column(text)));
    let texts = TextColumns(texts.collect::<PyResult<_>>()?);
    let ids = id.map(|id| {
        let ids = batch.column(id);
        let name = names.id.as_deref().unwrap_or_default();
        match ids.data_type().is_integer() {
            true => StringColumn::in_words(name, ids),
            false => of_type(name, ids),
        }
    });
    Ok((texts, ids.transpose()?))
}
