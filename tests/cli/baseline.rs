//! The life of a baseline: made, kept up, merged, damaged.

use std::fs;

use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Report, Run};

pub(crate) const FILE: &str = "accepted.jsonl";

/// A document that has nothing to do with the others either.
pub(crate) const BICYCLE: &str = "\
Loosen both brake arms before you pull the wheel out of its fork. A worn chain skips under load, so
measure twelve links against a ruler and replace it once they have grown by a sixteenth of an inch.
";

/// Scans with the baseline.
pub(crate) fn scan(env: &Env, args: &[&str]) -> Run {
    env.run(&[&["scan", "--baseline", FILE], args].concat())
}

/// Scans, and fails on new pairs.
pub(crate) fn gate(env: &Env) -> Run {
    scan(env, &["--fail-on-new"])
}

/// The message of a run that fails.
fn failed(pairs: &str, kinds: &str) -> String {
    format!(
        "dupfind: failed: {pairs} that the baseline does not accept ({kinds}); wanted? dupfind accept A B --baseline {FILE} \
         --reason \"...\"\n"
    )
}

/// Accepts the present pairs, and returns the message about them.
#[track_caller]
pub(crate) fn update(env: &Env) -> String {
    let run = scan(env, &["--update-baseline", "--no-pairs"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stderr
}

/// The message of an update.
pub(crate) fn says(rest: &str) -> String {
    format!("dupfind: baseline {FILE}: {rest}\n")
}

/// The place of each pair in the baseline, by the names of their documents.
#[track_caller]
pub(crate) fn standings(env: &Env) -> Vec<(String, String, String)> {
    let run = scan(env, &["--format", "json", "--quiet"]);
    let pairs = Report::of(run.ok()).pairs.into_iter();
    pairs
        .map(|pair| (pair.a, pair.b, pair.standing.unwrap_or_default()))
        .collect()
}

/// A folder with two copies, an edited one and a page of its own, all accepted.
pub(crate) fn accepted() -> Env {
    let env = Env::new()
        .file("docs/bread.md", BREAD)
        .file("docs/copy.md", PARK)
        .file("docs/edited.md", PARK_EDITED)
        .file("docs/park.md", PARK);
    assert_eq!(update(&env), says("3 pairs, 3 new, 0 updated, 0 gone"));
    env
}

/// The lines of the file with one document's entries changed.
pub(crate) fn edit(env: &Env, change: impl Fn(&str) -> String) {
    let text: String = env
        .read(FILE)
        .lines()
        .map(|line| change(line) + "\n")
        .collect();
    env.write(FILE, text);
}

pub(crate) fn rename(env: &Env, from: &str, to: &str) {
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
    let changed = [
        "--baseline",
        "x",
        "--update-baseline",
        "--changed-since",
        "HEAD",
    ];
    env.run(&[&["scan"], &changed[..]].concat())
        .fails("would drop the accepted pairs of documents that have not changed");
}

#[test]
fn accepted_pairs_are_not_shown_and_fail_nothing() {
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
            .all(|line| line.ends_with(",accepted,"))
    );
    let lines = scan(&env, &["-f", "jsonl"]);
    assert_eq!(lines.ok().matches("\"standing\":\"accepted\"").count(), 3);
    assert!(lines.stdout.contains("\"new_pairs\":0,"));
    // Without a baseline nothing is in any way.
    let plain = env.json(&["docs"]);
    assert_eq!(plain.summary.new_pairs, None);
    assert!(plain.pairs.iter().all(|pair| pair.standing.is_none()));
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
    assert_eq!(run.stderr, failed("3 pairs", "2 exact, 1 near"));
    assert_eq!(
        run.stdout.matches("docs/another.md").count(),
        1,
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("standing"));
    // All the same if the original is called something else now.
    rename(&env, "docs/park.md", "docs/zoo.md");
    let run = gate(&env);
    assert_eq!(run.stderr, failed("3 pairs", "2 exact, 1 near"));
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
    assert_eq!(run.stderr, failed("2 pairs", "2 exact"));
    let said = "1.  3 copies of one text (accepted once, and worse since)\n    docs/edited.md\n";
    assert!(run.stdout.starts_with(said), "{}", run.stdout);
    let run = scan(&env, &["-v"]);
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
fn reasons_are_kept() {
    let env = accepted();
    edit(&env, |line| {
        if line.contains("docs/copy.md\",\"b\":\"docs/park.md") {
            let open = line.strip_suffix('}').unwrap();
            format!("{open},\"reason\":\"printed \\u001b[31m\"}}")
        } else {
            line.into()
        }
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
    let kept = "\"reason\":\"printed \\u001b[31m\"}\n";
    assert_eq!(env.read(FILE).matches(kept).count(), 1);
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
        failed("1 pair", "1 near").replace("A B", "A B zh")
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
    // Pairs that this run accepts are no failure.
    scan(&env, &["--update-baseline", "--fail-on", "contains"]);
    scan(&env, &["--fail-on", "contains"]).ok();
}

#[test]
fn a_table_shows_open_pairs_and_counts_the_rest() {
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
    // The new page with each of the others, and its cluster.
    let entry =
        "1.  4 pages: 2 copies of the first; 90 % of the other is in the first\n    en/third.md\n";
    assert!(run.ok().starts_with(entry), "{}", run.stdout);
    let run = scan(&env, &["-v"]);
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
fn two_updates_at_once_lose_nothing() {
    for round in 0..20 {
        let env = Env::new();
        let sides = ["left", "right"];
        for side in sides {
            env.write(format!("{side}/a.md"), format!("{PARK} {side}"));
            env.write(format!("{side}/b.md"), format!("{PARK} {side}"));
        }
        let update = |side| {
            let args = [
                "scan",
                side,
                "-q",
                "--baseline",
                "accepted",
                "--update-baseline",
            ];
            env.std_command(&args)
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        };
        for mut child in sides.map(update) {
            assert!(child.wait().unwrap().success());
        }
        let accepted = env.read("accepted");
        for side in sides {
            assert!(
                accepted.contains(&format!("{side}/a.md")),
                "{round}: {accepted}"
            );
        }
        assert_eq!(env.entries(), ["accepted", "left", "right"]);
    }
}
