//! `dupfind.Stream`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use dupfind::total_memory;
use dupfind_engine::join::threshold::Threshold;
use dupfind_scan::stream::memory::TextMemory;
use dupfind_scan::stream::seen::sizes::Sizes;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::Call;
use crate::errors::OptionError;
use crate::input::{ColumnNames, Lossy, Text, TextNames};
use crate::options::{Given, Size, bytes, threshold};
use crate::table::{Columns, Table};
use crate::texts::{row_name, rows};

/// Remembers texts in memory of a fixed size, and reports how much of each new one was seen before.
///
/// A text that was seen never counts as new, unless it is beyond the window. A few parts of a new text may count as
/// seen.
///
/// Args:
///     state: The file of ``dupfind stream --state``, or one that ``save`` has written. It need not exist.
///     min_seen: A text is a duplicate if at least this share of it was seen.
///     memory: How many bytes it uses, such as ``"256M"``.
///     window: How many of the last texts are remembered, if not all.
///     shingle_size: How many units a shingle has.
///     shingle_unit: What a unit is: ``auto``, ``char``, ``word`` or ``ocr``.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct Stream {
    memory: Arc<Mutex<TextMemory>>,
    least: Threshold,
    state: Option<PathBuf>,
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (state = None, *, min_seen = None, memory = None, window = None, **options),
        text_signature = "(state=None, *, min_seen=0.5, memory=None, window=None, shingle_size=8, \
        shingle_unit='auto')")]
    fn new(
        py: Python<'_>,
        state: Option<PathBuf>,
        min_seen: Option<f64>,
        memory: Option<Size>,
        window: Option<u64>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut usual = Given::default();
        usual.add(
            "shingle_size",
            TextMemory::SHINGLE_SIZE.into_pyobject(py)?.as_any(),
        )?;
        let options = usual.with(Given::to(py, "Stream", options)?).engine()?;
        let sizes = Sizes {
            memory: memory.map(|memory| bytes("memory", memory)).transpose()?,
            window,
        };
        let least = min_seen.map(|least| threshold("min_seen", least));
        let path = state.clone();
        let memory = Call::silent()?.run(py, move |_| match path {
            Some(path) => TextMemory::open(&path, &options, sizes, total_memory()),
            None => TextMemory::new(&options, sizes, total_memory()),
        })?;
        Ok(Self {
            memory: Arc::new(Mutex::new(memory)),
            least: least.transpose()?.unwrap_or(TextMemory::MIN_SEEN),
            state,
        })
    }

    /// Remembers a text, and returns whether it is a duplicate of those before it.
    fn seen(&self, py: Python<'_>, text: Lossy) -> PyResult<bool> {
        let least = self.least;
        self.run(py, move |memory| {
            Ok(memory.take(&text.0).is_at_least(least))
        })
    }

    /// Remembers texts in their order, and returns how much of each was seen before.
    ///
    /// Args:
    ///     x: Texts, as ``scan`` takes them, but no paths.
    ///     text: The column or key of the texts.
    ///     id: The column or key of the ids.
    ///
    /// Returns:
    ///     A table with a row for each text: row, id, seen (the share; null without a letter, ideograph or digit),
    ///     is_duplicate.
    #[pyo3(signature = (x, *, text = TextNames::usual(), id = None),
        text_signature = "($self, x, *, text='text', id=None)")]
    fn update(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        text: TextNames,
        id: Option<String>,
    ) -> PyResult<Table> {
        let call = Call::silent()?;
        let (mut ids, mut shares) = (Vec::new(), Vec::new());
        rows(x, ColumnNames::new(text, id)?)?.each_batch(py, &call, |batch| {
            let (own_ids, texts): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
            ids.extend(own_ids);
            shares.extend(self.run(py, move |memory| {
                let mut take = |text: &Text| memory.take(text.as_ref());
                let texts = texts.iter().map(Option::as_ref);
                Ok(texts.map(|text| text.map(&mut take)).collect::<Vec<_>>())
            })?);
            Ok(())
        })?;
        let names = (0_u64..)
            .zip(&ids)
            .map(|(row, id)| row_name(id.clone(), row));
        Columns::default()
            .u64("row", 0..ids.len() as u64)
            .text("id", names)
            .optional_f64(
                "seen",
                shares.iter().map(|share| {
                    let share = share.filter(|share| share.parts > 0)?;
                    Some(f64::from(share.seen) / f64::from(share.parts))
                }),
            )
            .bool(
                "is_duplicate",
                shares
                    .iter()
                    .map(|share| share.is_some_and(|share| share.is_at_least(self.least))),
            )
            .into_table()
    }

    /// Saves the memory of the texts that were seen.
    ///
    /// Args:
    ///     path: The file; by default the ``state`` of the stream.
    #[pyo3(signature = (path = None))]
    fn save(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<()> {
        let path = path.or_else(|| self.state.clone());
        let path = path.ok_or_else(|| OptionError::new_err("path: the stream has no file"))?;
        self.run(py, move |memory| memory.save(&path))
    }

    fn __len__(&self) -> usize {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        usize::try_from(memory.texts()).unwrap_or(usize::MAX)
    }
}

impl Stream {
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        task: impl FnOnce(&mut TextMemory) -> dupfind_engine::Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let memory = Arc::clone(&self.memory);
        Call::silent()?.run(py, move |_| {
            task(&mut memory.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }
}
