//! The file of a baseline: sorted, merged, damaged, updated.

use std::fs;

use crate::baseline::{FILE, accept, accepted, check, says, update};
use crate::env::{Env, Says};

#[test]
fn the_file_is_sorted_and_only_written_if_it_changes() {
    let env = accepted();
    let text = env.read(FILE);
    text.ends("}\n");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    lines[0].begins("{\"dupfind_baseline\":2,\"relations\":[\"exact\",\"near\",\"contains\"]");
    lines[1].begins(
        "{\"a\":\"docs/copy.md\",\"b\":\"docs/edited.md\",\"relation\":\"near\",\"text_a\":\"",
    );
    assert!(lines[1..].is_sorted());
    let written = || fs::metadata(env.path(FILE)).unwrap().modified().unwrap();
    let before = written();
    assert_eq!(update(&env), says("3 pairs, unchanged"));
    assert_eq!((env.read(FILE), written()), (text.clone(), before));
    assert_eq!(env.entries(), [FILE, "docs"], "nothing is left over");
    // From another folder it is the same.
    let named = ["--baseline", "../accepted.jsonl", "-q"];
    env.run_in("docs", ("check", named)).ok();
    fs::remove_file(env.path(FILE)).unwrap();
    let all = [&["accept", "--all"], &named[..]].concat();
    env.run_in("docs", &all).ok();
    assert_eq!(env.read(FILE), text);
    let path = env.path(FILE);
    env.check(["docs", "--baseline", path.to_str().unwrap()])
        .ok();
}

#[test]
fn damaged_files_are_named_and_left_alone() {
    let env = accepted();
    let good = env.read(FILE);
    // Each fault has its line in a table of the crate.
    let bad = good.replacen("\"a\"", "\"x\"", 1);
    env.write(FILE, &bad);
    for run in [check(&env, ""), accept(&env, "")] {
        run.fails("accepted.jsonl:2: unknown field `x`, expected `family`, or one of `a`, `b`,");
    }
    assert_eq!(env.read(FILE), bad);
    env.write(FILE, b"\xff\xfe\0");
    check(&env, "").fails("accepted.jsonl:1: not valid UTF-8");
    env.write(FILE, "");
    check(&env, "").fails("this is no baseline");
    assert_eq!(update(&env), says("3 pairs, 3 new, 0 updated, 0 gone"));
    assert_eq!(env.read(FILE), good);
    let folder = env.check("--baseline docs");
    folder.fails("cannot read the baseline docs: it is a folder");
    env.run("accept --all --baseline -").fails("kept in a file");
    for args in [&["-o", FILE][..], &["-f", "json=./accepted.jsonl"]] {
        check(&env, args).fails("which is the baseline");
    }
    assert_eq!(env.read(FILE), good);
}

#[test]
fn it_holds_the_relations_that_are_asked_for() {
    let env = accepted();
    // Pairs of relations that the file does not hold are accepted by no line.
    check(&env, ["--fail-on", "related"]).ok();
    let run = accept(&env, ["--fail-on", "related"]);
    let expected = says("3 pairs, no pair changed, the file is written anew");
    assert_eq!(run.stderr, expected);
    let held = "\"contains\",\"variant\",\"related\"]";
    env.read(FILE).says(held);
    // To accept less forgets nothing.
    for args in ["", "--fail-on exact"] {
        assert_eq!(accept(&env, args).stderr, says("3 pairs, unchanged"));
    }
    env.read(FILE).says(held);
    fs::remove_file(env.path(FILE)).unwrap();
    let run = accept(&env, ["--fail-on", "exact"]);
    assert_eq!(run.stderr, says("1 pair, 1 new, 0 updated, 0 gone"));
    check(&env, ["--fail-on", "exact"]).ok();
    check(&env, "").trips("2 duplicate pairs (2 near)");
}

#[test]
fn reports_take_the_place_of_nothing_that_is_read() {
    let env = Env::parks()
        .file("list.txt", "en\nzh\n")
        .file("dupfind.toml", "top = 3\n");
    for args in [
        "--files-from list.txt -f json=list.txt",
        "--files-from list.txt -o en/../list.txt",
        "-f table=dupfind.toml",
    ] {
        env.report(args).fails("which is to be read");
    }
}
