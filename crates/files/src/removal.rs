//! The temporary files and folders of this run. Whatever ends the program before its time removes them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

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
    use super::*;
    use tempfile::NamedTempFile;

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
