//! `dupfind.reuse`.

use dupfind::reuse::{ReuseOptions, Reused};
use pyo3::prelude::*;

use crate::call::Call;
use crate::input::ColumnNames;
use crate::options::threshold;
use crate::table::{Columns, Table};
use crate::texts::{row_name, rows};

/// The passages that stand in several texts.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct Reuse {
    groups: Vec<Reused>,
    names: Vec<String>,
}

/// Finds passages that stand in several texts: paragraphs, between which there are empty lines.
///
/// Args:
///     x: Texts, as ``scan`` takes them, but no paths.
///     text: The column or key of the texts.
///     id: The column or key of the ids. Without one, a row is named by its number.
///     min_units: How many units a passage has at least.
///     min_jaccard: The least Jaccard similarity of two wordings of one passage.
#[pyfunction]
#[pyo3(signature = (x, *, text = "text".to_owned(), id = None, min_units = ReuseOptions::MIN_UNITS, min_jaccard = 0.6),
    text_signature = "(x, *, text='text', id=None, min_units=8, min_jaccard=0.6)")]
pub(crate) fn reuse(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    text: String,
    id: Option<String>,
    min_units: u32,
    min_jaccard: f64,
) -> PyResult<Reuse> {
    let options = ReuseOptions {
        min_units,
        min_jaccard: threshold("min_jaccard", min_jaccard)?,
        ..ReuseOptions::default()
    };
    let call = Call::silent();
    let (mut names, mut texts) = (Vec::new(), Vec::new());
    rows(x, ColumnNames { text, id })?.each_batch(py, &call, |batch| {
        for (id, text) in batch {
            names.push(row_name(id, names.len() as u64));
            texts.push(text);
        }
        Ok(())
    })?;
    // Passages are found by row, as ids may repeat.
    let groups = call.run(py, move |_| {
        let numbers: Vec<String> = (0..texts.len()).map(|row| row.to_string()).collect();
        let pages = numbers.iter().zip(&texts);
        let pages = pages.filter_map(|(row, text)| Some((row.as_str(), text.as_ref()?.as_ref())));
        dupfind::reuse::groups(&options, pages)
    })?;
    Ok(Reuse { groups, names })
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
            .u64("units_saved", groups().map(|group| group.units_saved))
            .u64("places", groups().map(|group| group.places.len() as u64))
            .into_table()
    }

    /// The places of all passages. Columns: group, row, id, start_line, end_line, wording.
    #[getter]
    fn places(&self) -> PyResult<Table> {
        let places: Vec<_> = (0_u64..)
            .zip(&self.groups)
            .flat_map(|(number, group)| group.places.iter().map(move |place| (number, place)))
            .map(|(number, place)| (number, place.page.parse::<u64>().unwrap_or_default(), place))
            .collect();
        let name = |row: u64| &self.names[usize::try_from(row).unwrap_or_default()];
        Columns::default()
            .u64("group", places.iter().map(|(group, ..)| *group))
            .u64("row", places.iter().map(|(_, row, _)| *row))
            .text("id", places.iter().map(|(_, row, _)| name(*row)))
            .u32(
                "start_line",
                places.iter().map(|(.., place)| place.start_line),
            )
            .u32("end_line", places.iter().map(|(.., place)| place.end_line))
            .u64(
                "wording",
                places.iter().map(|(.., place)| place.wording as u64),
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
