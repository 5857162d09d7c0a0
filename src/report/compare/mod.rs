//! What `dupfind compare` prints.

pub(super) mod aligned;
mod blocks;
mod json;
mod layout;
mod record;
mod rows;
mod text;

pub use json::write_comparison_json;
pub use record::{
    ComparisonReport, CutRecord, DocumentRecord, OnlyRecord, PartRecord, PassageRecord,
    SharedRecord, TermRecord, VerdictRecord,
};
pub use text::{ComparisonStyle, write_comparison};
