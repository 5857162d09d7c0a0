//! A lock that keeps two programs from saving to the same file, where each would overwrite what the other one saved.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::cli::process::interrupt::{self, Removal};

/// A lock that is held as long as this value exists. The system releases it however the program ends.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    _removal: Removal,
    _held: Held,
}

/// An open file with a lock.
#[cfg(unix)]
pub(crate) type Held = nix::fcntl::Flock<File>;
#[cfg(not(unix))]
pub(crate) type Held = File;

impl Lock {
    /// Returns the file that carries the lock of a file.
    pub(crate) fn file(target: &Path) -> PathBuf {
        let mut path = target.as_os_str().to_owned();
        path.push(".lock");
        path.into()
    }

    /// Locks a file in the same way as [`Self::of`]. If another program holds the lock, it calls `waits` once and waits.
    ///
    /// # Errors
    ///
    /// Those of [`Self::of`].
    pub(crate) fn wait_for(target: &Path, waits: impl FnOnce()) -> Result<Self> {
        let mut waits = Some(waits);
        loop {
            if let Some(lock) = Self::of(target)? {
                return Ok(lock);
            }
            if let Some(waits) = waits.take() {
                waits();
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Locks a file by another one beside it, `FILE.lock`; none if another program holds the lock. The file itself
    /// cannot carry the lock, because it is replaced when it is saved.
    ///
    /// `target` comes from [`place`](crate::cli::terminal::output::place).
    ///
    /// # Errors
    ///
    /// The lock file cannot be opened.
    pub(crate) fn of(target: &Path) -> Result<Option<Self>> {
        let path = Self::file(target);
        loop {
            let held = hold(&path).with_context(|| format!("cannot lock {}", path.display()))?;
            let Some(held) = held else {
                return Ok(None);
            };
            // The program that held it before may have removed the file meanwhile. Then this locks nothing.
            if is_at(&held, &path) {
                return Ok(Some(Self {
                    _removal: interrupt::removal(&path),
                    path,
                    _held: held,
                }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A lock is empty. A file with content is not of this program.
        if fs::metadata(&self.path).is_ok_and(|metadata| metadata.len() == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens and locks a file or folder that exists; none if another program holds the lock, or has removed it. Links are not
/// followed.
///
/// # Errors
///
/// It cannot be opened, or the system has no locks ([`io::ErrorKind::Unsupported`]).
#[cfg(unix)]
pub(crate) fn hold_existing(path: &Path) -> io::Result<Option<Held>> {
    let held = locked(options().read(true).open(path)?)?;
    Ok(held.filter(|held| is_at(held, path)))
}

#[cfg(not(unix))]
pub(crate) fn hold_existing(_path: &Path) -> io::Result<Option<Held>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns options that open no link, and wait for no other program that opens a pipe.
#[cfg(unix)]
fn options() -> fs::OpenOptions {
    use nix::fcntl::OFlag;
    use std::os::unix::fs::OpenOptionsExt;

    let mut options = File::options();
    options.custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
    options
}

/// Locks an open file; none if another program holds the lock.
#[cfg(unix)]
fn locked(file: File) -> io::Result<Option<Held>> {
    use nix::errno::Errno;
    use nix::fcntl::{Flock, FlockArg};

    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(held) => Ok(Some(held)),
        Err((_, Errno::EWOULDBLOCK)) => Ok(None),
        Err((_, Errno::ENOLCK | Errno::EOPNOTSUPP | Errno::ENOSYS)) => {
            Err(io::ErrorKind::Unsupported.into())
        }
        Err((_, error)) => Err(error.into()),
    }
}

/// Opens and locks a file; none if another program holds the lock.
#[cfg(unix)]
fn hold(path: &Path) -> io::Result<Option<Held>> {
    let mut options = options();
    locked(
        options
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?,
    )
}

#[cfg(unix)]
fn is_at(held: &Held, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (held.metadata(), fs::metadata(path)) {
        (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Opens a file that no other program may open meanwhile; none if another program has it open.
#[cfg(not(unix))]
fn hold(path: &Path) -> io::Result<Option<Held>> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
    match options.open(path) {
        Ok(held) => Ok(Some(held)),
        // ERROR_SHARING_VIOLATION.
        Err(error) if error.raw_os_error() == Some(32) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns true: Windows does not remove a file that is open.
#[cfg(not(unix))]
fn is_at(_held: &Held, _path: &Path) -> bool {
    true
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
        drop(lock);
        assert!(Lock::of(&target).unwrap().is_some());
        if cfg!(unix) {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
