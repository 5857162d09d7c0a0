//! When files were last changed, and when they were made, by their commits.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::source::git::command::{entries, output};
use crate::source::git::{Repository, Result, path};
use crate::source::name::plain;

/// The beginning of the entry of a commit. No path begins with it: git writes paths below the root.
const COMMIT: &[u8] = b"//";

/// Which commit dates a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitOf {
    /// The last one that touched it.
    Change,
    /// The one that made it, under this name or another one.
    Making,
}

impl Repository {
    /// Returns the date of a commit for each of some files, in seconds since 1970. `files` are relative to `base`.
    /// Files that no commit has touched are left out. A file that was made before the history of a shallow clone begins
    /// is older than all others. Git runs once for all files.
    ///
    /// # Errors
    ///
    /// [`GitError`](crate::source::git::GitError).
    pub fn dates(
        &self,
        files: &[PathBuf],
        base: &Path,
        which: CommitOf,
    ) -> Result<HashMap<PathBuf, i64>> {
        let mut wanted: HashMap<PathBuf, Vec<&PathBuf>> = HashMap::new();
        for file in files {
            let place = plain(&base.join(file));
            // Without links in the folders, as the root is.
            let real = place
                .parent()
                .and_then(|folder| Some(folder.canonicalize().ok()?.join(place.file_name()?)));
            wanted.entry(real.unwrap_or(place)).or_default().push(file);
        }
        let mut log = self.git();
        log.args([
            "log",
            "-z",
            "--name-status",
            // These would run programs that the configuration of the repository names.
            "--no-show-signature",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--no-decorate",
            "--no-notes",
            "--ignore-submodules",
            "--format=format://%ct %P",
        ]);
        match which {
            // A repository may be much larger than the scanned folder.
            CommitOf::Change => {
                log.args(["--no-renames", "HEAD", "--"]);
                log.arg(wanted_folder(self.top(), &wanted))
            }
            // A file may come from any other folder.
            CommitOf::Making => log.args(["--find-renames", "--diff-filter=AR", "HEAD", "--"]),
        };
        let log = output(&mut log, "log")?;
        let is_shallow = self.is_shallow();
        let mut dates = HashMap::new();
        let mut date = None;
        let mut parts = entries(&log);
        // The log begins with the latest commit.
        while let Some(entry) = parts.next() {
            // The first status of a commit follows its date in the next line.
            let status = match entry.strip_prefix(COMMIT) {
                Some(rest) => {
                    let end = rest.iter().position(|&byte| byte == b'\n');
                    let (about, status) = rest.split_at(end.unwrap_or(rest.len()));
                    let about = String::from_utf8_lossy(about);
                    let (seconds, parents) = about.split_once(' ').unwrap_or((&about, ""));
                    date = match which {
                        CommitOf::Making if is_shallow && parents.is_empty() => Some(i64::MIN),
                        _ => seconds.parse::<i64>().ok(),
                    };
                    status.strip_prefix(b"\n").unwrap_or(status)
                }
                None => entry,
            };
            let Some(name) = (if status.is_empty() {
                None
            } else {
                parts.next()
            }) else {
                continue;
            };
            let place = self.top().join(path(name));
            if status.starts_with(b"R") {
                // The new name follows the old one.
                let new = parts.next().map(|name| self.top().join(path(name)));
                if let Some(files) = new.and_then(|new| wanted.remove(&new)) {
                    wanted.entry(place).or_default().extend(files);
                }
            } else if let (Some(date), Some(files)) = (date, wanted.remove(&place)) {
                dates.extend(files.into_iter().map(|file| (file.clone(), date)));
            }
        }
        Ok(dates)
    }
}

/// Returns the folder that has all files, in the form for git.
fn wanted_folder(top: &Path, wanted: &HashMap<PathBuf, Vec<&PathBuf>>) -> PathBuf {
    let mut folders = wanted.keys().filter_map(|file| file.parent());
    let first = folders.next().unwrap_or(top).to_owned();
    let shared = folders.fold(first, |shared, folder| {
        let both = shared.components().zip(folder.components());
        both.take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
    });
    match shared.strip_prefix(top) {
        Ok(below) if !below.as_os_str().is_empty() => below.to_owned(),
        _ => PathBuf::from("."),
    }
}
