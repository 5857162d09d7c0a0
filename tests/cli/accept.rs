//! `dupfind accept`: decisions about single pairs.

use crate::env::{BREAD, Env, PARK, PARK_EDITED};

trait Says {
    fn says(&self, part: &str);
}

impl Says for crate::env::Run {
    /// Asserts that it went well and said something.
    #[track_caller]
    fn says(&self, part: &str) {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        assert!(self.stderr.contains(part), "{part}: {}", self.stderr);
    }
}

fn docs() -> Env {
    Env::new()
        .file("docs/a.md", PARK)
        .file("docs/b.md", PARK)
        .file("docs/c.md", PARK_EDITED)
        .file("docs/bread.md", BREAD)
}

const PAIR: [&str; 3] = ["docs/a.md", "docs/b.md", "docs"];

fn accept(env: &Env, args: &[&str]) -> crate::env::Run {
    env.run(&[&["accept"], &PAIR[..], args].concat())
}

#[test]
fn one_pair_is_accepted_and_taken_back() {
    let env = docs();
    let gate = || env.report(&["docs", "--baseline", ".dupfind-baseline", "--fail-on-new"]);
    let dry = accept(&env, &["--reason", "two products", "--dry-run"]);
    assert_eq!(dry.code, Some(0));
    assert!(
        dry.stdout
            .starts_with("+ {\"a\":\"docs/a.md\",\"b\":\"docs/b.md\",\"relation\":\"exact\"")
    );
    assert!(!env.path(".dupfind-baseline").exists());

    let run = accept(&env, &["--reason", "two products"]);
    assert_eq!(
        run.stderr,
        "dupfind: docs/a.md and docs/b.md: accepted in .dupfind-baseline\n"
    );
    let text = env.read(".dupfind-baseline");
    let line = text.lines().nth(1).unwrap();
    assert_eq!(format!("+ {line}"), dry.stdout.trim_end());
    gate().trips("2 pairs that the baseline does not accept (2 near)");
    // It is the line of --update-baseline, with the reason kept.
    env.report(&[
        "docs",
        "--baseline",
        ".dupfind-baseline",
        "--update-baseline",
    ]);
    assert!(env.read(".dupfind-baseline").contains(line));

    let dry = accept(&env, &["--remove", "--dry-run"]);
    assert_eq!(dry.stdout, format!("- {line}\n"));
    accept(&env, &["--remove"]).says("removed from .dupfind-baseline");
    assert!(!env.read(".dupfind-baseline").contains(line));
    accept(&env, &["--remove"]).fails("does not accept docs/a.md and docs/b.md");
    assert!(!env.path(".dupfind-baseline.lock").exists());
}

#[test]
fn what_is_no_finding_is_refused() {
    let env = docs();
    let run = |args: &[&str]| env.run(&[args, &["docs", "--reason", "x"]].concat());
    let args = |b| ["accept", "docs/a.md", b];
    run(&args("docs/bread.md")).fails("docs/a.md and docs/bread.md are no pair");
    run(&args("docs/nowhere.md")).fails("docs/nowhere.md is none of the documents");
    let short = Env::new()
        .file("docs/a.md", "too short")
        .file("docs/b.md", "too short!");
    accept(&short, &["--reason", "x"]).fails("are no finding: the pair is 'short'");
    accept(&env, &["--reason", " "]).fails("it is empty");
    accept(&env, &[]).fails("--reason");
    assert!(!env.path(".dupfind-baseline").exists());
}
