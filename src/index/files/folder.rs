//! The folder of an index: the names of its files, and how they are written so that a power cut does no harm.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// What the names of numbered files begin with.
const NAME: &str = "part-";

/// What the name of a file ends with that is still being written.
const UNFINISHED: &str = ".new";

/// Returns the path of a numbered file.
pub(crate) fn part(folder: &Path, file: u64) -> PathBuf {
    folder.join(format!("{NAME}{file:08}"))
}

/// Returns the error of an action with a file.
pub(crate) fn failed(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::IndexIo {
        action,
        path: path.to_owned(),
        source,
    }
}

/// Makes a file, fills it with what `write` writes, and waits until it is on the disk. A file that could not be written
/// as a whole is removed.
///
/// # Errors
///
/// [`Error::IndexIo`], and those of `write`.
pub(crate) fn create<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T>,
) -> Result<T> {
    let fail = |source| failed("write", path, source);
    let file = File::create(path).map_err(fail)?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    let written = write(&mut out).and_then(|value| {
        out.flush().map_err(fail)?;
        out.get_ref().sync_all().map_err(fail)?;
        Ok(value)
    });
    if written.is_err() {
        // What is still held back is not written any more.
        drop(out.into_parts());
        let _ = fs::remove_file(path);
    }
    written
}

/// Replaces a file by one with this content, which is on the disk then.
///
/// # Errors
///
/// [`Error::IndexIo`].
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(UNFINISHED);
    let new = PathBuf::from(new);
    create(&new, |out| {
        out.write_all(content)
            .map_err(|source| failed("write", path, source))
    })?;
    let renamed = fs::rename(&new, path);
    if let Err(source) = renamed {
        let _ = fs::remove_file(&new);
        return Err(failed("write", path, source));
    }
    if let Some(folder) = path.parent() {
        sync(folder);
    }
    Ok(())
}

/// Waits until the names of the files in a folder are on the disk. Not all systems can do that; then names may be lost
/// in a power cut, but the files they lead to are as before or as after.
#[cfg(unix)]
fn sync(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(not(unix))]
fn sync(_folder: &Path) {}

/// Removes the numbered files that do not belong to the index any more, and what an ended program left unfinished.
pub(crate) fn remove_others(folder: &Path, belonging: &BTreeSet<u64>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let number = name
            .strip_prefix(NAME)
            .and_then(|number| number.parse().ok());
        let is_left = number.is_some_and(|number| !belonging.contains(&number));
        if is_left || name.ends_with(UNFINISHED) {
            // Where the system does not remove open files, a later update does.
            let _ = fs::remove_file(entry.path());
        }
    }
}
