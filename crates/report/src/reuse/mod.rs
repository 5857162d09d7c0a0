//! The report of `dupfind reuse`, one file per format.

mod html;
mod json;
pub mod model;
mod records;
mod table;

pub use html::write_reuse_html;
pub use json::write_reuse_json;
pub use table::write_reuse_table;
