//! The data that moves from step to step, as bytes.

pub mod document;
pub(crate) mod pairs;

use std::io;
use std::path::Path;

use dupfind_engine::Error;

/// Returns the error of bytes that no step has made.
pub(crate) fn damaged(what: &str) -> Error {
    Error::TileJob(format!("{what} are damaged: they are not what was written"))
}

/// Returns the error of a file that cannot be used.
pub(crate) fn refused(path: &Path, reason: impl Into<String>) -> Error {
    Error::TileFile {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

/// Returns the error of a file that cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => refused(path, "it is cut off"),
        _ => refused(path, format!("cannot read it: {error}")),
    }
}
