//! The folder that the index is kept in: beside the documents, or elsewhere.

use std::fs;
use std::io::{Error as IoError, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use dupfind_engine::{Error, Result};
use dupfind_files::open::write_new;
use dupfind_files::temporary::TemporaryFolder;
use dupfind_read::source::walk::HOME;

/// The name of the index.
const INDEX: &str = "index.dupidx";

/// How long to wait for another program that writes to the index.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait before the next try.
const PAUSE: Duration = Duration::from_millis(20);

/// Where an index is kept.
#[derive(Debug)]
pub(super) enum Home {
    /// Beside the documents below this folder.
    Beside(PathBuf),
    /// In this folder.
    Named(PathBuf),
    /// In a folder that goes with the program.
    Temporary(TemporaryFolder),
}

impl Home {
    /// Makes a temporary folder for an index.
    ///
    /// # Errors
    ///
    /// [`Error::IndexIo`].
    pub(super) fn temporary() -> Result<Self> {
        let folder = std::env::temp_dir();
        let made = TemporaryFolder::new(&folder);
        made.map(Self::Temporary)
            .map_err(|error| failed("make a folder in", &folder, error))
    }

    /// Makes the folder, if it is not there, and returns the place of the index in it.
    ///
    /// # Errors
    ///
    /// [`Error::IndexIo`]; a link in its place is not followed.
    pub(super) fn make(&self) -> Result<PathBuf> {
        match self {
            Self::Beside(root) => make_beside(root),
            Self::Temporary(folder) => Ok(folder.path().join(INDEX)),
            Self::Named(index) => Ok(index.clone()),
        }
    }
}

/// Makes the folder below `root`, if it is not there, and returns the place of the index in it. git ignores the folder.
fn make_beside(root: &Path) -> Result<PathBuf> {
    let home = root.join(HOME);
    match fs::create_dir(&home) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(failed("make", &home, error));
        }
        _ => {}
    }
    let index = home.join(INDEX);
    for folder in [&home, &index] {
        let metadata = fs::symlink_metadata(folder);
        if metadata.is_ok_and(|metadata| !metadata.is_dir()) {
            let error = IoError::new(ErrorKind::NotADirectory, "it is a link or a file");
            return Err(failed("use", folder, error));
        }
    }
    let ignore = home.join(".gitignore");
    // An empty one is of a run that found the disk full.
    if fs::symlink_metadata(&ignore).is_ok_and(|file| file.is_file() && file.len() == 0) {
        fs::remove_file(&ignore).map_err(|error| failed("write", &ignore, error))?;
    }
    match write_new(&ignore, b"*\n") {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(failed("write", &ignore, error))
        }
        _ => Ok(index),
    }
}

fn failed(action: &'static str, path: &Path, source: IoError) -> Error {
    Error::IndexIo {
        action,
        path: path.to_owned(),
        source,
    }
}

/// Runs a task again for a while, as long as another program writes to the index.
///
/// # Errors
///
/// Those of the task.
pub(super) fn waiting_for_lock<T>(mut task: impl FnMut() -> Result<T>) -> Result<T> {
    let begin = Instant::now();
    loop {
        match task() {
            Err(Error::IndexLocked { .. }) if begin.elapsed() < PATIENCE => sleep(PAUSE),
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_made_once_and_no_link_is_followed() {
        let root = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let index = make_beside(root.path()).unwrap();
            assert_eq!(index, root.path().join(".dupfind/index.dupidx"));
        }
        let ignore = root.path().join(".dupfind/.gitignore");
        assert_eq!(fs::read_to_string(&ignore).unwrap(), "*\n");
        fs::write(&ignore, "").unwrap();
        make_beside(root.path()).unwrap();
        assert_eq!(fs::read_to_string(&ignore).unwrap(), "*\n");
        #[cfg(unix)]
        {
            let elsewhere = tempfile::tempdir().unwrap();
            let linked = tempfile::tempdir().unwrap();
            std::os::unix::fs::symlink(elsewhere.path(), linked.path().join(HOME)).unwrap();
            assert!(make_beside(linked.path()).is_err());
            assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        }
    }
}
