//! The exit status.

use std::collections::HashSet;
use std::path::Path;

use dupfind_read::{SkipReason, Skipped, display_name};
use dupfind_scan::Scan;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It ran: 0, whatever it found.
    Ok,
    /// It ran, and found something on which it must fail, as the options require: 1.
    Failed,
    /// Something went wrong, or something the user named could not be read: 2.
    Error,
    /// The user interrupted it, and it ended in order: 130, which is 128 + SIGINT, as shells expect.
    Interrupted,
}

impl Status {
    /// Returns the status of a scan: an error if a file could not be read, or not to its end.
    pub(crate) fn of_scan(outcome: &Scan) -> Self {
        let files = &outcome.sources.files;
        let read: HashSet<String> = outcome
            .sources
            .documents
            .iter()
            .filter(|it| it.is_record())
            .map(|source| display_name(&files[source.file as usize], Path::new("")))
            .collect();
        let ends_early = |skipped: &Skipped| {
            skipped.records == 0
                && skipped.reason == SkipReason::Malformed
                && read.contains(&skipped.path)
        };
        match outcome.skipped.iter().any(ends_early) {
            true => Self::Error,
            false => Self::of(&outcome.skipped),
        }
    }

    /// Returns the status of a run that skipped these entries.
    pub(crate) fn of(skipped: &[Skipped]) -> Self {
        if skipped.iter().any(|skipped| skipped.reason.is_error()) {
            Self::Error
        } else {
            Self::Ok
        }
    }
}

impl From<Status> for u8 {
    fn from(status: Status) -> Self {
        match status {
            Status::Ok => 0,
            Status::Failed => 1,
            Status::Error => 2,
            Status::Interrupted => 130,
        }
    }
}
