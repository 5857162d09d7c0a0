//! The errors that end a run.
//!
//! A *document* that cannot be compared is no such error: it is skipped with a reason, and the run goes on.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(String),
    /// A temporary file could not be made, written or read. Mostly the disk is full.
    #[error("cannot keep shingles in a temporary file in {folder} ({} MB so far)", bytes >> 20)]
    TempFile {
        /// The folder it is in.
        folder: String,
        /// How large the file was.
        bytes: u64,
        /// The message of the operating system.
        #[source]
        source: io::Error,
    },
    /// An option has a value that cannot be used: a glob that does not parse, a rule that decides nothing.
    #[error("{0}")]
    Option(String),

    /// More documents, shingles or texts than the memory holds, or than 32 bits can number.
    #[error("{0}")]
    TooMuch(String),

    /// Two documents of one collection have the same name.
    #[error("there is a document named '{name}' already")]
    NameTwice {
        /// The name.
        name: String,
    },
    /// Features were made with other options than those of the run.
    #[error("the features were made with {name} {found}, not {expected}")]
    FeaturesDiffer {
        /// The name of the option that differs.
        name: String,
        /// The value that the features were made with.
        found: String,
        /// The value of the run.
        expected: String,
    },
    /// There is no index of this kind here, or it is damaged.
    #[error("{}: {reason}", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of an index could not be read or written.
    #[error("cannot {action} {}", path.display())]
    IndexIo {
        /// `read` or `write`, and the like.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The message of the operating system.
        #[source]
        source: io::Error,
    },
    /// Features, frequencies and pairs of one job do not belong together.
    #[error("{0}")]
    TileJob(String),
    /// The observer of the run stopped it.
    #[error("the run was stopped")]
    Stopped,
    /// The sink failed.
    #[error(transparent)]
    Sink(io::Error),
}

impl Error {
    /// Returns the error of a glob that does not parse.
    pub fn glob(glob: &str, reason: impl fmt::Display) -> Self {
        Self::Option(format!("cannot read the glob '{glob}': {reason}"))
    }
}

/// The result of a function that may end the run.
pub type Result<T> = std::result::Result<T, Error>;
