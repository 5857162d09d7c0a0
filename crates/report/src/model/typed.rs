//! What reports for people tell about the command line.

use crate::model::link::Link;

/// What reports for people take from the command line. Each part is none where nobody reads it.
#[derive(Debug, Default)]
pub struct Typed {
    /// The command line that decides which of these documents stay.
    pub plan: Option<String>,
    /// The options that `dupfind compare` needs for these documents, each behind a space; `None` also if they cannot be
    /// written for a shell.
    pub compare: Option<String>,
    /// The words that `dupfind accept` needs behind two of these documents, each behind a space.
    pub accept: Option<String>,
    /// What the head of a page says.
    pub head: Option<Head>,
}

impl Typed {
    /// Nothing of the command line.
    pub(crate) const NOTHING: Self = Self {
        plan: None,
        compare: None,
        accept: None,
        head: None,
    };
}

/// What only the page tells about a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// What was scanned, as it was typed; empty for the current folder.
    pub scanned: String,
    /// The command line, without what changes nothing in the report and without paths of the machine; `None` if it
    /// cannot be copied into a shell.
    pub command: Option<String>,
    /// The options that `dupfind compare` needs for the same documents, each behind a space.
    pub compare: String,
    /// Links to the documents.
    pub link: Option<Link>,
}
