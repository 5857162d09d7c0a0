//! Tables of Arrow.

use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_pyarrow::FromPyArrow;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::call::InputError;
use crate::input::column::missing;
use crate::input::{ColumnNames, MAX_ROWS};

/// Tables of Arrow, one after the other.
pub(crate) enum Tables<'py> {
    One(Option<Bound<'py, PyAny>>),
    Several(Bound<'py, PyIterator>),
}

impl<'py> Tables<'py> {
    /// Returns the tables of an object; none if it has none. The other columns than `names` may be left out: they can be
    /// of types that nobody here knows.
    pub(crate) fn of(x: &Bound<'py, PyAny>, names: &[&str]) -> PyResult<Option<Self>> {
        if x.hasattr("__arrow_c_stream__")? && !is_column(x)? {
            return Ok(Some(Self::One(Some(narrowed(x, names)))));
        }
        // Datasets of Hugging Face.
        if x.hasattr("with_format")? && x.hasattr("iter")? {
            let batches = narrowed(x, names).call_method1("with_format", ("arrow",))?;
            let batches = batches.call_method1("iter", (MAX_ROWS,))?;
            return Ok(Some(Self::Several(batches.try_iter()?)));
        }
        Ok(None)
    }

    /// Returns the next table; none at the end.
    pub(crate) fn next(&mut self) -> PyResult<Option<RecordBatchStreamReader>> {
        let table = match self {
            Self::One(table) => table.take(),
            Self::Several(tables) => tables.next().transpose()?,
        };
        let reader = |table| RecordBatchStreamReader::from_pyarrow_bound(&table);
        table.map(reader).transpose()
    }
}

/// Returns whether an object is one column of a table: a Series of polars or pandas, an array of pyarrow.
fn is_column(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(x.hasattr("to_frame")? || x.hasattr("to_pylist")? && !x.hasattr("schema")?)
}

/// Returns a table with these columns alone, if it has them all and knows how to leave out others; else the table.
fn narrowed<'py>(x: &Bound<'py, PyAny>, names: &[&str]) -> Bound<'py, PyAny> {
    let mut wanted: Vec<&str> = Vec::new();
    for name in names {
        if !wanted.contains(name) {
            wanted.push(name);
        }
    }
    let has_all =
        listed(x).is_some_and(|known| wanted.iter().all(|name| known.iter().any(|n| n == name)));
    let narrow = || {
        let has = |name: &str| x.hasattr(name).is_ok_and(|has| has);
        // Datasets, tables of pyarrow, frames of polars and of pandas.
        let method = match has("column_names") {
            true if has("select_columns") => "select_columns",
            true => "select",
            false => "__getitem__",
        };
        x.call_method1(method, (wanted.clone(),)).ok()
    };
    let narrowed = if has_all { narrow() } else { None };
    narrowed.unwrap_or_else(|| x.clone())
}

/// Returns the names of the columns of a table, if it lists them.
fn listed(x: &Bound<'_, PyAny>) -> Option<Vec<String>> {
    let names = |attribute: &str| {
        let names = x.getattr(attribute).ok()?.try_iter().ok()?;
        names
            .map(|name| name?.extract())
            .collect::<PyResult<Vec<String>>>()
            .ok()
    };
    names("columns").or_else(|| names("column_names"))
}

/// Checks that a table has the columns that rules ask for, if it lists its columns.
pub(super) fn check_fields(x: &Bound<'_, PyAny>, names: &ColumnNames) -> PyResult<()> {
    let Some(known) = listed(x) else {
        return Ok(());
    };
    match names.fields.iter().find(|name| !known.contains(name)) {
        Some(name) => Err(InputError::new_err(format!(
            "keep: {}",
            missing(name, &known)
        ))),
        None => Ok(()),
    }
}
