//! The life of a baseline: made, kept up, merged, damaged.

use std::fs;

use crate::env::{
    Args, BREAD, Env, PARK, PARK_EDITED, PARK_ZH, Report, Run, Says, record, records,
};

pub(crate) const FILE: &str = "accepted.jsonl";

/// A document that has nothing to do with the others either.
pub(crate) const BICYCLE: &str = "\
Loosen both brake arms before you pull the wheel out of its fork. A worn chain skips under load, so
measure twelve links against a ruler and replace it once they have grown by a sixteenth of an inch.
";

/// Checks with the baseline.
pub(crate) fn check(env: &Env, args: impl Args) -> Run {
    env.check((["--baseline", FILE], args))
}

/// Accepts all pairs.
pub(crate) fn accept(env: &Env, args: impl Args) -> Run {
    env.run((["accept", "--all", "--baseline", FILE], args))
}

/// Accepts the present pairs, and returns the message about them.
#[track_caller]
pub(crate) fn update(env: &Env) -> String {
    let run = accept(env, "");
    run.went_well();
    run.stderr
}

/// The message of an update.
pub(crate) fn says(rest: &str) -> String {
    format!("dupfind: baseline {FILE}: {rest}\n")
}

/// A folder with two copies, an edited one and a page of its own, all accepted.
pub(crate) fn accepted() -> Env {
    let env = Env::of(
        "BREAD: docs/bread.md; PARK: docs/copy.md docs/park.md; PARK_EDITED: docs/edited.md",
    );
    assert_eq!(update(&env), says("3 pairs, 3 new, 0 updated, 0 gone"));
    env
}

pub(crate) fn rename(env: &Env, from: &str, to: &str) {
    fs::create_dir_all(env.path(to).parent().unwrap()).unwrap();
    fs::rename(env.path(from), env.path(to)).unwrap();
}

#[test]
fn a_missing_baseline_says_how_to_make_one() {
    let env = Env::parks();
    check(&env, "").fails("there is no file accepted.jsonl; dupfind accept makes it");
    assert!(!env.path(FILE).exists());
    env.run("accept --all --baseline no/b")
        .fails("there is no folder");
}

#[test]
fn accepted_pairs_are_in_no_report_and_fail_nothing() {
    let env = accepted();
    let run = check(&env, "");
    assert_eq!(run.ok(), "");
    run.begins("dupfind: No new duplicates: 4 pages compared, 3 accepted, ");
    let report = Report::of(check(&env, "-f json").ok());
    // The baseline itself is no document, though it lies in the folder.
    assert_eq!((report.summary.documents, report.skipped.len()), (4, 0));
    assert_eq!((report.summary.pairs, report.clusters.len()), (0, 0));
    assert_eq!(report.summary.new_pairs, Some(0));
    // A scan knows no baseline.
    assert_eq!(env.json("docs").summary.pairs, 3);
}

#[test]
fn the_nearest_file_is_found() {
    let env = Env::of("PARK: site/docs/a.md site/docs/b.md")
        .file("site/dupfind.toml", "min-jaccard = 0.3\n")
        .folder(".git");
    let all = |folder: &str| env.run_in(folder, "accept --all");
    let check = |folder: &str| env.run_in(folder, "check");
    // Beside the configuration in force.
    all("site/docs").says("baseline ../.dupfind-baseline: 1 pair, 1 new");
    for folder in ["site", "site/docs"] {
        check(folder).ok();
    }
    check(".").trips("1 duplicate pair");
    // At the root of the repository.
    fs::remove_file(env.path("site/.dupfind-baseline")).unwrap();
    fs::remove_file(env.path("site/dupfind.toml")).unwrap();
    all("site/docs").says("baseline ../../.dupfind-baseline: 1 pair, 1 new");
    for folder in [".", "site", "site/docs"] {
        check(folder).ok();
    }
    // From another folder it is the same one, also for what is accepted.
    env.write("else/more.md", BREAD);
    env.run_in("else", "check ../site/docs").ok();
    fs::remove_file(env.path(".dupfind-baseline")).unwrap();
    let accept = "accept ../site/docs/a.md ../site/docs/b.md ../site/docs --reason x";
    env.run_in("else", accept)
        .says("accepted in ../.dupfind-baseline");
    // The nearest one to the path comes first, and nothing of the folder is trusted if that is asked for.
    env.write("site/.dupfind-baseline", "nonsense");
    for (folder, path) in [("site", "."), ("site/docs", "."), (".", "site/docs")] {
        let run = env.run_in(folder, ["check", path]);
        run.fails(".dupfind-baseline:1: this is no baseline");
    }
    env.run_in("site", "check --no-config")
        .trips("1 duplicate pair");
}

#[test]
fn worse_than_accepted_fails() {
    let env = accepted();
    env.write("docs/edited.md", PARK);
    let list = check(&env, "");
    let said = "became more similar since it was accepted";
    list.trips("2 duplicate pairs (2 exact)").says(said);
    let table = check(&env, "-f table");
    let rows = table.trips("2 duplicate pairs (2 exact)");
    rows.begins("standing  relation");
    let found = table.stdout.matches("\nworse     exact   ").count();
    assert_eq!(found, 2, "{table:?}");
    let comment = check(&env, "-f markdown");
    comment.stdout.says(format!("; {said} |"));
    assert_eq!(update(&env), says("3 pairs, 0 new, 2 updated, 0 gone"));
    check(&env, "").ok();
}

#[test]
fn stale_entries_are_listed_and_dropped() {
    let env = accepted();
    fs::remove_file(env.path("docs/edited.md")).unwrap();
    let run = check(&env, "");
    run.warns("2 pairs of accepted.jsonl are not found any more: their lines may be deleted");
    run.says("accepted.jsonl:2: not found: docs/copy.md and docs/edited.md\n");
    check(&env, "--quiet").ok();
    assert_eq!(update(&env), says("1 pair, 0 new, 0 updated, 2 gone"));
    check(&env, "").ok();
    // Only the first few are named.
    for number in 0..4 {
        env.write(format!("docs/{number}.md"), PARK_ZH);
    }
    update(&env);
    for number in 0..4 {
        fs::remove_file(env.path(format!("docs/{number}.md"))).unwrap();
    }
    let run = check(&env, "");
    run.warns("6 pairs of accepted.jsonl are not found any more");
    assert_eq!(run.stderr.lines().count(), 8, "{}", run.stderr);
    run.says("not found: 1 more\n");
}

#[test]
fn a_run_of_one_folder_leaves_the_others_alone() {
    let env = Env::parks();
    update(&env);
    let whole = env.read(FILE);
    check(&env, "zh").ok();
    assert_eq!(accept(&env, "zh").stderr, says("6 pairs, unchanged"));
    // Not even if they are called something else now.
    rename(&env, "en/park.md", "en/zoo.md");
    check(&env, "zh").ok();
    assert_eq!(accept(&env, "zh").stderr, says("6 pairs, unchanged"));
    rename(&env, "en/zoo.md", "en/park.md");
    check(&env, "--glob zh/**").ok();
    // A copy of a page that is there is no renaming of it.
    env.write("zh/park-en.md", PARK);
    env.write("zh/edited-en.md", PARK_EDITED);
    check(&env, "zh").trips("1 duplicate pair (1 near)");
    // But what has come over from there is.
    fs::remove_dir_all(env.path("en")).unwrap();
    check(&env, "zh").ok();
    assert_eq!(env.read(FILE), whole);
    // The paths behind '--all' are those of a scan, and not two documents.
    let run = env.run("accept --all zh zh/park.md --baseline zh.jsonl");
    run.says("4 pairs, 4 new");
}

#[test]
fn what_cannot_be_read_is_not_forgotten() {
    let env = accepted();
    let before = env.read(FILE);
    accept(&env, "docs no/such").complains("the baseline accepted.jsonl is left as it is");
    assert_eq!(env.read(FILE), before);
}

#[test]
fn malformed_records_make_no_pair_gone() {
    let env = Env::new().file("pages.jsonl", records(&[PARK, PARK_EDITED]));
    accept(&env, "");
    let before = env.read("accepted.jsonl");
    env.write("pages.jsonl", record(PARK) + "{\"text\": broken\n");
    accept(&env, "").stderr.ends(says("1 pair, unchanged"));
    assert_eq!(env.read("accepted.jsonl"), before);
    check(&env, "").omits("not found");
}

#[test]
fn two_updates_at_once_lose_nothing() {
    for _ in 0..5 {
        let env = Env::new();
        let sides = ["left", "right"];
        for side in sides {
            env.write(format!("{side}/a.md"), format!("{PARK} {side}"));
            env.write(format!("{side}/b.md"), format!("{PARK} {side}"));
        }
        let update = |side| {
            env.std_command(("accept --all -q --baseline accepted", [side]))
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        };
        for mut child in sides.map(update) {
            assert!(child.wait().unwrap().success());
        }
        let accepted = env.read("accepted");
        for side in sides {
            accepted.says(format!("{side}/a.md"));
        }
        assert_eq!(env.entries(), ["accepted", "left", "right"]);
    }
}
