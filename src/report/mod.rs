//! Writes the result of a run, one file or folder per format. Nothing here prints: everything goes to a writer.
//!
//! A new format of the report of a scan is a file with a [`Format`] and a line in [`FORMATS`].

pub(crate) mod compare;
mod csv;
pub(crate) mod earlier;
pub(crate) mod escape;
pub(crate) mod files;
pub(crate) mod findings;
pub(crate) mod fingerprints;
pub(crate) mod format;
mod github;
mod gitlab;
pub(crate) mod html;
mod json;
mod jsonl;
mod junit;
pub(crate) mod markdown;
pub(crate) mod model;
pub(crate) mod numbers;
mod paint;
pub(crate) mod reuse;
mod sarif;
pub(crate) mod shell;
pub(crate) mod stages;
pub(crate) mod table;
pub(crate) mod tune;
mod worklist;

pub(crate) use github::GITHUB;
pub(crate) use html::HTML;
pub(crate) use jsonl::JSONL;
pub(crate) use table::TABLE;

use crate::report::format::Format;

/// The formats of the report of a scan, in the order of the help text.
pub(crate) static FORMATS: [&Format; 11] = [
    &TABLE,
    &json::JSON,
    &JSONL,
    &csv::CSV,
    &csv::CSV_EXCEL,
    &sarif::SARIF,
    &GITHUB,
    &gitlab::GITLAB,
    &junit::JUNIT,
    &markdown::MARKDOWN,
    &HTML,
];

#[cfg(test)]
mod testing;
