//! `dupfind.Index`, whose options are declared in `dupfind/_options.py`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dupfind_engine::{Options, in_pool};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::call::Call;
use crate::input::{ColumnNames, Lossy, TextNames};
use crate::options::Given;
use crate::table::{Columns, Table};
use crate::texts::{row_name, rows};

/// Texts on disk, and a search for those that are like another text.
#[pyclass(frozen, subclass, module = "dupfind._dupfind")]
pub(crate) struct Index {
    index: Arc<Mutex<Opened>>,
}

/// An index, once it is opened.
struct Opened {
    path: PathBuf,
    options: Options,
    index: Option<dupfind_index::Index>,
}

impl Opened {
    /// Returns the index, which must be there.
    fn known(&mut self) -> dupfind_engine::Result<&mut dupfind_index::Index> {
        let index = match self.index.take() {
            Some(index) => index,
            None => dupfind_index::Index::open(&self.path, &self.options)?,
        };
        Ok(self.index.insert(index))
    }

    /// Returns the index, which is made if it is not there.
    fn made(&mut self) -> dupfind_engine::Result<&mut dupfind_index::Index> {
        if self.index.is_none() {
            self.index = Some(dupfind_index::Index::create(&self.path, &self.options)?);
        }
        self.known()
    }
}

#[pymethods]
impl Index {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let options = Given::of(options)?.engine()?;
        let opened = Call::silent()?.run(py, move |_| {
            let mut opened = Opened {
                path,
                options,
                index: None,
            };
            if opened.path.exists() {
                opened.known()?;
            }
            Ok(opened)
        })?;
        Ok(Self {
            index: Arc::new(Mutex::new(opened)),
        })
    }

    /// Adds texts. A text replaces the one of the same id. Either all are added or none.
    ///
    /// Args:
    ///     x: Texts, as ``scan`` takes them, but no paths.
    ///     text: The column or key of the texts.
    ///     id: The column or key of the ids. Without one, a row is named by its number.
    ///
    /// Returns:
    ///     How many were added and how many removed, because they were replaced.
    #[pyo3(signature = (x, *, text = TextNames::usual(), id = None),
        text_signature = "($self, x, *, text='text', id=None)")]
    fn update(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        text: TextNames,
        id: Option<String>,
    ) -> PyResult<(u64, u64)> {
        let call = Call::silent()?;
        let mut texts = Vec::new();
        let mut row = 0;
        rows(x, ColumnNames::new(text, id)?)?.each_batch(py, &call, |batch| {
            for (id, text) in batch {
                texts.extend(text.map(|text| (row_name(id, row), text)));
                row += 1;
            }
            Ok(())
        })?;
        let updated = self.run(py, move |index| index.made()?.update(texts))?;
        Ok((updated.added, updated.removed))
    }

    /// Removes the texts of these ids, and returns how many there were.
    fn remove(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<u64> {
        self.run(py, move |index| index.known()?.remove(ids))
    }

    /// Returns the texts that are like a text, the most similar first.
    ///
    /// The text is judged as a new one without an id, also if it is one of the index: which others it is like is not known.
    ///
    /// Columns: id, relation, jaccard, weighted, containment, hamming, because.
    fn query(&self, py: Python<'_>, text: Lossy) -> PyResult<Table> {
        let found = self.run(py, move |index| Ok(index.known()?.query(&text.0)))?;
        Columns::default()
            .text("id", found.iter().map(|found| &found.documents[1].name))
            .measures(|| {
                found
                    .iter()
                    .map(|found| (&found.pair, found.documents.each_ref()))
            })
            .text("because", found.iter().map(ToString::to_string))
            .into_table()
    }

    /// The ids of all texts, ascending.
    #[getter]
    fn ids(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.run(py, |index| {
            let names = index.known()?.names().into_iter();
            Ok(names.map(str::to_owned).collect())
        })
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Forgets what it has read. It reads the file again when it is used again.
    #[pyo3(signature = (*_of_error))]
    fn __exit__(&self, _of_error: &Bound<'_, PyTuple>) {
        locked(&self.index).index = None;
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let texts = self.run(py, |index| Ok(index.known()?.documents()))?;
        Ok(usize::try_from(texts).unwrap_or(usize::MAX))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.__len__(py) {
            Ok(texts) => format!("<dupfind.Index of {texts} texts>"),
            Err(_) => "<dupfind.Index that is not there>".into(),
        }
    }
}

impl Index {
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        task: impl FnOnce(&mut Opened) -> dupfind_engine::Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let index = Arc::clone(&self.index);
        Call::silent()?.run(py, move |_| {
            let opened: &mut Opened = &mut locked(&index);
            in_pool(opened.options.threads, move || task(opened))
        })
    }
}

/// Returns the index. A call that panicked has left it as it was on disk.
fn locked(index: &Mutex<Opened>) -> MutexGuard<'_, Opened> {
    index.lock().unwrap_or_else(PoisonError::into_inner)
}
