//! A lock that keeps two programs from writing to the same place, where each would overwrite the output of the other.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::open::{Refused, opened, unfollowed};
use crate::temporary::Removal;

/// A file cannot be locked, so that nothing is written.
#[derive(Debug, thiserror::Error)]
#[error("cannot lock {}", path.display())]
pub struct LockError {
    /// The file that carries the lock.
    pub path: PathBuf,
    /// The message of the operating system, or why this file is no lock.
    pub source: io::Error,
}

/// A lock that is held as long as this value exists. The system releases it however the program ends.
///
/// Its file is empty, and is removed with the lock. A file with content is not of this program: it is locked and left as
/// it is.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
    _removal: Removal,
}

impl Lock {
    /// Returns the file that carries the lock of a file.
    pub fn file(target: &Path) -> PathBuf {
        let mut path = target.as_os_str().to_owned();
        path.push(".lock");
        path.into()
    }

    /// Locks a file in the same way as [`Self::of`]. If another program holds the lock, it calls `waits` once and waits.
    ///
    /// # Errors
    ///
    /// Those of [`Self::of`].
    pub fn wait_for(target: &Path, waits: impl FnOnce()) -> Result<Self, LockError> {
        let mut waits = Some(waits);
        loop {
            if let Some(lock) = Self::of(target)? {
                return Ok(lock);
            }
            if let Some(waits) = waits.take() {
                waits();
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Locks a file by another one beside it, `FILE.lock`; none if another program holds the lock. The file itself
    /// cannot carry the lock, because it is replaced when it is saved.
    ///
    /// # Errors
    ///
    /// [`LockError`] if the file cannot be opened, is not a regular file, or has another name too.
    pub fn of(target: &Path) -> Result<Option<Self>, LockError> {
        Self::at(&Self::file(target))
    }

    /// Locks by the file at `path`, which is made if it is not there; none if another program holds the lock.
    fn at(path: &Path) -> Result<Option<Self>, LockError> {
        let lock = || -> io::Result<Option<Self>> {
            loop {
                let Some(file) = hold(path)? else {
                    return Ok(None);
                };
                // The program that held it before may have removed the file meanwhile. Then this locks nothing.
                if !is_at(&file, path) {
                    continue;
                }
                if has_other_hard_link(&file)? {
                    return Err(Refused::SecondName.into());
                }
                return Ok(Some(Self {
                    path: path.to_owned(),
                    file,
                    _removal: Removal::of(path),
                }));
            }
        };
        lock().map_err(|source| LockError {
            path: path.to_owned(),
            source,
        })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let is_own = self.file.metadata().is_ok_and(|file| file.len() == 0);
        if is_own && is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Folders that are locked with all that is below them, as long as this value exists. Nothing is written for it.
#[derive(Debug)]
pub struct LockedFolders {
    _held: Vec<File>,
}

impl LockedFolders {
    /// Locks folders: those themselves for this program alone, and those above them for all programs that lock something
    /// below. So no other program locks a folder above or below. Nothing waits.
    ///
    /// A folder that the system cannot lock is left out: on Windows all of them.
    ///
    /// # Errors
    ///
    /// The folder that another program has locked in a way that does not go together with this.
    pub fn of<'p>(folders: impl IntoIterator<Item = &'p Path>) -> Result<Self, PathBuf> {
        let mut is_alone: BTreeMap<PathBuf, bool> = BTreeMap::new();
        for folder in folders {
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            for above in folder.ancestors() {
                *is_alone.entry(above.to_owned()).or_default() |= above == folder;
            }
        }
        let mut held = Vec::new();
        for (folder, is_alone) in is_alone {
            let Ok(file) = unfollowed().read(true).open(&folder) else {
                continue;
            };
            let locked = match is_alone {
                true => file.try_lock(),
                false => file.try_lock_shared(),
            };
            match locked {
                Ok(()) => held.push(file),
                Err(TryLockError::WouldBlock) => return Err(folder),
                Err(TryLockError::Error(_)) => {}
            }
        }
        Ok(Self { _held: held })
    }
}

/// Opens and locks a file; none if another program holds the lock.
fn hold(path: &Path) -> io::Result<Option<File>> {
    let mut options = unfollowed();
    options.read(true).write(true).create(true).truncate(false);
    // Nobody removes it while it is open.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 3);
    locked(opened(&options, path)?)
}

/// Locks an open file; none if another program holds the lock.
fn locked(file: File) -> io::Result<Option<File>> {
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(io::Error::new(io::ErrorKind::Unsupported, error)),
    }
}

/// Returns whether an open file is the one at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(file), Ok(there)) => (file.dev(), file.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Returns true: Windows does not remove a file that is open.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(unix)]
fn has_other_hard_link(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 1)
}

/// Returns false: Windows does not tell.
#[cfg(not(unix))]
fn has_other_hard_link(_file: &File) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_once() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("state");
        let lock = Lock::of(&target).unwrap();
        assert!(lock.is_some());
        assert!(Lock::of(&target).unwrap().is_none());
        if cfg!(unix) {
            assert_eq!(fs::read(Lock::file(&target)).unwrap(), b"");
        }
        drop(lock);
        assert!(Lock::of(&target).unwrap().is_some());
        if cfg!(unix) {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_locked_with_all_below_it_and_not_with_those_beside_it() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name);
        fs::create_dir_all(at("docs/sub/deep")).unwrap();
        fs::create_dir_all(at("other")).unwrap();
        std::os::unix::fs::symlink("docs", at("link")).unwrap();
        let lock = |name: &str| LockedFolders::of([&*at(name)]);
        for first in ["docs", "docs/sub", "docs/sub/deep", "link/sub"] {
            let held = lock(first).unwrap();
            for second in ["docs", "docs/sub", "docs/sub/deep", "link"] {
                assert!(lock(second).is_err(), "{first} {second}");
            }
            assert!(lock("other").is_ok(), "{first}");
            drop(held);
            assert!(lock("docs").is_ok(), "{first}");
        }
        let both = LockedFolders::of([&*at("docs"), &*at("docs/sub")]);
        assert_eq!(lock("docs/sub/deep").unwrap_err(), at("docs"));
        drop(both);
    }

    #[test]
    fn the_lock_of_a_killed_run_is_removed_and_a_file_of_others_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        for (content, stays) in [("", false), ("# A lock", true)] {
            fs::write(&path, content).unwrap();
            drop(Lock::at(&path).unwrap().unwrap());
            assert_eq!(path.exists(), stays || cfg!(windows), "{content}");
            if stays {
                assert_eq!(fs::read_to_string(&path).unwrap(), content);
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_but_a_regular_file_of_one_name_is_a_lock() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let victim = at("victim");
        fs::write(&victim, "").unwrap();
        symlink(&victim, at("link")).unwrap();
        symlink(at("new"), at("dangling")).unwrap();
        fs::hard_link(&victim, at("second")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        nix::unistd::mkfifo(&at("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        for name in ["link", "dangling", "second", "folder", "fifo"] {
            assert_eq!(Lock::at(&at(name)).unwrap_err().path, at(name));
        }
        assert_eq!(fs::read(&victim).unwrap(), b"");
        assert!(!at("new").exists());
    }
}
