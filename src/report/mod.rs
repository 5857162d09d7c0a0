//! Writes the result of a run, one file per format. Nothing here prints: everything goes to a writer.

pub(crate) mod compare;
mod csv;
pub(crate) mod escape;
mod files;
pub(crate) mod findings;
mod fingerprints;
mod github;
mod gitlab;
pub(crate) mod html;
mod json;
mod junit;
mod markdown;
pub(crate) mod model;
mod sarif;
pub(crate) mod stages;
mod table;
pub(crate) mod tune;

pub(crate) use self::csv::CsvPairs;
pub(crate) use files::{write_files_jsonl, write_files_table};
pub(crate) use fingerprints::{write_fingerprints_jsonl, write_fingerprints_table};
pub(crate) use github::write_github;
pub(crate) use gitlab::write_gitlab;
pub(crate) use json::{JsonlPairs, write_json, write_jsonl};
pub(crate) use junit::write_junit;
pub(crate) use markdown::{COMMENT_LIMIT, write_markdown};
pub(crate) use sarif::write_sarif;
pub(crate) use table::{TableStyle, write_table};

#[cfg(test)]
mod testing;
