//! What a caller in Python gives: paths, tables of Arrow, or an iterable.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyIterator, PyMapping, PyString};
use pyo3_arrow::PyArrayReader;
use pyo3_arrow::ffi::ArrayReader;

use crate::call::Call;
use crate::errors::{Error, InputError};

/// How many rows of a table are taken at once.
const MOST_ROWS: usize = 1 << 14;

/// How many bytes of text are taken from an iterable at once.
const MOST_BYTES: usize = 8 << 20;

/// What is to be read.
pub(crate) enum Input<'py> {
    /// Files and folders.
    Paths(Vec<PathBuf>),
    /// Rows, which come in batches.
    Rows(Rows<'py>),
}

/// The names of the columns that are read.
#[derive(Debug, Clone)]
pub(crate) struct ColumnNames {
    pub(crate) text: String,
    pub(crate) id: Option<String>,
}

/// A row: its id and its text, each if it has one.
pub(crate) type Row = (Option<String>, Option<Text>);

/// A text of a row.
pub(crate) enum Text {
    Own(String),
    /// A value of a column, which is not copied.
    OfColumn(Arc<StringColumn>, usize),
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        match self {
            Self::Own(text) => text,
            Self::OfColumn(column, at) => column.value(*at),
        }
    }
}

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

    fn len(&self) -> usize {
        match self {
            Self::Utf8(array) => array.len(),
            Self::LargeUtf8(array) => array.len(),
            Self::Utf8View(array) => array.len(),
            Self::Dictionary(_, array, _) | Self::Null(array) => array.len(),
        }
    }

    fn is_null(&self, at: usize) -> bool {
        match self {
            Self::Utf8(array) => array.is_null(at),
            Self::LargeUtf8(array) => array.is_null(at),
            Self::Utf8View(array) => array.is_null(at),
            Self::Dictionary(keys, array, values) => array.is_null(at) || values.is_null(keys[at]),
            Self::Null(_) => true,
        }
    }

    fn value(&self, at: usize) -> &str {
        match self {
            Self::Utf8(array) => array.value(at),
            Self::LargeUtf8(array) => array.value(at),
            Self::Utf8View(array) => array.value(at),
            Self::Dictionary(keys, _, values) => values.value(keys[at]),
            Self::Null(_) => "",
        }
    }
}

/// Rows that come in batches.
pub(crate) enum Rows<'py> {
    /// Tables of Arrow.
    Tables(Tables<'py>, ColumnNames),
    Iterable {
        iterator: Bound<'py, PyIterator>,
        /// The first item, which was looked at.
        first: Option<Bound<'py, PyAny>>,
        names: ColumnNames,
        /// How many rows were read.
        read: u64,
    },
}

/// Tables of Arrow, one after the other.
pub(crate) enum Tables<'py> {
    One(Option<Bound<'py, PyAny>>),
    Several(Bound<'py, PyIterator>),
}

impl<'py> Tables<'py> {
    /// Returns the tables of an object; none if it has none.
    fn of(x: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if x.hasattr("__arrow_c_stream__")? {
            return Ok(Some(Self::One(Some(x.clone()))));
        }
        // Datasets of Hugging Face.
        if x.hasattr("with_format")? && x.hasattr("iter")? {
            let batches = x.call_method1("with_format", ("arrow",))?;
            let batches = batches.call_method1("iter", (MOST_ROWS,))?;
            return Ok(Some(Self::Several(batches.try_iter()?)));
        }
        Ok(None)
    }

    /// Returns the next table; none at the end.
    fn next(&mut self) -> PyResult<Option<Box<dyn ArrayReader + Send>>> {
        let table = match self {
            Self::One(table) => table.take(),
            Self::Several(tables) => tables.next().transpose()?,
        };
        let stream = |table: Bound<'_, PyAny>| table.extract::<PyArrayReader>()?.into_reader();
        table.map(stream).transpose()
    }
}

/// Returns what a caller gives.
pub(crate) fn open<'py>(x: &Bound<'py, PyAny>, names: &ColumnNames) -> PyResult<Input<'py>> {
    if let Some(tables) = Tables::of(x)? {
        return Ok(Input::Rows(Rows::Tables(tables, names.clone())));
    }
    if x.is_instance_of::<PyString>() {
        return Err(InputError::new_err(
            "a str is one text: put texts into a list, and a path into pathlib.Path",
        ));
    }
    if is_path(x)? {
        return Ok(Input::Paths(vec![x.extract()?]));
    }
    if x.is_instance_of::<PyDict>() {
        return Err(InputError::new_err(
            "a dict is one row: put rows into a list",
        ));
    }
    let mut iterator =
        x.try_iter()
            .map_err(|error| match error.is_instance_of::<PyTypeError>(x.py()) {
                true => InputError::new_err(format!(
                    "{} cannot be scanned: expected a table, an iterable of str or dict, or paths",
                    type_name(x)
                )),
                false => error,
            })?;
    let first = iterator.next().transpose()?;
    if let Some(first) = &first
        && is_path(first)?
    {
        let mut paths = vec![first.extract()?];
        for path in iterator {
            let path = path?;
            if !is_path(&path)? {
                let name = type_name(&path);
                return Err(InputError::new_err(format!(
                    "expected paths only, got {name}"
                )));
            }
            paths.push(path.extract()?);
        }
        return Ok(Input::Paths(paths));
    }
    Ok(Input::Rows(Rows::Iterable {
        iterator,
        first,
        names: names.clone(),
        read: 0,
    }))
}

/// Returns whether rows can be read from an object again.
pub(crate) fn is_lasting(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    if x.hasattr("__arrow_c_stream__")? {
        // A stream has no length.
        return x.hasattr("__len__");
    }
    Ok(!x.hasattr("__next__")?)
}

fn is_path(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    x.hasattr("__fspath__")
}

fn type_name(x: &Bound<'_, PyAny>) -> String {
    x.get_type()
        .name()
        .map_or_else(|_| "it".into(), |name| name.to_string())
}

impl Rows<'_> {
    /// Returns the next rows; none at the end.
    pub(crate) fn next(&mut self, py: Python<'_>, call: &Call) -> PyResult<Option<Vec<Row>>> {
        match self {
            Self::Tables(..) => unreachable!("columns are read by batches"),
            Self::Iterable {
                iterator,
                first,
                names,
                read,
            } => {
                let mut rows = Vec::new();
                let mut bytes = 0;
                while bytes < MOST_BYTES && rows.len() < MOST_ROWS {
                    let item = match first.take() {
                        Some(item) => item,
                        None => match iterator.next() {
                            Some(item) => item?,
                            None => break,
                        },
                    };
                    let row = row(&item, names, *read)?;
                    *read += 1;
                    bytes += row.1.as_ref().map_or(0, |text| text.as_ref().len());
                    rows.push(row);
                    if rows.len() % 1024 == 0 {
                        call.check(py)?;
                    }
                }
                Ok((!rows.is_empty()).then_some(rows))
            }
        }
    }

    /// Calls `take` with all rows, in batches.
    pub(crate) fn each_batch(
        mut self,
        py: Python<'_>,
        call: &Call,
        mut take: impl FnMut(Vec<Row>) -> PyResult<()>,
    ) -> PyResult<()> {
        if let Self::Tables(tables, names) = &mut self {
            while let Some(mut reader) = tables.next()? {
                // A table without rows has columns, too.
                names_of(reader.field().data_type(), names)?;
                while let Some(array) = py.detach(|| reader.next()) {
                    let (texts, ids) = columns(&array.map_err(of_arrow)?, names)?;
                    let texts = Arc::new(texts);
                    for start in (0..texts.len()).step_by(MOST_ROWS) {
                        let end = texts.len().min(start + MOST_ROWS);
                        let rows = (start..end).map(|at| {
                            let id = ids.as_ref().filter(|ids| !ids.is_null(at));
                            let text = (!texts.is_null(at))
                                .then(|| Text::OfColumn(Arc::clone(&texts), at));
                            (id.map(|ids| ids.value(at).to_owned()), text)
                        });
                        take(rows.collect())?;
                        call.check(py)?;
                    }
                }
            }
            return Ok(());
        }
        while let Some(rows) = self.next(py, call)? {
            take(rows)?;
        }
        Ok(())
    }
}

/// Returns the exception of an error of Arrow; the one of Python if it was one.
fn of_arrow(error: ArrowError) -> PyErr {
    match error {
        ArrowError::ExternalError(error) => match error.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(error) => InputError::new_err(error.to_string()),
        },
        error => InputError::new_err(error.to_string()),
    }
}

/// Returns the positions of the columns of texts and of ids; `None` if there is one column alone.
fn names_of(data_type: &DataType, names: &ColumnNames) -> PyResult<Option<(usize, Option<usize>)>> {
    let DataType::Struct(fields) = data_type else {
        return Ok(None);
    };
    let find = |name: &str| {
        let position = fields.iter().position(|field| field.name() == name);
        position.ok_or_else(|| {
            let known: Vec<String> = fields
                .iter()
                .map(|field| format!("'{}'", field.name()))
                .collect();
            InputError::new_err(missing(name, &known))
        })
    };
    let text = find(&names.text)?;
    let id = names.id.as_deref().map(find).transpose()?;
    Ok(Some((text, id)))
}

fn missing(name: &str, known: &[String]) -> String {
    match known {
        [] => format!("there is no column '{name}', and no other one"),
        _ => format!(
            "there is no column '{name}': the columns are {}",
            known.join(", ")
        ),
    }
}

/// Returns the texts of a batch, and the ids if there are any.
fn columns(
    batch: &ArrayRef,
    names: &ColumnNames,
) -> PyResult<(StringColumn, Option<StringColumn>)> {
    let of_type = |name: &str, array: &ArrayRef| {
        StringColumn::new(array).ok_or_else(|| {
            InputError::new_err(format!(
                "the column '{name}' is of type {}, and not of text",
                array.data_type()
            ))
        })
    };
    let Some((text, id)) = names_of(batch.data_type(), names)? else {
        return Ok((of_type(&names.text, batch)?, None));
    };
    let rows = batch.as_struct();
    let texts = of_type(&names.text, rows.column(text))?;
    let ids = id.map(|id| {
        let ids = rows.column(id);
        let name = names.id.as_deref().unwrap_or_default();
        match ids.data_type().is_integer() {
            true => of_type(name, &as_text(ids)?),
            false => of_type(name, ids),
        }
    });
    Ok((texts, ids.transpose()?))
}

/// Returns a column with its values in words.
fn as_text(array: &ArrayRef) -> PyResult<ArrayRef> {
    cast(array, &DataType::Utf8).map_err(of_arrow)
}

/// Returns a row of an iterable.
fn row(item: &Bound<'_, PyAny>, names: &ColumnNames, number: u64) -> PyResult<Row> {
    if let Ok(mapping) = item.cast::<PyMapping>() {
        let value = |name: &str| {
            if mapping.contains(name)? {
                return mapping.get_item(name);
            }
            let keys: Vec<String> = mapping
                .keys()?
                .iter()
                .map(|key| key.repr().map(|key| key.to_string()))
                .collect::<PyResult<_>>()?;
            let missing = missing(name, &keys);
            Err(InputError::new_err(format!("row {number}: {missing}")))
        };
        let text = text(&value(&names.text)?, || {
            format!("row {number}: '{}'", names.text)
        })?;
        let id = names.id.as_deref().map(value).transpose()?;
        let id = id.filter(|id| !id.is_none());
        let id =
            id.map(
                |id| match id.is_instance_of::<PyString>() || id.is_instance_of::<PyInt>() {
                    true => Ok(id.str()?.to_string_lossy().into_owned()),
                    false => Err(InputError::new_err(format!(
                        "row {number}: an id is {}, and not str or int",
                        type_name(&id)
                    ))),
                },
            );
        return Ok((id.transpose()?, text));
    }
    Ok((None, text(item, || format!("row {number}"))?))
}

/// Returns a text; none of `None`. Surrogates that stand alone are replaced.
fn text(value: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<Option<Text>> {
    if value.is_none() {
        return Ok(None);
    }
    let text = value.cast::<PyString>().map_err(|_| {
        InputError::new_err(format!("{} is {}, and not str", place(), type_name(value)))
    })?;
    Ok(Some(Text::Own(text.to_string_lossy().into_owned())))
}

/// Returns the values of a column in words, by row. The rows are read again.
pub(crate) fn field_values(
    x: Option<&Bound<'_, PyAny>>,
    name: &str,
) -> PyResult<Vec<Option<String>>> {
    let x = x.ok_or_else(|| {
        InputError::new_err(format!(
            "the column '{name}' is needed to choose what stays, and the rows can be read only once: \
             scan a table or a list"
        ))
    })?;
    let mut values = Vec::new();
    if let Some(mut tables) = Tables::of(x)? {
        let names = ColumnNames {
            text: name.to_owned(),
            id: None,
        };
        while let Some(reader) = tables.next()? {
            for batch in reader {
                let batch = batch.map_err(of_arrow)?;
                let Some((column, _)) = names_of(batch.data_type(), &names)? else {
                    return Err(InputError::new_err(missing(name, &[])));
                };
                let column = as_text(batch.as_struct().column(column))?;
                let column = StringColumn::new(&column).ok_or_else(|| Error::new_err("no text"))?;
                let value = |at: usize| (!column.is_null(at)).then(|| column.value(at).to_owned());
                values.extend((0..column.len()).map(value));
            }
        }
        return Ok(values);
    }
    for item in x.try_iter()? {
        let item = item?;
        let value = match item.cast::<PyMapping>() {
            Ok(mapping) if mapping.contains(name)? => mapping.get_item(name)?,
            _ => {
                values.push(None);
                continue;
            }
        };
        values.push(match value.is_none() {
            true => None,
            false => Some(value.str()?.to_string_lossy().into_owned()),
        });
    }
    Ok(values)
}

/// Returns the text of a row. The rows are read again up to it.
pub(crate) fn text_of_row(
    x: &Bound<'_, PyAny>,
    names: &ColumnNames,
    row: u64,
) -> PyResult<Option<String>> {
    let mut left = usize::try_from(row).unwrap_or(usize::MAX);
    if let Some(mut tables) = Tables::of(x)? {
        while let Some(reader) = tables.next()? {
            for batch in reader {
                let (texts, _) = columns(&batch.map_err(of_arrow)?, names)?;
                if left < texts.len() {
                    return Ok((!texts.is_null(left)).then(|| texts.value(left).to_owned()));
                }
                left -= texts.len();
            }
        }
        return Ok(None);
    }
    let Some(item) = x.try_iter()?.nth(left).transpose()? else {
        return Ok(None);
    };
    let (_, text) = self::row(&item, names, row)?;
    Ok(text.map(|text| text.as_ref().to_owned()))
}
