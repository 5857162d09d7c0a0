//! `dupfind accept` and `dupfind ignore`: decisions about single pairs.

use std::fs;

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

fn ignore(env: &Env, args: &[&str]) -> crate::env::Run {
    env.run(&[&["ignore"], &PAIR[..], args].concat())
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

    let run = accept(
        &env,
        &["--reason", "two products", "--expires", "2999-01-01"],
    );
    assert_eq!(
        run.stderr,
        "dupfind: docs/a.md and docs/b.md: accepted in .dupfind-baseline\n"
    );
    let text = env.read(".dupfind-baseline");
    let line = text.lines().nth(1).unwrap();
    assert_eq!(
        format!("+ {}", line.replace(",\"expires\":\"2999-01-01\"", "")),
        dry.stdout.trim_end()
    );
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
    for command in ["accept", "ignore"] {
        let args = |b| [command, "docs/a.md", b];
        run(&args("docs/bread.md")).fails("docs/a.md and docs/bread.md are no pair");
        run(&args("docs/nowhere.md")).fails("docs/nowhere.md is none of the documents");
    }
    ignore(&env, &["--reason", "x", "--no-config"]).fails("leave out --no-config");
    let short = Env::new()
        .file("docs/a.md", "too short")
        .file("docs/b.md", "too short!");
    accept(&short, &["--reason", "x"]).fails("are no finding: the pair is 'short'");
    accept(&env, &["--reason", " "]).fails("it is empty");
    accept(&env, &[]).fails("--reason");
    assert!(!env.path(".dupfind-baseline").exists());
    assert!(!env.path("dupfind.toml").exists());
}

#[test]
fn a_rule_is_written_and_taken_back() {
    for (file, args) in [
        ("dupfind.toml", &[][..]),
        ("docs/rules.toml", &["--config", "docs/rules.toml"]),
    ] {
        let before = "# Ours.\nmin-jaccard = 0.3";
        let env = docs().file(file, before);
        let reason = ["--reason", "the \"same\" law"];
        let dry = ignore(&env, &[args, &reason, &["--dry-run"]].concat());
        assert!(
            dry.stdout.starts_with("+ [[ignore]]\n+ documents = ["),
            "{dry:?}"
        );
        ignore(&env, &[args, &reason].concat()).says(&format!("rule added to {file}\n"));
        let text = env.read(file);
        assert!(text.contains("reason = 'the \"same\" law'\n"), "{text}");
        let run = env.report(&[&["docs"], args].concat());
        run.says("1 pair left out by ");
        ignore(&env, &[args, &reason].concat())
            .fails("has a rule of docs/a.md and docs/b.md already");
        let back = [&["ignore", "docs/b.md", "docs/a.md", "--remove"], args].concat();
        env.run(&back).says("rule removed from ");
        let after = fs::read_to_string(env.path(file)).unwrap();
        assert_eq!(after.trim_end(), before);
        env.run(&back)
            .fails("has no rule of docs/b.md and docs/a.md alone");
    }
}

#[test]
fn a_configuration_is_made_where_a_scan_finds_it() {
    let pair = |root: &str| ["a.md", "b.md", ""].map(|name| format!("{root}docs/{name}"));
    for (from, root, made) in [
        // In the current folder, if a scan of the paths looks there.
        ("", "", "dupfind.toml"),
        // Beside the documents, if it does not.
        ("elsewhere", "../site/", "site/docs/dupfind.toml"),
    ] {
        let site = root.trim_start_matches("../");
        let env = Env::new()
            .folder("elsewhere")
            .file(format!("{site}docs/a.md"), PARK)
            .file(format!("{site}docs/b.md"), PARK);
        let paths = pair(root);
        let [a, b, docs] = paths.each_ref().map(String::as_str);
        let run = |args: &[&str]| env.run_in(from, args);
        let dry = run(&["ignore", a, b, docs, "--reason", "x", "--dry-run"]);
        assert_eq!(dry.code, Some(0), "{dry:?}");
        assert!(!env.path(made).exists());
        run(&["ignore", a, b, docs, "--reason", "x"]).says("dupfind.toml, a new file\n");
        assert!(env.path(made).exists(), "{made}");
        run(&["scan", docs]).says("1 pair left out by ");
    }
}
