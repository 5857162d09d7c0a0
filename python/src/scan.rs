//! `dupfind.scan`, whose options are declared in `dupfind/_scan.py`.

use dupfind_decide::finished_scan::Scanned;
use dupfind_decide::finished_scan::texts::RowScan;
use dupfind_scan::ScanOptions;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::Call;
use crate::input::{ColumnNames, Input, Rows, is_lasting, open};
use crate::options::Given;
use crate::result::{Result as ScanResult, Source};

/// Compares every text with every other.
#[pyfunction]
pub(crate) fn scan(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    names: ColumnNames,
    progress: Option<Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
) -> PyResult<ScanResult> {
    let mut given = Given::default();
    for (name, value) in options {
        given.add(&name.extract::<String>()?, &value)?;
    }
    let deciding = given.deciding()?;
    let call = Call::new(py, progress)?;
    let scanned = match open(x, &names)? {
        Input::Rows(rows) => {
            // It may be a query, which is run for its length.
            let total = call.is_followed().then(|| x.len().ok()).flatten();
            scan_rows(py, &call, rows, given.settings(Vec::new())?.scan, total)
        }
        Input::Paths(paths) => {
            let options = given.with(names.given(py)?).settings(paths)?.scan;
            call.run(py, move |watch| Scanned::of_files(options, watch))
        }
    };
    call.end(py)?;
    let source = match is_lasting(x)? {
        true => Some(x.clone().unbind()),
        false => None,
    };
    let source = Source {
        rows: source,
        names,
    };
    Ok(ScanResult::new(scanned?, source, given, deciding))
}

fn scan_rows(
    py: Python<'_>,
    call: &Call,
    rows: Rows<'_>,
    options: ScanOptions,
    total: Option<usize>,
) -> PyResult<Scanned> {
    call.begin_reading(total.map(|total| total as u64));
    // It moves to the thread of each batch, and back.
    let mut scan = Some(RowScan::new(options));
    rows.each_batch(py, call, |batch| {
        let mut own = scan.take().expect("it came back");
        scan = Some(call.run(py, move |watch| {
            own.add(batch, watch)?;
            Ok(own)
        })?);
        Ok(())
    })?;
    let scan = scan.expect("it came back");
    call.run(py, move |watch| scan.finish(watch))
}
