//! The history and the files of a repository, from git.
//!
//! The program git is run, since only it reads every repository: worktrees, partial and shallow clones, filters, all
//! formats of index and references. It is called without a shell, words of the user are never options, and names come
//! separated by NUL. It runs no program that the configuration of a repository names, and fetches nothing: a repository
//! may come from anywhere.

mod changes;
mod command;
mod dates;
mod export;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::source::git::command::{complaint, filters_off, git, output, run};
use crate::source::name::path_of_bytes as path;

pub use changes::Changes;
pub use dates::CommitOf;

/// Why git could not answer. The message has a remedy.
#[derive(Debug, thiserror::Error)]
#[error("{words}")]
pub struct GitError {
    words: String,
    /// Whether git cannot be run, or knows no repository around the folder.
    pub is_without_repository: bool,
    /// The message of the operating system, if it refused something.
    source: Option<io::Error>,
}

impl GitError {
    fn new(words: String) -> Self {
        Self {
            words,
            is_without_repository: false,
            source: None,
        }
    }

    /// Returns the error of a program that could not be run.
    fn program(source: io::Error) -> Self {
        Self {
            words: "cannot run git, which must be installed and found on the PATH".into(),
            is_without_repository: true,
            source: Some(source),
        }
    }
}

/// Returns the nearest folder from this one upwards that is the root of a repository, without asking git.
pub fn root_around(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|above| above.join(".git").exists())
}

type Result<T> = std::result::Result<T, GitError>;

/// A git repository with a working tree.
#[derive(Debug)]
pub struct Repository {
    top: PathBuf,
    /// Words of a command that switch off the filters that the repository defines.
    filters_off: Vec<OsString>,
}

/// The commit where the current branch left a revision; before the first commit a tree without a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchPoint {
    /// The name of the commit or the tree.
    commit: String,
}

impl Repository {
    /// Returns the repository that all paths lie in. They are relative to `base`. Paths that do not exist are ignored;
    /// if none exists, it is the repository of `base`.
    ///
    /// # Errors
    ///
    /// [`GitError`].
    pub fn of(paths: &[PathBuf], base: &Path) -> Result<Self> {
        let there = |path: &PathBuf| {
            let full = fs::canonicalize(base.join(path)).ok()?;
            let folder = if full.is_dir() {
                full.as_path()
            } else {
                full.parent()?
            };
            Some((path.clone(), folder.to_owned()))
        };
        let mut folders = paths.iter().filter_map(there).peekable();
        let first = folders.peek().map_or(base, |(_, folder)| folder);
        let asked = run(git(first).args(["rev-parse", "--show-toplevel"]))?;
        if !asked.status.success() || asked.stdout.len() < 2 {
            let (folder, complaint) = (first.display(), complaint(&asked));
            return Err(GitError {
                is_without_repository: true,
                ..GitError::new(format!(
                    "git gives no working tree for {folder}; it said '{complaint}'"
                ))
            });
        }
        let top = path(asked.stdout.strip_suffix(b"\n").unwrap_or(&asked.stdout));
        let top = fs::canonicalize(&top).unwrap_or(top);
        for (path, folder) in folders {
            if root_around(&folder) != Some(&*top) {
                return Err(GitError::new(format!(
                    "{} is not in the git working tree {}: name paths of one repository",
                    path.display(),
                    top.display()
                )));
            }
        }
        let filters_off = filters_off(&top)?;
        Ok(Self { top, filters_off })
    }

    /// The root of the working tree, without links.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Returns the commit where the current branch left a revision: their best common ancestor.
    ///
    /// # Errors
    ///
    /// [`GitError`]. There is no such revision, or no way to it: the message has the command that fetches it.
    pub fn branch_point(&self, reference: &str) -> Result<BranchPoint> {
        if reference == "HEAD" && self.has_no_commit() {
            // The tree without a file.
            let named = output(
                self.git().args(["hash-object", "-t", "tree", "--stdin"]),
                "hash-object",
            )?;
            let commit = String::from_utf8_lossy(&named).trim().to_owned();
            return Ok(BranchPoint { commit });
        }
        let commit = self.commit(reference)?;
        let based = run(self.git().args(["merge-base", &commit, "HEAD"]))?;
        let base = String::from_utf8_lossy(&based.stdout).trim().to_owned();
        if based.status.success() && !base.is_empty() {
            return Ok(BranchPoint { commit: base });
        }
        Err(GitError::new(match self.is_shallow() {
            true => format!(
                "this clone is shallow and does not reach back to where the branch left {reference}: {}",
                self.fetch(reference, true)
            ),
            false => format!("the branch and {reference} have no commit in common"),
        }))
    }

    /// Returns whether the current branch waits for its first commit.
    fn has_no_commit(&self) -> bool {
        let asked = |words: &[&str]| {
            let asked = run(self.git().args(words));
            asked.is_ok_and(|asked| asked.status.success())
        };
        asked(&["symbolic-ref", "--quiet", "HEAD"])
            && !asked(&["rev-parse", "--verify", "--quiet", "HEAD"])
    }

    /// Returns whether there is a remote that a revision may be fetched from.
    fn has_origin(&self) -> bool {
        let asked = run(self.git().args(["remote", "get-url", "origin"]));
        asked.is_ok_and(|asked| asked.status.success())
    }

    /// Returns the command that gets a revision and its history from the remote. `is_known` is whether only the history is missing.
    fn fetch(&self, reference: &str, is_known: bool) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        let shallow = self.is_shallow();
        let fetch = match shallow {
            true => "git fetch --unshallow origin",
            false => "git fetch origin",
        };
        let is_commit = reference.len() >= 7 && reference.chars().all(|c| c.is_ascii_hexdigit());
        let branch = reference.strip_prefix("origin/");
        let name = branch.unwrap_or(reference);
        let (command, place) = match branch {
            None if is_commit => (format!("{fetch} {reference}"), String::new()),
            None if is_known => (fetch.to_owned(), String::new()),
            _ if name.chars().all(is_plain) => (
                format!("{fetch} {name}:refs/remotes/origin/{name}"),
                match branch {
                    Some(_) => String::new(),
                    // A clone of one branch has no other, and a fetch makes no branch of its own.
                    None => format!(" as origin/{name}"),
                },
            ),
            _ => (fetch.to_owned(), String::new()),
        };
        match shallow {
            true => {
                format!(
                    "'{command}' gets it{place}, and so does fetch-depth: 0 of actions/checkout"
                )
            }
            false => format!("'{command}' gets it{place}"),
        }
    }

    /// Returns the name of the commit of a revision.
    fn commit(&self, reference: &str) -> Result<String> {
        let unknown =
            |hint: &str| GitError::new(format!("git knows no revision '{reference}': {hint}"));
        if reference.is_empty() || reference.starts_with('-') || reference.contains('\0') {
            let hint = "expected a branch, a tag or a commit, such as origin/main, v1.2 or HEAD~1";
            return Err(unknown(hint));
        }
        let resolve = |name: &str| {
            let name = format!("{name}^{{commit}}");
            let asked = run(self.git().args(["rev-parse", "--verify", "--quiet", &name]))?;
            let commit = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
            Ok(Some(commit).filter(|commit| asked.status.success() && !commit.is_empty()))
        };
        if let Some(commit) = resolve(reference)? {
            return Ok(commit);
        }
        let remote = format!("origin/{reference}");
        if resolve(&remote)?.is_some() {
            return Err(unknown(&format!("did you mean {remote}?")));
        }
        match self.has_origin() {
            true => Err(unknown(&self.fetch(reference, false))),
            false => Err(unknown(
                "'git branch --all' and 'git tag' list what it knows",
            )),
        }
    }

    /// Returns the last commit that changed a file; none if git does not know the file, or if the clone is too shallow to
    /// tell.
    ///
    /// # Errors
    ///
    /// [`GitError`].
    pub fn last_change(&self, file: &Path) -> Result<Option<String>> {
        let asked = run(self
            .git()
            .args(["log", "-1", "--format=%H %P", "--"])
            .arg(file))?;
        let line = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
        let mut commits = line.split(' ');
        let commit = commits.next().filter(|commit| !commit.is_empty());
        // The first commit of a shallow clone seems to add every file.
        let is_told = commits.next().is_some() || !self.is_shallow();
        Ok(commit.filter(|_| is_told).map(str::to_owned))
    }

    /// Returns the address of the remote that the repository was cloned from, and its usual branch; `None` if there is no
    /// such remote. The address may hold a password.
    pub fn remote(&self) -> Option<(String, String)> {
        let line = |words: &[&str]| {
            let asked = run(self.git().args(words)).ok()?;
            let line = String::from_utf8(asked.stdout).ok()?.trim().to_owned();
            (asked.status.success() && !line.is_empty()).then_some(line)
        };
        let remote = line(&["config", "--get", "remote.origin.url"])?;
        let usual = line(&["rev-parse", "--abbrev-ref", "origin/HEAD"]);
        let usual = usual.and_then(|usual| Some(usual.strip_prefix("origin/")?.to_owned()));
        let branch = usual.or_else(|| line(&["rev-parse", "--abbrev-ref", "HEAD"]));
        Some((remote, branch.unwrap_or_else(|| "HEAD".into())))
    }

    /// Returns whether the clone lacks a part of the history.
    pub fn is_shallow(&self) -> bool {
        let asked = run(self.git().args(["rev-parse", "--is-shallow-repository"]));
        asked.is_ok_and(|asked| asked.stdout.starts_with(b"true"))
    }

    /// Returns a command that runs git at the root of the working tree.
    fn git(&self) -> Command {
        let mut command = git(&self.top);
        command.args(&self.filters_off);
        command
    }
}
