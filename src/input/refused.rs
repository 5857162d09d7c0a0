//! Paths that a command refuses: links out of a repository, and outputs in the place of inputs.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use dupfind_read::{WalkOptions, identity, root_around, walk};
use dupfind_report::formats::is_report;
use dupfind_scan::ScanOptions;

use crate::process::runs_in_ci;
use crate::terminal::messages;

/// Refuses named paths that are links out of a repository, or warns of them. They are relative to the folder `cwd`.
///
/// The links of a repository may come from somebody else, such as the author of a pull request. So a run in CI refuses
/// a named path that a link leads out of its repository. Elsewhere it is a warning, as a linked folder may be meant.
///
/// # Errors
///
/// In CI, one of them leads out of its repository.
pub(crate) fn refuse_links(paths: &[PathBuf], cwd: &Path) -> Result<()> {
    let mut known = HashSet::new();
    for path in paths {
        let Some((link, target)) = leads_out(path, cwd, &mut known) else {
            continue;
        };
        let (link, target) = (link.display(), target.display());
        if runs_in_ci() {
            bail!(
                "{link} is a link out of its repository, to {target}: in CI it is not followed; where it is meant, \
                 name {target} itself"
            );
        }
        messages::warning(&format!(
            "{link} is a link out of its repository, to {target}"
        ));
    }
    Ok(())
}

/// Returns the first link on the way of a path that leads out of the repository that the link is in, as typed, and where it
/// leads. `known` are the parts of other paths, which are not looked at again.
fn leads_out(path: &Path, cwd: &Path, known: &mut HashSet<PathBuf>) -> Option<(PathBuf, PathBuf)> {
    let mut parts: Vec<&Path> = path.ancestors().collect();
    parts.reverse();
    parts.into_iter().find_map(|part| {
        let place = cwd.join(part);
        if !known.insert(place.clone()) || !fs::symlink_metadata(&place).ok()?.is_symlink() {
            return None;
        }
        let folder = fs::canonicalize(place.parent()?).ok()?;
        let repository = root_around(&folder)?;
        let target = fs::canonicalize(&place).ok()?;
        (!target.starts_with(repository)).then(|| (part.to_owned(), target))
    })
}

/// Refuses to replace a file that the user named as input. A file that is only found in a folder is left out
/// of the input instead: it is the report of an earlier run.
///
/// # Errors
///
/// The output is one of the paths.
pub(crate) fn refuse_overwriting(output: Option<&Path>, paths: &[PathBuf]) -> Result<()> {
    let Some(target) = output.and_then(|path| fs::canonicalize(path).ok()) else {
        return Ok(());
    };
    let is_target = |path: &&PathBuf| fs::canonicalize(path).is_ok_and(|path| path == target);
    match paths.iter().find(is_target) {
        Some(path) if target.is_file() => {
            let path = path.display();
            bail!("the report would replace {path}, which is to be read")
        }
        _ => Ok(()),
    }
}

/// Refuses to write a report over a file that would be compared if nothing were written to it. The report of an earlier
/// run may be replaced: it lies in the folder only because it was written there.
///
/// # Errors
///
/// The report would replace a document, or a glob cannot be read.
pub(crate) fn refuse_documents(options: &ScanOptions, targets: &[&Path]) -> Result<()> {
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
