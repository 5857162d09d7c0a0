//! The report of `dupfind reuse`, one file per format.

mod csv;
mod html;
mod json;
mod markdown;
pub(crate) mod model;
mod records;
mod sarif;
mod table;

pub(crate) use csv::write_reuse_csv;
pub(crate) use html::pages::PageTexts;
pub(crate) use html::write_reuse_html;
pub(crate) use json::write_reuse_json;
pub(crate) use markdown::write_reuse_markdown;
pub(crate) use sarif::write_reuse_sarif;
pub(crate) use table::write_reuse_table;
