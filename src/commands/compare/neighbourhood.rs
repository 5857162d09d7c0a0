//! The documents around the two that are compared. Rare text among them decides the relation of the two, as in
//! a scan.

use std::fs;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Result;
use dupfind_read::source::walk::HOME;
use dupfind_read::{file_of, root_around, walk};
use dupfind_scan::ScanOptions;

use crate::commands::compare::args::CompareArgs;

/// How many files are read at most.
const MAX_FILES: usize = 5_000;

/// How many bytes of text these files may have. They are read and compared in a few seconds.
const MAX_BYTES: u64 = 64 << 20;

/// How many bytes of a file are read to see whether it is text.
const HEAD: u64 = 8 << 10;

/// Returns the scan of the folder that the two documents are in ([`folder`]). Returns none if there is none, if one of the
/// documents is not in it, or if it has too much text to be read for two documents. `scan` makes the options of a scan of some
/// paths.
///
/// # Errors
///
/// Those of `scan`.
pub(crate) fn around(
    args: &CompareArgs,
    scan: impl FnOnce(Vec<PathBuf>) -> Result<ScanOptions>,
) -> Result<Option<ScanOptions>> {
    let Some(folder) = folder(args) else {
        return Ok(None);
    };
    let options = scan(vec![folder])?;
    let (max, pre) = (options.read.max_filesize, options.read.pre.as_ref());
    let Ok(found) = walk(&options.walk, max, pre) else {
        return Ok(None);
    };
    let files = || found.entries.iter().map(|entry| entry.path.as_path());
    let fits = files().count() <= MAX_FILES && {
        let sizes = files().filter_map(|path| Some((path, fs::metadata(path).ok()?.len())));
        let texts = sizes.filter(|&(path, size)| size <= max && is_text(path));
        texts.map(|(_, size)| size).sum::<u64>() <= MAX_BYTES
    };
    Ok(fits.then_some(options))
}

/// Returns whether a file has no NUL byte at its beginning, as images have.
fn is_text(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && !head.contains(&0)
}

/// Returns the folder of the configuration that was found, or else the nearest one with an index beside the documents, or else the
/// repository of the two documents, if both are in it.
fn folder(args: &CompareArgs) -> Option<PathBuf> {
    let [a, b] = [&args.a, &args.b].map(|path| fs::canonicalize(file_of(path)));
    let (a, b) = (a.ok()?, b.ok()?);
    let folder = match &args.config.used {
        Some(used) => fs::canonicalize(&used.folder).ok()?,
        None => {
            let indexed = a.ancestors().find(|folder| folder.join(HOME).is_dir());
            indexed.or_else(|| root_around(a.parent()?))?.to_owned()
        }
    };
    (a.starts_with(&folder) && b.starts_with(&folder)).then_some(folder)
}
