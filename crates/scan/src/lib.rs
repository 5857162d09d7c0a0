//! Scans: reads the documents of folders and finds their near-duplicate pairs.
//!
//! Paths and options go in. The documents, their pairs and clusters, and the skipped entries come out. A scan can read
//! features from an index instead of files. This crate joins reading, index and engine. It knows no report and no
//! command line, and it decides nothing about a pair.
//!
//! # Rooms
//!
//! * `options`: everything that decides about the result of a scan
//! * `corpus`: reads the documents, in parallel, and makes their features
//! * `document`: documents on their way from a file to a collection
//! * `known`: the facts of an index about the files of a scan
//! * [`indexed`]: scans with an index, and updates of an index
//! * `live`: an index that follows changes on disk, and the texts that are open
//! * `sources`: where each document was read from
//! * `result`: [`Scan`], the one result
//! * `rows`: rows of texts as documents
//! * `texts`: reads documents of a scan again, for reports
//! * `pages`: the documents as texts with blocks
//! * [`stream`]: documents that come one after the other, each compared with those before
//!
//! # Example
//!
//! ```
//! use dupfind_engine::run::Silent;
//! use dupfind_engine::pairing::sink::TopPairs;
//! use dupfind_scan::{ScanOptions, scan};
//!
//! let folder = tempfile::tempdir()?;
//! let text = "The ferry leaves at seven from the old harbour, and returns at nine in the";
//! std::fs::write(folder.path().join("a.md"), format!("{text} evening."))?;
//! std::fs::write(folder.path().join("b.md"), format!("{text} morning."))?;
//! let mut pairs = TopPairs::all();
//! let outcome = scan(&ScanOptions::for_paths([folder.path()]), &Silent, Some(&mut pairs))?;
//! let pair = &pairs.into_pairs()[0];
//! assert!(outcome.name(pair.a).ends_with("a.md") && outcome.name(pair.b).ends_with("b.md"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

use crate::corpus::read_corpus;
use crate::indexed::read_indexed;
use dupfind_engine::{Detector, Detectors, Document, Judge, Observer, PairSink, Result, in_pool};

mod corpus;
mod document;
pub mod indexed;
mod known;
mod live;
mod options;
mod pages;
mod result;
mod rows;
mod sources;
pub mod stream;
mod texts;

pub use corpus::Corpus;
pub use dupfind_read::skipped::{SkipReason, Skipped};
pub use live::Live;
pub use live::like::Like;
pub use options::ScanOptions;
pub use pages::{Page, Pages, read_again, read_pages};
pub use result::Scan;
pub use rows::RowScan;
pub use sources::{Row, RowTexts, Source, Sources};
pub use stream::TextMemory;
pub use texts::{TextLost, TextRead, read_documents, read_texts};

/// A [`Judge`] that decides by the files of the documents.
pub trait ScanJudge: Judge {
    /// Hears of all documents and their sources, before the first pair comes. Returns whether there is anything to decide
    /// about pairs. A scan without a judge is faster.
    fn documents(&mut self, documents: &[Document], sources: &Sources) -> bool;
}

/// Compares every document with every other. The sink gets the pairs as they are found. Without a sink pairs are only
/// counted.
///
/// # Errors
///
/// A glob does not parse, threads cannot be started, there are too many documents, a temporary file cannot be written,
/// the sink fails, or the observer stops the run. A single document that cannot be compared is no error, but is in
/// [`Scan::skipped`].
pub fn scan<'t>(
    options: &ScanOptions,
    observer: &dyn Observer,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Scan> {
    scan_judged(options, observer, None, sink)
}

/// As [`scan`], with a judge who decides which pairs count.
///
/// # Errors
///
/// As [`scan`].
pub fn scan_judged<'t>(
    options: &ScanOptions,
    observer: &dyn Observer,
    judge: Option<&'t mut (dyn ScanJudge + 't)>,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Scan> {
    let scan = scan_joined(options, observer, judge, sink)?;
    Ok(Scan {
        joined: None,
        ..scan
    })
}

/// As [`scan_judged`]. The scan keeps by what any two documents can still be measured.
///
/// # Errors
///
/// As [`scan`].
pub fn scan_joined<'t>(
    options: &ScanOptions,
    observer: &dyn Observer,
    judge: Option<&'t mut (dyn ScanJudge + 't)>,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Scan> {
    in_pool(options.engine.threads, || {
        // Without the shingle detector sets need not be kept, as signatures are made of each set at once.
        let joins_sets = options.engine.detectors.have(Detector::Shingle);
        let corpus = match &options.index {
            Some(index) => read_indexed(options, index, observer)?,
            None => read_corpus(options, observer, joins_sets)?,
        };
        Scan::of(corpus, options.clone(), observer, (judge, sink), None)
    })
}

/// Reads the documents without comparing them. Every document has a fingerprint and the size of its shingle set,
/// whichever detectors the options name. The sets themselves are not kept.
///
/// # Errors
///
/// As [`scan`].
pub fn fingerprints(options: &ScanOptions, observer: &dyn Observer) -> Result<Corpus> {
    let mut options = options.clone();
    options.engine.detectors = Detectors::USUAL;
    in_pool(options.engine.threads, || {
        read_corpus(&options, observer, false)
    })
}

/// Reads the documents without comparing them, and makes the features that the options ask for.
///
/// # Errors
///
/// As [`scan`].
pub fn features(options: &ScanOptions, observer: &dyn Observer) -> Result<Corpus> {
    in_pool(options.engine.threads, || {
        read_corpus(options, observer, true)
    })
}
