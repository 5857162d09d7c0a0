//! When files were last changed, by their commits.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::source::git::command::{entries, output};
use crate::source::git::{Repository, Result, path};
use crate::source::name::plain;

/// What begins the entry of a commit. No path begins with it: git writes paths below the root.
const COMMIT: &[u8] = b"//";

impl Repository {
    /// Returns when the last commit touched each of some files, in seconds since 1970. `files` are relative to `base`.
    /// Files that no commit has touched are left out. Git runs once for all files.
    ///
    /// # Errors
    ///
    /// [`GitError`](crate::source::git::GitError).
    pub fn dates(&self, files: &[PathBuf], base: &Path) -> Result<HashMap<PathBuf, i64>> {
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
            "--name-only",
            "--no-renames",
            // These would run programs that the configuration of the repository names.
            "--no-show-signature",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--no-decorate",
            "--no-notes",
            "--ignore-submodules",
            "--format=format://%ct",
            "HEAD",
            "--",
        ]);
        // A repository may be much larger than the scanned folder.
        log.arg(wanted_folder(self.top(), &wanted));
        let log = output(&mut log, "log")?;
        let mut dates = HashMap::new();
        let mut date = None;
        for entry in entries(&log) {
            // The first path of a commit follows its date in the next line.
            let name = match entry.strip_prefix(COMMIT) {
                Some(rest) => {
                    let end = rest.iter().position(|&byte| byte == b'\n');
                    let (seconds, name) = rest.split_at(end.unwrap_or(rest.len()));
                    let seconds = std::str::from_utf8(seconds).ok();
                    date = seconds.and_then(|seconds| seconds.parse::<i64>().ok());
                    name.strip_prefix(b"\n").unwrap_or(name)
                }
                None => entry,
            };
            // The log begins with the latest commit.
            if let (Some(date), Some(files)) = (date, wanted.remove(&self.top().join(path(name)))) {
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
