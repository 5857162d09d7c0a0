//! `dupfind.Stream`.

use std::sync::{Arc, Mutex, PoisonError};

use dupfind::total_memory;
use dupfind_engine::Threshold;
use dupfind_scan::TextMemory;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::{Call, exception};
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
///     min_similarity: A text is a duplicate if at least this share of it was seen.
///     memory_limit: How many bytes it uses, such as ``"256M"``.
///     window: How many of the last texts are remembered, if not all.
///     shingle_size: How many units a shingle has.
///     shingle_unit: What a unit is: ``auto``, ``char``, ``word`` or ``ocr``.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct Stream {
    memory: Arc<Mutex<TextMemory>>,
    least: Threshold,
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (*, min_similarity = None, memory_limit = None, window = None, **options),
        text_signature = "(*, min_similarity=0.5, memory_limit=None, window=None, shingle_size=8, \
        shingle_unit='auto')")]
    fn new(
        py: Python<'_>,
        min_similarity: Option<f64>,
        memory_limit: Option<Size>,
        window: Option<u64>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut usual = Given::default();
        usual.add(
            "shingle_size",
            TextMemory::SHINGLE_SIZE.into_pyobject(py)?.as_any(),
        )?;
        let options = usual.with(Given::to(py, "Stream", options)?).engine()?;
        let limit = memory_limit
            .map(|limit| bytes("memory_limit", limit))
            .transpose()?;
        let least = min_similarity.map(|least| threshold("min_similarity", least));
        let memory = TextMemory::new(&options, limit, window, total_memory());
        Ok(Self {
            memory: Arc::new(Mutex::new(memory.map_err(|error| exception(&error))?)),
            least: least.transpose()?.unwrap_or(TextMemory::MIN_SIMILARITY),
        })
    }

    /// Remembers a text, and returns whether it is a duplicate of those before it.
    fn seen(&self, py: Python<'_>, text: Lossy) -> PyResult<bool> {
        let least = self.least;
        self.run(py, move |memory| {
            Ok(is_duplicate(memory.take(&text.0), least))
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
                    let (seen, parts) = share.filter(|(_, parts)| *parts > 0)?;
                    Some(f64::from(seen) / f64::from(parts))
                }),
            )
            .bool(
                "is_duplicate",
                shares
                    .iter()
                    .map(|share| share.is_some_and(|share| is_duplicate(share, self.least))),
            )
            .into_table()
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

/// Returns whether at least this share of the parts of a text was seen. One without parts was not.
fn is_duplicate((seen, parts): (u32, u32), least: Threshold) -> bool {
    parts > 0 && least.admits(seen, parts)
}
