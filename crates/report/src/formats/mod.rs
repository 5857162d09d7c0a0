//! The formats of the report of a scan: one file or folder each.
//!
//! A new format is a file with a [`Format`] and a line in [`FORMATS`].

pub(crate) mod columns;
mod csv;
pub mod findings;
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
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use dupfind_decide::Standings;
use dupfind_engine::{Document, Pair, PairSink, Result};
use dupfind_read::source::data::{OWN_PAGE, ends_as_list, is_head_of_own_output};

use crate::formats::findings::{ANNOTATIONS, Findings};
use crate::model::Report;
use crate::say;
use crate::style::{TableStyle, amount};

pub use github::GITHUB;
pub use html::HTML;
pub use json::JSON;
pub use jsonl::JSONL;
pub use table::{LIST, TABLE};

/// A format of the report of a scan. Two formats are equal if their names are.
#[derive(Debug)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// The endings of the files that have it without being asked for, in lower case.
    pub endings: &'static [&'static str],
    /// Its line in the help text.
    pub help: &'static str,
    /// How it is written.
    pub writer: Writer,
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

/// How a format is written: when, and from which data.
#[derive(Debug)]
pub enum Writer {
    /// The pairs are written while they are found.
    Streamed {
        /// Begins to write pairs.
        pairs: OpenPairs,
        /// Writes the rest after the pairs; none if there is no rest.
        rest: Option<WriteRest>,
    },
    /// The whole report is written after the scan.
    Whole {
        /// The most pairs that are needed, the best first.
        most_pairs: usize,
        /// Writes the report.
        write: fn(&Report<'_>, TableStyle, &mut dyn Write) -> Result<()>,
    },
    /// The documents at fault are written after the scan, for a CI system.
    Findings(fn(&Findings<'_>, &mut dyn Write) -> io::Result<()>),
}

pub(crate) type WriteRest = fn(&Report<'_>, &mut dyn Write) -> io::Result<()>;

/// Begins to write pairs, each with its standing.
pub(crate) type OpenPairs =
    for<'o> fn(&'o mut (dyn Write + Send), Standings) -> Box<dyn PairWriter + 'o>;

/// Writes pairs while they are found.
pub trait PairWriter: PairSink {
    /// Writes the rest after the last pair.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl PairSink for Box<dyn PairWriter + '_> {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        (**self).take(documents, pairs)
    }
}

impl Format {
    /// Whether it holds nothing but pairs, or documents that are in them; the others also hold clusters.
    pub fn is_of_pairs(&self) -> bool {
        matches!(
            self.writer,
            Writer::Streamed { rest: None, .. } | Writer::Findings(_)
        )
    }

    /// Returns the content of a report of this format, in a few words. `at_fault` is how many documents it lists if it
    /// is for a CI system.
    pub fn content(&self, report: &Report<'_>, at_fault: usize) -> String {
        // The line that sums up a list counts without the pairs that are set apart.
        let found = match [&LIST, &TABLE].contains(&self) {
            true => report.open_pairs(),
            false => report.outcome.pair_counts.of_any(report.shown),
        };
        let pairs = amount(found, "pair");
        match self.writer {
            Writer::Findings(_) => {
                let all = amount(at_fault as u64, "document");
                match self == &GITHUB && at_fault > ANNOTATIONS {
                    true => say!("the first {} of {} at fault", ANNOTATIONS, all),
                    false => say!("{} at fault", all),
                }
            }
            Writer::Streamed { rest: None, .. } => pairs,
            Writer::Whole { most_pairs, .. } if found > most_pairs as u64 => {
                say!("the {} most similar of {}", most_pairs, pairs)
            }
            _ => {
                let clusters = amount(report.outcome.clusters.len() as u64, "cluster");
                say!("{} and {}", pairs, clusters)
            }
        }
    }

    /// Whether a scan lists every pair in it, also of many copies of one text; see
    /// [`PairSink::lists_copies`]. A check never does.
    pub fn lists_copies(&self) -> bool {
        self.is_streamed() || [&JSON, &TABLE].contains(&self)
    }

    /// Whether it lists the documents at fault, for a CI system.
    pub fn is_for_ci(&self) -> bool {
        matches!(self.writer, Writer::Findings(_))
    }

    /// Whether it is written while pairs are found.
    pub fn is_streamed(&self) -> bool {
        matches!(self.writer, Writer::Streamed { .. })
    }
}

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
        Read::by_ref(&mut file)
            .take(LOOKED_AT)
            .read_to_end(&mut bytes)?;
        io::Result::Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (head, tail) = (part(0)?, part(length.saturating_sub(LOOKED_AT))?);
    Ok(is_of_report(&head, &tail))
}

/// Whether a text with this beginning and end is empty or a report of this program.
fn is_of_report(head: &str, tail: &str) -> bool {
    ["", "[]"].contains(&head.trim_end())
        || head.contains(OWN_PAGE)
        || is_head_of_own_output(head)
        || ends_as_list(tail)
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
