//! The report of `dupfind reuse`, one file per format.

mod json;
pub mod model;
mod records;
mod table;

pub use json::write_reuse_json;
pub use table::write_reuse_table;
