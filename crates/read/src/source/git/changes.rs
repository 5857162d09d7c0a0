//! What changed since the current branch left a revision.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::format::Kind;
use crate::source::git::command::{SUBMODULE, entries, output};
use crate::source::git::{BranchPoint, Repository, Result, path};

/// A larger file of records is not compared line by line: git holds both versions in memory.
const MAX_COMPARED: u64 = 256 << 20;

/// The files of a working tree that changed.
#[derive(Debug, Default)]
pub struct Changes {
    files: HashMap<PathBuf, FileChanges>,
    /// Submodules with another commit, and repositories within that git does not know: everything in them.
    folders: HashSet<PathBuf>,
}

/// What changed in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChanges {
    /// Everything, as far as is known.
    All,
    /// Some lines: the first of each run of them, and how many.
    Lines(Vec<(u64, u64)>),
}

impl FileChanges {
    /// Whether the record that begins on a line changed. Line 0 represents the whole file.
    #[must_use]
    pub fn has(&self, line: u64) -> bool {
        match self {
            Self::All => true,
            Self::Lines(_) if line == 0 => true,
            Self::Lines(runs) => runs
                .iter()
                .any(|&(first, count)| line >= first && line - first < count),
        }
    }
}

impl Repository {
    /// Returns the files that differ between a commit and the working tree, staged or not, and the untracked files that
    /// are not ignored. A file that git knows to be only renamed did not change. Files of records are compared line by line.
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
                "--find-renames=100%",
                &since.commit,
                "--",
            ]),
            "diff",
        )?;
        let mut parts = entries(&raw);
        while let Some(about) = parts.next() {
            // `:MODE MODE BLOB BLOB STATUS`, then the path; for a rename the old one and the new one.
            let fields: Vec<&[u8]> = about.split(|&byte| byte == b' ').collect();
            let (&[_, mode, old, new, status], Some(name)) = (fields.as_slice(), parts.next())
            else {
                break;
            };
            match status.first() {
                Some(b'R') => drop(parts.next()),
                Some(b'D') => {}
                _ if mode == SUBMODULE => drop(changes.folders.insert(self.top.join(path(name)))),
                // Another mode, the same content.
                _ if old == new => {}
                Some(b'M') if Kind::of(&path(name)).is_by_line() => {
                    let file = self.top.join(path(name));
                    let lines = self.lines(since, &file)?;
                    changes.files.insert(file, lines);
                }
                _ => drop(
                    changes
                        .files
                        .insert(self.top.join(path(name)), FileChanges::All),
                ),
            }
        }
        let others = ["ls-files", "--others", "--exclude-standard", "-z"];
        let others = output(self.git().args(others), "ls-files")?;
        let (folders, files): (Vec<&[u8]>, Vec<&[u8]>) =
            entries(&others).partition(|name| name.ends_with(b"/"));
        let folders = folders.into_iter().map(|name| self.top.join(path(name)));
        changes.folders.extend(folders);
        for name in files {
            let file = self.top.join(path(name));
            changes.files.insert(file, FileChanges::All);
        }
        Ok(changes)
    }

    /// The lines of a file that are not as they were.
    fn lines(&self, since: &BranchPoint, file: &Path) -> Result<FileChanges> {
        if fs::metadata(file).is_ok_and(|metadata| metadata.len() > MAX_COMPARED) {
            return Ok(FileChanges::All);
        }
        let mut command = self.git();
        command.args([
            "diff",
            "--unified=0",
            "--inter-hunk-context=0",
            "--text",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--no-renames",
            &since.commit,
            "--",
        ]);
        let diff = output(command.arg(file), "diff")?;
        Ok(hunks(&diff).map_or(FileChanges::All, FileChanges::Lines))
    }
}

/// Returns the runs of new lines in a diff without context, from headings such as `@@ -1,2 +3,4 @@`, or nothing if a
/// heading cannot be parsed.
fn hunks(diff: &[u8]) -> Option<Vec<(u64, u64)>> {
    // Lines of the files begin with another character.
    let heads = diff
        .split(|&byte| byte == b'\n')
        .filter(|line| line.starts_with(b"@@ "));
    let run = |head: &[u8]| {
        let new = head.split(|&byte| byte == b' ').nth(2)?;
        let new = std::str::from_utf8(new).ok()?.strip_prefix('+')?;
        let (first, count) = new.split_once(',').unwrap_or((new, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    heads.map(run).collect()
}

impl Changes {
    /// Returns what changed in each of some files, which are relative to `base`. It is nothing for a file that did not
    /// change or that git does not know, such as a file outside of the working tree.
    #[must_use]
    pub fn of_files(&self, files: &[PathBuf], base: &Path) -> Vec<Option<&FileChanges>> {
        // Many files are in one folder.
        let mut folders: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
        let mut of_file = |file: &PathBuf| {
            let file = base.join(file);
            let folder = file.parent()?.to_owned();
            let folder = folders
                .entry(folder)
                .or_insert_with_key(|folder| fs::canonicalize(folder).ok());
            let own = folder.as_ref()?.join(file.file_name()?);
            // A link changes with what it leads to.
            self.of(&own).or_else(|| {
                let is_link =
                    fs::symlink_metadata(&own).is_ok_and(|metadata| metadata.is_symlink());
                self.of(&fs::canonicalize(&own).ok().filter(|_| is_link)?)
            })
        };
        files.iter().map(&mut of_file).collect()
    }

    /// Returns what changed in a file. Its path has no links.
    fn of(&self, file: &Path) -> Option<&FileChanges> {
        let is_within = |folder: &Path| self.folders.contains(folder);
        if !self.folders.is_empty() && file.ancestors().any(is_within) {
            return Some(&FileChanges::All);
        }
        self.files.get(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn runs_of_lines() {
        let diff = b"diff --git a/r b/r\n--- a/r\n+++ b/r\n@@ -1 +1,2 @@\n-@@ -9 +9 @@\n+x\n+y\n\
                     @@ -5,3 +6,0 @@ \xff\n-z\n@@ -9,0 +8 @@\n+z\n";
        let runs = hunks(diff).unwrap();
        assert_eq!(runs, [(1, 2), (6, 0), (8, 1)]);
        let changed = FileChanges::Lines(runs);
        let lines: Vec<u64> = (0..10).filter(|&line| changed.has(line)).collect();
        assert_eq!(lines, [0, 1, 2, 8]);
        assert_eq!(hunks(b"@@ what @@\n"), None);
        assert_eq!(hunks(b""), Some(Vec::new()));
    }

    proptest! {
        #[test]
        fn any_diff_is_understood_or_not(diff in "(@@ |-1|\\+|,|[0-9]{1,25}|\n| |\\PC){0,30}") {
            let _ = hunks(diff.as_bytes());
        }
    }
}
