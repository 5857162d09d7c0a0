//! Writes the result of a run, one file per format. Nothing here prints: everything goes to a writer.

pub mod compare;
mod csv;
pub mod escape;
mod files;
pub mod findings;
mod fingerprints;
mod github;
mod gitlab;
pub mod html;
mod json;
mod junit;
mod markdown;
pub mod model;
mod sarif;
pub mod stages;
mod table;
pub mod tune;

pub use self::csv::CsvPairs;
pub use files::{write_files_jsonl, write_files_table};
pub use fingerprints::{write_fingerprints_jsonl, write_fingerprints_table};
pub use github::write_github;
pub use gitlab::write_gitlab;
pub use json::{JsonlPairs, write_json, write_jsonl};
pub use junit::write_junit;
pub use markdown::{COMMENT_LIMIT, write_markdown};
pub use sarif::write_sarif;
pub use table::{TableStyle, write_table};

#[cfg(test)]
mod testing;
