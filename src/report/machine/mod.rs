//! Reports for programs, and how the report of an earlier run is known again.

pub(super) mod csv;
pub(crate) mod earlier;
pub(super) mod json;
pub(super) mod jsonl;
