//! The gate: why a check fails, and its messages then.

use crate::env::{Env, PARK, Report, Says, records};
use crate::scale::words;

#[test]
fn each_relation_fails_with_all_that_are_stronger() {
    // One exact and two near pairs in each language.
    let env = Env::parks();
    env.check("").trips("6 duplicate pairs (2 exact, 4 near): ");
    for (level, kinds) in [
        ("exact", "2 duplicate pairs (2 exact): "),
        ("near", "6 duplicate pairs (2 exact, 4 near): "),
        ("any", "6 duplicate pairs (2 exact, 4 near): "),
    ] {
        env.check(["--fail-on", level]).trips(kinds);
    }
    let run = env.check("--fail-on never");
    run.fails("possible values: exact, near");
}

#[test]
fn weaker_relations_do_not_count_and_are_in_no_report() {
    let env = Env::new()
        .file("a.md", "too short")
        .file("b.md", "too short!");
    env.check("--fail-on exact").ok();
    let report = Report::of(env.check("--fail-on related -f json").ok());
    assert_eq!((report.summary.pairs, report.summary.documents), (0, 2));
    env.check("--fail-on any").ok();
    env.check("--fail-on short")
        .trips("1 duplicate pair (1 short): 2 pages compared, ");
}

#[test]
fn files_that_are_there_more_than_once_on_purpose_do_not_fail() {
    let fonts = "PARK: fonts/Ink-OFL.txt fonts/Tea-OFL.txt; PARK_EDITED: fonts/Reed-OFL.txt";
    let env = Env::of(fonts);
    let run = env.check("");
    assert_eq!(run.ok(), "");
    run.says("No duplicates: 3 pages compared, leaving out 3 pairs of licences or the like, ");
    assert_eq!(env.json("").summary.pairs, 3);
    // A page with the text of a licence is none.
    env.write("fonts/terms.md", PARK);
    let run = env.check("");
    let list = run.trips(
        "3 duplicate pairs (2 exact, 1 near): 4 pages compared, leaving out 3 pairs of licences or the like, ",
    );
    list.says("fonts/terms.md");
    // Those that are accepted are there.
    env.run("accept --all").went_well();
    let run = env.check("");
    run.ok();
    run.says("No new duplicates: 4 pages compared, 6 accepted, ");
    // Two agents have one text; two folders of one agent and two skills have not.
    let env = Env::of("PARK: AGENTS.md CLAUDE.md; BREAD: a/SUMMARY.md b/SUMMARY.md");
    let run = env.check("");
    run.ok();
    run.says("leaving out 2 pairs of licences or the like, ");
    let env = Env::of("PARK: a/AGENTS.md b/AGENTS.md; BREAD: tea/SKILL.md cup/SKILL.md");
    env.check("").trips("2 duplicate pairs (2 exact): ");
}

#[test]
fn the_verdict_says_that_languages_are_not_compared() {
    let states = "PARK: states/ca/permits.md states/de/permits.md; BREAD: states/ca/taxes.md states/de/taxes.md";
    let env = Env::of(states);
    let run = env.check("");
    run.ok();
    run.says("leaving out 2 pairs between languages or versions (--across compares these), ");
    env.check("--across").trips("2 duplicate pairs (2 exact): ");
}

#[test]
fn the_list_has_what_fails_and_nothing_else() {
    let env = Env::of("PARK: docs/a.md docs/b.md")
        .file("short/a.md", "too short")
        .file("short/b.md", "too short!")
        .file("docs/logo.png", b"\x89PNG\0\0");
    let run = env.check("docs short");
    let list = "docs/b.md: copy of docs/a.md (the same text but for case, width and white space)
  See what they share: dupfind compare docs/b.md docs/a.md docs short
  Wanted? dupfind accept docs/b.md docs/a.md docs short --reason \"...\"
";
    assert_eq!(
        run.trips("1 duplicate pair (1 exact): 4 pages compared (1 skipped: 1 binary), "),
        list
    );
    let green = env.check("short");
    assert_eq!(green.ok(), "");
    let verdict = green.stderr.trim_end();
    verdict.begins("dupfind: No duplicates: 2 pages compared, ");
    verdict.ends(" s");
    let quiet = env.check("short -q");
    assert_eq!((quiet.code, quiet.stderr.as_str()), (Some(0), ""));
    // Pairs and clusters of reports for programs are those that fail.
    let report = env.check(". -f json");
    let report = Report::of(report.trips("1 duplicate pair"));
    assert_eq!((report.summary.pairs, report.clusters.len()), (1, 1));
    let table = env.check("-f table");
    table.trips("1 duplicate pair").begins("relation ");
}

#[test]
fn on_github_it_writes_annotations_by_itself() {
    let env = Env::parks();
    let check = |args: &str| {
        let mut command = env.command(("check --fail-on exact", args));
        let run = crate::env::Run::of(command.env("GITHUB_ACTIONS", "true"));
        run.trips("2 duplicate pairs (2 exact)").to_owned()
    };
    check("").begins("::error file=");
    check("-f list").says(": copy of ");
    assert_eq!(check("-o list.txt"), "");
    env.read("list.txt").says(": copy of ");
}

#[test]
fn some_pairs_may_be_allowed() {
    let env = Env::parks();
    env.check("--max-pairs 6");
    env.check("--max-pairs 5")
        .trips("6 duplicate pairs (2 exact, 4 near), 5 allowed: ");
    let allowed = env.check("--max-pairs 2 --fail-on exact");
    assert_eq!(allowed.code, Some(0), "{allowed:?}");
    allowed.begins("dupfind: 2 duplicate pairs (2 exact), 2 allowed: ");
    env.check("--max-pairs 1 --fail-on exact")
        .trips("2 duplicate pairs (2 exact), 1 allowed: ");
}

#[test]
fn a_check_that_compared_nothing_is_an_error() {
    let env = Env::new()
        .folder("empty")
        .file("docs/a.md", PARK)
        .file("logo.png", b"\x89PNG\0\0");
    for args in ["empty", ". --exclude docs/**", "docs --against empty"] {
        env.check(args).complains("nothing to compare");
        env.check((args, "--allow-empty")).went_well();
        env.report(args);
    }
    // A habit of programs that check each file by itself.
    env.check("docs/a.md").fails(
        "nothing to compare: docs/a.md is the only page; name its folder: dupfind check docs (",
    );
    env.check("docs/a.md --allow-empty").ok();
    env.check("docs").ok();
}

#[test]
fn a_file_is_said_to_have_what_its_reader_counts_in_it() {
    let code = (0..9).map(|n| format!("value_{n} = compute(other_{n}) + width_{n} * height_{n}\n"));
    let code: String = code.collect();
    let env = Env::of("PARK: a.md b.md")
        .file("x.py", &code)
        .file("y.py", &code);
    let run = env.report("-o list.txt");
    run.says("list.txt has 1 pair and");
    env.read("list.txt").says(": 1 pair (1 exact)");
    for page in 0..12 {
        let text = PARK
            .replace("the ", &format!("the{page} "))
            .replace("of ", &format!("of{page} "));
        env.write(format!("p{page}.md"), &text);
        env.write(format!("q{page}.md"), &text);
    }
    let run = env.check("--fail-on exact -f github=log");
    let log = env.read("log");
    let annotations = log.lines().filter(|line| line.starts_with("::error "));
    assert_eq!(annotations.count(), 10);
    run.says("log has the first 10 of 13 documents at fault");
}

#[test]
fn a_named_file_without_a_document_is_an_error() {
    let record = "{\"id\":1,\"body\":\"the old park by the river\"}\n";
    let env = Env::new()
        .file("x.jsonl", record.repeat(3))
        .file("good.jsonl", record.replace("body", "text"));
    let says = "x.jsonl: no document in it: all of its 3 records are malformed; the first one: no field 'text'";
    env.report("x.jsonl").complains(says);
    env.check("good.jsonl x.jsonl").complains(says);
    env.check("x.jsonl --allow-empty")
        .warns("x.jsonl#1: malformed");
    // It was not named.
    env.report(".").warns("x.jsonl#1: malformed");
    env.check("x.jsonl --text-field body --fail-on exact")
        .trips("3 duplicate pairs (3 exact): 3 documents compared");
}

#[test]
fn an_error_is_worse_than_a_failure() {
    let run = Env::parks().check(". missing --fail-on exact");
    run.complains("missing: not found");
    run.complains("dupfind: failed: 2 duplicate pairs");
}

#[test]
fn of_two_records_of_a_file_the_later_one_is_at_fault() {
    let mut texts: Vec<String> = (0..10).map(|seed| words(seed, 40)).collect();
    // By their names the tenth is before the fifth.
    texts[9] = texts[4].clone();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let env = Env::new().file("x.jsonl", records(&texts));
    let run = env.check("x.jsonl");
    run.trips("1 duplicate pair (1 exact)")
        .begins("x.jsonl#10: copy of x.jsonl#5");
}
