//! The gate: why a run fails, and its messages then.

use crate::env::{Env, PARK};

#[test]
fn findings_alone_are_no_failure() {
    let run = Env::parks().report(&[]);
    assert!(run.ok().contains("6 pairs"));
}

#[test]
fn each_relation_fails_with_all_that_are_stronger() {
    // One exact and two near pairs in each language.
    let env = Env::parks();
    env.report(&["--fail-on", "never"]).ok();
    for (level, kinds) in [
        ("exact", "2 pairs (2 exact)"),
        ("near", "6 pairs (2 exact, 4 near)"),
        ("contains", "6 pairs (2 exact, 4 near)"),
        ("related", "6 pairs (2 exact, 4 near)"),
        ("any", "6 pairs (2 exact, 4 near)"),
    ] {
        let run = env.report(&["--fail-on", level]);
        run.trips(kinds);
        // The table has them already, so the message is only about how to accept one.
        let wanted = "wanted? dupfind accept A B --reason \"...\"";
        let said = format!("dupfind: failed: {kinds}; {wanted}\n");
        assert_eq!(run.stderr, said, "{level}");
    }
}

#[test]
fn weaker_relations_do_not_count() {
    let env = Env::new()
        .file("a.md", "too short")
        .file("b.md", "too short!");
    env.report(&["--fail-on", "exact"]).ok();
    env.report(&["--fail-on", "related"]).ok();
    env.report(&["--fail-on", "any"]).trips("1 pair (1 short)");
}

#[test]
fn some_pairs_may_be_allowed() {
    let env = Env::parks();
    env.report(&["--max-pairs", "6"]).ok();
    env.report(&["--max-pairs", "5"])
        .trips("6 pairs (2 exact, 4 near), more than the 5 allowed");
    env.report(&["--max-pairs", "2", "--fail-on", "exact"]).ok();
    env.report(&["--max-pairs", "1", "--fail-on", "exact"])
        .trips("2 pairs (2 exact), more than the 1 allowed");
}

#[test]
fn nothing_to_compare_fails_if_asked() {
    let env = Env::new().folder("docs").file("logo.png", b"\x89PNG\0\0");
    env.report(&["docs"]).ok();
    for path in ["docs", "."] {
        env.report(&[path, "--fail-on-empty"])
            .trips("nothing to compare");
    }
    Env::parks().report(&["--fail-on-empty"]).ok();
}

#[test]
fn a_gate_that_compared_nothing_fails() {
    let env = Env::new().folder("docs");
    env.report(&["docs", "--fail-on", "never"]).ok();
    for gate in [["--fail-on", "near"], ["--max-pairs", "3"]] {
        let args = ["docs", gate[0], gate[1]];
        env.report(&args).trips("nothing to compare");
        env.report(&[&args[..], &["--allow-empty"]].concat()).ok();
    }
    env.report(&["docs", "--allow-empty", "--fail-on-empty"])
        .fails("cannot be used with '--fail-on-empty'");
}

#[test]
fn every_gate_that_compared_nothing_fails() {
    let env = Env::new().folder("empty").file("docs/a.md", PARK);
    env.run(&["index", "docs", "-o", "site", "-q"]).ok();
    env.run(&["index", "empty", "-o", "none", "-q"]).ok();
    let scan = env.report(&["empty", "--fail-on", "near"]);
    let line = scan.stderr.lines().last().unwrap();
    for (ungated, gate) in [
        (&["query", "site", "empty"][..], &["--fail-on", "near"][..]),
        (
            &["scan", "docs", "--against", "empty"],
            &["--fail-on", "near"],
        ),
        (&["query", "none", "docs/a.md"], &["--fail-on", "near"]),
    ] {
        let gated = [ungated, gate].concat();
        env.run(&gated).trips(line);
        let allowed = env.run(&[&gated[..], &["--allow-empty"]].concat());
        assert_eq!(allowed.code, Some(0), "{allowed:?}");
        assert_eq!(env.run(ungated).code, Some(0), "{ungated:?}");
    }
}

#[test]
fn a_named_file_without_a_document_is_an_error() {
    let record = "{\"id\":1,\"body\":\"the old park by the river\"}\n";
    let env = Env::new()
        .file("x.jsonl", record.repeat(3))
        .file("good.jsonl", record.replace("body", "text"));
    let says = "x.jsonl: no document in it: all of its 3 records are malformed; the first one: no field 'text'";
    for args in [&["x.jsonl"][..], &["x.jsonl", "--fail-on", "near"]] {
        env.report(args).complains(says);
    }
    env.report(&["good.jsonl", "x.jsonl"]).complains(says);
    env.report(&["x.jsonl", "--allow-empty"])
        .warns("x.jsonl#1: malformed");
    // It was not named.
    env.report(&["."]).warns("x.jsonl#1: malformed");
    env.report(&["x.jsonl", "--text-field", "body"]).ok();
}

#[test]
fn a_report_without_a_table_on_screen_says_how_to_see_the_pairs() {
    let env = Env::parks();
    for args in [
        ["--format", "json"].as_slice(),
        &["--output", "report.txt"],
        &["--no-pairs"],
    ] {
        let run = env.report(&[args, &["--fail-on", "near"]].concat());
        run.trips("--format table lists them");
    }
}

#[test]
fn an_error_is_worse_than_a_failure() {
    let run = Env::parks().report(&[".", "missing", "--fail-on", "exact"]);
    run.complains("missing: not found");
    run.complains("dupfind: failed: 2 pairs");
}

#[test]
fn options_that_contradict_each_other_are_explained() {
    let env = Env::parks();
    for (args, part) in [
        (
            &["--fail-on-new"][..],
            "needs the accepted pairs: --baseline FILE or --baseline-from REF",
        ),
        (&["--update-baseline"], "--baseline"),
        (
            &["--fail-on", "never", "--max-pairs", "3"],
            "leave one of them out",
        ),
        (&["--fail-on", "bad"], "possible values: never, exact, near"),
        (
            &["--baseline", "a", "--baseline-from", "main"],
            "cannot be used with",
        ),
    ] {
        env.report(args).fails(part);
    }
}
