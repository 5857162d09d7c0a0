//! What `dupfind tune` prints: distributions of similarity, what each threshold reports, pairs at the edge.

mod borderline;
mod chart;
mod json;
pub(crate) mod model;
mod table;
mod thresholds;

pub(crate) use json::write_tune_json;
pub(crate) use table::write_tune_table;
