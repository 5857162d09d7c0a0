//! Why an entry was not compared, and notes on entries that were.

use serde::{Serialize, Serializer};

/// Why an entry was not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// It is not text: it has a NUL byte in its first 8 KiB, or begins as a binary format does.
    Binary,
    /// It is of a format that is not read, or that this build does not read.
    Unsupported,
    /// It is text that holds data, such as a drawing or a lock file, and was found in a folder.
    Data,
    /// It is no page of the site it is in: a program wrote it there, or it leads to another page. It was found in a folder.
    NoPage,
    /// Its text has no letter, ideograph or digit.
    Empty,
    /// It asks not to be compared, in its front matter or a comment.
    OptedOut,
    /// It is larger than the size limit.
    TooLarge,
    /// It is a device, a socket or a FIFO, which are never opened.
    NotAFile,
    /// It is a followed link to a folder above it, or to a folder that many links lead to.
    Loop,
    /// It is named by the user or by a followed link, but does not exist.
    NotFound,
    /// It is damaged, or its name is wrong for its content: a record that is not valid JSON, or an office file of another format.
    Malformed,
    /// The program that makes text of it failed, or took too long.
    PreFailed,
    /// The system did not let it be read, or reading it led to a fault of this program.
    Unreadable,
}

/// Why a file or a record is not compared, with details in words.
pub type Refused = (SkipReason, String);

impl SkipReason {
    /// All reasons.
    const ALL: [Self; 13] = [
        Self::Binary,
        Self::Unsupported,
        Self::Data,
        Self::NoPage,
        Self::Empty,
        Self::OptedOut,
        Self::TooLarge,
        Self::NotAFile,
        Self::Loop,
        Self::NotFound,
        Self::Malformed,
        Self::PreFailed,
        Self::Unreadable,
    ];

    /// Returns the reason of a name ([`Self::as_str`]).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }

    /// Returns the reason as reports name it: a few words in lower case, which never change.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Unsupported => "unsupported",
            Self::Data => "data",
            Self::NoPage => "no page",
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

    /// Returns whether the run must end with an error status. A failure to read is an error. A rule that leaves the
    /// entry out (binary, empty, too large, ...) is none.
    pub fn is_error(self) -> bool {
        matches!(self, Self::NotFound | Self::Unreadable)
    }
}

/// Writes [`SkipReason::as_str`].
impl Serialize for SkipReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// An entry that was not compared, with its reason. Reports write it as it is, without the keys that say nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    /// The name of the entry, as documents are named.
    pub path: String,
    /// Why it was not compared.
    pub reason: SkipReason,
    /// The message of the operating system, or the limit that was met; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// How many records of a file this represents, as they are not listed one by one; otherwise 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub records: u64,
}

fn is_zero(records: &u64) -> bool {
    *records == 0
}

impl Skipped {
    /// Returns a skipped entry.
    pub fn new(path: impl Into<String>, reason: SkipReason, detail: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            reason,
            detail: detail.into(),
            records: 0,
        }
    }

    /// Returns the entry for records of a file that are not listed one by one.
    pub fn records(file: &str, reason: SkipReason, records: u64) -> Self {
        let noun = if records == 1 {
            "more record"
        } else {
            "more records"
        };
        Self {
            records,
            ..Self::new(file, reason, format!("{records} {noun}"))
        }
    }

    /// Returns how many entries this represents.
    pub fn count(&self) -> u64 {
        self.records.max(1)
    }
}

/// A note for the user about a document that was compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Note {
    /// The name of the document.
    pub path: String,
    /// The note: one sentence in lower case.
    pub note: String,
}

impl Note {
    /// Returns the note that some bytes of a document are not valid in its encoding.
    pub fn repaired(path: &str, encoding: &str) -> Self {
        Self {
            path: path.to_owned(),
            note: format!("not valid {encoding}: damaged characters were replaced"),
        }
    }
}

/// The words for these reasons, in the details of skipped entries. The default is the reason alone. A program adds
/// which of its options helps.
#[derive(Debug, Clone)]
pub struct Wording {
    /// The file is a PDF.
    pub pdf: &'static str,
    /// The file is a document of Office 97 to 2003, or an encrypted one.
    pub old_office: &'static str,
    /// The file has a name with this ending, that of a document of another program.
    pub foreign: fn(&str) -> String,
    /// The text of an office file has more bytes than a document may have.
    pub expanded: &'static str,
    /// A table has none of the columns that hold texts by default. The value names the columns that it has.
    pub no_column: fn(String) -> String,
}

impl Default for Wording {
    fn default() -> Self {
        Self {
            pdf: "a PDF",
            old_office: "a document of Office 97 to 2003, or an encrypted one",
            foreign: |ending| format!("a .{ending} file"),
            expanded: "its text is larger than a document may be when it is expanded",
            no_column: |words| words,
        }
    }
}
