//! Writes the result of a run, one file or folder per format. Nothing here prints: everything goes to a writer.
//!
//! A new format of the report of a scan is a file with a [`Format`] and a line in [`FORMATS`]. `machine::earlier` must know
//! such a report again, so that a later run may replace it; a test says so.

pub(crate) mod ci;
pub(crate) mod compare;
pub(crate) mod format;
pub(crate) mod html;
pub(crate) mod listings;
pub(crate) mod machine;
pub(crate) mod markdown;
pub(crate) mod model;
pub(crate) mod query;
pub(crate) mod reuse;
pub(crate) mod style;
pub(crate) mod table;
pub(crate) mod tune;
mod worklist;

pub(crate) use ci::github::GITHUB;
pub(crate) use html::HTML;
pub(crate) use machine::json::JSON;
pub(crate) use machine::jsonl::JSONL;
pub(crate) use table::TABLE;

use crate::report::ci::{gitlab, junit, sarif};
use crate::report::format::Format;
use crate::report::machine::{csv, json};

/// The formats of the report of a scan, in the order of the help text.
pub(crate) static FORMATS: [&Format; 12] = [
    &TABLE,
    &JSON,
    &JSONL,
    &csv::CSV,
    &csv::CSV_EXCEL,
    &csv::CSV_DOCUMENTS,
    &sarif::SARIF,
    &GITHUB,
    &gitlab::GITLAB,
    &junit::JUNIT,
    &markdown::MARKDOWN,
    &HTML,
];

#[cfg(test)]
mod testing;
