//! A table that other libraries take over by Arrow's C stream, without a copy.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, RecordBatchIterator, StringArray,
    UInt32Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use dupfind_report::formats::scanned::escaped_html;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyCapsule, PyDict, PyIterator, PyList, PyString};

use crate::call::Error;

/// How many rows a notebook shows.
const MOST: usize = 10;

/// A table with named columns.
///
/// Everything that knows Arrow's C stream takes it without a copy: ``polars.DataFrame(table)``,
/// ``pandas.DataFrame.from_arrow(table)``, ``pyarrow.table(table)``. Iterating gives a dict for each row.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct Table {
    batch: RecordBatch,
}

/// A row by its number, or a column by its name.
#[derive(FromPyObject)]
enum TableKey {
    Row(isize),
    Column(String),
}

impl Table {
    /// Returns the values of a column as a list.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let column = self.batch.column_by_name(name);
        let column = column.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        Ok(PyList::new(py, values(py, column)?)?.into_any())
    }
}

#[pymethods]
impl Table {
    /// How many rows there are.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let schema = self.batch.schema();
        let fields = schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// The table as a ``polars.DataFrame``.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py()
            .import("polars")?
            .getattr("DataFrame")?
            .call1((slf,))
    }

    /// The table as a ``pandas.DataFrame``.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let frame = slf.py().import("pandas")?.getattr("DataFrame")?;
        match frame.getattr("from_arrow") {
            Ok(from_arrow) => from_arrow.call1((slf,)),
            // Before pandas 3.
            Err(_) => Self::to_pyarrow(slf)?.call_method0("to_pandas"),
        }
    }

    /// The table as a ``pyarrow.Table``.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.getattr("table")?.call1((slf,))
    }

    /// The table as a list of dicts, one for each row.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let schema = self.batch.schema();
        let fields = schema.fields().iter();
        // A key is one object in all rows.
        let keys: Vec<_> = fields
            .map(|field| PyString::new(py, field.name()))
            .collect();
        let columns = self.batch.columns().iter();
        let columns: Vec<_> = columns
            .map(|column| values(py, column))
            .collect::<PyResult<_>>()?;
        let rows = (0..self.batch.num_rows()).map(|row| {
            let dict = PyDict::new(py);
            for (key, values) in keys.iter().zip(&columns) {
                dict.set_item(key, &values[row])?;
            }
            Ok(dict)
        });
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Whoever asks for another schema must be ready for this one, and casting takes 4 MB of code.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.batch.schema());
        let schema = schema.map_err(|error| Error::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: TableKey) -> PyResult<Bound<'py, PyAny>> {
        let row = match key {
            TableKey::Row(row) => row,
            TableKey::Column(name) => return self.column(py, &name),
        };
        let rows = self.batch.num_rows();
        let at = if row < 0 {
            row.checked_add_unsigned(rows)
        } else {
            Some(row)
        };
        match at.and_then(|at| usize::try_from(at).ok()) {
            Some(at) if at < rows => {
                let row = Self::of(self.batch.slice(at, 1)).to_dicts(py)?;
                row.get_item(0)
            }
            _ => Err(PyIndexError::new_err(format!(
                "there are {rows} rows, and no row {row}"
            ))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_dicts(py)?.try_iter()
    }

    fn __repr__(&self) -> String {
        let names = self.column_names().join(", ");
        format!("<dupfind.Table: {} rows of {names}>", self.batch.num_rows())
    }

    /// The first rows as HTML.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let mut html = String::from("<table><thead><tr>");
        for name in self.column_names() {
            html.push_str(&format!("<th>{}</th>", escaped_html(&name)));
        }
        html.push_str("</tr></thead><tbody>");
        let rows = self.batch.num_rows();
        for row in Self::of(self.batch.slice(0, rows.min(MOST))).to_dicts(py)? {
            html.push_str("<tr>");
            for value in row.cast::<PyDict>()?.values() {
                let text = match value.is_none() {
                    true => String::new(),
                    false => value.str()?.to_string(),
                };
                html.push_str(&format!("<td>{}</td>", escaped_html(&text)));
            }
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table>");
        if rows > MOST {
            html.push_str(&format!("<p>{MOST} of {rows} rows</p>"));
        }
        Ok(html)
    }
}

impl Table {
    fn of(batch: RecordBatch) -> Self {
        Self { batch }
    }
}

/// The values of a column as Python has them.
type Values<'py> = Vec<Bound<'py, PyAny>>;

/// Returns the values of a column. Texts that follow each other and are equal are one object.
fn values<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Values<'py>> {
    let none = || py.None().into_bound(py);
    macro_rules! of_numbers {
        ($kind:ty, $number:ty) => {{
            let numbers = column.as_primitive::<$kind>().iter();
            let object = |number: Option<$number>| match number {
                Some(number) => Ok(number.into_pyobject(py)?.into_any()),
                None => Ok(none()),
            };
            numbers.map(object).collect()
        }};
    }
    match column.data_type() {
        DataType::UInt32 => of_numbers!(UInt32Type, u32),
        DataType::UInt64 => of_numbers!(UInt64Type, u64),
        DataType::Float64 => of_numbers!(Float64Type, f64),
        DataType::Boolean => {
            let values = column.as_boolean().iter();
            let object = |value: Option<bool>| match value {
                Some(value) => PyBool::new(py, value).to_owned().into_any(),
                None => none(),
            };
            Ok(values.map(object).collect())
        }
        DataType::List(_) => {
            let lists = column.as_list::<i32>();
            let offsets = lists.value_offsets();
            let start = offsets[0] as usize;
            let items = offsets[lists.len()] as usize - start;
            let items = values(py, &lists.values().slice(start, items))?;
            let list = |row: usize| match lists.is_null(row) {
                true => Ok(none()),
                false => {
                    let [from, to] = [row, row + 1].map(|at| offsets[at] as usize - start);
                    Ok(PyList::new(py, &items[from..to])?.into_any())
                }
            };
            (0..lists.len()).map(list).collect()
        }
        _ => {
            let mut last = ("", PyString::new(py, ""));
            let object = |text: Option<_>| match text {
                Some(text) => {
                    if last.0 != text {
                        last = (text, PyString::new(py, text));
                    }
                    last.1.clone().into_any()
                }
                None => none(),
            };
            Ok(column.as_string::<i32>().iter().map(object).collect())
        }
    }
}

/// Takes the columns of a table.
#[derive(Default)]
pub(crate) struct Columns {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl Columns {
    fn add(mut self, name: &str, array: ArrayRef, is_nullable: bool) -> Self {
        self.fields
            .push(Field::new(name, array.data_type().clone(), is_nullable));
        self.arrays.push(array);
        self
    }

    pub(crate) fn u64(self, name: &str, values: impl Iterator<Item = u64>) -> Self {
        self.add(name, Arc::new(UInt64Array::from_iter_values(values)), false)
    }

    pub(crate) fn optional_u64(
        self,
        name: &str,
        values: impl Iterator<Item = Option<u64>>,
    ) -> Self {
        self.add(name, Arc::new(values.collect::<UInt64Array>()), true)
    }

    pub(crate) fn u32(self, name: &str, values: impl Iterator<Item = u32>) -> Self {
        self.add(name, Arc::new(UInt32Array::from_iter_values(values)), false)
    }

    pub(crate) fn optional_u32(
        self,
        name: &str,
        values: impl Iterator<Item = Option<u32>>,
    ) -> Self {
        self.add(name, Arc::new(values.collect::<UInt32Array>()), true)
    }

    pub(crate) fn optional_f64(
        self,
        name: &str,
        values: impl Iterator<Item = Option<f64>>,
    ) -> Self {
        self.add(name, Arc::new(values.collect::<Float64Array>()), true)
    }

    pub(crate) fn bool(self, name: &str, values: impl Iterator<Item = bool>) -> Self {
        let values = values.map(Some).collect::<BooleanArray>();
        self.add(name, Arc::new(values), false)
    }

    pub(crate) fn text<T: AsRef<str>>(self, name: &str, values: impl Iterator<Item = T>) -> Self {
        self.add(name, Arc::new(StringArray::from_iter_values(values)), false)
    }

    pub(crate) fn optional_text<T: AsRef<str>>(
        self,
        name: &str,
        values: impl Iterator<Item = Option<T>>,
    ) -> Self {
        self.add(name, Arc::new(values.collect::<StringArray>()), true)
    }

    pub(crate) fn texts(
        self,
        name: &str,
        values: impl Iterator<Item = impl Iterator<Item = &'static str>>,
    ) -> Self {
        let mut builder = ListBuilder::new(StringBuilder::new());
        for texts in values {
            for text in texts {
                builder.values().append_value(text);
            }
            builder.append(true);
        }
        self.add(name, Arc::new(builder.finish()), false)
    }

    /// Returns the table.
    pub(crate) fn into_table(self) -> PyResult<Table> {
        let schema = Arc::new(Schema::new(self.fields));
        let batch = RecordBatch::try_new(schema, self.arrays);
        let batch = batch.map_err(|error| Error::new_err(error.to_string()))?;
        Ok(Table::of(batch))
    }
}
