//! The report of `dupfind reuse`, one file per format.

mod csv;
mod html;
mod json;
mod markdown;
pub mod model;
mod records;
mod sarif;
mod table;

pub use csv::write_reuse_csv;
pub use html::pages::PageTexts;
pub use html::write_reuse_html;
pub use json::write_reuse_json;
pub use markdown::write_reuse_markdown;
pub use sarif::write_reuse_sarif;
pub use table::write_reuse_table;
