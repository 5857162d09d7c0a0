//! One run of the program with an input, within bounds of time and memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use tempfile::TempDir;

/// A run that takes longer than this fails, in seconds.
const SECONDS: u64 = 60;

/// The memory of a run, in KiB of address space. It is some ten times what the largest inputs take.
const MEMORY: &str = "2000000";

/// The stack of the main thread, in KiB: that of a thread of Windows.
const STACK: &str = "1024";

/// The content that no run may show or change.
const SECRET: &str = "The combination of the safe is four eight fifteen sixteen and twenty three.";

/// A folder `site` to run in, with another one beside it that is none of its business.
pub(crate) struct Site {
    top: TempDir,
}

/// How a run ended, in words, if it ended as it should not.
pub(crate) type Fault = Option<String>;

impl Site {
    pub(crate) fn new() -> Self {
        let top = tempfile::tempdir().unwrap();
        for folder in ["site/docs", "outside", "temp"] {
            fs::create_dir_all(top.path().join(folder)).unwrap();
        }
        fs::write(top.path().join("outside/secret.md"), SECRET).unwrap();
        Self { top }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.top.path().join("site").join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Runs the program, and returns the fault: it crashed, took too long or too much memory, ended with a status that
    /// means nothing, wrote an invalid report, or reached out of its folder.
    pub(crate) fn run(&self, args: &[&str], stdin: &[u8], variables: &[(&str, &str)]) -> Fault {
        let mut command = assert_cmd::Command::new("sh");
        command
            .args([
                "-c",
                "{ ulimit -v \"$0\"; ulimit -s \"$1\"; } 2>/dev/null; shift; exec \"$@\"",
            ])
            .args([MEMORY, STACK])
            .arg(program())
            .args(args)
            .current_dir(self.path(""))
            .env_remove("CI")
            .env("TMPDIR", self.top.path().join("temp"))
            .env("HOME", self.top.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(variables.iter().copied())
            .write_stdin(stdin)
            .timeout(Duration::from_secs(SECONDS));
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => return Some(format!("does not run: {error}")),
        };
        let stderr = String::from_utf8_lossy(&output.stderr);
        let lines = stderr.lines().take(20).collect::<Vec<_>>().join("\n");
        let fault = |what: &str| Some(format!("{what}: {args:?}\n{lines}"));
        match output.status.code() {
            Some(0..=2) => {}
            Some(code) => return fault(&format!("exit status {code}")),
            None => return fault("ended by a signal, or too slow"),
        }
        if ["unexpected argument", "is now '", "no command"]
            .iter()
            .any(|words| stderr.contains(words))
        {
            return fault("the target is out of date");
        }
        if stderr.contains("panicked") || stderr.contains("memory allocation") {
            return fault("a panic");
        }
        if str::from_utf8(&output.stderr).is_err() || stderr.contains(['\u{1b}', '\u{202e}', '\0'])
        {
            return fault("messages act on a terminal");
        }
        let is_json = |line: &[u8]| serde_json::from_slice::<serde_json::Value>(line).is_ok();
        if args.contains(&"json") && !output.stdout.is_empty() && !is_json(&output.stdout) {
            return fault("standard output is no JSON");
        }
        let lines = |bytes| <[u8]>::split(bytes, |&byte| byte == b'\n');
        let is_new = |line: &&[u8]| !line.is_empty() && !lines(stdin).any(|came| came == *line);
        if args.contains(&"--stream")
            && let Some(line) = lines(&output.stdout).find(is_new)
        {
            return fault(&format!("a line did not come so: {}", line.escape_ascii()));
        }
        self.reached_out(&output.stdout)
            .and_then(|what| fault(&what))
    }

    /// Returns the fault if anything outside of the folder was read or changed.
    fn reached_out(&self, stdout: &[u8]) -> Option<String> {
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).unwrap();
            let mut names: Vec<String> = entries
                .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
                .collect();
            names.sort();
            names
        };
        let top = self.top.path();
        if names(top) != ["outside", "site", "temp"]
            || names(&top.join("outside")) != ["secret.md"]
            || fs::read_to_string(top.join("outside/secret.md")).unwrap() != SECRET
        {
            return Some("changed what is outside".into());
        }
        if !names(&top.join("temp")).is_empty() {
            return Some("left temporary files".into());
        }
        let text = String::from_utf8_lossy(stdout);
        text.contains("combination of the safe")
            .then(|| "shows what is outside".into())
    }

    /// Keeps the folder, and returns its path.
    pub(crate) fn keep(self) -> PathBuf {
        self.top.keep()
    }
}

/// Returns the words of a line of arguments.
pub(crate) fn words_of(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Returns the path of the program, see `tests/cli/env.rs`.
fn program() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| {
        let other = std::env::var("DUPFIND_TEST_PROGRAM");
        other.unwrap_or_else(|_| env!("CARGO_BIN_EXE_dupfind").to_owned())
    });
    &PROGRAM
}
