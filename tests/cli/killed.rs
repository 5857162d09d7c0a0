//! Runs that are ended with `kill -9` at any moment, and two runs that write the same file.
//!
//! A file is the old one or the whole new one, whenever a run ends. `DUPFIND_KILLS` and `DUPFIND_WRITER_ROUNDS` are how
//! many kills and rounds there are in all.

use std::fs;
use std::io::Write;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::env::{Env, PARK, large};

/// The commands that write. Each writes `out/file`.
const COMMANDS: [&str; 15] = [
    "scan docs -o out/file",
    "scan docs -f json -o out/file",
    "scan docs -f jsonl -o out/file",
    "scan docs -f sarif -o out/file",
    "scan docs -f html=out/file",
    INDEX,
    "scan - -f json -o out/file",
    "check docs --since HEAD -f json -o out/file",
    BASELINE,
    "show docs -o out/file",
    "compare docs/0.md docs/1.md -f json -o out/file",
    "show docs/0.md -o out/file",
    "plan docs -o out/file",
    ACCEPT,
    "dedup r.jsonl -o out/file",
];

const INDEX: &str = "scan docs --index out/file";
const BASELINE: &str = "accept --all docs --baseline out/file";
const ACCEPT: &str = "accept docs/0.md docs/1.md --reason x --baseline out/file";

/// A folder in which one command is run again and again.
struct Site {
    env: Env,
    command: &'static str,
    /// The content of the file before a run and after it.
    contents: [Vec<u8>; 2],
    /// The time of a run.
    time: Duration,
}

impl Site {
    fn new(command: &'static str) -> Self {
        let env = Env::new().folder("out").folder("temp");
        for at in 0..large(40) {
            env.write(format!("docs/{at}.md"), format!("{PARK}{at} {PARK}"));
        }
        let record = |at| serde_json::json!({"text": format!("{PARK}{at}")}).to_string() + "\n";
        env.write(
            "r.jsonl",
            (0..large(400))
                .map(|at| record(at % large(200)))
                .collect::<String>(),
        );
        if command.contains("HEAD") {
            env.git("init --quiet");
            env.commit();
        }
        let mut site = Self {
            env,
            command,
            contents: Default::default(),
            time: Duration::ZERO,
        };
        let old = match command {
            BASELINE | ACCEPT => {
                let pages = "docs/2.md docs/3.md";
                let file = "--baseline out/file -q";
                site.env.run(("accept --all", pages, file));
                fs::read(site.file()).unwrap()
            }
            INDEX => {
                site.env.run("scan docs/2.md --index out/file -q").ok();
                fs::read(site.file()).unwrap()
            }
            _ => b"an old report\n".to_vec(),
        };
        fs::write(site.file(), &old).unwrap();
        let start = Instant::now();
        site.run_to_the_end();
        site.time = start.elapsed();
        // No run was killed: nothing is left but the file.
        let count = |folder| fs::read_dir(site.env.path(folder)).unwrap().count();
        assert_eq!([count("out"), count("temp")], [1, 0], "{command}");
        let new = fs::read(site.file()).unwrap();
        assert_ne!(old, new, "{command}");
        site.contents = [old, new];
        site
    }

    fn file(&self) -> std::path::PathBuf {
        self.env.path("out/file")
    }

    fn spawn(&self) -> Child {
        let args: Vec<&str> = self.command.split(' ').chain(["-q"]).collect();
        let args = match args[0] {
            // These have nothing to say.
            "compare" => &args[..args.len() - 1],
            _ => &args,
        };
        let mut command = self.env.std_command(args);
        command
            .env("TMPDIR", self.env.path("temp"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A run that is killed does not read to the end.
        thread::spawn(move || {
            for at in 0..200 {
                let text = format!("{at} {}", PARK.replace('\n', " "));
                let line = format!("{{\"id\":{at},\"text\":\"{text}\"}}\n");
                if stdin.write_all(line.as_bytes()).is_err() {
                    break;
                }
            }
        });
        child
    }

    /// Runs the command to its end.
    #[track_caller]
    fn run_to_the_end(&self) {
        let output = self.spawn().wait_with_output().unwrap();
        let found = output.status.code();
        assert_eq!(found, Some(0), "{}: {output:?}", self.command);
    }

    /// Checks that the file is one of the wanted ones.
    #[track_caller]
    fn is_one_of(&self, wanted: &[Vec<u8>]) {
        let found = fs::read(self.file()).unwrap();
        assert!(wanted.contains(&found));
    }

    /// Kills a run after a part of the time of a run, in thousandths.
    fn kill(&self, part: u32) {
        let [old, new] = &self.contents;
        fs::write(self.file(), old).unwrap();
        let mut child = self.spawn();
        thread::sleep(self.time * part / 1000);
        child.kill().unwrap();
        child.wait().unwrap();
        if self.command.contains("HEAD") {
            // git may go on for a moment.
            thread::sleep(Duration::from_millis(300));
        }
        self.is_one_of(&self.contents);
        self.run_to_the_end();
        self.is_one_of(std::slice::from_ref(new));
    }
}

/// Returns how many there are to be in all.
fn count(variable: &str, usual: usize) -> usize {
    let value = std::env::var(variable);
    value.map_or(usual, |value| value.parse().unwrap())
}

#[test]
fn a_killed_run_loses_nothing() {
    let kills = count("DUPFIND_KILLS", COMMANDS.len()).div_ceil(COMMANDS.len());
    for (at, command) in (0_u32..).zip(COMMANDS) {
        let site = Site::new(command);
        for kill in 0..u32::try_from(kills).unwrap() {
            // Moments that are spread over the run.
            site.kill((kill * 618 + at * 377 + 500) % 1000);
        }
    }
}

#[test]
fn of_two_writers_at_once_each_writes_a_whole_file() {
    let rounds = count("DUPFIND_WRITER_ROUNDS", 3);
    for (round, command) in (0..rounds).zip(COMMANDS.into_iter().cycle().skip(9)) {
        let site = Site::new(command);
        let [old, new] = &site.contents;
        fs::write(site.file(), old).unwrap();
        let both = [site.spawn(), site.spawn()];
        for child in both {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{round}: {output:?}");
        }
        site.is_one_of(std::slice::from_ref(new));
        site.run_to_the_end();
    }
}
