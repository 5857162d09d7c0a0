//! The formats of a scan's report.

use std::io::{self, Write};

use crate::formats::findings::{ANNOTATIONS, Findings};
use crate::formats::{GITHUB, JSON, LIST, TABLE};
use crate::model::Report;
use crate::say;
use crate::style::TableStyle;
use crate::style::numbers::amount;
use dupfind_decide::Standings;
use dupfind_engine::{Document, Pair, PairSink, Result};

/// A format of the report of a scan. Two formats are equal if their names are.
#[derive(Debug)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// The endings of the files that have it without being asked for, in lower case.
    pub endings: &'static [&'static str],
    /// Its line in the help text.
    pub help: &'static str,
    /// Whether a file is such a report, by its beginning and its end: a later run may replace it.
    pub is_report: fn(&str, &str) -> bool,
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
