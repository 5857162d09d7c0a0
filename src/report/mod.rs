//! Writes the result of a run, one file per format. Nothing here prints: everything goes to a writer.

pub mod compare;
mod csv;
pub mod escape;
mod fingerprints;
pub mod html;
mod json;
pub mod model;
mod table;
pub mod tune;

pub use self::csv::CsvPairs;
pub use fingerprints::{write_fingerprints_jsonl, write_fingerprints_table};
pub use json::{JsonlPairs, write_json, write_jsonl};
pub use table::{TableStyle, write_table};

#[cfg(test)]
mod testing;
