//! The report of `dupfind tune`: the counts of pairs for each threshold.

mod json;
pub mod model;
mod table;
mod thresholds;

pub use json::write_tune_json;
pub use table::write_tune_table;
