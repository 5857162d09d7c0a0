//! The exit status.

use dupfind_read::skipped::Skipped;

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
