//! Writes files of a revision to a folder, as a checkout would.
//!
//! A separate index, in a temporary folder, holds the tree of the revision. From it `git checkout-index` writes the
//! wanted files as a checkout does (line ends, encodings, large files kept elsewhere), but without the filters that the
//! repository defines. The index of the repository and its working tree stay as they are.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use crate::source::git::command::{output, staged};
use crate::source::git::{BranchPoint, GitError, Repository, Result, path};
use crate::source::ignores::is_ignore_file;
use dupfind_files::write_new;

impl Repository {
    /// Writes the files that a commit has at and below `paths` to the folder `to`, with the ignore files that apply to
    /// them, and a `.git`, so that the folder counts as the root of a repository. The paths are relative to the root of
    /// the working tree. The folder `working` is for temporary files.
    ///
    /// # Errors
    ///
    /// [`GitError`].
    pub fn export(
        &self,
        from: &BranchPoint,
        paths: &[&Path],
        to: &Path,
        working: &Path,
    ) -> Result<()> {
        let failed = |path: &Path| {
            let words = format!("cannot write {}", path.display());
            move |source| GitError {
                source: Some(source),
                ..GitError::new(words)
            }
        };
        fs::create_dir_all(working).map_err(failed(working))?;
        let index = working.join("index");
        let indexed = |command: &mut Command| {
            // A sparse checkout leaves out files that the revision has.
            command.args(["-c", "core.sparseCheckout=false"]);
            command.env("GIT_INDEX_FILE", &index);
        };
        let mut read = self.git();
        indexed(&mut read);
        output(read.args(["read-tree", &from.commit]), "read-tree")?;
        let mut list = self.git();
        indexed(&mut list);
        let listed = output(list.args(["ls-files", "--stage", "-z"]), "ls-files")?;

        let names = working.join("names");
        let mut wanted = Vec::new();
        for (name, is_submodule) in staged(&listed) {
            if !is_submodule && is_wanted(&path(name), paths) {
                wanted.extend_from_slice(name);
                wanted.push(0);
            }
        }
        write_new(&names, &wanted).map_err(failed(&names))?;
        let list = File::open(&names).map_err(failed(&names))?;

        let marker = to.join(".git/info");
        fs::create_dir_all(&marker).map_err(failed(&marker))?;
        let mut prefix = std::ffi::OsString::from("--prefix=");
        prefix.push(to.as_os_str());
        prefix.push("/");
        let mut write = self.git();
        indexed(&mut write);
        write.args(["checkout-index", "-z", "--stdin", "--quiet", "--force"]);
        output(write.arg(prefix).stdin(list), "checkout-index")?;
        let exclude = self.top.join(".git/info/exclude");
        if exclude.is_file() {
            let copy = marker.join("exclude");
            let rules = fs::read(&exclude).map_err(failed(&exclude))?;
            write_new(&copy, &rules).map_err(failed(&copy))?;
        }
        Ok(())
    }
}

/// Whether a file is at or below one of the paths, or an ignore file in a folder above one.
fn is_wanted(file: &Path, paths: &[&Path]) -> bool {
    let folder = file.parent().unwrap_or(Path::new(""));
    let rules = is_ignore_file(file);
    paths
        .iter()
        .any(|path| file.starts_with(path) || (rules && path.starts_with(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wanted_files() {
        let paths = [Path::new("docs/en"), Path::new("a.md")];
        for (file, wanted) in [
            ("docs/en/x/a.md", true),
            ("docs/en/.gitignore", true),
            ("docs/.dupfindignore", true),
            (".gitignore", true),
            ("a.md", true),
            ("a.md/b", true),
            ("docs/english.md", false),
            ("docs/zh/.gitignore", false),
            ("b.md", false),
        ] {
            assert_eq!(is_wanted(Path::new(file), &paths), wanted, "{file}");
        }
        assert!(is_wanted(Path::new("any/a.md"), &[Path::new("")]));
    }
}
