//! The difference of two sequences of numbers. This is the only place that calls the difference algorithm, which is
//! long, and compiled anew for each type that it compares.

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

/// Returns the parts of two sequences, equal and changed ones by turns, by Myers' difference algorithm.
pub(crate) fn edits(old: &[u64], new: &[u64]) -> Vec<DiffOp> {
    let mut captured = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut captured, old, 0..old.len(), new, 0..new.len());
    captured.into_inner().into_inner().into_ops()
}
