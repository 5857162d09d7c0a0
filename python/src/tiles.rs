//! The steps of a job over tiles, for `dupfind.spark`. Bytes come and go as the library has them; all numbers in them are
//! little-endian.

use std::collections::BTreeMap;
use std::sync::Mutex;

use dupfind_decide::{Gate, PairScope};
use dupfind_engine::{FeatureMaker, Identity, Silent};
use dupfind_jobs::{
    DocumentBytes, Job, RankKey, RowJob, Slice, Task, TaskOfJob, TileBuilder, TileBytes,
    join_bytes, weigh, weights_of_bytes, weights_to_bytes,
};
use dupfind_read::{ReadOptions, SkipReason, row_features};
use dupfind_scan::{ScanJudge, ScanOptions};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::call::{Call, Error, InputError, OrRaise, exception};
use crate::input::{ColumnNames, Lossy, TextNames};
use crate::options::Given;
use crate::result::{Result as ScanResult, Source};

/// A slice as numbers: the earlier tile, the later one, the number of the slice, and how many there are.
type SliceNumbers = (u32, u32, u32, u32);

/// A tile of a task: the rank of its first set, its pieces, its frequencies and its weights.
type TileColumns = (u32, Vec<PyBackedBytes>, Vec<PyBackedBytes>, PyBackedBytes);

/// A list of bytes.
type Pieces<'py> = Bound<'py, PyList>;

/// What rows have of documents: why there is nothing to compare, or keys, facts, sets and sizes.
type RowColumns<'py> = (
    Vec<Option<(&'static str, String)>>,
    Vec<Option<Bound<'py, PyBytes>>>,
    Vec<Option<Bound<'py, PyBytes>>>,
    Vec<Option<Bound<'py, PyBytes>>>,
    Vec<Option<u32>>,
);

/// The options of a job. Every worker makes the same of them.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct TileEngine {
    given: Given,
    scan: ScanOptions,
    /// Makes the features of one batch after the other, so that the dictionary is loaded once.
    maker: Mutex<Option<FeatureMaker>>,
}

#[pymethods]
impl TileEngine {
    #[new]
    fn new(options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let given = Given::of(options)?;
        Ok(Self {
            scan: given.settings()?.scan,
            given,
            maker: Mutex::new(None),
        })
    }

    /// Every option that changes a feature, as lines ``name=value``.
    #[getter]
    fn identity(&self) -> String {
        Identity::of(&self.scan.engine).to_string()
    }

    /// Returns the columns of the rows of texts.
    fn features<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<Option<Lossy>>,
    ) -> PyResult<RowColumns<'py>> {
        let made = py.detach(|| {
            let mut maker = self.maker.lock().expect("no features panic");
            let maker = maker.get_or_insert_with(|| FeatureMaker::new(&self.scan.engine));
            let read = ReadOptions::default();
            let row = |text: &Option<Lossy>| {
                let features = match text {
                    Some(text) => row_features(maker, &text.0, &read),
                    None => Err((SkipReason::Empty, "null".to_owned())),
                };
                Ok(match features {
                    Ok(features) => Ok(DocumentBytes::new(&self.scan.engine, &features)?),
                    Err(refused) => Err(refused),
                })
            };
            texts
                .iter()
                .map(row)
                .collect::<dupfind_engine::Result<Vec<_>>>()
        });
        let made = made.or_raise()?;
        let rows = || made.iter().map(|row| row.as_ref().ok());
        let bytes = |of: fn(&DocumentBytes) -> &[u8]| {
            let column = rows().map(|row| row.map(|row| PyBytes::new(py, of(row))));
            column.collect()
        };
        let refused = made.iter().map(|row| row.as_ref().err());
        let refused = refused.map(|it| Some((it?.0.as_str(), it?.1.clone())));
        Ok((
            refused.collect(),
            bytes(|row| row.key.as_bytes()),
            bytes(|row| &row.facts),
            bytes(|row| &row.set),
            rows().map(|row| row.map(|row| row.key.size())).collect(),
        ))
    }

    /// Joins the tiles of a slice. Returns their pairs.
    fn join<'py>(
        &self,
        py: Python<'py>,
        documents: usize,
        slice: SliceNumbers,
        candidates: Vec<(u32, u32)>,
        tiles: Vec<TileColumns>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let pairs = py.detach(|| {
            let parts: Vec<_> = tiles
                .iter()
                .map(|(_, pieces, frequencies, _)| (slices(pieces), slices(frequencies)))
                .collect();
            let tiles = tiles.iter().zip(&parts);
            let tiles = tiles.map(|((first, .., weights), (pieces, frequencies))| TileBytes {
                first: *first,
                pieces,
                frequencies,
                weights,
            });
            let task = TaskOfJob {
                documents,
                candidates: &candidates,
                slice: of_numbers(slice),
            };
            join_bytes(&self.scan.engine, task, &tiles.collect::<Vec<_>>(), &Silent)
        });
        Ok(PyBytes::new(py, &pairs.or_raise()?))
    }
}

/// The sets of a tile.
#[pyclass(module = "dupfind")]
pub(crate) struct Tile {
    builder: Option<TileBuilder>,
}

#[pymethods]
impl Tile {
    #[new]
    fn new() -> Self {
        Self {
            builder: Some(TileBuilder::new()),
        }
    }

    /// Adds sets by their keys and bytes, and whether each is a reference. Returns the pieces that are finished.
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        keys: Vec<PyBackedBytes>,
        sets: Vec<PyBackedBytes>,
        are_references: Vec<bool>,
    ) -> PyResult<Pieces<'py>> {
        let builder = self.builder.as_mut().ok_or_else(ended)?;
        let added = py.detach(|| {
            for ((key, set), &is_reference) in keys.iter().zip(&sets).zip(&are_references) {
                builder.add(RankKey::from_bytes(key)?, set, is_reference)?;
            }
            Ok(builder.take_pieces())
        });
        list(py, &added.or_raise()?)
    }

    /// Returns the rest of the pieces, and the counts of each stretch of hashes.
    fn finish<'py>(
        &mut self,
        py: Python<'py>,
        stretches: u32,
    ) -> PyResult<(Pieces<'py>, Pieces<'py>)> {
        let builder = self.builder.take().ok_or_else(ended)?;
        let (pieces, counts) = py.detach(|| builder.finish(stretches));
        Ok((list(py, &pieces)?, list(py, &counts)?))
    }
}

/// Merges the counts that tiles have of a stretch of hashes. Returns the frequencies for each tile, and the work of tasks.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "two lists of tuples")]
pub(crate) fn merge_counts<'py>(
    py: Python<'py>,
    counts: Vec<(u32, PyBackedBytes)>,
) -> PyResult<(Vec<(u32, Bound<'py, PyBytes>)>, Vec<(u32, u32, u64)>)> {
    let merged = py.detach(|| {
        let counts: Vec<(u32, &[u8])> = counts.iter().map(|(tile, own)| (*tile, &**own)).collect();
        dupfind_jobs::merge_counts(&counts)
    });
    let merged = merged.or_raise()?;
    let of_tiles = merged.of_tiles.iter();
    let work = merged.work.iter();
    Ok((
        of_tiles
            .map(|(tile, own)| (*tile, PyBytes::new(py, own)))
            .collect(),
        work.map(|(task, work)| (task.earlier, task.later, *work))
            .collect(),
    ))
}

/// Weighs the sets of a tile.
#[pyfunction]
pub(crate) fn weigh_tile<'py>(
    py: Python<'py>,
    pieces: Vec<PyBackedBytes>,
    frequencies: Vec<PyBackedBytes>,
) -> PyResult<Bound<'py, PyBytes>> {
    let found = py.detach(|| weigh(&slices(&pieces), &slices(&frequencies)));
    Ok(PyBytes::new(py, &weights_to_bytes(&found.or_raise()?)))
}

/// What the driver of a job knows.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct TileJob {
    given: Given,
    scan: ScanOptions,
    state: Mutex<State>,
}

enum State {
    Adding(Box<RowJob>),
    Ordered(Box<Job>),
    Ended,
}

impl TileJob {
    fn ordered<T>(&self, ask: impl FnOnce(&mut Job) -> PyResult<T>) -> PyResult<T> {
        match &mut *self.state.lock().expect("no step panics") {
            State::Ordered(job) => ask(job),
            _ => Err(ended()),
        }
    }

    fn take(&self) -> State {
        let mut state = self.state.lock().expect("no step panics");
        std::mem::replace(&mut *state, State::Ended)
    }
}

#[pymethods]
impl TileJob {
    #[new]
    fn new(engine: &TileEngine) -> Self {
        Self {
            given: engine.given.clone(),
            scan: engine.scan.clone(),
            state: Mutex::new(State::Adding(Box::new(RowJob::new(
                engine.scan.engine.clone(),
            )))),
        }
    }

    /// Adds rows, or rows that these are compared with. A row without a key is not compared, for a reason with details.
    fn add(
        &self,
        is_against: bool,
        ids: Vec<String>,
        keys: Vec<Option<PyBackedBytes>>,
        facts: Vec<Option<PyBackedBytes>>,
        reasons: Vec<Option<String>>,
        details: Vec<Option<String>>,
    ) -> PyResult<()> {
        let mut state = self.state.lock().expect("no step panics");
        let State::Adding(job) = &mut *state else {
            return Err(ended());
        };
        let rows = ids
            .into_iter()
            .zip(keys)
            .zip(facts)
            .zip(reasons.into_iter().zip(details));
        for (((id, key), facts), (reason, detail)) in rows {
            match (key, facts) {
                (Some(key), Some(facts)) => job.add(id, is_against, &key, &facts).or_raise()?,
                _ => {
                    let reason = reason.and_then(|name| SkipReason::named(&name));
                    let damaged = || InputError::new_err("the features are damaged: a reason");
                    let reason = reason.ok_or_else(damaged)?;
                    job.skip(id, is_against, (reason, &detail.unwrap_or_default()));
                }
            }
        }
        Ok(())
    }

    /// Orders the sets of all rows.
    fn order(&self, py: Python<'_>) -> PyResult<()> {
        let State::Adding(job) = self.take() else {
            return Err(ended());
        };
        let ordered = py.detach(|| job.order()).map_err(|error| match &error {
            dupfind_engine::Error::NameTwice { .. } => InputError::new_err(error.to_string()),
            _ => exception(&error),
        })?;
        *self.state.lock().expect("no step panics") = State::Ordered(Box::new(ordered));
        Ok(())
    }

    /// The number of the job: another one if documents or options differ.
    #[getter]
    fn number(&self) -> PyResult<u64> {
        self.ordered(|job| Ok(job.number()))
    }

    /// How many documents there are.
    #[getter]
    fn documents(&self) -> PyResult<usize> {
        self.ordered(|job| Ok(job.documents()))
    }

    /// Returns how many tiles there must be for a task to take at most so many bytes.
    fn tiles_for(&self, memory: u64) -> PyResult<u32> {
        self.ordered(|job| Ok(job.tiles_for(memory)))
    }

    /// Cuts the sets into tiles. Returns for each its number, the rank and the key of its first set, and its shingles.
    #[expect(clippy::type_complexity, reason = "a list of tuples")]
    fn cut<'py>(
        &self,
        py: Python<'py>,
        tiles: u32,
    ) -> PyResult<Vec<(u32, u32, Bound<'py, PyBytes>, u64)>> {
        self.ordered(|job| {
            let bounds = job.cut(tiles).into_iter();
            let bounds = bounds.map(|bound| {
                let key = PyBytes::new(py, bound.key.as_bytes());
                (bound.tile, bound.first, key, bound.shingles)
            });
            Ok(bounds.collect())
        })
    }

    /// Sets the weights of a tile, as ``weigh_tile`` has returned them.
    fn set_weights(&self, tile: u32, weights: PyBackedBytes) -> PyResult<()> {
        let found = weights_of_bytes(&weights).or_raise()?;
        self.ordered(|job| job.set_weights(tile, &found).or_raise())
    }

    /// Returns the slices of all tasks, those that take longest first, each with the bytes of memory that it needs.
    fn slices(&self, work: Vec<(u32, u32, u64)>, cores: u32) -> PyResult<Vec<(SliceNumbers, u64)>> {
        let mut of_tasks: BTreeMap<Task, u64> = BTreeMap::new();
        for (earlier, later, work) in work {
            *of_tasks.entry(Task { earlier, later }).or_default() += work;
        }
        self.ordered(|job| {
            let slices = job.plan(&of_tasks, cores).into_iter();
            let slices = slices.map(|slice| {
                let Task { earlier, later } = slice.task;
                (
                    (earlier, later, slice.number, slice.count),
                    job.memory(slice.task),
                )
            });
            Ok(slices.collect())
        })
    }

    /// Returns the pairs of ranks of a task whose documents have similar signatures.
    fn candidates(&self, earlier: u32, later: u32) -> PyResult<Vec<(u32, u32)>> {
        self.ordered(|job| Ok(job.candidates(Task { earlier, later })))
    }

    /// Takes a piece of the pairs of a slice.
    fn add_pairs(&self, slice: u32, piece: u32, pairs: PyBackedBytes) -> PyResult<()> {
        self.ordered(|job| job.add_pairs(slice, piece, &pairs).or_raise())
    }

    /// Returns what a scan of all rows returns. ``load`` gets keys of sets and returns them with their bytes. ``rows`` has
    /// the columns that rules ask for, with the rows in the order of their ids.
    fn finish(
        &self,
        py: Python<'_>,
        load: Py<PyAny>,
        rows: Option<Py<PyAny>>,
        rules: &Bound<'_, PyDict>,
    ) -> PyResult<ScanResult> {
        let rules = Given::of(rules)?;
        rules.deciding()?;
        let State::Ordered(job) = self.take() else {
            return Err(ended());
        };
        let scan = self.scan.clone();
        let scanned = Call::silent()?.run(py, move |watch| {
            let load = |keys: &[RankKey]| {
                loaded(&load, keys)
                    .map_err(|error| dupfind_engine::Error::TileJob(error.to_string()))
            };
            let mut gate = Gate::new(PairScope::new(&scan.walk), None);
            let judge = gate.decides().then_some(&mut gate as &mut dyn ScanJudge);
            job.finish(scan.clone(), &load, watch, judge)
        })?;
        let source = Source {
            rows,
            others: None,
            names: ColumnNames::new(TextNames::usual(), None)?,
        };
        Ok(ScanResult::new(
            scanned,
            source,
            self.given.with_rules(rules),
        ))
    }
}

/// Asks Python for the bytes of sets with these keys.
fn loaded(load: &Py<PyAny>, keys: &[RankKey]) -> PyResult<Vec<(RankKey, Vec<u8>)>> {
    Python::attach(|py| {
        let keys = keys.iter().map(|key| PyBytes::new(py, key.as_bytes()));
        let keys = PyList::new(py, keys)?;
        let found: Vec<(PyBackedBytes, PyBackedBytes)> = load.call1(py, (keys,))?.extract(py)?;
        let found = found.iter().map(|(key, set)| {
            let key = RankKey::from_bytes(key).or_raise()?;
            Ok((key, set.to_vec()))
        });
        found.collect()
    })
}

fn of_numbers((earlier, later, number, count): SliceNumbers) -> Slice {
    Slice {
        task: Task { earlier, later },
        number,
        count,
    }
}

fn slices(pieces: &[PyBackedBytes]) -> Vec<&[u8]> {
    pieces.iter().map(|piece| &**piece).collect()
}

fn list<'py>(py: Python<'py>, pieces: &[Vec<u8>]) -> PyResult<Pieces<'py>> {
    PyList::new(py, pieces.iter().map(|piece| PyBytes::new(py, piece)))
}

fn ended() -> PyErr {
    Error::new_err("this step of the job is over, or has not begun")
}
