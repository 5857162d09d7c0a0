//! The documents around the two that are compared. Rare text among them decides the relation of the two, as in
//! a scan.

use std::fs;
use std::path::{Path, PathBuf};

use dupfind_read::ReadOptions;
use dupfind_read::named::file_of;
use dupfind_read::source::walk::{WalkOptions, walk};

use crate::commands::compare::args::CompareArgs;

/// How many files are read at most.
const MAX_FILES: usize = 5_000;

/// How many bytes these files may have. They are read in a second or two.
const MAX_BYTES: u64 = 64 << 20;

/// Returns the walk through the folder of the configuration that was found, or else through the repository of the two
/// documents. Returns none if there is neither, if one of the documents is not in it, or if it is too large to be read
/// for two documents.
pub(crate) fn around(args: &CompareArgs, base: &Path, read: &ReadOptions) -> Option<WalkOptions> {
    let [a, b] = [&args.a, &args.b].map(|path| fs::canonicalize(file_of(path)));
    let (a, b) = (a.ok()?, b.ok()?);
    let folder = match &args.config.used {
        Some(used) => fs::canonicalize(&used.folder).ok()?,
        None => repository(&a)?,
    };
    if !a.starts_with(&folder) || !b.starts_with(&folder) {
        return None;
    }
    let options = WalkOptions {
        outputs: args.output.output.iter().cloned().collect(),
        ..WalkOptions::new(vec![folder], base.to_owned())
    };
    let found = walk(&options, read.max_filesize, read.pre.as_ref()).ok()?;
    let bytes = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let all: u64 = found.entries.iter().map(|entry| bytes(&entry.path)).sum();
    (found.entries.len() <= MAX_FILES && all <= MAX_BYTES).then_some(options)
}

/// Returns the root of the repository that a file is in.
fn repository(file: &Path) -> Option<PathBuf> {
    let mut folders = file.ancestors().skip(1);
    let root = folders.find(|folder| folder.join(".git").exists());
    root.map(Path::to_owned)
}
