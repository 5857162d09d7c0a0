//! The folder of an index: the names of its files, and how they are written so that a power cut does no harm.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use dupfind_engine::{Error, Result};
use dupfind_files::UNFINISHED;
use dupfind_files::open::create_new;
use dupfind_files::replace::Replacement;

/// The beginning of the names of numbered files.
pub(crate) const PART: &str = "part-";

/// Returns the path of a numbered file.
pub(crate) fn part(folder: &Path, file: u64) -> PathBuf {
    folder.join(format!("{PART}{file:08}"))
}

/// Returns the error of an action with a file.
pub(crate) fn failed(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::IndexIo {
        action,
        path: path.to_owned(),
        source,
    }
}

/// Makes a file where nothing is, has `write` fill it, and waits until it is on the disk. A file that could not be
/// written as a whole is removed.
///
/// # Errors
///
/// [`Error::IndexIo`], and those of `write`.
pub(crate) fn create<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T>,
) -> Result<T> {
    let fail = |source| failed("write", path, source);
    let file = create_new(path).map_err(fail)?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    let written = write(&mut out).and_then(|value| {
        out.flush().map_err(fail)?;
        out.get_ref().sync_all().map_err(fail)?;
        Ok(value)
    });
    if written.is_err() {
        // The buffered bytes are not written any more.
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
    let written = Replacement::of(path).and_then(|mut new| {
        new.write_all(content)?;
        new.finish_durably()
    });
    written.map_err(|source| failed("write", path, source))
}

/// Removes the numbered files that do not belong to the index any more, and unfinished files that an ended program
/// left.
pub(crate) fn remove_others(folder: &Path, belonging: &BTreeSet<u64>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let number = name
            .strip_prefix(PART)
            .and_then(|number| number.parse().ok());
        let is_left = number.is_some_and(|number| !belonging.contains(&number));
        if is_left || name.ends_with(UNFINISHED) {
            // Where the system does not remove open files, a later update does.
            let _ = fs::remove_file(entry.path());
        }
    }
}
