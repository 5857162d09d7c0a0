//! `dupfind scan --watch`: the output after each change, until Ctrl-C.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::env::{BREAD, Env, PARK, PARK_EDITED};

/// A run that watches.
struct Watch {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Watch {
    fn new(env: &Env, args: &[&str]) -> Self {
        let mut command = env.std_command(&[&["scan", "--watch"], args].concat());
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    /// Returns the output of the next scan, without the command that goes on.
    fn next(&mut self) -> String {
        let mut text = String::new();
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).unwrap();
            assert!(read > 0, "it has ended: {text}");
            if !line.starts_with("Next: ") {
                text.push_str(&line);
            }
            if line.contains(" compared") {
                return text;
            }
        }
    }

    /// Interrupts the run. Returns its exit status and its messages.
    fn interrupt(mut self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
        let code = self.child.wait().unwrap().code();
        (code, self.messages())
    }

    fn messages(&mut self) -> String {
        let mut messages = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut messages).unwrap();
        messages
    }
}

#[test]
fn each_change_of_the_list_is_printed_once() {
    let env = Env::new().file("docs/a.md", PARK).file("docs/b.md", BREAD);
    let mut watch = Watch::new(&env, &["docs"]);
    let none = "2 documents compared: no near-duplicates\n";
    assert_eq!(watch.next(), none);
    // Somebody copies a page.
    env.write("docs/copy.md", PARK_EDITED);
    let text = watch.next();
    assert!(
        text.starts_with("New\n    ") && text.contains("% of "),
        "{text}"
    );
    assert!(
        text.contains("\n    docs/a.md\n    docs/copy.md\n"),
        "{text}"
    );
    assert!(
        text.ends_with("3 documents compared: 1 pair (1 near), 2 documents in 1 cluster\n"),
        "{text}"
    );
    // A page that is like no other one changes nothing in the list.
    env.write(
        "docs/c.md",
        "One two three four five six seven eight nine ten eleven twelve.",
    );
    // The copy becomes an exact one.
    env.write("docs/copy.md", PARK);
    let text = watch.next();
    assert!(
        text.starts_with("Changed\n    2 copies of one text\n"),
        "{text}"
    );
    // The page is written anew, and the copy is one no more.
    env.write("docs/copy.md", "Bring a lamp.");
    let text = watch.next();
    assert!(
        text.starts_with("Gone\n    2 copies of one text\n"),
        "{text}"
    );
    assert!(
        text.ends_with("4 documents compared: no near-duplicates\n"),
        "{text}"
    );
    env.write("docs/copy.md", PARK);
    assert!(watch.next().starts_with("New\n    2 copies of one text\n"));
    fs::remove_file(env.path("docs/copy.md")).unwrap();
    let text = watch.next();
    assert!(
        text.starts_with("Gone\n    2 copies of one text\n"),
        "{text}"
    );
    assert!(
        text.ends_with("3 documents compared: no near-duplicates\n"),
        "{text}"
    );
    let (code, messages) = watch.interrupt();
    assert_eq!(code, Some(130), "{messages}");
    assert_eq!(
        messages,
        "dupfind: the documents are watched; Ctrl-C ends it\n"
    );
    assert!(!env.path("docs/.dupfind").exists());
}

#[test]
fn accepted_pairs_and_ignore_files_count_as_they_are_now() {
    let env = Env::new()
        .file("docs/a.md", PARK)
        .file("docs/b.md", PARK)
        .file("docs/bread.md", BREAD)
        .file("docs/loaf.md", BREAD);
    let accept = |one: &str, other: &str| {
        let args = ["accept", one, other, "docs", "-q", "--reason", "two sites"];
        env.run(&args).ok();
    };
    accept("docs/bread.md", "docs/loaf.md");
    let args = ["docs", "--baseline", ".dupfind-baseline"];
    let mut watch = Watch::new(&env, &args);
    assert!(watch.next().starts_with("1.  2 copies of one text\n"));
    let accept = env.run(&[
        "accept",
        "docs/a.md",
        "docs/b.md",
        "docs",
        "--reason",
        "two sites",
    ]);
    assert_eq!(accept.code, Some(0), "{}", accept.stderr);
    let text = watch.next();
    assert!(
        text.starts_with("Gone\n    2 copies of one text\n"),
        "{text}"
    );
    env.write("docs/c.md", PARK);
    let text = watch.next();
    assert!(
        text.starts_with("New\n    ") && text.contains("    docs/c.md"),
        "{text}"
    );
    env.write("docs/.ignore", "c.md\n");
    let text = watch.next();
    assert!(text.starts_with("Gone\n    "), "{text}");
    watch.interrupt();
}

#[test]
fn unreadable_files_are_reported_and_the_rest_is_watched_on() {
    let env = Env::new()
        .file("a.md", PARK)
        .file("b.md", PARK)
        .file("c.md", BREAD);
    let mut watch = Watch::new(&env, &["a.md", "b.md", "c.md", "--index", "site.dupidx"]);
    assert!(watch.next().starts_with("1.  2 copies of one text\n"));
    fs::remove_file(env.path("b.md")).unwrap();
    let text = watch.next();
    assert!(
        text.starts_with("Gone\n    2 copies of one text\n"),
        "{text}"
    );
    env.write("c.md", PARK_EDITED);
    assert!(watch.next().starts_with("New\n"));
    env.write("b.md", PARK);
    assert!(watch.next().starts_with("Changed\n"));
    let (code, messages) = watch.interrupt();
    assert_eq!(code, Some(130));
    assert!(
        messages.contains("dupfind: error: b.md: not found\n"),
        "{messages}"
    );
}

#[test]
fn its_own_output_in_the_folder_is_not_followed_by_another_one() {
    let env = Env::new().file("a.md", PARK).file("b.md", PARK);
    let place = env.path("list.txt");
    let mut command = env.std_command(&["scan", "--watch", "."]);
    let list = fs::File::create(&place).unwrap();
    let mut child = command.stdout(list).stderr(Stdio::null()).spawn().unwrap();
    let wait_for = |text: &str| {
        while !fs::read_to_string(&place).unwrap().contains(text) {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    wait_for("compared");
    env.write("b.md", BREAD);
    wait_for("Gone");
    env.write("b.md", PARK);
    wait_for("New");
    child.kill().unwrap();
    child.wait().unwrap();
    let text = fs::read_to_string(&place).unwrap();
    assert_eq!(text.matches(" compared").count(), 3, "{text}");
}

#[test]
fn it_ends_when_nobody_reads_its_output() {
    let env = Env::new().file("a.md", PARK);
    let mut watch = Watch::new(&env, &["."]);
    watch.next();
    drop(watch.output);
    // Nothing has changed, and nothing is written.
    assert_eq!(watch.child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_needs_an_end_or_another_reader_is_refused() {
    let env = Env::new().file("a.md", PARK);
    for (args, expected) in [
        (
            &["--fail-on", "near"][..],
            "--watch and --fail-on: leave one of them out: it ends with Ctrl-C, and has no exit status for CI",
        ),
        (
            &["--format", "json"],
            "--watch prints what changes for people: for a report in json, run a scan without --watch",
        ),
        (
            &["-o", "x"],
            "--watch and --output: leave one of them out: it prints to standard output what changes in the list",
        ),
        (
            &["-"],
            "--watch and '-': leave one of them out: standard input cannot be read again",
        ),
        (
            &["--files-from", "-"],
            "--watch and '-': leave one of them out: standard input cannot be read again",
        ),
        (
            &["--baseline", "x", "--update-baseline"],
            "--watch and --update-baseline: leave one of them out: it would accept every new pair",
        ),
    ] {
        let run = env.run(&[&["scan", "--watch"], args].concat());
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {}", run.stderr);
    }
    // A configuration is for other runs, too.
    env.write("dupfind.toml", "fail-on = \"near\"\nformat = \"json\"\n");
    let mut watch = Watch::new(&env, &["."]);
    assert_eq!(watch.next(), "1 document compared: no near-duplicates\n");
    assert_eq!(watch.interrupt().0, Some(130));
}
