//! The identity of files: whether two paths are the same file.

use std::fs::Metadata;
use std::path::Path;

/// The identity of a file, whatever path leads to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity(Inner);

#[cfg(unix)]
type Inner = (u64, u64);

#[cfg(not(unix))]
type Inner = std::path::PathBuf;

/// Returns the identity of a file: device and inode where the system has them, so that hard links are one file, and
/// the canonical path elsewhere. `metadata` is that of the file itself, not of a link to it.
#[cfg(unix)]
#[must_use]
pub fn identity(_path: &Path, metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    Identity((metadata.dev(), metadata.ino()))
}

/// Returns the identity of a file: device and inode where the system has them, so that hard links are one file, and
/// the canonical path elsewhere. `metadata` is that of the file itself, not of a link to it.
#[cfg(not(unix))]
#[must_use]
pub fn identity(path: &Path, _metadata: &Metadata) -> Identity {
    Identity(std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
}
