//! The parts of the command line in reports for people.

use crate::model::link::Link;

/// The parts of the command line in reports for people. Each part is none in a report that does not show it.
#[derive(Debug, Default)]
pub struct Typed {
    /// The command line that decides which of these documents stay.
    pub plan: Option<String>,
    /// The options that `dupfind compare` needs for these documents, each behind a space; `None` also if they cannot be
    /// written for a shell.
    pub compare: Option<String>,
    /// The words that `dupfind accept` needs behind two of these documents, each behind a space.
    pub accept: Option<String>,
    /// The head of a page.
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

/// The facts about a run that only the page shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The scanned paths, as they were typed; empty for the current folder.
    pub scanned: String,
    /// The command line, without options that change nothing in the report and without paths of the machine; `None` if
    /// it cannot be copied into a shell.
    pub command: Option<String>,
    /// The options that `dupfind compare` needs for the same documents, each behind a space.
    pub compare: String,
    /// Links to the documents.
    pub link: Option<Link>,
}
