//! What `dupfind tune` prints: what each threshold reports.

mod json;
pub mod model;
mod table;
mod thresholds;

pub use json::write_tune_json;
pub use table::write_tune_table;
