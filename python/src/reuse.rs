//! `dupfind.reuse`, whose options are declared in `dupfind/_options.py`.

use dupfind_decide::reuse::{Group, ReuseOptions};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::Call;
use crate::input::{ColumnNames, Input, Rows, TextNames, open};
use crate::options::{Given, threshold};
use crate::table::{Columns, Table};
use crate::texts::row_name;

/// The passages that are in several texts.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct Reuse {
    groups: Vec<Group>,
    pages: Vec<Page>,
}

/// A text with passages.
struct Page {
    row: u64,
    id: String,
}

/// Finds passages that are in several texts.
#[pyfunction]
pub(crate) fn reuse(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    names: (TextNames, Option<String>),
    min_units: u32,
    min_jaccard: f64,
    options: &Bound<'_, PyDict>,
) -> PyResult<Reuse> {
    let given = Given::of(options)?;
    let mut options = ReuseOptions {
        min_units,
        min_jaccard: threshold("min_jaccard", min_jaccard)?,
        ..ReuseOptions::default()
    };
    options.engine.threads = given.settings()?.scan.engine.threads;
    let names = ColumnNames::new(names.0, names.1)?;
    let paths = match open(x, &names)? {
        Input::Rows(rows) => {
            given.check_rows()?;
            return of_rows(py, rows, options);
        }
        Input::Paths(paths) => paths,
    };
    let scan = given
        .with(names.given(py)?)
        .settings_of(paths, Vec::new())?
        .scan;
    let found = Call::silent()?.run(py, move |watch| {
        dupfind_decide::reuse::groups_of_files(&options, &scan, watch)
    })?;
    let pages = (0..).zip(found.pages.pages);
    let pages = pages.map(|(row, page)| Page { row, id: page.name });
    Ok(Reuse {
        groups: found.groups,
        pages: pages.collect(),
    })
}

fn of_rows(py: Python<'_>, rows: Rows<'_>, options: ReuseOptions) -> PyResult<Reuse> {
    let call = Call::silent()?;
    let (mut pages, mut texts) = (Vec::new(), Vec::new());
    let mut next = 0;
    rows.each_batch(py, &call, |batch| {
        for (id, text) in batch {
            if let Some(text) = text {
                let id = row_name(id, next);
                pages.push(Page { row: next, id });
                texts.push(text);
            }
            next += 1;
        }
        Ok(())
    })?;
    let groups = call.run(py, move |_| {
        dupfind_decide::reuse::groups(&options, texts.iter().map(AsRef::as_ref))
    })?;
    Ok(Reuse { groups, pages })
}

#[pymethods]
impl Reuse {
    /// The passages, those first that save most. Columns: group, kind, units, units_saved, places.
    #[getter]
    fn groups(&self) -> PyResult<Table> {
        let groups = || self.groups.iter();
        Columns::default()
            .u64("group", 0..self.groups.len() as u64)
            .text("kind", groups().map(|group| group.kind.as_str()))
            .u32("units", groups().map(|group| group.units))
            .u64("units_saved", groups().map(|group| group.units_saved()))
            .u64("places", groups().map(|group| group.places.len() as u64))
            .into_table()
    }

    /// The places of all passages. Columns: group, row, id, start_line, end_line, wording.
    #[getter]
    fn places(&self) -> PyResult<Table> {
        let places: Vec<_> = (0_u64..)
            .zip(&self.groups)
            .flat_map(|(number, group)| group.places.iter().map(move |place| (number, place)))
            .map(|(number, place)| (number, &self.pages[place.page as usize], place))
            .collect();
        Columns::default()
            .u64("group", places.iter().map(|(group, ..)| *group))
            .u64("row", places.iter().map(|(_, page, _)| page.row))
            .text("id", places.iter().map(|(_, page, _)| &page.id))
            .u32(
                "start_line",
                places.iter().map(|(.., place)| place.start_line),
            )
            .u32("end_line", places.iter().map(|(.., place)| place.end_line))
            .u64(
                "wording",
                places.iter().map(|(.., place)| u64::from(place.wording)),
            )
            .into_table()
    }

    fn __len__(&self) -> usize {
        self.groups.len()
    }

    fn __repr__(&self) -> String {
        format!("<dupfind.Reuse: {} passages>", self.groups.len())
    }
}
