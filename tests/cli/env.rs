//! A temporary folder to run the program in, what a run gave, and texts to fill files with.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use dupfind_report::FORMATS;
use tempfile::TempDir;

pub(crate) use crate::report::{Fingerprint, Pair, Report, lines, value};
pub(crate) use crate::table::table;

/// Returns the names of the formats of `scan`.
pub(crate) fn formats() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name)
}

/// Returns the names of those for a CI system.
pub(crate) fn formats_for_ci() -> impl Iterator<Item = &'static str> {
    let of_ci = FORMATS.iter().filter(|format| format.is_for_ci());
    of_ci.map(|format| format.name)
}

/// A document.
pub(crate) const PARK: &str = "\
The old river park opened to the public thirty years ago. On spring mornings runners circle the
lake while retired teachers practise tai chi under the willow trees.

Last year the city planted four hundred maples along the northern path and replaced every wooden
bench. Visitors now ask for longer hours in summer, and the council will vote on it in June.
";

/// [`PARK`], lightly edited.
pub(crate) const PARK_EDITED: &str = "\
The old river park opened to the public forty years ago. On spring mornings runners circle the
lake while retired teachers practise tai chi under the willow trees.

Last year the city planted five hundred maples along the northern path and replaced every wooden
bench. Visitors now ask for longer hours in summer, and the council will vote on it in June.
";

/// A document in Chinese.
pub(crate) const PARK_ZH: &str = "\
河边的老公园三十年前向市民开放。春天的早晨，跑步的人绕着湖边，退休的老师在柳树下打太极拳。

去年城市沿着北边的小路种了四百棵枫树，并更换了所有的木头长椅。游客希望夏天延长开放时间，市议会将在六月投票表决。
";

/// [`PARK_ZH`], lightly edited.
pub(crate) const PARK_ZH_EDITED: &str = "\
河边的老公园四十年前向市民开放。春天的早晨，跑步的人绕着湖边，退休的老师在柳树下打太极拳。

去年城市沿着北边的小路种了五百棵枫树，并更换了所有的木头长椅。游客希望夏天延长开放时间，市议会将在六月投票表决。
";

/// A document that has nothing to do with the others.
pub(crate) const BREAD: &str = "\
Knead flour, water and salt until the dough no longer sticks to your hands. Cover the bowl with a
damp cloth and wait until its volume has doubled.

Shape two loaves, dust them with rye, and bake for fifty minutes. A hollow sound means done.
";

/// Returns how much of a large input a test takes: a quarter, and all of it at night, when `DUPFIND_NIGHTLY` is set.
pub(crate) fn large(all: usize) -> usize {
    match std::env::var_os("DUPFIND_NIGHTLY") {
        Some(_) => all,
        None => all / 4,
    }
}

/// A record of a text, as a line of JSON Lines.
pub(crate) fn record(text: impl AsRef<str>) -> String {
    serde_json::json!({ "text": text.as_ref() }).to_string() + "\n"
}

/// A record of a text with the name that it has in reports.
pub(crate) fn named_record(id: impl serde::Serialize, text: impl AsRef<str>) -> String {
    serde_json::json!({ "id": id, "text": text.as_ref() }).to_string() + "\n"
}

/// Records of texts.
pub(crate) fn records(texts: &[impl AsRef<str>]) -> String {
    texts.iter().map(record).collect()
}

/// A run that lasts longer than this hangs. No test depends on the time otherwise.
const HANGS: Duration = Duration::from_secs(120);

/// Returns the path of the program: of the development build, or of `DUPFIND_TEST_PROGRAM` if that is set.
pub(crate) fn program() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| {
        let other = std::env::var("DUPFIND_TEST_PROGRAM");
        other.unwrap_or_else(|_| env!("CARGO_BIN_EXE_dupfind").to_owned())
    });
    &PROGRAM
}

/// Arguments of the program: a line of words as in a shell, the words themselves, or some of these in a row.
pub(crate) trait Args: std::fmt::Debug {
    /// Returns the words.
    fn words(&self) -> Vec<String>;
}

/// Words are divided by spaces. `'` around a word lets it have spaces, or nothing.
impl Args for str {
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut rest = self.trim_start();
        while !rest.is_empty() {
            let (word, after) = match rest.strip_prefix('\'') {
                Some(quoted) => quoted.split_once('\'').unwrap(),
                None => rest.split_once(' ').unwrap_or((rest, "")),
            };
            words.push(word.to_owned());
            rest = after.trim_start();
        }
        words
    }
}

impl Args for String {
    fn words(&self) -> Vec<String> {
        self.as_str().words()
    }
}

impl<S: AsRef<str> + std::fmt::Debug> Args for [S] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| word.as_ref().to_owned()).collect()
    }
}

impl<S: AsRef<str> + std::fmt::Debug, const N: usize> Args for [S; N] {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

impl<S: AsRef<str> + std::fmt::Debug> Args for Vec<S> {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

impl<A: Args + ?Sized> Args for &A {
    fn words(&self) -> Vec<String> {
        (*self).words()
    }
}

impl<A: Args, B: Args> Args for (A, B) {
    fn words(&self) -> Vec<String> {
        [self.0.words(), self.1.words()].concat()
    }
}

impl<A: Args, B: Args, C: Args> Args for (A, B, C) {
    fn words(&self) -> Vec<String> {
        [self.0.words(), self.1.words(), self.2.words()].concat()
    }
}

/// A temporary folder, outside of any repository, in which the program runs.
pub(crate) struct Env {
    _folder: TempDir,
    root: PathBuf,
}

impl Env {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Without links, as the program sees the current folder (macOS has one in the path).
        let root = fs::canonicalize(folder.path()).unwrap();
        let is_in_repository = root.ancestors().any(|folder| folder.join(".git").exists());
        assert!(!is_in_repository, "{root:?} is in a repository");
        Self {
            _folder: folder,
            root,
        }
    }

    /// A folder with copies of the documents above, as in `PARK: a.md docs/b.md; BREAD: c.md`.
    #[track_caller]
    pub(crate) fn of(files: &str) -> Self {
        let env = Self::new();
        for group in files.split("; ") {
            let (name, files) = group.split_once(": ").expect(group);
            let text = match name {
                "PARK" => PARK,
                "PARK_EDITED" => PARK_EDITED,
                "PARK_ZH" => PARK_ZH,
                "PARK_ZH_EDITED" => PARK_ZH_EDITED,
                "BREAD" => BREAD,
                _ => panic!("{name} is no document"),
            };
            files.split(' ').for_each(|file| env.write(file, text));
        }
        env
    }

    /// A folder with these files, each with its own name as the text.
    pub(crate) fn with(names: impl Args) -> Self {
        names.words().iter().fold(Self::new(), |env, name| {
            env.file(name, format!("the document of {name}"))
        })
    }

    /// Two copies, an edited one and an unrelated one, in English and in Chinese.
    pub(crate) fn parks() -> Self {
        let english = "BREAD: bread.md; PARK: en/copy.md en/park.md; PARK_EDITED: en/edited.md";
        let chinese = "PARK_ZH: zh/park.md; PARK_ZH_EDITED: zh/edited.md";
        Self::of(&format!("{english}; {chinese}")).file("zh/复制 copy.md", PARK_ZH)
    }

    /// Adds a file and the folders it is in.
    pub(crate) fn file(self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        self.write(name, content);
        self
    }

    /// Adds a folder and those it is in.
    pub(crate) fn folder(self, name: impl AsRef<Path>) -> Self {
        fs::create_dir_all(self.path(name)).unwrap();
        self
    }

    /// Adds a symbolic link to a target, which is relative to the link's folder.
    #[cfg(unix)]
    pub(crate) fn link(self, name: &str, target: impl AsRef<Path>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
        self
    }

    /// Adds a FIFO.
    #[cfg(unix)]
    pub(crate) fn fifo(self, name: &str) -> Self {
        let made = std::process::Command::new("mkfifo")
            .arg(self.path(name))
            .status();
        assert!(made.unwrap().success());
        self
    }

    /// Writes a file and creates the folders it is in.
    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The absolute path of a file or folder.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.join(name)
    }

    /// The absolute path of the folder itself.
    pub(crate) fn root(&self) -> &str {
        self.root.to_str().unwrap()
    }

    /// Everything directly in the folder, hidden ones included, sorted.
    pub(crate) fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.root)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }

    /// The program, about to run in the folder with nothing on standard input, and nothing in its
    /// environment that says how to colour, or in which language to speak.
    pub(crate) fn command(&self, args: impl Args) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::from_std(self.std_command(args));
        command.timeout(HANGS).write_stdin("");
        command
    }

    /// As [`Self::command`], to be spawned by hand.
    pub(crate) fn std_command(&self, args: impl Args) -> std::process::Command {
        self.prepared(std::process::Command::new(program()), args)
    }

    /// As [`Self::std_command`], under a limit that `ulimit` of a shell sets, as in `-f 16`.
    #[cfg(unix)]
    pub(crate) fn limited(&self, limit: &str, args: impl Args) -> std::process::Command {
        let mut shell = std::process::Command::new("sh");
        let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script, program()]);
        self.prepared(shell, args)
    }

    /// A command with more words, in the folder, with that environment.
    fn prepared(
        &self,
        mut command: std::process::Command,
        args: impl Args,
    ) -> std::process::Command {
        command.args(args.words()).current_dir(&self.root);
        let variables = "NO_COLOR CLICOLOR CLICOLOR_FORCE CI GITHUB_ACTIONS GITHUB_BASE_REF GITHUB_WORKSPACE \
                         GITHUB_STEP_SUMMARY CI_MERGE_REQUEST_DIFF_BASE_SHA CI_PROJECT_DIR";
        for variable in variables.split(' ') {
            command.env_remove(variable);
        }
        command.env("COLUMNS", "100").env("TERM", "xterm");
        command.env("LC_ALL", "C");
        command
    }

    /// As [`Self::std_command`], on a terminal made by `script` of util-linux.
    #[cfg(target_os = "linux")]
    pub(crate) fn on_terminal(&self, args: &str) -> std::process::Command {
        let program = program();
        let mut script = std::process::Command::new("script");
        script
            .args(["-qec", &format!("'{program}' {args}"), "/dev/null"])
            .current_dir(&self.root)
            .env("TERM", "xterm")
            .env("LC_ALL", "C")
            .env_remove("NO_COLOR")
            .stdin(std::process::Stdio::null());
        script
    }

    /// Runs the program in the folder.
    pub(crate) fn run(&self, args: impl Args) -> Run {
        Run::of(&mut self.command(args))
    }

    /// Runs the program in a subfolder.
    pub(crate) fn run_in(&self, folder: &str, args: impl Args) -> Run {
        Run::of(self.command(args).current_dir(self.path(folder)))
    }

    /// Runs the program with something on standard input.
    pub(crate) fn run_with(&self, stdin: impl Into<Vec<u8>>, args: impl Args) -> Run {
        Run::of(self.command(args).write_stdin(stdin))
    }

    /// As [`Self::run_with`], for a program that only looks whether something waits on standard input: it is written
    /// before the program starts.
    pub(crate) fn run_with_waiting(&self, stdin: &str, args: impl Args) -> Run {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(stdin.as_bytes()).unwrap();
        drop(writer);
        let mut command = self.std_command(args);
        Run::from(command.stdin(reader).output().unwrap())
    }

    /// Runs `scan --format json`.
    pub(crate) fn scan(&self, args: impl Args) -> Run {
        self.run(("scan --format json", args))
    }

    /// Scans the folder with these arguments, which say in what format.
    pub(crate) fn report(&self, args: impl Args) -> Run {
        self.run(("scan", args))
    }

    /// Runs `check`.
    pub(crate) fn check(&self, args: impl Args) -> Run {
        self.run(("check", args))
    }

    /// The report of `scan --format json` when all goes well.
    pub(crate) fn json(&self, args: impl Args) -> Report {
        Report::of(self.scan(args).ok())
    }

    /// The names of the documents that are compared when all goes well.
    pub(crate) fn names(&self, args: impl Args) -> Vec<String> {
        self.names_in(".", args)
    }

    /// The names of the documents that are compared when all goes well in a subfolder.
    pub(crate) fn names_in(&self, folder: &str, args: impl Args) -> Vec<String> {
        let list = self.run_in(folder, ("show --as fingerprint", &args));
        let documents: Vec<Fingerprint> = lines(list.ok());
        let names: Vec<String> = documents.into_iter().map(|d| d.path).collect();
        // `scan` must see the same documents; its report has only their number.
        let scan = self.run_in(folder, ("scan --format json", args));
        let report = Report::of(scan.ok());
        assert_eq!(report.summary.documents, names.len(), "{names:?}");
        names
    }

    /// The fingerprints of `dupfind show --as fingerprint` when all goes well.
    pub(crate) fn fingerprints(&self, args: impl Args) -> Vec<Fingerprint> {
        lines(self.run(("show --as fingerprint", args)).ok())
    }
}

/// What a text or a run says. A test that fails prints it whole.
pub(crate) trait Says {
    /// Returns the text.
    fn text(&self) -> &str;

    /// Asserts that these words are there.
    #[track_caller]
    fn says(&self, words: impl AsRef<str>) -> &Self {
        let (words, text) = (words.as_ref(), self.text());
        assert!(text.contains(words), "{words}: not in: {text}");
        self
    }

    /// Asserts that these words are not there.
    #[track_caller]
    fn omits(&self, words: impl AsRef<str>) -> &Self {
        let (words, text) = (words.as_ref(), self.text());
        assert!(!text.contains(words), "{words}: in: {text}");
        self
    }

    /// Asserts that it begins with these words.
    #[track_caller]
    fn begins(&self, words: impl AsRef<str>) -> &Self {
        let (words, text) = (words.as_ref(), self.text());
        assert!(text.starts_with(words), "{words}: not before: {text}");
        self
    }

    /// Asserts that it ends with these words.
    #[track_caller]
    fn ends(&self, words: impl AsRef<str>) -> &Self {
        let (words, text) = (words.as_ref(), self.text());
        assert!(text.ends_with(words), "{words}: not behind: {text}");
        self
    }
}

impl Says for str {
    fn text(&self) -> &str {
        self
    }
}

/// The output and status of a run of the program.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// None if a signal ended it, as happens to a run that hangs.
    pub(crate) code: Option<i32>,
}

impl Run {
    /// Runs a command to its end.
    pub(crate) fn of(command: &mut assert_cmd::Command) -> Self {
        Self::from(command.output().unwrap())
    }

    /// Asserts that it went well and had nothing to say but which files it wrote and the verdict of a check, and returns
    /// standard output.
    #[track_caller]
    pub(crate) fn ok(&self) -> &str {
        let said = self.stderr.lines().filter(|line| !is_expected(line));
        let said: Vec<&str> = said.collect();
        assert_eq!((self.code, said), (Some(0), Vec::new()), "{}", self.stdout);
        &self.stdout
    }

    /// Asserts that it went well, whatever it had to say, and returns standard output.
    #[track_caller]
    pub(crate) fn went_well(&self) -> &str {
        assert_eq!(self.code, Some(0), "{}{}", self.stdout, self.stderr);
        &self.stdout
    }

    /// Asserts that it went well with a warning that has these words, and returns standard output.
    #[track_caller]
    pub(crate) fn warns(&self, part: &str) -> &str {
        self.went_well();
        self.stderr.says(part);
        for line in self.stderr.lines().filter(|line| !is_expected(line)) {
            line.begins("dupfind: warning: ");
        }
        &self.stdout
    }

    /// Asserts that it ended with an error that has these words, and returns standard output: what
    /// could be done all the same.
    #[track_caller]
    pub(crate) fn complains(&self, part: &str) -> &str {
        assert_eq!(self.code, Some(2), "{}", self.stderr);
        self.stderr.says(part);
        &self.stdout
    }

    /// Asserts that it ran and failed as it was asked to, with one line that has these words, and returns
    /// standard output.
    #[track_caller]
    pub(crate) fn trips(&self, part: &str) -> &str {
        assert_eq!(self.code, Some(1), "{}", self.stderr);
        self.stderr.says(part);
        let failed = |line: &&str| line.starts_with("dupfind: failed: ");
        let found = self.stderr.lines().filter(failed).count();
        assert_eq!(found, 1, "{}", self.stderr);
        &self.stdout
    }

    /// Asserts that it could not be done at all, for a reason that has these words.
    #[track_caller]
    pub(crate) fn fails(&self, part: &str) {
        assert_eq!(self.complains(part), "");
    }
}

impl From<std::process::Output> for Run {
    fn from(output: std::process::Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        }
    }
}

/// What it says is on standard error.
impl Says for Run {
    fn text(&self) -> &str {
        &self.stderr
    }
}

/// Returns whether a line of standard error is about the content of a written file, or says that a check found nothing.
fn is_expected(line: &str) -> bool {
    let text = line.strip_prefix("dupfind: ").unwrap_or_default();
    text.split(' ').nth(1) == Some("has")
        || text.starts_with("No duplicates: ")
        || text.starts_with("No new duplicates: ")
}
