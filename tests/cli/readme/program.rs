//! The output of the program.

use std::fs::File;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use tempfile::TempDir;

use super::page::root;

/// The words of a command, which single quotes may hold together, and the file on its standard input.
fn words(command: &str) -> (Vec<String>, Option<String>) {
    let (command, input) = match command.split_once(" < ") {
        Some((command, input)) => (command, Some(input.to_owned())),
        None => (command, None),
    };
    let mut words = Vec::new();
    for (number, part) in command.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    (words, input)
}

/// The place of the index that the guide asks. It is made anew for each run of the tests.
fn index() -> &'static str {
    static INDEX: LazyLock<(TempDir, String)> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index").to_str().unwrap().to_owned();
        (folder, path)
    });
    &INDEX.1
}

/// The locale of those who read English pages, and of those who read Chinese ones.
pub(crate) const ENGLISH: &str = "C";
pub(crate) const CHINESE: &str = "zh_CN.UTF-8";

/// The result of the program for arguments in one string: its status, output and errors.
fn ran(args: &str, locale: &str) -> (i32, String, String) {
    let (mut words, input) = words(args);
    // Nothing is written beside the fixtures.
    if words[0] == "query" {
        words.extend(["--index", index()].map(str::to_owned));
    }
    let input = input.map_or_else(Stdio::null, |file| {
        File::open(root().join(file)).unwrap().into()
    });
    let output = Command::new(crate::env::program())
        .args(words)
        .stdin(input)
        .current_dir(root())
        .env("COLUMNS", "100")
        .env("LC_ALL", locale)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// The output of the program for arguments in one string.
pub(crate) fn printed(args: &str) -> String {
    let (status, output, errors) = ran(args, ENGLISH);
    assert_eq!(status, 0, "dupfind {args}: {errors}");
    output
}

/// A block of commands with what they print now in a locale.
pub(crate) fn session(block: &str, locale: &str) -> String {
    let commands = block.lines().filter_map(|line| line.strip_prefix("$ "));
    let commands: Vec<&str> = commands.collect();
    let mut session = String::new();
    let mut status = 0;
    for (number, command) in commands.iter().enumerate() {
        session.push_str(&format!("$ {command}\n"));
        let output = if *command == "echo $?" {
            format!("{status}\n")
        } else {
            let args = command.strip_prefix("dupfind ").unwrap();
            let (ended, output, errors) = ran(args, locale);
            status = ended;
            if commands.get(number + 1) == Some(&"echo $?") {
                output + &timeless(&errors)
            } else {
                assert_eq!(ended, 0, "{command}: {errors}");
                output
            }
        };
        // Trailing spaces do not survive editors.
        for line in output.trim_end().lines() {
            session.push_str(line.trim_end());
            session.push('\n');
        }
    }
    session
}

/// Returns lines with no time in the verdict of a check, which is another one each time.
fn timeless(lines: &str) -> String {
    let timeless = |line: &str| match line.rsplit_once(' ') {
        Some((before, unit @ ("s" | "秒"))) => {
            let known = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            format!("{known}0.0 {unit}\n")
        }
        _ => format!("{line}\n"),
    };
    lines.lines().map(timeless).collect()
}
