//! The formats of the report of a scan: one file or folder each.
//!
//! A new format is a file with a [`Format`] and a line in [`FORMATS`].

pub(crate) mod columns;
mod csv;
pub mod findings;
pub mod format;
mod github;
mod gitlab;
pub mod html;
pub(crate) mod json;
pub(crate) mod jsonl;
mod list;
pub mod markdown;
mod sarif;
pub mod scanned;
pub mod table;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::formats::format::Format;
use dupfind_read::source::data::{FINGERPRINTS, REPORTS_OF_RECORDS};

pub use github::GITHUB;
pub use html::HTML;
pub use json::JSON;
pub use jsonl::JSONL;
pub use table::{LIST, TABLE};

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

/// How many bytes of the beginning and of the end are looked at.
const LOOKED_AT: u64 = 4 << 10;

/// Returns whether a file is empty or the report of a run.
///
/// # Errors
///
/// The file cannot be read.
pub fn is_report(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut part = |start: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(LOOKED_AT).read_to_end(&mut bytes)?;
        io::Result::Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (head, tail) = (part(0)?, part(length.saturating_sub(LOOKED_AT))?);
    Ok(is_of_report(&head, &tail))
}

fn is_of_report(head: &str, tail: &str) -> bool {
    let first = head.lines().next().unwrap_or_default();
    head.is_empty()
        || FORMATS.iter().any(|format| (format.is_report)(head, tail))
        || is_of_records(head)
        || first.starts_with(FINGERPRINTS[0]) && first.contains(FINGERPRINTS[1])
}

/// Whether a text begins as a report does that looks like a file of records.
pub(super) fn is_of_records(head: &str) -> bool {
    REPORTS_OF_RECORDS.iter().any(|text| head.starts_with(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{canned, empty, written};

    #[test]
    fn every_report_is_known_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for format in FORMATS {
            for run in [canned(), empty()] {
                let report = written(&run, format);
                std::fs::write(&path, &report).unwrap();
                assert!(is_report(&path).unwrap(), "{}: {report}", format.name);
            }
        }
    }

    #[test]
    fn documents_are_no_reports() {
        for text in [
            "The old river park opened to the public.\n",
            "# dupfind\n\nIt says how many documents compared well.\n\nEnd.\n",
            "{\"text\":\"one\"}\n",
            "[]\nThe old river park opened.",
            "a,b\n1,2\n",
        ] {
            assert!(!is_of_report(text, text), "{text}");
        }
    }
}
