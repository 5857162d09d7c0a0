//! `dupfind.scan` and `dupfind.dedup`, whose options are declared in `dupfind/_options.py`.

use dupfind_decide::clean::drops::Drops;
use dupfind_decide::finished_scan::{of_files, of_rows, select_rows};
use dupfind_scan::{RowScan, ScanOptions};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::{Call, InputError, OptionError};
use crate::input::again::Fields;
use crate::input::{ColumnNames, Input, Rows, TextNames, is_lasting, open};
use crate::options::{Deciding, Given};
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
    let given = given(options, against)?;
    let deciding = given.deciding()?;
    let names = ColumnNames::new(names.0, names.1)?.with_fields(&deciding.rules);
    let call = Call::new(py, progress)?;
    let scanned = match opened(x, against, &names)? {
        (Input::Rows(_), Some(Input::Paths(_))) => Err(no_rows()),
        (Input::Rows(rows), others) => {
            given.check_rows()?;
            let others = match others {
                Some(Input::Rows(others)) => Some(others),
                _ => None,
            };
            let options = given.settings()?.scan;
            let scan = gathered(py, &call, options, rows, others, x)?;
            call.run(py, move |watch| of_rows(scan, watch))
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
            match dupfind::why_unread(&read, &scanned) {
                Some(reason) => Err(InputError::new_err(reason)),
                None => Ok(scanned),
            }
        }
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

/// Returns the rows that stay, ascending, as `dupfind.dedup` takes them.
#[pyfunction]
pub(crate) fn rows_that_stay(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    names: (TextNames, Option<String>),
    progress: Option<Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Vec<u64>> {
    let given = given(options, against)?;
    let Deciding { rules, drops } = given.deciding()?;
    let names = ColumnNames::new(names.0, names.1)?.with_fields(&rules);
    let call = Call::new(py, progress)?;
    let (Input::Rows(rows), others) = opened(x, against, &names)? else {
        return Err(InputError::new_err(
            "expected rows, and no paths: the command 'dupfind dedup' writes files",
        ));
    };
    let others = match others {
        Some(Input::Paths(_)) => return Err(no_rows()),
        Some(Input::Rows(others)) => Some(others),
        None => None,
    };
    let mut options = given.settings()?.scan;
    let drops = drops.or(Drops::usual(true, given.has_sides));
    let engine = drops.finding(options.engine, given.has_sides);
    options.engine =
        engine.map_err(|reason| OptionError::new_err(format!("min_similarity: {reason}")))?;
    given.check_rows()?;
    let scan = gathered(py, &call, options, rows, others, x)?;
    let fields = Fields::of(&rules, is_lasting(x)?.then_some(x))?;
    let stay = call.run(py, move |watch| {
        let field = |name: &str| Ok(fields.values(name));
        select_rows(scan, rules, drops, &field, watch)
    });
    call.end(py)?;
    stay
}

/// Returns the options of a call.
fn given(options: &Bound<'_, PyDict>, against: Option<&Bound<'_, PyAny>>) -> PyResult<Given> {
    let mut given = Given::of(options)?;
    given.has_sides = against.is_some();
    Ok(given)
}

/// Opens what is scanned, and what it is compared with.
fn opened<'py>(
    x: &Bound<'py, PyAny>,
    against: Option<&Bound<'py, PyAny>>,
    names: &ColumnNames,
) -> PyResult<(Input<'py>, Option<Input<'py>>)> {
    if against.is_some_and(|against| against.is(x)) {
        return Err(InputError::new_err("against: it is what is scanned"));
    }
    // No rule looks at the columns of rows that are only compared with.
    let names_of_others = names.clone().with_fields(&[]);
    let others = against.map(|against| open(against, &names_of_others));
    Ok((open(x, names)?, others.transpose()?))
}

fn no_rows() -> PyErr {
    InputError::new_err("against: expected rows, as x has them")
}

/// Returns a scan that has all rows.
fn gathered(
    py: Python<'_>,
    call: &Call,
    options: ScanOptions,
    rows: Rows<'_>,
    others: Option<Rows<'_>>,
    x: &Bound<'_, PyAny>,
) -> PyResult<RowScan> {
    // It may be a query, which is run for its length.
    let total = call.is_followed().then(|| x.len().ok()).flatten();
    call.begin_reading(total.map(|total| total as u64));
    // It moves to the thread of each batch, and back.
    let mut scan = Some(RowScan::new(options));
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
    Ok(scan.expect("it came back"))
}
