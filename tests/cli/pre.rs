//! Programs that make texts of files.

#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::env::{Env, PARK, PARK_EDITED, Report, Says};
use crate::pdf::pdf;

/// The options with which one thread reads files, and the program `swap` those that end in `.pre`.
const SWAP: [&str; 6] = ["--threads", "1", "--pre", "*.pre=./swap", "-g", "!swap"];

/// Adds a program. Another one writes it: while this one has it open for writing, a program that is started at that
/// moment would keep it so, and nobody could run it.
fn script(env: &Env, name: &str, body: &str) {
    let write = "printf '#!/bin/sh\n%s\n' \"$2\" > \"$1\" && chmod +x \"$1\"";
    let status = Command::new("sh")
        .args(["-c", write, "sh"])
        .arg(env.path(name))
        .arg(body)
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn what_it_prints_is_the_document() {
    let env = Env::new()
        .file("a.md", PARK)
        .file("b.up", PARK.to_lowercase())
        .file("-c.up", [PARK_EDITED.as_bytes(), b"\0\0"].concat());
    script(&env, "upper", "tr -d '\\000' < \"$1\" | tr a-z A-Z");
    let args = "scan . --pre *.up=./upper -f json -g *.{md,up}";
    let report = Report::of(env.run(args).ok());
    assert_eq!((report.pairs.len(), report.skips().len()), (3, 0));
    let shouted = env.run("compare a.md b.up --pre '*=tr a-z A-Z < {}'");
    shouted.says("is for a shell");
    let shouted = env.run(("compare a.md b.up --pre", ["*=sh -c 'tr a-z A-Z < \"$0\"'"]));
    shouted.ok().says("THE OLD RIVER PARK");
}

#[test]
fn files_of_records_are_one_document_of_it() {
    let env = Env::new().file("r.jsonl", "{\"text\":\"x\"}\n{\"text\":\"y\"}\n");
    script(&env, "print", "echo the old river park");
    let run = env.run("show --as fingerprint r.jsonl --pre *=./print");
    assert_eq!(run.ok().lines().count(), 1);
    let run = env.run("compare r.jsonl#1 r.jsonl --pre *=./print");
    run.says("not found");
}

#[test]
fn a_file_is_skipped_with_the_output_of_the_program_that_failed() {
    let env = Env::of("PARK: a.pdf b.md c.md");
    script(&env, "fail", "echo 'page 3 is \x1b[31mdamaged' >&2; exit 3");
    let run = env.run("scan . -g *.{md,pdf} --pre *.pdf=./fail -f json");
    let report = Report::of(
        run.warns("a.pdf: pre failed: fail: exit status: 3: page 3 is \\u{1b}[31mdamaged"),
    );
    assert_eq!(report.skips(), [("a.pdf", "pre failed")]);
    assert_eq!(report.pairs.len(), 1);
    let run = env.run("compare a.pdf b.md --pre *.pdf=./fail");
    run.says("a.pdf: pre failed: fail: exit status: 3");
}

#[test]
fn what_prints_without_end_is_ended() {
    let env = Env::new().file("a.x", PARK);
    let complains = "*=sh -c 'yes >&2 & sleep 1; kill $!; echo the old river park'";
    let scan = |pre: &str| env.run(("scan a.x --pre", [pre], "--max-filesize 64K -f json"));
    let run = scan("*=yes");
    let report = Report::of(run.warns("a.x: too large: it prints more than 65536 bytes"));
    assert_eq!(report.skips(), [("a.x", "too large")]);
    assert_eq!(Report::of(scan(complains).ok()).summary.documents, 1);
}

/// Waits until nothing of a process group is left.
#[track_caller]
fn assert_gone(group: &str) {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let list = Command::new("ps")
            .args(["-A", "-o", "pgid=,stat="])
            .output()
            .unwrap();
        let list = String::from_utf8(list.stdout).unwrap();
        let mut lines = list.lines().map(str::split_whitespace);
        let is_left = lines.any(|mut line| {
            line.next() == Some(group) && line.next().is_some_and(|stat| !stat.starts_with('Z'))
        });
        if !is_left {
            return;
        }
        assert!(Instant::now() < patience, "{list}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_interrupt_leaves_nothing_running() {
    let env = Env::new().file("a.x", PARK);
    script(
        &env,
        "sleeps",
        "echo $$ > pid.tmp; mv pid.tmp pid; sleep 1000 & sleep 1000",
    );
    let mut command = env.std_command("scan a.x --pre *=./sleeps");
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    while !env.path("pid").exists() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupt = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_gone(env.read("pid").trim());
}

#[test]
fn a_configuration_runs_a_program_only_if_it_is_named() {
    let env = Env::new().file("site/docs/a.md", PARK);
    script(&env, "site/tool", "touch ran; echo the old river park");
    env.write("site/dupfind.toml", "pre = ['docs/*.md=./tool {}']\n");
    let run = env.run("scan site");
    assert_eq!(run.code, Some(2));
    let said = "site/dupfind.toml:1: pre: a configuration that was found may run no program; \
                --config site/dupfind.toml allows it";
    run.says(said);
    assert!(!env.path("ran").exists());
    // Paths and globs are those of its folder.
    env.run("scan site --config site/dupfind.toml").ok();
    assert!(env.path("ran").exists());
}

#[test]
fn pdftotext_reads_a_pdf() {
    let env = Env::new().file("park.pdf", pdf(PARK)).file("park.md", PARK);
    if Command::new("pdftotext").arg("-v").output().is_err() {
        assert!(std::env::var_os("DUPFIND_REQUIRE_PDFTOTEXT").is_none());
        return;
    }
    let args = "scan . -g park.* --pre '*.pdf=pdftotext {} -' -f json";
    assert_eq!(Report::of(env.run(args).ok()).pairs[0].jaccard, Some(1.0));
}

#[test]
fn a_file_that_becomes_a_fifo_is_skipped_and_not_waited_for() {
    let env = Env::of("PARK: a.pre b.md").file("c.jsonl", "{\"text\": \"x\"}\n");
    script(
        &env,
        "swap",
        "for name in b.md c.jsonl; do rm $name; mkfifo $name; done; cat \"$1\"",
    );
    let report = env.json(SWAP);
    let reason = "not a regular file";
    assert_eq!(report.skips(), [("b.md", reason), ("c.jsonl", reason)]);
    assert_eq!(report.summary.documents, 1);
}

#[test]
fn a_file_that_becomes_a_fifo_before_it_is_read_again_has_no_text() {
    let env = Env::new().file("a.md", PARK).file("b.pre", PARK);
    script(&env, "swap", "rm -f a.md; mkfifo a.md; cat \"$1\"");
    env.report((SWAP, "-f html")).ok().says("a.md");
}
