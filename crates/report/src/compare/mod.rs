//! The report of `dupfind compare`.

mod json;
mod lines;
mod record;
mod rows;
mod text;
mod wrap;

pub use json::write_comparison_json;
pub use record::ComparisonReport;
pub use text::{ComparisonStyle, write_comparison};
