//! What a caller in Python gives: paths, tables of Arrow, or an iterable.

pub(crate) mod again;
pub(crate) mod column;
pub(crate) mod tables;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatchReader;
use dupfind_decide::KeepRule;
use dupfind_read::records::joined;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyIterator, PyList, PyMapping, PyString};

use crate::call::{Call, InputError, OptionError};
use crate::input::column::{TextColumns, columns, missing, of_arrow, positions};
use crate::input::tables::{Tables, check_fields};
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

/// The names of the columns of the texts. Several make one text.
#[derive(Debug, Clone, FromPyObject)]
pub(crate) enum TextNames {
    One(String),
    Several(Vec<String>),
}

impl TextNames {
    /// Returns the usual name.
    pub(crate) fn usual() -> Self {
        Self::One("text".into())
    }
}

/// The names of the columns that are read.
#[derive(Debug, Clone)]
pub(crate) struct ColumnNames {
    pub(crate) text: Vec<String>,
    pub(crate) id: Option<String>,
    /// Those that rules ask for later.
    pub(crate) fields: Vec<String>,
}

impl ColumnNames {
    pub(crate) fn new(text: TextNames, id: Option<String>) -> PyResult<Self> {
        let text = match text {
            TextNames::One(name) => vec![name],
            TextNames::Several(names) if names.is_empty() => {
                return Err(OptionError::new_err("text: expected at least one"));
            }
            TextNames::Several(names) => names,
        };
        Ok(Self {
            text,
            id,
            fields: Vec::new(),
        })
    }

    /// Returns the names with the columns that these rules ask for.
    pub(crate) fn with_fields(self, rules: &[KeepRule]) -> Self {
        let name = |rule: &KeepRule| match rule {
            KeepRule::Field(name, _) => Some(name.clone()),
            _ => None,
        };
        Self {
            fields: rules.iter().filter_map(name).collect(),
            ..self
        }
    }

    /// Returns the names of the columns that are read at once.
    fn read(&self) -> Vec<&str> {
        let names = self.text.iter().chain(&self.id);
        names.map(String::as_str).collect()
    }

    /// Returns the options that name the same fields of records, if they are not the usual ones.
    pub(crate) fn given(&self, py: Python<'_>) -> PyResult<Given> {
        let mut given = Given::default();
        if self.text != ["text"] {
            given.add("text", PyList::new(py, &self.text)?.as_any())?;
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
    OfColumn(Arc<TextColumns>, usize),
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        match self {
            Self::Own(text) => text,
            Self::OfColumn(column, at) => column.first(*at),
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
        met: Met,
        /// How many rows were read.
        read: u64,
    },
}

/// Returns what a caller gives.
pub(crate) fn open<'py>(x: &Bound<'py, PyAny>, names: &ColumnNames) -> PyResult<Input<'py>> {
    if let Some(tables) = Tables::of(x, &names.read())? {
        check_fields(x, names)?;
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
    if x.hasattr("collect")? {
        return Err(InputError::new_err(format!(
            "{} has no rows yet: call its collect() first, which makes a frame of it",
            type_name(x)
        )));
    }
    let mut iterator =
        items(x).map_err(|error| match error.is_instance_of::<PyTypeError>(x.py()) {
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
        met: Met::default(),
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

/// Returns the items of an iterable. Those of an array of pyarrow are values of Python.
fn items<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    match x.hasattr("to_pylist")? {
        true => x.call_method0("to_pylist")?.try_iter(),
        false => x.try_iter(),
    }
}

fn is_path(x: &Bound<'_, PyAny>) -> PyResult<bool> {
    x.hasattr("__fspath__")
}

/// Returns the name of a type. To ask Python for the words of the name would lose an interrupt.
fn type_name(x: &Bound<'_, PyAny>) -> String {
    let name = x.get_type().name();
    name.map_or_else(|_| "it".into(), |name| name.to_string_lossy().into_owned())
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
                met,
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
                    met.look_at(&item, names)?;
                    *read += 1;
                    bytes += row.1.as_ref().map_or(0, |text| text.as_ref().len());
                    rows.push(row);
                    if rows.len() % 1024 == 0 {
                        call.check(py)?;
                    }
                }
                if rows.is_empty() {
                    met.check(names)?;
                    return Ok(None);
                }
                Ok(Some(rows))
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
                positions(&reader.schema(), names)?;
                while let Some(batch) = py.detach(|| reader.next()) {
                    let (texts, ids) = columns(&batch.map_err(of_arrow)?, names)?;
                    let texts = Arc::new(texts);
                    for start in (0..texts.len()).step_by(MAX_ROWS) {
                        let end = texts.len().min(start + MAX_ROWS);
                        let rows = (start..end).map(|at| {
                            let id = ids.as_ref().filter(|ids| !ids.is_null(at));
                            (id.map(|ids| ids.value(at).to_owned()), texts.text(at))
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

/// What the rows of an iterable had so far.
#[derive(Default)]
pub(crate) struct Met {
    /// The names of the columns that a row had, of those that are needed.
    columns: BTreeSet<String>,
    /// The keys of the first row; `None` before it.
    first: Option<Vec<String>>,
    /// Whether the rows are no texts.
    has_columns: bool,
}

impl Met {
    fn look_at(&mut self, item: &Bound<'_, PyAny>, names: &ColumnNames) -> PyResult<()> {
        let Some(mapping) = mapping(item) else {
            self.first.get_or_insert_default();
            return Ok(());
        };
        self.has_columns = true;
        if self.first.is_none() {
            let keys = mapping.keys()?;
            let keys = keys
                .iter()
                .map(|key| Ok(key.str()?.to_string_lossy().into_owned()));
            self.first = Some(keys.collect::<PyResult<_>>()?);
        }
        for name in names.text.iter().chain(&names.id).chain(&names.fields) {
            if !self.columns.contains(name) && mapping.contains(name)? {
                self.columns.insert(name.clone());
            }
        }
        Ok(())
    }

    /// Fails if there were rows, and none had a column that is needed.
    fn check(&self, names: &ColumnNames) -> PyResult<()> {
        let Some(known) = &self.first else {
            return Ok(());
        };
        let has = |name: &&String| self.columns.contains(*name);
        let mut texts = names.text.iter().filter(|_| self.has_columns);
        let (option, name) = if let Some(text) = texts.find(|name| !has(name)) {
            ("", text)
        } else if let Some(id) = names.id.iter().find(|name| !has(name)) {
            ("id: ", id)
        } else if let Some(field) = names.fields.iter().find(|name| !has(name)) {
            ("keep: ", field)
        } else {
            return Ok(());
        };
        let missing = missing(name, known);
        Err(InputError::new_err(format!("{option}{missing}")))
    }
}

/// Returns a row that has columns; none for a text. A text is known without asking Python: whether something else is a mapping,
/// Python code says, and an interrupt in it would be lost.
pub(super) fn mapping<'i, 'py>(item: &'i Bound<'py, PyAny>) -> Option<&'i Bound<'py, PyMapping>> {
    let is_text = item.is_instance_of::<PyString>() || item.is_none();
    (!is_text).then(|| item.cast().ok())?
}

/// Returns a row of an iterable. A column that it does not have is as one without a value.
fn row(item: &Bound<'_, PyAny>, names: &ColumnNames, number: u64) -> PyResult<Row> {
    let Some(mapping) = mapping(item) else {
        return Ok((None, text(item, || format!("row {number}"))?.map(Text::Own)));
    };
    let value = |name: &String| match mapping.contains(name)? {
        true => mapping.get_item(name).map(Some),
        false => Ok(None),
    };
    let mut texts = Vec::new();
    for name in &names.text {
        if let Some(value) = value(name)? {
            texts.extend(text(&value, || format!("row {number}: '{name}'"))?);
        }
    }
    let texts = joined(texts.into_iter().map(Cow::Owned));
    let text = texts.map(|text| Text::Own(text.into_owned()));
    let id = names.id.as_ref().map(value).transpose()?.flatten();
    let id = id.filter(|id| !is_nothing(id));
    let id = id.map(
        |id| match id.is_instance_of::<PyString>() || id.is_instance_of::<PyInt>() {
            true => Ok(id.str()?.to_string_lossy().into_owned()),
            false => Err(InputError::new_err(format!(
                "row {number}: an id is {}, and not str or int",
                type_name(&id)
            ))),
        },
    );
    Ok((id.transpose()?, text))
}

/// Returns whether a value is missing, as pandas marks it.
fn is_nothing(value: &Bound<'_, PyAny>) -> bool {
    let is_nan = |number: &Bound<'_, PyFloat>| number.value().is_nan();
    let is_marked = || ["NAType", "NaTType"].contains(&&*type_name(value));
    let is_text = value.is_instance_of::<PyString>();
    !is_text && (value.is_none() || value.cast::<PyFloat>().is_ok_and(is_nan) || is_marked())
}

/// Returns a text; none if there is no value. Surrogates that stand alone are replaced.
fn text(value: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<Option<String>> {
    if is_nothing(value) {
        return Ok(None);
    }
    let text = value.cast::<PyString>().map_err(|_| {
        InputError::new_err(format!("{} is {}, and not str", place(), type_name(value)))
    })?;
    Ok(Some(text.to_string_lossy().into_owned()))
}
