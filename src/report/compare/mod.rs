//! What `dupfind compare` prints.

pub(super) mod aligned;
mod blocks;
mod json;
mod layout;
mod record;
mod rows;
mod text;

pub(crate) use json::write_comparison_json;
pub(crate) use record::ComparisonReport;
pub(crate) use text::{ComparisonStyle, write_comparison};
