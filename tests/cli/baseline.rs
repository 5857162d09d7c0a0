//! The life of a baseline: made, kept up, merged, damaged.

use std::fs;

use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Report, Run};

const FILE: &str = "accepted.jsonl";

/// A document that has nothing to do with the others either.
const BICYCLE: &str = "\
Loosen both brake arms before you pull the wheel out of its fork. A worn chain skips under load, so
measure twelve links against a ruler and replace it once they have grown by a sixteenth of an inch.
";

/// Scans with the baseline.
fn scan(env: &Env, args: &[&str]) -> Run {
    env.run(&[&["scan", "--baseline", FILE], args].concat())
}

/// Scans, and fails on what is new.
fn gate(env: &Env) -> Run {
    scan(env, &["--fail-on-new"])
}

/// Accepts what there is, and returns what is said about it.
#[track_caller]
fn update(env: &Env) -> String {
    let run = scan(env, &["--update-baseline", "--no-pairs"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stderr
}

/// What is said of an update.
fn says(rest: &str) -> String {
    format!("dupfind: baseline {FILE}: {rest}\n")
}

/// How all pairs stand, by the names of their documents.
#[track_caller]
fn standings(env: &Env) -> Vec<(String, String, String)> {
    let run = scan(env, &["--format", "json", "--quiet"]);
    let pairs = Report::of(run.ok()).pairs.into_iter();
    pairs
        .map(|pair| (pair.a, pair.b, pair.standing.unwrap_or_default()))
        .collect()
}

/// A folder with two copies, an edited one and a page of its own, all accepted.
fn accepted() -> Env {
    let env = Env::new()
        .file("docs/bread.md", BREAD)
        .file("docs/copy.md", PARK)
        .file("docs/edited.md", PARK_EDITED)
        .file("docs/park.md", PARK);
    assert_eq!(update(&env), says("3 pairs, 3 new, 0 updated, 0 gone"));
    env
}

/// The lines of the file with one document's entries changed.
fn edit(env: &Env, change: impl Fn(&str) -> String) {
    let text: String = env
        .read(FILE)
        .lines()
        .map(|line| change(line) + "\n")
        .collect();
    env.write(FILE, text);
}

fn rename(env: &Env, from: &str, to: &str) {
    fs::create_dir_all(env.path(to).parent().unwrap()).unwrap();
    fs::rename(env.path(from), env.path(to)).unwrap();
}

#[test]
fn a_missing_baseline_says_how_to_make_one() {
    let env = Env::parks();
    gate(&env).fails("there is no file accepted.jsonl; make it by adding --update-baseline");
    assert!(!env.path(FILE).exists());
    scan(&env, &["--baseline", "no/such", "--update-baseline"]).complains("--baseline");
    env.run(&["scan", "--baseline", "no/b", "--update-baseline"])
        .fails("there is no folder");
    env.run(&["scan", "--update-baseline"]).fails("--baseline");
}

#[test]
fn what_is_accepted_is_not_shown_and_fails_nothing() {
    let env = accepted();
    let run = gate(&env);
    let table = run.ok();
    // Nothing but the summary.
    let summary = "4 documents compared: 3 pairs (1 exact, 2 near), 3 documents in 1 cluster; not shown: 3 \
                   accepted by the baseline\n";
    assert_eq!(table, summary);
    let report = Report::of(scan(&env, &["-f", "json"]).ok());
    assert_eq!(report.summary.new_pairs, Some(0));
    let is_accepted = |standing: Option<&str>| standing == Some("accepted");
    assert!(
        report
            .pairs
            .iter()
            .all(|pair| is_accepted(pair.standing.as_deref()))
    );
    // The baseline itself is no document, though it lies in the folder.
    assert_eq!((report.summary.documents, report.skipped.len()), (4, 0));
    let csv = scan(&env, &["-f", "csv"]);
    assert!(
        csv.ok()
            .lines()
            .skip(1)
            .all(|line| line.ends_with(",accepted"))
    );
    let lines = scan(&env, &["-f", "jsonl"]);
    assert_eq!(lines.ok().matches("\"standing\":\"accepted\"").count(), 3);
    assert!(lines.stdout.contains("\"new_pairs\":0,"));
    // Without a baseline nothing stands in any way.
    let plain = env.json(&["docs"]);
    assert_eq!(plain.summary.new_pairs, None);
    assert!(plain.pairs.iter().all(|pair| pair.standing.is_none()));
}

#[test]
fn the_file_is_sorted_and_only_written_if_it_changes() {
    let env = accepted();
    let text = env.read(FILE);
    assert!(text.ends_with("}\n"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(
        lines[0]
            .starts_with("{\"dupfind_baseline\":1,\"relations\":[\"exact\",\"near\",\"contains\"]")
    );
    assert!(lines[1].starts_with(
        "{\"a\":\"docs/copy.md\",\"b\":\"docs/edited.md\",\"relation\":\"near\",\"jaccard\":0."
    ));
    assert!(lines[1..].is_sorted());
    let written = || fs::metadata(env.path(FILE)).unwrap().modified().unwrap();
    let before = written();
    assert_eq!(update(&env), says("3 pairs, unchanged"));
    assert_eq!((env.read(FILE), written()), (text.clone(), before));
    assert_eq!(env.entries(), [FILE, "docs"], "nothing is left over");
    // From another folder it is the same.
    let args = ["scan", "--baseline", "../accepted.jsonl", "--fail-on-new"];
    env.run_in("docs", &args).ok();
    fs::remove_file(env.path(FILE)).unwrap();
    let args = [
        "scan",
        "--baseline",
        "../accepted.jsonl",
        "--update-baseline",
        "-q",
    ];
    env.run_in("docs", &args).ok();
    assert_eq!(env.read(FILE), text);
    let path = env.path(FILE);
    let args = [
        "scan",
        "docs",
        "--fail-on-new",
        "--baseline",
        path.to_str().unwrap(),
    ];
    env.run(&args).ok();
}

#[test]
fn renamed_and_edited_pages_stay_accepted() {
    let env = accepted();
    rename(&env, "docs/copy.md", "docs/deep/er/name.md");
    rename(&env, "docs/edited.md", "docs/copy.md");
    gate(&env).ok();
    // Less alike is no worse, and what happens elsewhere is none of its business.
    env.write(
        "docs/park.md",
        format!("{PARK}\nIn winter the lake is closed to skaters.\n"),
    );
    env.write("docs/bread.md", BICYCLE);
    gate(&env).ok();
    assert!(standings(&env).iter().all(|pair| pair.2 == "accepted"));
    assert_eq!(update(&env), says("3 pairs, 0 new, 3 updated, 0 gone"));
    assert!(env.read(FILE).contains("docs/deep/er/name.md"));
    assert_eq!(update(&env), says("3 pairs, unchanged"));
}

#[test]
fn a_further_copy_is_new() {
    let env = accepted();
    env.write("docs/another.md", PARK);
    let run = gate(&env);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(
        run.stderr,
        "dupfind: failed: 3 pairs that the baseline does not accept (2 exact, 1 near)\n"
    );
    assert_eq!(
        run.stdout.matches("docs/another.md").count(),
        4,
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("standing"));
    // All the same if the original is called something else now.
    rename(&env, "docs/park.md", "docs/zoo.md");
    let run = gate(&env);
    assert_eq!(
        run.stderr,
        "dupfind: failed: 3 pairs that the baseline does not accept (2 exact, 1 near)\n"
    );
    assert_eq!(run.code, Some(1));
    let quiet = scan(&env, &["--fail-on-new", "--max-pairs", "3"]);
    quiet.ok();
}

#[test]
fn worse_than_accepted_is_reported() {
    let env = accepted();
    env.write("docs/edited.md", PARK);
    let run = gate(&env);
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.stderr,
        "dupfind: failed: 2 pairs that the baseline does not accept (2 exact)\n"
    );
    assert!(
        run.stdout.starts_with("standing  relation"),
        "{}",
        run.stdout
    );
    assert_eq!(
        run.stdout.matches("\nworse     exact   ").count(),
        2,
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("3 pairs (3 exact)"), "{}", run.stdout);
    assert!(
        run.stdout.contains("not shown: 1 accepted"),
        "{}",
        run.stdout
    );
    let comment = scan(&env, &["-f", "markdown"]);
    let said = "; became more similar since it was accepted |";
    assert!(comment.ok().contains(said), "{}", comment.stdout);
    assert_eq!(update(&env), says("3 pairs, 0 new, 2 updated, 0 gone"));
    gate(&env).ok();
}

#[test]
fn reasons_and_dates_are_kept_and_dates_end() {
    let env = accepted();
    let annotate = |line: &str, note: &str| {
        if line.contains("docs/copy.md\",\"b\":\"docs/park.md") {
            format!("{},{note}}}", line.strip_suffix('}').unwrap())
        } else {
            line.into()
        }
    };
    edit(&env, |line| {
        annotate(
            line,
            "\"reason\":\"printed \\u001b[31m\",\"expires\":\"9999-12-31\"",
        )
    });
    gate(&env).ok();
    let report = Report::of(scan(&env, &["-f", "json"]).ok());
    let reasons: Vec<_> = report
        .pairs
        .iter()
        .filter_map(|pair| pair.reason.as_deref())
        .collect();
    assert_eq!(reasons, ["printed \u{1b}[31m"]);
    rename(&env, "docs/park.md", "docs/zoo.md");
    assert_eq!(update(&env), says("3 pairs, 0 new, 2 updated, 0 gone"));
    let kept = "\"reason\":\"printed \\u001b[31m\",\"expires\":\"9999-12-31\"}\n";
    assert_eq!(env.read(FILE).matches(kept).count(), 1);

    edit(&env, |line| line.replace("9999-12-31", "2020-02-29"));
    let run = gate(&env);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (
            Some(1),
            "dupfind: failed: 1 pair that the baseline does not accept (1 exact)\n"
        )
    );
    assert!(run.stdout.contains("\nexpired   exact "), "{}", run.stdout);
    let comment = scan(&env, &["-f", "markdown"]);
    let said = "; was accepted until a date that is past |";
    assert!(comment.ok().contains(said), "{}", comment.stdout);
    let said = "3 pairs, 0 new, 1 updated, 0 gone (1 expired: accepted anew, without a date)";
    assert_eq!(update(&env), says(said));
    let text = env.read(FILE);
    assert!(text.contains("printed") && !text.contains("expires"));
    gate(&env).ok();
}

#[test]
fn stale_entries_are_listed_and_dropped() {
    let env = accepted();
    fs::remove_file(env.path("docs/edited.md")).unwrap();
    let run = scan(&env, &["--fail-on-new"]);
    run.warns("2 pairs of accepted.jsonl are not found any more; --update-baseline drops them");
    assert!(
        run.stderr
            .contains("not found: docs/copy.md and docs/edited.md\n")
    );
    scan(&env, &["--quiet"]).ok();
    assert_eq!(update(&env), says("1 pair, 0 new, 0 updated, 2 gone"));
    gate(&env).ok();
    // Only the first few are named.
    for number in 0..4 {
        env.write(format!("docs/{number}.md"), PARK_ZH);
    }
    update(&env);
    for number in 0..4 {
        fs::remove_file(env.path(format!("docs/{number}.md"))).unwrap();
    }
    let run = gate(&env);
    run.warns("6 pairs of accepted.jsonl are not found any more");
    assert_eq!(run.stderr.lines().count(), 7, "{}", run.stderr);
    assert!(run.stderr.ends_with("not found: 1 more\n"));
}

#[test]
fn a_run_of_one_folder_leaves_the_others_alone() {
    let env = Env::parks();
    update(&env);
    let whole = env.read(FILE);
    let here = |args: &[&str]| scan(&env, &[&["zh"], args].concat());
    here(&["--fail-on-new"]).ok();
    assert_eq!(
        here(&["--update-baseline"]).stderr,
        says("6 pairs, unchanged")
    );
    // Not even if they are called something else now.
    rename(&env, "en/park.md", "en/zoo.md");
    here(&["--fail-on-new"]).ok();
    assert_eq!(
        here(&["--update-baseline"]).stderr,
        says("6 pairs, unchanged")
    );
    rename(&env, "en/zoo.md", "en/park.md");
    scan(&env, &["--glob", "zh/**", "--fail-on-new"]).ok();
    // A copy of a page that is there is no renaming of it.
    env.write("zh/park-en.md", PARK);
    env.write("zh/edited-en.md", PARK_EDITED);
    let run = here(&["--fail-on-new"]);
    assert_eq!(
        run.stderr,
        "dupfind: failed: 1 pair that the baseline does not accept (1 near)\n"
    );
    // But what has come over from there is.
    fs::remove_dir_all(env.path("en")).unwrap();
    here(&["--fail-on-new"]).ok();
    assert_eq!(env.read(FILE), whole);
}

#[test]
fn what_cannot_be_read_is_not_forgotten() {
    let env = accepted();
    let before = env.read(FILE);
    let run = scan(&env, &["docs", "no/such", "--update-baseline"]);
    run.complains("the baseline accepted.jsonl is left as it is");
    assert_eq!(env.read(FILE), before);
}

#[test]
fn damaged_files_are_named_and_left_alone() {
    let env = accepted();
    let good = env.read(FILE);
    for (bad, part) in [
        (
            good.replacen("\"a\"", "\"x\"", 1),
            "accepted.jsonl:2: unknown field `x`",
        ),
        (
            good.replacen("\"relation\":", "\"relation\"", 1),
            "accepted.jsonl:2: damaged JSON in column",
        ),
        (
            good[..good.len() - 9].to_owned(),
            "accepted.jsonl:4: damaged JSON",
        ),
        (
            good.replacen(":1,", ":7,", 1),
            "accepted.jsonl:1: written by a newer dupfind (version 7",
        ),
        ("# A page\n".into(), "accepted.jsonl:1: this is no baseline"),
    ] {
        env.write(FILE, &bad);
        gate(&env).fails(part);
        scan(&env, &["--update-baseline"]).fails("nothing was written");
        assert_eq!(env.read(FILE), bad, "{part}");
    }
    env.write(FILE, b"\xff\xfe\0");
    gate(&env).fails("accepted.jsonl:1: not valid UTF-8");
    env.write(FILE, "");
    gate(&env).fails("this is no baseline");
    assert_eq!(update(&env), says("3 pairs, 3 new, 0 updated, 0 gone"));
    assert_eq!(env.read(FILE), good);
    let folder = env.run(&["scan", "--baseline", "docs"]);
    folder.fails("cannot read the baseline docs: it is a folder");
    env.run(&["scan", "--baseline", "-"])
        .fails("kept in a file");
    for args in [&["-o", FILE][..], &["-f", "json=./accepted.jsonl"]] {
        scan(&env, args).fails("which is the baseline");
    }
    assert_eq!(env.read(FILE), good);
}

#[cfg(unix)]
#[test]
fn a_fifo_is_no_baseline() {
    let env = Env::parks().fifo(FILE);
    gate(&env).fails("it is no regular file");
    scan(&env, &["--update-baseline"]).fails("it is no regular file");
}

#[test]
fn branches_are_merged() {
    let env = accepted();
    let base = env.read(FILE);
    // Two branches each accept pairs of their own.
    env.write("docs/zh-1.md", PARK_ZH);
    env.write("docs/zh-2.md", PARK_ZH);
    update(&env);
    let ours = env.read(FILE);
    fs::remove_file(env.path("docs/zh-1.md")).unwrap();
    fs::remove_file(env.path("docs/zh-2.md")).unwrap();
    env.write(FILE, &base);
    env.write("docs/bread-2.md", BREAD);
    update(&env);
    let theirs = env.read(FILE);
    env.write("docs/zh-1.md", PARK_ZH);
    env.write("docs/zh-2.md", PARK_ZH);

    // The union of their lines is what both accept, in any order.
    let mut lines: Vec<&str> = ours.lines().chain(theirs.lines()).collect();
    lines.reverse();
    env.write(FILE, lines.join("\n\n"));
    gate(&env).ok();
    let merged = "5 pairs, no pair changed, the file is written anew";
    assert_eq!(
        update(&env),
        says(merged),
        "the order of lines is no change"
    );
    let sorted = env.read(FILE);
    assert_eq!(sorted.lines().count(), 6);

    let reason = |text: &str| text.replace("\"}\n", "\",\"reason\":\"agreed\"}\n");
    let conflict = format!(
        "<<<<<<< ours\n{}=======\n{theirs}>>>>>>> theirs\n",
        reason(&ours)
    );
    env.write(FILE, &conflict);
    gate(&env).fails("accepted.jsonl:1: an unresolved conflict");
    assert_eq!(env.read(FILE), conflict);
    update(&env);
    assert_eq!(
        env.read(FILE).matches("agreed").count(),
        4,
        "the reasons of a side are kept"
    );
    assert!(!env.read(FILE).contains("<<<"));
    gate(&env).ok();
}

#[test]
fn it_holds_what_is_watched() {
    let env = accepted();
    scan(&env, &["--fail-on", "related"]).fails(
        "accepted.jsonl holds exact, near, contains pairs only, and related ones are asked for",
    );
    scan(&env, &["--fail-on", "exact", "--fail-on-new"]).ok();
    // An update asks for less only if it is told to.
    let run = scan(
        &env,
        &[
            "--fail-on",
            "related",
            "--update-baseline",
            "--max-pairs",
            "9",
        ],
    );
    assert_eq!(
        run.stderr,
        says("3 pairs, no pair changed, the file is written anew")
    );
    assert!(env.read(FILE).contains("\"contains\",\"related\"]"));
    update(&env);
    assert!(env.read(FILE).contains("\"contains\",\"related\"]"));
    let run = scan(
        &env,
        &[
            "--fail-on",
            "exact",
            "--update-baseline",
            "--max-pairs",
            "9",
        ],
    );
    assert_eq!(run.stderr, says("3 pairs, unchanged"));
    // A new one holds what it is told to.
    fs::remove_file(env.path(FILE)).unwrap();
    let run = scan(&env, &["--fail-on", "exact", "--update-baseline"]);
    assert_eq!(run.stderr, says("1 pair, 1 new, 0 updated, 0 gone"));
    gate(&env).fails("holds exact pairs only, and near, contains ones are asked for");
}

#[test]
fn other_shingles_are_not_compared() {
    let env = accepted();
    env.write(
        "docs/edited.md",
        format!("{PARK_EDITED}\nClosed on Mondays.\n"),
    );
    let run = scan(&env, &["--shingle-size", "1", "--fail-on-new"]);
    run.warns("was made with --shingle-unit auto --shingle-size 3");
    let run = scan(&env, &["--shingle-size", "1", "--update-baseline"]);
    assert_eq!(run.stderr, says("3 pairs, 0 new, 2 updated, 0 gone"));
    scan(&env, &["--shingle-size", "1", "--fail-on-new"]).ok();
}

#[test]
fn a_part_of_the_pairs_cannot_be_accepted() {
    let env = accepted();
    let run = scan(&env, &["--update-baseline", "--changed-since", "HEAD"]);
    run.fails("leave out --changed-since");
}

#[test]
fn records_are_known_by_their_ids() {
    let record = |id: &str, text: &str| {
        let object = serde_json::json!({"url": id, "text": text});
        format!("{object}\n")
    };
    let env = Env::new();
    let pages = |records: &[(&str, &str)]| {
        let lines: String = records.iter().map(|(id, text)| record(id, text)).collect();
        env.write("data/pages.jsonl", lines);
    };
    let args = ["data", "--id-field", "url"];
    let scan = |more: &[&str]| scan(&env, &[&args[..], more].concat());
    pages(&[
        ("http://a.example//x/../y", PARK),
        ("b", PARK),
        ("c", BREAD),
    ]);
    let run = scan(&["--update-baseline"]);
    assert_eq!(run.stderr, says("1 pair, 1 new, 0 updated, 0 gone"));
    assert!(
        env.read(FILE)
            .contains("\"data/pages.jsonl#http://a.example//x/../y\"")
    );
    pages(&[("c", BREAD), ("d", PARK), ("b", PARK)]);
    scan(&["--fail-on-new"]).ok();
    pages(&[("c", BREAD), ("b", PARK)]);
    scan(&[]).warns("1 pair of accepted.jsonl is not found any more");
}

#[test]
fn many_formats_and_no_pairs_still_update() {
    let env = accepted();
    env.write("docs/another.md", PARK);
    let args = [
        "--update-baseline",
        "--no-pairs",
        "-f",
        "jsonl",
        "-f",
        "table=table.txt",
    ];
    let run = scan(&env, &args);
    assert_eq!(run.stderr, says("6 pairs, 3 new, 0 updated, 0 gone"));
    assert!(!run.stdout.contains("\"type\":\"pair\""), "{}", run.stdout);
    gate(&env).ok();
    // The table has the first of the open pairs, not of all.
    env.write("docs/third.md", PARK);
    let run = scan(&env, &["--top", "1"]);
    assert!(
        run.ok().contains("… and 3 pairs not shown"),
        "{}",
        run.stdout
    );
    assert_eq!(
        run.stdout
            .lines()
            .nth(1)
            .unwrap()
            .matches("third.md")
            .count(),
        1
    );
}

#[test]
fn with_a_baseline_accepted_pairs_never_count() {
    let env = Env::parks();
    scan(&env, &["--update-baseline"]);
    for args in [
        ["--fail-on", "contains"],
        ["--fail-on", "near"],
        ["--max-pairs", "0"],
    ] {
        scan(&env, &args).ok();
    }
    env.write("en/third.md", PARK);
    for args in [&["--fail-on", "exact"][..], &["--max-pairs", "0"]] {
        scan(&env, args).trips("that the baseline does not accept");
    }
    // What is accepted this very moment is no failure.
    scan(&env, &["--update-baseline", "--fail-on", "contains"]);
    scan(&env, &["--fail-on", "contains"]).ok();
}

#[test]
fn a_table_shows_what_is_open_and_counts_the_rest() {
    let env = Env::parks();
    scan(&env, &["--update-baseline"]);
    let accepted = scan(&env, &[]);
    assert_eq!(accepted.ok().lines().count(), 1, "{}", accepted.stdout);
    assert!(
        accepted
            .stdout
            .contains("not shown: 6 accepted by the baseline")
    );
    env.write("en/third.md", PARK);
    let run = scan(&env, &[]);
    // The three pairs of the new page, and its cluster.
    assert!(
        run.ok().contains("Cluster 1: 4 documents"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("zh/"), "{}", run.stdout);
}

#[test]
fn malformed_records_make_no_pair_gone() {
    let record = |text: &str| format!("{{\"text\":{text:?}}}\n");
    let whole = record(PARK) + &record(PARK_EDITED);
    let env = Env::new().file("pages.jsonl", &whole);
    scan(&env, &["--update-baseline"]);
    let before = env.read("accepted.jsonl");
    env.write("pages.jsonl", record(PARK) + "{\"text\": broken\n");
    let run = scan(&env, &["--update-baseline"]);
    assert!(
        run.stderr.ends_with(&says("1 pair, unchanged")),
        "{}",
        run.stderr
    );
    assert_eq!(env.read("accepted.jsonl"), before);
    assert!(!scan(&env, &[]).stderr.contains("not found"));
}

#[test]
fn to_accept_less_forgets_nothing() {
    let env = Env::parks();
    scan(&env, &["--update-baseline"]);
    let before = env.read("accepted.jsonl");
    let run = scan(&env, &["--update-baseline", "--fail-on", "exact"]);
    assert!(run.stderr.contains("unchanged"), "{}", run.stderr);
    assert_eq!(env.read("accepted.jsonl"), before);
}

#[test]
fn lines_in_another_order_are_put_in_order() {
    let env = Env::parks();
    scan(&env, &["--update-baseline"]);
    let before = env.read("accepted.jsonl");
    let mut lines: Vec<&str> = before.lines().collect();
    lines[1..].reverse();
    env.write("accepted.jsonl", lines.join("\n") + "\n");
    let run = scan(&env, &["--update-baseline"]);
    assert!(run.stderr.contains("written anew"), "{}", run.stderr);
    assert_eq!(env.read("accepted.jsonl"), before);
    assert!(
        scan(&env, &["--update-baseline"])
            .stderr
            .contains("unchanged")
    );
}

#[test]
fn reports_take_the_place_of_nothing_that_is_read() {
    let env = Env::parks()
        .file("list.txt", "en\nzh\n")
        .file("rules.toml", "")
        .file("weights.txt", "a 1\n")
        .file("dupfind.toml", "top = 3\n");
    for args in [
        &["--files-from", "list.txt", "-f", "json=list.txt"][..],
        &["--ignore-pairs", "rules.toml", "-f", "json=./rules.toml"],
        &["--idf", "weights.txt", "-o", "en/../weights.txt"],
        &["-f", "table=dupfind.toml"],
    ] {
        env.report(args).fails("which is to be read");
    }
    for (args, part) in [
        (
            &["-f", "table", "-f", "json=-"][..],
            "both go to standard output",
        ),
        (&["-f", "json=x", "-f", "csv=./x"], "both go to"),
        (
            &["--baseline", "new", "--update-baseline", "-f", "json=./new"],
            "which is the baseline",
        ),
    ] {
        env.report(&[&["--no-config"], args].concat()).fails(part);
    }
}
