//! The files that changed since the current branch left a revision.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::source::git::command::{SUBMODULE, entries, output};
use crate::source::git::{BranchPoint, Repository, Result, path};

/// The files of a working tree that changed.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    files: HashSet<PathBuf>,
    /// Submodules with another commit, and folders that git does not know: everything in them.
    folders: HashSet<PathBuf>,
    /// Those of the files that were not there before, under any name.
    added: HashSet<PathBuf>,
    /// The names now of files that were renamed, by those before.
    renamed: HashMap<PathBuf, PathBuf>,
}

impl Repository {
    /// Returns the files that differ between a commit and the working tree, staged or not, and the untracked files,
    /// ignored or not. A file that was renamed changed, too: under its old name it may have been nothing that is compared.
    ///
    /// # Errors
    ///
    /// [`GitError`](crate::source::git::GitError).
    pub fn changes(&self, since: &BranchPoint) -> Result<Changes> {
        let mut changes = Changes::default();
        let raw = output(
            self.git().args([
                "diff",
                "--raw",
                "-z",
                "--no-abbrev",
                "--no-ext-diff",
                "--no-color",
                // A look into a submodule would run the programs that its configuration names.
                "--ignore-submodules=dirty",
                "--find-renames=50%",
                &since.commit,
                "--",
            ]),
            "diff",
        )?;
        let mut is_one_gone = false;
        let mut parts = entries(&raw);
        while let Some(about) = parts.next() {
            // `:MODE MODE BLOB BLOB STATUS`, then the path; for a rename the old one and the new one.
            let fields: Vec<&[u8]> = about.split(|&byte| byte == b' ').collect();
            let (&[_, mode, old, new, status], Some(name)) = (fields.as_slice(), parts.next())
            else {
                break;
            };
            match status.first() {
                Some(b'R') => {
                    let new = parts.next().map(|name| self.top.join(path(name)));
                    if let Some(new) = new {
                        changes.files.insert(new.clone());
                        changes.renamed.insert(self.top.join(path(name)), new);
                    }
                }
                Some(b'D') => is_one_gone = true,
                Some(b'A') if mode != SUBMODULE => {
                    let file = self.top.join(path(name));
                    changes.added.insert(file.clone());
                    changes.files.insert(file);
                }
                _ if mode == SUBMODULE => drop(changes.folders.insert(self.top.join(path(name)))),
                // Another mode, the same content.
                _ if old == new => {}
                _ => drop(changes.files.insert(self.top.join(path(name)))),
            }
        }
        // Ignored files count, too: a scan reads them only if somebody asks for it.
        let others = ["ls-files", "--others", "--directory", "-z"];
        let others = output(self.git().args(others), "ls-files")?;
        let (folders, files): (Vec<&[u8]>, Vec<&[u8]>) =
            entries(&others).partition(|name| name.ends_with(b"/"));
        let folders = folders.into_iter().map(|name| self.top.join(path(name)));
        changes.folders.extend(folders);
        for name in files {
            let file = self.top.join(path(name));
            changes.added.insert(file.clone());
            changes.files.insert(file);
        }
        if is_one_gone {
            // An added file may be the one that is gone.
            changes.added.clear();
        }
        Ok(changes)
    }
}

impl Changes {
    /// Returns whether each of some files changed, which are relative to `base`. A file that git does not know, such as a
    /// file outside of the working tree, did not.
    pub fn have(&self, files: &[PathBuf], base: &Path) -> Vec<bool> {
        of_each(files, base, |file| self.has(file))
    }

    /// Returns whether each of some files, which are relative to `base`, was not there before, under any name. A file for
    /// which that is not known was there.
    pub fn added(&self, files: &[PathBuf], base: &Path) -> Vec<bool> {
        of_each(files, base, |file| self.added.contains(file))
    }

    /// Returns the name that a file has now, if it was renamed. Both paths are absolute, without links.
    pub fn renamed(&self, before: &Path) -> Option<&Path> {
        self.renamed.get(before).map(PathBuf::as_path)
    }

    /// Returns the files that were renamed: their names before and now, as absolute paths without links.
    pub fn renames(&self) -> impl Iterator<Item = (&Path, &Path)> {
        let renamed = self.renamed.iter();
        renamed.map(|(before, now)| (before.as_path(), now.as_path()))
    }

    /// Returns whether a file changed. Its path has no links.
    fn has(&self, file: &Path) -> bool {
        let is_within = |folder: &Path| self.folders.contains(folder);
        self.files.contains(file) || !self.folders.is_empty() && file.ancestors().any(is_within)
    }
}

/// Returns whether each of some files, which are relative to `base`, or the target of a link among them, is wanted. The
/// folders of the paths that `is_wanted` gets have no links.
fn of_each(files: &[PathBuf], base: &Path, is_wanted: impl Fn(&Path) -> bool) -> Vec<bool> {
    // Many files are in one folder.
    let mut folders: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
    let mut has = |file: &PathBuf| {
        let file = base.join(file);
        let folder = file.parent()?.to_owned();
        let folder = folders
            .entry(folder)
            .or_insert_with_key(|folder| fs::canonicalize(folder).ok());
        let own = folder.as_ref()?.join(file.file_name()?);
        // A link changes with its target.
        let is_link = || fs::symlink_metadata(&own).is_ok_and(|own| own.is_symlink());
        let has = |file: PathBuf| is_wanted(&file);
        Some(is_wanted(&own) || is_link() && fs::canonicalize(&own).is_ok_and(has))
    };
    files
        .iter()
        .map(|file| has(file).unwrap_or(false))
        .collect()
}
