//! `dupfind.scan`, whose options are declared in `dupfind/_scan.py`.

use dupfind_decide::finished_scan::{of_files, of_rows};
use dupfind_scan::Scan;
use dupfind_scan::rows::RowScan;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::Call;
use crate::errors::InputError;
use crate::input::{ColumnNames, Input, Rows, TextNames, is_lasting, open};
use crate::options::{Given, Words};
use crate::result::{Result as ScanResult, Source};

/// Compares every text with every other, or with those of another collection.
#[pyfunction]
pub(crate) fn scan(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    names: (TextNames, Option<String>),
    progress: Option<Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
) -> PyResult<ScanResult> {
    let mut given = Given::default();
    given.has_sides = against.is_some();
    for (name, value) in options {
        given.add(&name.extract::<String>()?, &value)?;
    }
    scanned(py, x, against, names, progress, given)
}

/// Scans what the result of a pickle was scanned from. Fails if its texts have changed.
#[pyfunction]
pub(crate) fn scan_again(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    names: (TextNames, Option<String>),
    words: Words,
    memory_limit: Option<u64>,
    hash: u64,
) -> PyResult<ScanResult> {
    let given = Given::of_words((words, memory_limit), against.is_some());
    let result = scanned(py, x, against, names, None, given)?;
    match result.hash_of_texts() == hash {
        true => Ok(result),
        false => Err(InputError::new_err(
            "the texts have changed since their result was pickled: scan them anew",
        )),
    }
}

fn scanned(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    names: (TextNames, Option<String>),
    progress: Option<Bound<'_, PyAny>>,
    given: Given,
) -> PyResult<ScanResult> {
    let deciding = given.deciding()?;
    let names = ColumnNames::new(names.0, names.1)?.with_fields(&deciding.rules);
    // No rule looks at the columns of rows that are only compared with.
    let names_of_others = names.clone().with_fields(&[]);
    let call = Call::new(py, progress)?;
    if against.is_some_and(|against| against.is(x)) {
        return Err(InputError::new_err("against: it is what is scanned"));
    }
    let opened = against.map(|against| open(against, &names_of_others));
    let scanned = match (open(x, &names)?, opened.transpose()?) {
        (Input::Rows(rows), None) => {
            given.check_rows()?;
            scan_rows(py, &call, &given, rows, None, x)
        }
        (Input::Rows(rows), Some(Input::Rows(others))) => {
            given.check_rows()?;
            scan_rows(py, &call, &given, rows, Some(others), x)
        }
        (Input::Paths(paths), others) => {
            let others = match others {
                None => Vec::new(),
                Some(Input::Paths(others)) => others,
                Some(_) => {
                    return Err(InputError::new_err(
                        "against: expected paths, as x has them",
                    ));
                }
            };
            let options = given
                .with(names.given(py)?)
                .settings_of(paths, others)?
                .scan;
            let read = options.clone();
            let scanned = call.run(py, move |watch| of_files(options, watch))?;
            match dupfind::why_unread(&read.walk, &scanned) {
                Some(reason) => Err(InputError::new_err(reason)),
                None => Ok(scanned),
            }
        }
        _ => Err(InputError::new_err("against: expected rows, as x has them")),
    };
    call.end(py)?;
    let lasting = |rows: &Bound<'_, PyAny>| match is_lasting(rows)? {
        true => Ok(Some(rows.clone().unbind())),
        false => PyResult::Ok(None),
    };
    let source = Source {
        rows: lasting(x)?,
        others: against.map(lasting).transpose()?.flatten(),
        names,
    };
    Ok(ScanResult::new(scanned?, source, given))
}

fn scan_rows(
    py: Python<'_>,
    call: &Call,
    given: &Given,
    rows: Rows<'_>,
    others: Option<Rows<'_>>,
    x: &Bound<'_, PyAny>,
) -> PyResult<Scan> {
    // It may be a query, which is run for its length.
    let total = call.is_followed().then(|| x.len().ok()).flatten();
    call.begin_reading(total.map(|total| total as u64));
    // It moves to the thread of each batch, and back.
    let mut scan = Some(RowScan::new(given.settings()?.scan));
    for (rows, is_against) in [(Some(rows), false), (others, true)] {
        let Some(rows) = rows else { continue };
        rows.each_batch(py, call, |batch| {
            let mut own = scan.take().expect("it came back");
            scan = Some(call.run(py, move |watch| {
                own.add(batch, is_against, watch)?;
                Ok(own)
            })?);
            Ok(())
        })?;
    }
    let scan = scan.expect("it came back");
    call.run(py, move |watch| of_rows(scan, watch))
}
