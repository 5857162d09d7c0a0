//! The lock of an index: one program writes to it at a time. The lock names the program that holds it.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use crate::error::{Error, Result};

/// The name of the file that carries the lock.
pub(crate) const LOCK: &str = "lock";

/// A lock that is held as long as this value exists. The system releases it however the program ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _held: Held,
}

#[cfg(unix)]
type Held = nix::fcntl::Flock<File>;
#[cfg(not(unix))]
type Held = File;

impl Lock {
    /// Locks the index in a folder.
    ///
    /// # Errors
    ///
    /// [`Error::IndexLocked`] if another program holds the lock, [`Error::IndexIo`] if there can be no lock.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let path = folder.join(LOCK);
        let failed = |source| Error::IndexIo {
            action: "lock",
            path: path.clone(),
            source,
        };
        let mut options = File::options();
        options.create(true).truncate(false).read(true).write(true);
        let mut held = match hold(&options, &path).map_err(failed)? {
            Ok(held) => held,
            Err(holder) => {
                let path = folder.to_owned();
                return Err(Error::IndexLocked { path, holder });
            }
        };
        let mut name = || -> io::Result<()> {
            held.set_len(0)?;
            held.rewind()?;
            writeln!(held, "process {}", std::process::id())
        };
        name().map_err(failed)?;
        Ok(Self { _held: held })
    }
}

/// Opens and locks a file. Returns the name of the holder if another program holds the lock.
#[cfg(unix)]
fn hold(
    options: &std::fs::OpenOptions,
    path: &Path,
) -> io::Result<std::result::Result<Held, String>> {
    use nix::errno::Errno;
    use nix::fcntl::{Flock, FlockArg};

    match Flock::lock(options.open(path)?, FlockArg::LockExclusiveNonblock) {
        Ok(held) => Ok(Ok(held)),
        Err((mut file, Errno::EWOULDBLOCK)) => Ok(Err(holder(&mut file))),
        Err((_, error)) => Err(error.into()),
    }
}

/// Opens a file that no other program may write to meanwhile. Returns the name of the holder if another program does.
#[cfg(not(unix))]
fn hold(
    options: &std::fs::OpenOptions,
    path: &Path,
) -> io::Result<std::result::Result<Held, String>> {
    let mut options = options.clone();
    // Others may read it.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 1);
    match options.open(path) {
        Ok(held) => Ok(Ok(held)),
        // ERROR_SHARING_VIOLATION.
        Err(error) if error.raw_os_error() == Some(32) => Ok(Err(
            File::open(path).map_or_else(|_| nobody(), |mut file| holder(&mut file))
        )),
        Err(error) => Err(error),
    }
}

fn nobody() -> String {
    "another program".into()
}

/// Returns the name that the holder of a lock has written.
fn holder(file: &mut File) -> String {
    let mut name = String::new();
    let read = file.take(100).read_to_string(&mut name);
    let name = name.trim();
    let is_name = |name: &str| {
        let number = name.strip_prefix("process ");
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    if read.is_ok() && is_name(name) {
        name.to_owned()
    } else {
        nobody()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_locked_once_and_names_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::of(folder.path()).unwrap();
        let error = Lock::of(folder.path()).unwrap_err().to_string();
        let holder = format!("process {} is writing to the index", std::process::id());
        assert!(error.ends_with(&holder), "{error}");
        drop(lock);
        Lock::of(folder.path()).unwrap();
    }
}
