//! A git repository of pages in a temporary folder, and programs that run in it.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::env::{Args, Run};

/// A page.
pub(crate) const KILN: &str = include_str!("../../../fixtures/corpus/en/kiln.txt");

/// A page that has nothing to do with it.
pub(crate) const LIGHTHOUSE: &str = include_str!("../../../fixtures/corpus/en/lighthouse.txt");

/// The folders of programs that every system has.
const SYSTEM: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// A folder with a repository `site`, and beside it what a CI service keeps outside of it.
pub(crate) struct Repository {
    _folder: TempDir,
    root: PathBuf,
}

impl Repository {
    /// Two different pages in `docs`, committed.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let repository = Self {
            _folder: folder,
            root,
        };
        for folder in ["site", "home", "temp", "bin"] {
            fs::create_dir(repository.beside(folder)).unwrap();
        }
        repository.git(["init", "--quiet", "--initial-branch=main"]);
        repository.page("docs/kiln.md", KILN);
        repository.page("docs/lighthouse.md", LIGHTHOUSE);
        repository.commit("Two pages");
        repository
    }

    /// The same with a copy of one page, which is not committed.
    pub(crate) fn with_copy() -> Self {
        let repository = Self::new();
        repository.page("docs/copy.md", KILN);
        repository
    }

    /// Writes a page.
    pub(crate) fn page(&self, name: &str, text: &str) {
        let path = self.beside("site").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Commits everything.
    pub(crate) fn commit(&self, message: &str) {
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--message", message]);
    }

    /// Runs git, which must succeed.
    pub(crate) fn git(&self, args: impl Args) {
        let ran = run(self.command("git").args(args.words()));
        assert_eq!(ran.code, Some(0), "git {args:?}: {ran:?}");
    }

    /// The path of something that is not in the repository.
    pub(crate) fn beside(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.join(name)
    }

    /// Puts a script into a folder of PATH.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.beside("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A program to run in the repository, with the programs of the system and of [`Self::program`] in
    /// PATH and an environment that the one of the test does not reach: git may run the tests from a hook.
    pub(crate) fn bare_command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.beside("site"))
            .env_clear()
            .env("PATH", self.path(None))
            .env("HOME", self.beside("home"))
            .env("RUNNER_TEMP", self.beside("temp"))
            .env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Writer");
            command.env(format!("GIT_{role}_EMAIL"), "writer@example.org");
        }
        command
    }

    /// The same with dupfind in PATH.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = self.bare_command(program);
        let folder = Path::new(crate::env::program()).parent().unwrap();
        command.env("PATH", self.path(Some(folder)));
        command
    }

    /// Returns PATH: the programs of the test, another folder, and the folders of the system. Those where somebody has
    /// installed dupfind are left out.
    fn path(&self, folder: Option<&Path>) -> OsString {
        let system = SYSTEM.map(PathBuf::from).into_iter();
        let system = system.filter(|folder| !folder.join("dupfind").exists());
        let folders = [self.beside("bin")].into_iter();
        let folders = folders.chain(folder.map(Path::to_owned)).chain(system);
        std::env::join_paths(folders).unwrap()
    }

    /// Runs a script as CI services do: it ends with the first command that fails. It must end with this status.
    #[track_caller]
    pub(crate) fn shell(&self, script: &str, status: i32) -> Run {
        let ran = run(self.command("bash").args(["-e", "-c", script]));
        assert_eq!(ran.code, Some(status), "{script}: {ran:?}");
        ran
    }
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Run {
    Run::from(command.output().unwrap())
}

/// The path of a file of this project.
pub(crate) fn of_project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}
