//! Temporary files and folders. An interrupt removes them. Their names end in `.dupfind.tmp`: what a run leaves that was ended
//! with `kill -9` is no document, and may be removed by hand.

use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{Builder, TempPath};

use crate::UNFINISHED;

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

/// The temporary files and folders that exist.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// [`remove_all`] removes a temporary file or folder as long as this value exists.
#[derive(Debug)]
pub(crate) struct Removal(PathBuf);

impl Removal {
    /// Makes [`remove_all`] remove a file that exists.
    pub(crate) fn of(path: &Path) -> Self {
        let mut known = TEMPORARY.lock().expect("never poisoned");
        known.push(path.to_owned());
        Self(path.to_owned())
    }

    /// Makes a temporary file or folder that [`remove_all`] removes. `path` returns its path.
    ///
    /// Returns what `make` returned, with the [`Removal`], which must be dropped after it.
    ///
    /// # Errors
    ///
    /// The error of `make`.
    pub(crate) fn of_new<T>(
        make: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> io::Result<(T, Self)> {
        // `remove_all` waits for this, so that it sees the file that is being made.
        let mut known = TEMPORARY.lock().expect("never poisoned");
        let made = make()?;
        let path = path(&made).to_owned();
        known.push(path.clone());
        Ok((made, Self(path)))
    }
}

impl Drop for Removal {
    fn drop(&mut self) {
        let mut temporary = TEMPORARY.lock().expect("never poisoned");
        temporary.retain(|known| *known != self.0);
    }
}

/// Removes the temporary files and folders that exist.
pub fn remove_all() {
    let temporary = TEMPORARY
        .lock()
        .map(|mut paths| std::mem::take(&mut *paths));
    for path in temporary.into_iter().flatten() {
        if path.is_dir() {
            // Again: a program that is ending may have put another file there meanwhile.
            let mut attempts = 0..50;
            while path.exists() && attempts.next().is_some() {
                if std::fs::remove_dir_all(&path).is_err() {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
            }
        } else {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::NamedTempFile;

    use super::*;

    #[test]
    fn a_file_is_forgotten_when_it_is_no_longer_temporary() {
        let folder = tempfile::tempdir().unwrap();
        let known = || {
            let temporary = TEMPORARY.lock().unwrap();
            let ours = temporary.iter().filter(|path| path.starts_with(&folder));
            ours.count()
        };
        let make = || NamedTempFile::new_in(&folder);
        let made = Removal::of_new(make, NamedTempFile::path).unwrap();
        assert_eq!(known(), 1);
        drop(made);
        assert_eq!(known(), 0);
        assert!(
            Removal::of_new(
                || Err::<NamedTempFile, _>(io::ErrorKind::Other.into()),
                NamedTempFile::path
            )
            .is_err()
        );
        assert_eq!(known(), 0);
    }
}
