//! The errors that end a whole run.
//!
//! A bad *document* is no error here: it becomes [`crate::document::Skipped`] and the run goes on.

use std::io;
use std::path::PathBuf;

/// Why a run could not be done at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A glob given as an option does not parse.
    #[error("cannot read the glob '{glob}': {reason}")]
    Glob {
        /// The glob as it was given.
        glob: String,
        /// What the glob engine says.
        reason: String,
    },
    /// A file that an option names (not a document) could not be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// A line of an IDF file is not `term weight`.
    #[error("{}:{line}: {reason}", path.display())]
    IdfLine {
        /// The IDF file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A line of a file of ignored pairs is not as it should be.
    #[error("{}:{line}: {reason}", path.display())]
    IgnoreLine {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(String),
    /// More documents than a 32-bit id can name.
    #[error("too many documents: at most {limit} can be compared in one run")]
    TooManyDocuments {
        /// The largest number of documents.
        limit: usize,
    },
    /// More shingles than a 32-bit position can name.
    #[error("too many shingles: at most {limit} occurrences can be joined in one run")]
    TooManyShingles {
        /// The largest number of (document, shingle) entries.
        limit: usize,
    },
    /// A temporary file could not be made, written or read: mostly, the disk is full.
    #[error("cannot keep shingles in a temporary file in {folder} ({} MB so far)", bytes >> 20)]
    TempFile {
        /// The folder it is in.
        folder: String,
        /// How large the file was.
        bytes: u64,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// Two documents of one collection have the same name.
    #[error("there is a document named '{name}' already")]
    NameTwice {
        /// The name.
        name: String,
    },
    /// Features were made with other options than those they are to be compared with.
    #[error("the features were made with {name} {found}, not {expected}")]
    FeaturesDiffer {
        /// What is different.
        name: String,
        /// What the features were made with.
        found: String,
        /// What is asked for.
        expected: String,
    },
    /// What should be a file of features is none, or is damaged.
    #[error("cannot read the features: {0}")]
    FeaturesFile(String),
    /// A file of features could not be read or written.
    #[error("cannot read or write the features: {0}")]
    FeaturesIo(#[source] io::Error),
    /// The observer of the run asked for it.
    #[error("the run was stopped")]
    Stopped,
    /// Who was to take the pairs could not.
    #[error(transparent)]
    Sink(io::Error),
}

/// Shorthand for results of this library.
pub type Result<T> = std::result::Result<T, Error>;
