//! Reports for programs, and how the report of an earlier run is known again.

pub(super) mod csv;
pub mod earlier;
pub mod json;
pub mod jsonl;
