//! The names and globs of groups of documents, and the paths they are matched with.

use std::path::{Path, PathBuf};

use crate::read::source::name::{display_name, plain};

/// A name or glob of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Pattern {
    pub(super) group: u32,
    /// Its position in the group. The last pattern that a document matches decides about it.
    pub(super) at: usize,
    /// Whether it takes documents out of the group.
    pub(super) is_out: bool,
}

/// Returns an absolute path in the form that names and globs are matched with.
pub(super) fn key(path: &Path) -> String {
    display_name(path, Path::new(""))
}

/// Returns the absolute path of a path that is relative to a folder, without `.` and `..`. Links are not followed.
pub(super) fn place(path: &Path, base: &Path) -> PathBuf {
    plain(&base.join(path))
}
