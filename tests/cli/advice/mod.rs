//! The commands that the program prints for people to go on with. Each is run in a shell as it was printed, on a case like
//! its own, and no text is lost.

mod errors;
mod plans;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Says, program, records};

/// Returns the command behind `mark` in what a command line printed.
fn advised(printed: &str, mark: &str) -> Option<String> {
    let at = printed.rfind(mark)? + mark.len();
    printed[at..].lines().next().map(str::to_owned)
}

/// Runs a command line in a shell and returns its output, errors too.
fn follow(env: &Env, line: &str) -> String {
    let folder = env.path(".bin");
    if !folder.exists() {
        std::fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(Path::new(program()), folder.join("dupfind")).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let run = Command::new("sh")
        .args(["-c", &format!("{{ {line}\n}} 2>&1")])
        .env("PATH", path)
        .env("LC_ALL", "C")
        .current_dir(env.root())
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{line}: {printed}");
    printed
}

/// Follows `Next:` of a scan, and what a plan prints then. A plan that was looked at is carried out. Returns the commands.
fn follow_all(env: &Env, scan: &str) -> Vec<String> {
    let mut followed = Vec::new();
    let mut printed = follow(env, scan);
    let mut mark = "Next: ";
    while let Some(line) = advised(&printed, mark) {
        let before = texts(&env.path("."));
        printed = follow(env, &line);
        assert!(
            before.is_subset(&texts(&env.path("."))),
            "{line}: a text is gone"
        );
        mark = "look at it, then: ";
        followed.push(line);
    }
    if printed.contains("nothing was touched; --yes does it") {
        follow(env, &format!("{} --yes", followed[followed.len() - 1]));
    }
    followed
}

/// Returns the texts of all files of a folder, and of all records.
fn texts(folder: &Path) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap() == ".bin" {
            continue;
        }
        if path.is_dir() {
            texts.extend(self::texts(&path));
            continue;
        }
        let content = std::fs::read_to_string(&path).unwrap();
        match path.extension().is_some_and(|end| end == "jsonl") {
            true => texts.extend(content.lines().map(|line| {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                record["text"].as_str().unwrap_or_default().to_owned()
            })),
            false => drop(texts.insert(content)),
        }
    }
    texts
}

#[test]
fn no_page_goes_for_its_copy_in_another_version_or_language() {
    let mut env = Env::new();
    for version in ["v1", "v2"] {
        for (name, text) in [("a", PARK), ("bread", BREAD)] {
            env = env.file(format!("docs/{version}/{name}.md"), text);
        }
    }
    let printed = follow(&env, "dupfind scan docs");
    printed.says("2 versions (v1, v2); each is compared with itself (--across compares all)\n");
    assert_eq!(advised(&printed, "Next: "), None);
    // A copy within a version goes, and its copies in other versions stay.
    env = env.file("docs/v2/copy.md", PARK);
    let followed = follow_all(&env, "dupfind scan docs");
    assert_eq!(followed[0], "dupfind plan docs -o plan.jsonl");
    let is_there = |name: &str| env.path(name).exists();
    assert!(!is_there("docs/v2/copy.md"));
    for name in ["v1/a.md", "v1/bread.md", "v2/a.md", "v2/bread.md"] {
        assert!(is_there(&format!("docs/{name}")), "{name}");
    }
}

#[test]
fn without_copies_two_documents_are_compared() {
    let env = Env::new().file("a park.md", PARK).file("b.md", PARK_EDITED);
    let printed = follow(&env, "dupfind scan .");
    let line = advised(&printed, "Next: ").unwrap();
    assert_eq!(line, "dupfind compare 'a park.md' b.md .");
    follow(&env, &line).says("forty");
}

#[test]
fn a_comparison_is_among_the_paths_of_the_configuration() {
    let config = "paths = [\"docs\"]\nagainst = [\"notes\"]\n";
    let env =
        Env::of("PARK: docs/a.md other/c.md; PARK_EDITED: notes/b.md").file("dupfind.toml", config);
    let printed = follow(&env, "dupfind scan");
    let line = advised(&printed, "Next: ").unwrap();
    assert_eq!(line, "dupfind compare docs/a.md notes/b.md docs");
    follow(&env, &line);
    // As in a scan, the configuration of the first folder counts.
    let env = env.file("docs/dupfind.toml", "no-key = 1\n");
    env.run("compare other/c.md notes/b.md docs")
        .fails("docs/dupfind.toml:1: there is no key 'no-key'");
}

#[test]
fn records_are_written_without_their_copies() {
    let env = Env::new()
        .file("a.jsonl", records(&[PARK, BREAD, PARK]))
        .file("b.jsonl", records(&[PARK_EDITED, BREAD]));
    let before = texts(&env.path("."));
    let followed = follow_all(&env, "dupfind scan a.jsonl b.jsonl");
    assert_eq!(followed, ["dupfind dedup a.jsonl b.jsonl -o kept.jsonl"]);
    assert_eq!(env.read("kept.jsonl"), records(&[PARK, BREAD]));
    assert_eq!(before, texts(&env.path(".")));
    // What is there now stays as it is.
    let followed = follow_all(&env, "dupfind scan a.jsonl b.jsonl");
    assert_eq!(followed, ["dupfind dedup a.jsonl b.jsonl -o kept-2.jsonl"]);
}

#[test]
fn training_records_lose_those_of_the_test_set() {
    let holds = format!("{BREAD}\n{PARK}");
    let train = records(&[PARK, PARK_ZH, BREAD, &holds, PARK_EDITED, BREAD]);
    let env = Env::new()
        .file("train.jsonl", train)
        .file("test.jsonl", records(&[PARK, PARK]));
    let followed = follow_all(&env, "dupfind scan train.jsonl --against test.jsonl");
    let expected = ["dupfind dedup train.jsonl --against test.jsonl -o kept.jsonl"];
    assert_eq!(followed, expected);
    // Records that are like the test set go. The two records that are like each other stay.
    assert_eq!(env.read("kept.jsonl"), records(&[PARK_ZH, BREAD, BREAD]));
    assert_eq!(env.read("test.jsonl"), records(&[PARK, PARK]));
}

#[test]
fn what_came_through_a_pipe_is_not_named_again() {
    let env = Env::new()
        .file("a.md", PARK)
        .file("piped.jsonl", records(&[PARK]));
    for scan in [
        "dupfind scan a.md - < piped.jsonl",
        "dupfind scan - --against a.md < piped.jsonl",
    ] {
        let printed = follow(&env, scan);
        printed.says("2 documents compared: 1 pair");
        assert_eq!(advised(&printed, "Next: "), None, "{printed}");
    }
}

/// Runs a command line that ends with a status other than 0, and returns its output, errors too.
fn refused(env: &Env, line: &str) -> String {
    follow(env, &format!("! {line}"))
}

#[test]
fn options_that_the_summary_names_do_what_it_says() {
    let env = Env::of(
        "PARK: docs/v1/park.md; PARK_EDITED: docs/v2/park.md docs/v2/again.md; \
         BREAD: docs/v2/a.js docs/v2/b.js",
    );
    let printed = follow(&env, "dupfind scan docs");
    printed.says("1 pair (1 exact)");
    printed.says("1 more pair of code and data files");
    follow(&env, "dupfind scan docs -T code").omits("code and data");
    follow(&env, "dupfind scan docs -t code,md").says("2 pairs (2 exact)");
    printed.says("(--across compares all)");
    follow(&env, "dupfind scan docs --across").says("3 pairs (1 exact, 2 near)");
}
