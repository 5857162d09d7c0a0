//! What the head of the HTML report says of the run.

use crate::report::model::link::Link;

/// What the page says of a run that no other format does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// What was scanned, as it was typed; empty for the current folder.
    pub(crate) scanned: String,
    /// The command line, without what changes nothing in the report and without paths of the machine; `None` if it
    /// cannot be copied into a shell.
    pub(crate) command: Option<String>,
    /// The options that `dupfind compare` needs for the same documents, each behind a space.
    pub(crate) compare: String,
    /// The date of the report, if it was given. Without one the same documents give the same bytes, and the page shows
    /// the date of its own file.
    pub(crate) date: Option<String>,
    /// Links to the documents.
    pub(crate) link: Option<Link>,
}
