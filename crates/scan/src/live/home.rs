//! The folder that the index is kept in, beside the documents.

use std::fs;
use std::io::{Error as IoError, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::live::HOME;
use dupfind_engine::{Error, Result};
use dupfind_files::open::write_new;

/// The name of the index.
const INDEX: &str = "index.dupidx";

/// How long to wait for another program that writes to the index.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait before the next try.
const PAUSE: Duration = Duration::from_millis(20);

/// Makes the folder below `root`, if it is not there, and returns the place of the index in it. git ignores the folder.
///
/// # Errors
///
/// [`Error::IndexIo`]; a link in its place is not followed.
pub(super) fn make_home(root: &Path) -> Result<PathBuf> {
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
            let index = make_home(root.path()).unwrap();
            assert_eq!(index, root.path().join(".dupfind/index.dupidx"));
        }
        let ignore = root.path().join(".dupfind/.gitignore");
        assert_eq!(fs::read_to_string(ignore).unwrap(), "*\n");
        #[cfg(unix)]
        {
            let elsewhere = tempfile::tempdir().unwrap();
            let linked = tempfile::tempdir().unwrap();
            std::os::unix::fs::symlink(elsewhere.path(), linked.path().join(HOME)).unwrap();
            assert!(make_home(linked.path()).is_err());
            assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        }
    }
}
