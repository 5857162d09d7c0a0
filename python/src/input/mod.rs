//! What a caller in Python gives: paths, tables of Arrow, or an iterable.

pub(crate) mod again;
pub(crate) mod column;

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyIterator, PyMapping, PyString};
use pyo3_arrow::PyArrayReader;
use pyo3_arrow::ffi::ArrayReader;

use crate::call::Call;
use crate::errors::InputError;
use crate::input::column::{StringColumn, columns, missing, names_of, of_arrow};
use crate::options::Given;

/// How many rows of a table are taken at once.
const MAX_ROWS: usize = 1 << 14;

/// How many bytes of text are taken from an iterable at once.
const MAX_BYTES: usize = 8 << 20;

/// What is to be read.
pub(crate) enum Input<'py> {
    /// Files and folders.
    Paths(Vec<PathBuf>),
    /// Rows, which come in batches.
    Rows(Rows<'py>),
}

/// The names of the columns that are read.
#[derive(Debug, Clone, FromPyObject)]
pub(crate) struct ColumnNames {
    #[pyo3(item(0))]
    pub(crate) text: String,
    #[pyo3(item(1))]
    pub(crate) id: Option<String>,
}

impl ColumnNames {
    /// Returns the options that name the same fields of records, if they are not the usual ones.
    pub(crate) fn given(&self, py: Python<'_>) -> PyResult<Given> {
        let mut given = Given::default();
        if self.text != "text" {
            given.add("text", &PyString::new(py, &self.text))?;
        }
        if let Some(id) = &self.id {
            given.add("id", &PyString::new(py, id))?;
        }
        Ok(given)
    }
}

/// A text of a caller. Surrogates that stand alone are replaced.
pub(crate) struct Lossy(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Lossy {
    type Error = PyErr;

    fn extract(text: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(
            text.cast::<PyString>()?.to_string_lossy().into_owned(),
        ))
    }
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
            let batches = batches.call_method1("iter", (MAX_ROWS,))?;
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
                while bytes < MAX_BYTES && rows.len() < MAX_ROWS {
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
                    for start in (0..texts.len()).step_by(MAX_ROWS) {
                        let end = texts.len().min(start + MAX_ROWS);
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
