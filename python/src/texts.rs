//! Single texts: what they are made of, and how two of them compare.

use std::borrow::Cow;

use dupfind_engine::{FeatureMaker, Features, Options};
use dupfind_read::{ReadOptions, row, row_features};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::{Call, InputError};
use crate::explanation::Explanation;
use crate::input::{ColumnNames, Input, Lossy, Text, TextNames, open};
use crate::options::Given;
use crate::table::{Columns, Table};

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

/// Returns the features of texts that are kept for comparing them.
///
/// Args:
///     x: Texts, as ``scan`` takes them, but no paths.
///     text: The column or key of the texts.
///     id: The column or key of the ids.
///     shingle_size: How many units a shingle has.
///     shingle_unit: What a unit is: ``auto``, ``char``, ``word`` or ``ocr``.
///     threads: Worker threads; 0 is one for each core.
///
/// Returns:
///     A table with a row for each text: row, id, fingerprint, shingles, tokens. The last three are null where there is
///     no letter, ideograph or digit.
#[pyfunction]
#[pyo3(signature = (x, *, text = TextNames::usual(), id = None, **options),
    text_signature = "(x, *, text='text', id=None, shingle_size=None, shingle_unit='auto', threads=0)")]
pub(crate) fn features(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    text: TextNames,
    id: Option<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let options = Given::to(py, "features", options)?.engine()?;
    let (ids, made) = {
        let call = Call::silent()?;
        let (mut ids, mut made): (Vec<Option<String>>, Vec<Option<Features>>) = Default::default();
        rows(x, ColumnNames::new(text, id)?)?.each_batch(py, &call, |batch| {
            let options = options.clone();
            let (own_ids, texts): (Vec<_>, Vec<Option<Text>>) = batch.into_iter().unzip();
            ids.extend(own_ids);
            made.extend(call.run(py, move |watch| {
                let read = ReadOptions::default();
                let count = |text: Option<Text>| {
                    Some(row(Cow::Owned(text?.as_ref().into()), &read).ok()?.text)
                };
                let texts: Vec<_> = texts.into_iter().map(count).collect();
                dupfind_engine::features::features_of(&options, &texts, watch)
            })?);
            Ok(())
        })?;
        (ids, made)
    };
    Columns::default()
        .u64("row", 0..made.len() as u64)
        .optional_text("id", ids.iter().map(Option::as_ref))
        .optional_u64(
            "fingerprint",
            made.iter()
                .map(|features| features.as_ref()?.fingerprint(&options)),
        )
        .u64_lists(
            "shingles",
            made.iter()
                .map(|features| Some(features.as_ref()?.sorted_shingles())),
        )
        .optional_u32(
            "tokens",
            made.iter()
                .map(|features| Some(features.as_ref()?.tokens())),
        )
        .into_table()
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
