//! Temporary files and folders. An interrupt removes them. Their names end in `.dupfind.tmp`: what a run leaves that was ended
//! with `kill -9` is no document, and may be removed by hand.

use std::fs::{File, Permissions};
use std::io;
use std::path::Path;

use tempfile::{Builder, TempPath};

use crate::UNFINISHED;
use crate::removal::Removal;

/// A temporary file, open for writing. It is removed when this is dropped.
#[derive(Debug)]
pub struct TemporaryFile {
    /// The file, open for writing.
    pub file: File,
    /// Its path. The file is removed when this is dropped.
    pub path: TempPath,
    pub(super) removal: Removal,
}

impl TemporaryFile {
    /// Makes a file in a folder. `suffix` is the end of its name. Without `permissions` only its owner can read it.
    ///
    /// # Errors
    ///
    /// The words of the system.
    pub fn new(folder: &Path, suffix: &str, permissions: Option<&Permissions>) -> io::Result<Self> {
        let make = |builder: &mut Builder<'_, '_>| {
            if let Some(permissions) = permissions {
                builder.permissions(permissions.clone());
            }
            Ok(builder.tempfile_in(folder)?.into_parts())
        };
        let made = make_in(suffix, make, |(_, path): &(File, TempPath)| path);
        let ((file, path), removal) = made?;
        Ok(Self {
            file,
            path,
            removal,
        })
    }
}

/// A temporary folder that only its owner can read. It is removed with its content when this is dropped.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: tempfile::TempDir,
    _removal: Removal,
}

impl TemporaryFolder {
    /// Makes a folder in another one.
    ///
    /// # Errors
    ///
    /// The words of the system.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let make = |builder: &mut Builder<'_, '_>| {
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
            builder.tempdir_in(folder)
        };
        let (folder, removal) = make_in("", make, tempfile::TempDir::path)?;
        Ok(Self {
            folder,
            _removal: removal,
        })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Makes a temporary file or folder in a folder. `make` makes it with the builder, `suffix` is the end of its name, and
/// `path` returns its path.
///
/// Returns what `make` returned, with its [`Removal`], which must be dropped after it.
///
/// # Errors
///
/// The error of `make`.
fn make_in<T>(
    suffix: &str,
    make: impl FnOnce(&mut Builder<'_, '_>) -> io::Result<T>,
    path: fn(&T) -> &Path,
) -> io::Result<(T, Removal)> {
    let suffix = format!("{UNFINISHED}{suffix}");
    Removal::of_new(|| make(Builder::new().prefix(".").suffix(&suffix)), path)
}
