//! A table that other libraries take over by Arrow's C stream, without a copy.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, ListArray, RecordBatch, RecordBatchIterator,
    StringArray, UInt32Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList, PyString};
use pyo3_arrow::error::PyArrowResult;

use crate::errors::Error;

/// A table with named columns.
///
/// Everything that knows Arrow's C stream takes it without a copy: ``polars.DataFrame(table)``,
/// ``pandas.DataFrame.from_arrow(table)``, ``pyarrow.table(table)``. Iterating gives a dict for each row.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct Table {
    batch: RecordBatch,
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
        let rows = (0..self.batch.num_rows()).map(|row| {
            let dict = PyDict::new(py);
            for (key, column) in keys.iter().zip(self.batch.columns()) {
                dict.set_item(key, value(py, column, row)?)?;
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

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        pyo3_arrow::ffi::to_schema_pycapsule(py, self.batch.schema().as_ref())
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Bound<'py, PyDict>> {
        let rows = self.batch.num_rows();
        let at = if row < 0 {
            row.checked_add_unsigned(rows)
        } else {
            Some(row)
        };
        match at.and_then(|at| usize::try_from(at).ok()) {
            Some(at) if at < rows => {
                let row = Self::of(self.batch.slice(at, 1)).to_dicts(py)?;
                Ok(row.get_item(0)?.cast_into()?)
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

    fn _repr_html_(&self) -> String {
        crate::html::table(&self.batch)
    }
}

impl Table {
    fn of(batch: RecordBatch) -> Self {
        Self { batch }
    }
}

/// Returns a value of a column as Python has it.
fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match column.data_type() {
        DataType::UInt32 => column
            .as_primitive::<UInt32Type>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::UInt64 => column
            .as_primitive::<UInt64Type>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::Float64 => column
            .as_primitive::<Float64Type>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::Boolean => column
            .as_boolean()
            .value(row)
            .into_pyobject(py)?
            .to_owned()
            .into_any(),
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(row);
            let items = (0..list.len()).map(|at| value(py, &list, at));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        _ => column
            .as_string::<i32>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
    })
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

    pub(crate) fn u64_lists(
        self,
        name: &str,
        values: impl Iterator<Item = Option<Vec<u64>>>,
    ) -> Self {
        let values = values.map(|list| list.map(|list| list.into_iter().map(Some)));
        let lists = ListArray::from_iter_primitive::<UInt64Type, _, _>(values);
        self.add(name, Arc::new(lists), true)
    }

    /// Returns the table.
    pub(crate) fn into_table(self) -> PyResult<Table> {
        let schema = Arc::new(Schema::new(self.fields));
        let batch = RecordBatch::try_new(schema, self.arrays);
        let batch = batch.map_err(|error| Error::new_err(error.to_string()))?;
        Ok(Table::of(batch))
    }
}
