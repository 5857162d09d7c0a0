//! Single texts: what they are made of, and how two of them compare.

use dupfind_engine::{FeatureMaker, Features, Options};
use dupfind_read::{ReadOptions, row_features};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::{Call, InputError};
use crate::explanation::Explanation;
use crate::input::{ColumnNames, Input, Lossy, open};
use crate::options::Given;

/// Compares two texts alone, and returns their relation, with the measures.
///
/// No other text is looked at, so text of a template counts as much as text that only these two share.
#[pyfunction]
pub(crate) fn compare(py: Python<'_>, a: Lossy, b: Lossy) -> PyResult<Explanation> {
    Call::silent()?.run(py, move |_| Ok(dupfind_engine::compare(&a.0, &b.0).into()))
}

/// Returns the 64-bit SimHash fingerprint of a text; none of a text without a letter, ideograph or digit.
#[pyfunction]
pub(crate) fn fingerprint(py: Python<'_>, text: Lossy) -> PyResult<Option<u64>> {
    Call::silent()?.run(py, move |_| {
        let options = Options::default();
        let features = features_of_text(&options, &text.0);
        Ok(features.and_then(|features| features.fingerprint(&options)))
    })
}

/// Returns the shingles of a text as numbers, ascending. The Jaccard similarity of two texts is that of these sets.
///
/// Args:
///     text: The text.
///     shingle_size: How many units a shingle has.
///     shingle_unit: What a unit is: ``auto``, ``char``, ``word`` or ``ocr``.
#[pyfunction]
#[pyo3(signature = (text, **options),
    text_signature = "(text, *, shingle_size=None, shingle_unit='auto')")]
pub(crate) fn shingles(
    py: Python<'_>,
    text: Lossy,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<u64>> {
    let options = Given::to(py, "shingles", options)?.engine()?;
    Call::silent()?.run(py, move |_| {
        let features = features_of_text(&options, &text.0);
        Ok(features.map_or_else(Vec::new, |features| features.sorted_shingles()))
    })
}

/// Returns the features of a text; none of one without a letter, ideograph or digit.
fn features_of_text(options: &Options, text: &str) -> Option<Features> {
    let mut maker = FeatureMaker::new(options);
    row_features(&mut maker, text, &ReadOptions::default()).ok()
}

/// Returns the rows of the input of a caller, which may not be paths.
pub(crate) fn rows<'py>(
    x: &Bound<'py, PyAny>,
    names: ColumnNames,
) -> PyResult<crate::input::Rows<'py>> {
    match open(x, &names)? {
        Input::Rows(rows) => Ok(rows),
        Input::Paths(_) => Err(InputError::new_err("expected texts, and no paths")),
    }
}

/// Returns the name of a row: its id, or its number.
pub(crate) fn row_name(id: Option<String>, row: u64) -> String {
    id.unwrap_or_else(|| row.to_string())
}
