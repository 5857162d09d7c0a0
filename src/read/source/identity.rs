//! Tells whether two paths are the same file.

use std::fs::Metadata;
use std::path::Path;

/// What makes a file the same one however it is reached.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity(Inner);

#[cfg(unix)]
type Inner = (u64, u64);

#[cfg(not(unix))]
type Inner = std::path::PathBuf;

/// Takes a path and its metadata (links followed) and returns the file's identity: device and inode
/// where there are such, so hard links are one file; elsewhere the canonical path.
#[cfg(unix)]
#[must_use]
pub fn identity(_path: &Path, metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    Identity((metadata.dev(), metadata.ino()))
}

/// Takes a path and its metadata (links followed) and returns the file's identity: device and inode
/// where there are such, so hard links are one file; elsewhere the canonical path.
#[cfg(not(unix))]
#[must_use]
pub fn identity(path: &Path, _metadata: &Metadata) -> Identity {
    Identity(std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
}
