//! Refuses reports that would replace a document.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use dupfind_read::source::identity::identity;
use dupfind_read::source::walk::{WalkOptions, walk};
use dupfind_report::formats::machine::earlier::is_report;
use dupfind_scan::ScanOptions;

/// Refuses to write a report over a file that would be compared if nothing were written to it. The report of an earlier
/// run may be replaced: it lies in the folder only because it was written there.
///
/// # Errors
///
/// The report would replace a document, or a glob cannot be read.
pub(crate) fn refuse_documents<'p>(
    options: &ScanOptions,
    targets: impl Iterator<Item = &'p Path>,
) -> Result<()> {
    for typed in targets {
        let Ok(target) = fs::canonicalize(typed) else {
            continue;
        };
        // A file that cannot be read is no document either.
        let is_known = !target.is_file() || is_report(&target).unwrap_or(true);
        if !is_known && may_reach(&options.walk, &target) && reaches(options, &target)? {
            bail!(
                "the report would replace {}, which is one of the documents: write to another file, or leave this one \
                 out with --exclude",
                typed.display()
            );
        }
    }
    Ok(())
}

/// Whether a walk may come to a file; it is quick, and `true` may be wrong.
fn may_reach(walk: &WalkOptions, target: &Path) -> bool {
    let is_below =
        |path: &PathBuf| fs::canonicalize(path).is_ok_and(|path| target.starts_with(path));
    walk.follow || has_other_names(target) || walk.paths.iter().chain(&walk.against).any(is_below)
}

#[cfg(unix)]
fn has_other_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.nlink() > 1)
}

#[cfg(not(unix))]
fn has_other_names(_path: &Path) -> bool {
    false
}

/// Whether a walk that does not know of outputs comes to a file, by whatever name.
fn reaches(options: &ScanOptions, target: &Path) -> Result<bool> {
    let settings = WalkOptions {
        outputs: Vec::new(),
        ..options.walk.clone()
    };
    let reading = &options.read;
    let found = walk(&settings, reading.max_filesize, reading.pre.as_ref())?;
    let known = |path: &Path| Some(identity(path, &fs::metadata(path).ok()?));
    let wanted = known(target);
    Ok(found
        .entries
        .iter()
        .any(|entry| known(&entry.path) == wanted))
}
