//! The values every room shares: a document's id, and an entry that was not compared.

use crate::error::{Error, Result};

/// A document's number within one run.
///
/// Documents are numbered in the byte order of their names, so comparing ids compares names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(u32);

impl DocId {
    /// The largest number of documents of one run.
    pub const LIMIT: usize = u32::MAX as usize;

    /// Takes a position in the list of documents and returns its id.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyDocuments`] if the position does not fit 32 bits.
    pub fn new(index: usize) -> Result<Self> {
        u32::try_from(index)
            .map(Self)
            .map_err(|_| Error::TooManyDocuments { limit: Self::LIMIT })
    }

    /// The position in the list of documents.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The joins number documents by plain 32-bit positions.
impl From<u32> for DocId {
    fn from(id: u32) -> Self {
        Self(id)
    }
}

/// Why an entry was not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// Not text: a NUL byte in its first 8 KiB, or the beginning of a format that is none.
    Binary,
    /// Text without a single letter, ideograph or digit.
    Empty,
    /// It asks not to be compared, in its front matter or its head.
    OptedOut,
    /// Larger than the size limit.
    TooLarge,
    /// A device, socket or FIFO: never opened.
    NotAFile,
    /// A followed link that leads back to a folder above it, or to a folder that many links lead to.
    Loop,
    /// Named by the user, or by a link that is followed, and not there.
    NotFound,
    /// Not what its name says, or damaged: a record that is no valid JSON, an office file that is none.
    Malformed,
    /// The program that was to make a text of it failed, or took too long.
    PreFailed,
    /// The system did not let it be read.
    Unreadable,
}

impl SkipReason {
    /// The reason as it stands in reports: a stable word or two in lower case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Empty => "empty",
            Self::OptedOut => "opted out",
            Self::TooLarge => "too large",
            Self::NotAFile => "not a regular file",
            Self::Loop => "link loop",
            Self::NotFound => "not found",
            Self::Malformed => "malformed",
            Self::PreFailed => "pre failed",
            Self::Unreadable => "unreadable",
        }
    }

    /// Whether the entry was lost against the user's wish, so that the run must end with an error
    /// status: policy (binary, empty, too large, ...) is no error, failure to read is.
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(self, Self::NotFound | Self::Unreadable)
    }
}

/// An entry that was not compared, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The entry's name, as documents are named.
    pub path: String,
    /// Why it was not compared.
    pub reason: SkipReason,
    /// What the system said or which limit was met; may be empty.
    pub detail: String,
    /// How many records of a file this stands for, as they are not listed one by one; otherwise 0.
    pub records: u64,
}

impl Skipped {
    /// Takes the entry's name, the reason and further words, and returns the value.
    #[must_use]
    pub fn new(path: impl Into<String>, reason: SkipReason, detail: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            reason,
            detail: detail.into(),
            records: 0,
        }
    }

    /// Returns the entry for records of a file that are not listed one by one.
    #[must_use]
    pub fn records(file: &str, reason: SkipReason, records: u64) -> Self {
        let noun = if records == 1 { "record" } else { "records" };
        Self {
            records,
            ..Self::new(file, reason, format!("{records} more {noun}"))
        }
    }

    /// Returns how many entries this stands for.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.records.max(1)
    }
}

/// A document that was compared all the same, with something the user should know about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The document's name.
    pub path: String,
    /// What to know, one sentence in lower case.
    pub note: String,
}

impl Note {
    /// Takes a document's name and its encoding: some of its bytes meant nothing in it.
    #[must_use]
    pub fn repaired(path: &str, encoding: &str) -> Self {
        Self {
            path: path.to_owned(),
            note: format!("not valid {encoding}: damaged characters were replaced"),
        }
    }

    /// Takes a document's name and what is wrong with what its front matter says to this program.
    #[must_use]
    pub fn unclear(path: &str, said: &str) -> Self {
        Self {
            path: path.to_owned(),
            note: format!(
                "{said} means nothing, so the document is compared; \
                 'dupfind: ignore - reason' leaves it out"
            ),
        }
    }
}
