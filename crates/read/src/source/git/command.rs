//! How git is run.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::source::git::{GitError, Result};
use crate::source::name::path_of_bytes as path;
use crate::source::program::{Program, read_pipe};

/// Variables of the environment in which hooks and other git programs name their repository. They are removed: the
/// repository is always the one that the documents lie in. In a hook `GIT_DIR` can be relative to another folder, and
/// `GIT_INDEX_FILE` can be half made. Variables for reading a repository (objects in quarantine, configuration such as
/// `safe.directory`) stay.
const MISLEADING: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
];

/// The longest time of a command. A checkout of a very large repository takes minutes.
const PATIENCE: Duration = Duration::from_secs(600);

/// The configuration that `git lfs install --local` writes into a repository: the name of the filter, then a key and
/// its value with the characters before them.
const LFS: [(&[u8], &[u8], &[u8]); 6] = [
    (b"lfs", b".clean", b"\ngit-lfs clean -- %f"),
    (b"lfs", b".smudge", b"\ngit-lfs smudge -- %f"),
    (b"lfs", b".smudge", b"\ngit-lfs smudge --skip -- %f"),
    (b"lfs", b".process", b"\ngit-lfs filter-process"),
    (b"lfs", b".process", b"\ngit-lfs filter-process --skip"),
    (b"lfs", b".required", b"\ntrue"),
];

/// Returns a command that runs git in a folder. It asks nothing, changes nothing, fetches nothing, runs no hook and takes
/// paths literally, and its output does not depend on the configuration of the user.
pub(super) fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    for setting in [
        "core.quotePath=false",
        "core.fileMode=false",
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "diff.relative=false",
        "protocol.allow=never",
    ] {
        command.args(["-c", setting]);
    }
    for variable in MISLEADING {
        command.env_remove(variable);
    }
    command
        .env("LC_ALL", "C")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_LITERAL_PATHSPECS", "1")
        // A partial clone gets missing objects by the programs that its configuration names.
        .env("GIT_NO_LAZY_FETCH", "1")
        // No protocol at all. It outweighs the keys `protocol.NAME.allow` of the repository.
        .env("GIT_ALLOW_PROTOCOL", ":")
        .stdin(Stdio::null());
    command
}

/// Returns words of a command that switch off the filters that the configuration of a repository defines. Those that
/// the user or the system defines stay, and so does Git LFS.
///
/// # Errors
///
/// [`GitError`].
pub(super) fn filters_off(folder: &Path) -> Result<Vec<OsString>> {
    let mut list = git(folder);
    list.args(["config", "--list", "--show-scope", "-z"]);
    let list = output(&mut list, "config")?;
    let mut parts = entries(&list);
    let (mut all, mut own) = (BTreeSet::new(), BTreeSet::new());
    let mut has_programs = false;
    while let (Some(scope), Some(entry)) = (parts.next(), parts.next()) {
        // The key, and after a line break the value, if it has one.
        let end = entry.iter().position(|&byte| byte == b'\n');
        let (key, value) = entry.split_at(end.unwrap_or(entry.len()));
        let is_own = ![b"system".as_slice(), b"global", b"command"].contains(&scope);
        if let Some(filter) = key.strip_prefix(b"filter.") {
            let dot = filter.iter().rposition(|&byte| byte == b'.');
            let (name, variable) = filter.split_at(dot.unwrap_or(0));
            all.insert(name);
            if is_own && !LFS.contains(&(name, variable, value)) {
                own.insert(name);
            }
        } else if is_own {
            has_programs |= may_name_program(key);
        }
    }
    let mut words = Vec::new();
    for name in if has_programs { all } else { own } {
        if name.contains(&b'=') {
            let name = String::from_utf8_lossy(name).into_owned();
            return Err(GitError::new(format!(
                "the configuration of the repository defines a filter named '{name}', which cannot be switched off"
            )));
        }
        for setting in ["clean=", "smudge=", "process=", "required=false"] {
            let key = [b"filter.", name, b"."].concat();
            let mut word = path(&key).into_os_string();
            word.push(setting);
            words.extend(["-c".into(), word]);
        }
    }
    Ok(words)
}

/// Returns whether a key can name a program that a filter of the user runs: Git LFS does that to get files.
fn may_name_program(key: &[u8]) -> bool {
    let is_harmless = key == b"lfs.repositoryformatversion"
        || key.ends_with(b".access")
        || key.ends_with(b".locksverify");
    (key.starts_with(b"lfs.") && !is_harmless)
        || key.starts_with(b"credential.")
        || [b"core.sshcommand".as_slice(), b"core.askpass"].contains(&key)
}

/// Runs a command, whether it fails or not.
pub(super) fn run(command: &mut Command) -> Result<Output> {
    run_within(command, PATIENCE)
}

/// Runs a command, and ends it if it runs longer than `limit`.
fn run_within(command: &mut Command, limit: Duration) -> Result<Output> {
    let deadline = Instant::now() + limit;
    let left = || deadline.saturating_duration_since(Instant::now());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = Program::start(command).map_err(GitError::program)?;
    let stdout = read_pipe(program.child.stdout.take(), all_of).map_err(GitError::program)?;
    let stderr = read_pipe(program.child.stderr.take(), all_of).map_err(GitError::program)?;
    let slow = || GitError::new(format!("git did not end within {} s", limit.as_secs()));
    let stdout = stdout.recv_timeout(left()).map_err(|_| slow())?;
    let stderr = stderr.recv_timeout(left()).map_err(|_| slow())?;
    let status = program.end(left()).map_err(GitError::program)?;
    Ok(Output {
        status: status.ok_or_else(slow)?,
        stdout: stdout.map_err(GitError::program)?,
        stderr: stderr.map_err(GitError::program)?,
    })
}

fn all_of(mut pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Runs a command and returns its output.
pub(super) fn output(command: &mut Command, name: &str) -> Result<Vec<u8>> {
    let output = run(command)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let complaint = complaint(&output);
    let remedy = match complaint.contains("lazy fetching disabled") {
        true => {
            "; this clone lacks files: 'git fetch --refetch --no-filter origin' gets all of them"
        }
        false => "",
    };
    Err(GitError::new(format!(
        "git {name} failed: {complaint}{remedy}"
    )))
}

/// Returns the output of a command on standard error, as one line of at most 600 characters.
pub(super) fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(600).collect()
}

/// The entries of a list separated by NUL.
pub(super) fn entries(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|&byte| byte == 0)
        .filter(|entry| !entry.is_empty())
}

/// The mode of a submodule, whose files are another repository's.
pub(super) const SUBMODULE: &[u8] = b"160000";

/// Returns the names in the list of `git ls-files --stage -z`, each with whether it is a submodule.
pub(super) fn staged(list: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
    entries(list).filter_map(|entry| {
        // `MODE BLOB STAGE`, a tab, the path.
        let tab = entry.iter().position(|&byte| byte == b'\t')?;
        Some((&entry[tab + 1..], entry.starts_with(SUBMODULE)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_programs() {
        for (key, may) in [
            ("lfs.customtransfer.x.path", true),
            ("lfs.repositoryformatversion", false),
            ("lfs.https://example.org/info/lfs.access", false),
            ("credential.helper", true),
            ("core.sshcommand", true),
            ("core.bare", false),
        ] {
            assert_eq!(may_name_program(key.as_bytes()), may, "{key}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_hangs_is_ended_with_the_programs_that_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let late = folder.path().join("late");
        let mut command = Command::new("sh");
        let script = "(sleep 1; : > \"$0\") & sleep 60";
        let run = run_within(
            command.args(["-c", script]).arg(&late),
            Duration::from_millis(200),
        );
        assert!(run.unwrap_err().words.contains("did not end within"));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!late.exists());
    }
}
