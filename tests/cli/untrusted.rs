//! The promises of docs/untrusted.md: each has a test.

use std::fs;
use std::path::Path;

use crate::env::{Env, PARK, Run};

/// The text of all tests.
fn tests(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn each_promise_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/untrusted.md")).unwrap();
    let (_, promised) = page.split_once("## What is promised").unwrap();
    let (promised, _) = promised.split_once("## What is not promised").unwrap();
    let mut text = String::new();
    for folder in ["src", "crates", "tests/cli", "tests/fuzz"] {
        tests(&root.join(folder), &mut text);
    }
    for promise in promised.replace("\r\n", "\n").split("\n* ").skip(1) {
        let names = promise.split_once("<!--");
        let (_, names) = names.unwrap_or_else(|| panic!("no test is named: {promise}"));
        for name in names.split("-->").next().unwrap().split(' ') {
            assert!(text.contains(&format!("fn {name}(")), "{name}: {promise}");
        }
    }
}

/// Documents that try to run something, in each format that could.
#[cfg(unix)]
#[test]
fn documents_are_read_without_running_anything() {
    let env = Env::new();
    let run = format!("touch {}/PWNED", env.root());
    for (name, text) in [
        (
            "a.md",
            format!(
                "---\ntitle: !!python/object/apply:os.system ['{run}']\n---\n`{run}` $({run}) {PARK}"
            ),
        ),
        (
            "b.html",
            format!(
                "<p>{PARK}</p><script>{run}</script><?php system('{run}') ?><!--#exec cmd='{run}' -->"
            ),
        ),
        ("c.adoc", format!("include::|{run}[]\n\n{PARK}")),
        ("d.rst", format!(".. include:: |{run}\n\n{PARK}")),
        (
            "e.csv",
            format!("text\n=cmd|'{run}'!A0 {}\n", PARK.replace('\n', " ")),
        ),
        ("$(touch PWNED).md", PARK.to_owned()),
        ("`touch PWNED`.md", PARK.to_owned()),
        ("|touch PWNED;.md", PARK.to_owned()),
    ] {
        env.write(name, text);
    }
    let before = env.entries();
    for format in ["list", "table", "html", "sarif"] {
        env.run(["scan", "-q", "-f", format]).ok();
        assert_eq!(env.entries(), before);
    }
}

/// A repository `repo` with a folder `docs` that is a link to `home` beside it, and a folder `own` linked as `inside`.
#[cfg(unix)]
fn linked() -> Env {
    Env::new()
        .folder("repo/.git")
        .file("home/a.md", PARK)
        .file("home/sub/b.md", PARK)
        .file("repo/own/c.md", PARK)
        .link("repo/docs", "../home")
        .link("repo/inside", "own")
        .link("linked", "home")
}

#[cfg(unix)]
const OUT: [&str; 3] = ["docs", "./docs/sub", "docs/a.md"];

#[cfg(unix)]
#[test]
fn a_named_link_out_of_the_repository_is_refused_in_ci() {
    let env = linked();
    let in_ci = |folder: &str, args: &str| {
        let mut command = env.command(args);
        let command = command.current_dir(env.path(folder)).env("CI", "true");
        Run::of(command)
    };
    for path in OUT {
        for args in [
            format!("scan {path}"),
            format!("scan own --against {path}"),
            format!("plan own --against {path}"),
            format!("accept a.md b.md --against {path} --reason - own"),
            format!("show --as fingerprint {path}"),
        ] {
            in_ci("repo", &args).fails("docs is a link out of its repository, to ");
        }
    }
    in_ci(".", "scan repo/docs").fails("repo/docs is a link out of its repository");
    // The paths that are meant can be named.
    in_ci("repo", "scan ../home inside own").ok();
    in_ci(".", "scan linked").ok();
}

#[cfg(unix)]
#[test]
fn a_named_link_out_of_the_repository_is_a_warning_elsewhere() {
    let env = linked();
    for path in OUT {
        let run = env.run_in("repo", ["scan", path]);
        run.warns("docs is a link out of its repository, to ");
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        env.run_in("repo", ["scan", path, "-q"]).ok();
    }
    for path in ["inside", "own", "../home", "../linked"] {
        env.run_in("repo", ["scan", path]).ok();
    }
}

#[cfg(unix)]
#[test]
fn more_records_than_fit_in_memory_are_an_error() {
    let env = Env::new().file("a.jsonl", "{\"text\":\"a b\"}\n".repeat(600_000));
    // So much address space, in KiB.
    let args = "scan -qj1 --no-pairs --detectors shingle";
    let run = Run::from(env.limited("-v 500000", args).output().unwrap());
    run.fails("more than 512000 documents do not fit in the memory: compare them in parts");
}

#[test]
#[ignore = "nightly: a million records take long"]
fn many_tiny_records_of_a_compressed_file_are_not_all_read() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let line = b"{\"text\":\"x\"}\n".repeat(1000);
    for _ in 0..1200 {
        encoder.write_all(&line).unwrap();
    }
    let env = Env::new().file("b.jsonl.gz", encoder.finish().unwrap());
    let run = env.scan("--no-pairs -q --detectors shingle");
    let report = crate::env::value(run.ok());
    let limit = (1 << 20) + fs::metadata(env.path("b.jsonl.gz")).unwrap().len();
    let documents = report["summary"]["documents"].as_u64().unwrap();
    assert!(documents <= limit, "{documents}");
    assert_eq!(report["skipped"][0]["reason"], "too large");
}
