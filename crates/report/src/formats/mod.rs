//! The formats of the report of a scan: one file or folder each.
//!
//! A new format is a file with a [`Format`] and a line in [`FORMATS`].

pub mod ci;
pub(crate) mod explained;
pub mod findings;
pub mod format;
pub mod html;
pub mod machine;
pub mod markdown;
pub mod scanned;
pub mod table;

pub use ci::github::GITHUB;
pub use html::HTML;
pub use machine::json::JSON;
pub use machine::jsonl::JSONL;
pub use table::{LIST, TABLE};

use crate::formats::ci::{gitlab, sarif};
use crate::formats::format::Format;
use crate::formats::machine::csv;

/// The formats of the report of a scan, in the order of the help text.
pub static FORMATS: &[&Format] = &[
    &LIST,
    &TABLE,
    &JSON,
    &JSONL,
    &csv::CSV,
    &csv::CSV_EXCEL,
    &sarif::SARIF,
    &GITHUB,
    &gitlab::GITLAB,
    &markdown::MARKDOWN,
    &HTML,
];
