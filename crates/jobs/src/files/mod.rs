//! A job whose steps hand on files.
//!
//! ```text
//! documents ─> part ─┐                          ┌─> task 1,1 ─> pairs ─┐
//! documents ─> part ─┼─> freeze ─> frozen ─> K ─┼─> task 1,2 ─> pairs ─┼─> merge ─> outcome of a scan
//! documents ─> part ─┘                          └─> task 2,2 ─> pairs ─┘
//! ```
//!
//! * [`part`]: features on disk, with the facts of a scan about their documents
//! * [`frozen`], [`freeze`]: what all tasks must agree on, and how it is made
//! * [`task`]: one task
//! * [`merge`]: the outcome
//! * [`costs`], [`sizing`]: the costs of the tasks of a job, and of a job of more documents

pub mod costs;
pub mod freeze;
pub mod frozen;
pub mod merge;
pub mod part;
pub mod sizing;
pub mod task;

use std::io;
use std::path::Path;

use dupfind_engine::error::Error;

/// Returns the error of a file that cannot be used.
pub(super) fn refused(path: &Path, reason: impl Into<String>) -> Error {
    Error::TileFile {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

/// Returns the error of a file that cannot be read.
pub(super) fn cannot_read(path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => refused(path, "it is cut off"),
        _ => refused(path, format!("cannot read it: {error}")),
    }
}
