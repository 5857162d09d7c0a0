//! A finished scan as a value: it gives reports, other thresholds, the reason for a pair, and the documents that stay.
//!
//! ```text
//! paths ─> files ────┐        ┌─> report
//!                    ├─> Scan ┼─> Scan with higher thresholds
//! rows of texts ─────┘        ├─> explanation of two documents
//!                             └─> Selection: which documents stay and which go
//! ```
//!
//! The program writes its reports once and ends. Programs that keep the result, such as the Python package, use this.

pub mod selection;

use crate::gate::Gate;
use crate::gate::scope::PairScope;
use dupfind_engine::{Observer, Result, TopPairs, in_pool};
use dupfind_scan::{RowScan, Scan, ScanJudge, ScanOptions, scan_joined};

/// Scans files and folders, and keeps all of it, of pairs as many as half of the memory limit has room for. It does so without an
/// index, because explanations need every set. If there is another collection to compare them with, only pairs between the two
/// count.
///
/// # Errors
///
/// Those of [`dupfind_scan::scan`].
pub fn of_files(options: ScanOptions, observer: &dyn Observer) -> Result<Scan> {
    let mut best = TopPairs::within(options.engine.budget.limit).of_first_copies();
    let options = ScanOptions {
        index: None,
        ..options
    };
    let mut gate = Gate::new(PairScope::new(&options.walk), None);
    let judge = gate.decides().then_some(&mut gate as &mut dyn ScanJudge);
    let mut scan = scan_joined(&options, observer, judge, Some(&mut best))?;
    scan.pairs = in_pool(options.engine.threads, || Ok(best.into_pairs()))?;
    Ok(scan)
}

/// Finds the pairs of all rows. If there is another table to compare them with, only pairs between the two count.
///
/// # Errors
///
/// Those of [`RowScan::finish`].
pub fn of_rows(rows: RowScan, observer: &dyn Observer) -> Result<Scan> {
    let mut gate = Gate::new(PairScope::new(&rows.options().walk), None);
    let judge = gate.decides().then_some(&mut gate as &mut dyn ScanJudge);
    rows.finish(observer, judge)
}
