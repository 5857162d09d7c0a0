//! The errors that end a run.
//!
//! A *document* that cannot be compared is no such error: it is skipped with a reason, and the run goes on.

use std::io;
use std::path::PathBuf;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A glob given as an option does not parse.
    #[error("cannot read the glob '{glob}': {reason}")]
    Glob {
        /// The glob as it was given.
        glob: String,
        /// The message of the glob engine.
        reason: String,
    },
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(String),
    /// There are more documents than the caller allows for the memory there is.
    #[error("more than {limit} documents do not fit in the memory: compare them in parts")]
    DocumentsBeyondMemory {
        /// How many are allowed.
        limit: u64,
    },
    /// The shingles of all passages need more memory than the caller allows.
    #[error(
        "the shingles of all passages take more than {} MB of memory: look at fewer documents, or at longer passages",
        limit >> 20
    )]
    PassagesBeyondMemory {
        /// How many bytes are allowed.
        limit: u64,
    },
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
    /// An index was made with other options than those of the run.
    #[error("{}: the index was made with {name} {found}, not {expected}", path.display())]
    IndexDiffers {
        /// The index.
        path: PathBuf,
        /// The name of the option that differs.
        name: String,
        /// The value that the index was made with.
        found: String,
        /// The value of the run.
        expected: String,
    },
    /// Another program is writing to an index.
    #[error("{}: {holder} is writing to the index", path.display())]
    IndexLocked {
        /// The index.
        path: PathBuf,
        /// The program that writes to it.
        holder: String,
    },
    /// Features, frequencies and pairs of one job do not belong together.
    #[error("{0}")]
    TileJob(String),
    /// A threshold finds pairs that a finished scan did not look for.
    #[error("{name} {asked} finds pairs that the scan with {least} did not look for: scan again")]
    FindsMore {
        /// The name of the threshold.
        name: &'static str,
        /// The request.
        asked: String,
        /// What the scan was made with.
        least: String,
    },
    /// A rule for the document that stays is about files, and the documents are no files.
    #[error("the rule '{rule}' is about files, and these are texts")]
    RuleOfFiles {
        /// The rule.
        rule: String,
    },
    /// A rule for the document that stays is about a field that none of them has.
    #[error(
        "the rule '{rule}' decides nothing: no document that is like another one has this field"
    )]
    RuleWithoutField {
        /// The rule.
        rule: String,
    },
    /// A memory of texts cannot be had, read or saved.
    #[error("{0}")]
    TextMemory(String),
    /// The observer of the run stopped it.
    #[error("the run was stopped")]
    Stopped,
    /// The sink failed.
    #[error(transparent)]
    Sink(io::Error),
}

/// The result of a function that may end the run.
pub type Result<T> = std::result::Result<T, Error>;
