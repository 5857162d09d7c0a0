//! The folder beside the documents that the index is kept in.

use std::fs;
use std::io::{Error as IoError, ErrorKind};
use std::path::{Path, PathBuf};

use dupfind_engine::{Error, Result};
use dupfind_files::write_new;
use dupfind_read::source::walk::HOME;

/// The name of the index.
const INDEX: &str = "index";

/// Returns the place of the index of the documents below `root`.
pub(super) fn index_beside(root: &Path) -> PathBuf {
    root.join(HOME).join(INDEX)
}

/// Makes the folder of the index below `root`, if it is not there. git ignores the folder.
///
/// # Errors
///
/// [`Error::IndexIo`]; a link in its place is not followed.
pub(super) fn make(root: &Path) -> Result<()> {
    let home = root.join(HOME);
    match fs::create_dir(&home) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(failed("make", &home, error));
        }
        _ => {}
    }
    if fs::symlink_metadata(&home).is_ok_and(|metadata| !metadata.is_dir()) {
        let error = IoError::new(ErrorKind::NotADirectory, "it is a link or a file");
        return Err(failed("use", &home, error));
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
        _ => Ok(()),
    }
}

fn failed(action: &'static str, path: &Path, source: IoError) -> Error {
    Error::IndexIo {
        action,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_made_once_and_no_link_is_followed() {
        let root = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            make(root.path()).unwrap();
        }
        let ignore = root.path().join(".dupfind/.gitignore");
        assert_eq!(fs::read_to_string(&ignore).unwrap(), "*\n");
        fs::write(&ignore, "").unwrap();
        make(root.path()).unwrap();
        assert_eq!(fs::read_to_string(&ignore).unwrap(), "*\n");
        #[cfg(unix)]
        {
            let elsewhere = tempfile::tempdir().unwrap();
            let linked = tempfile::tempdir().unwrap();
            std::os::unix::fs::symlink(elsewhere.path(), linked.path().join(HOME)).unwrap();
            assert!(make(linked.path()).is_err());
            assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        }
    }
}
