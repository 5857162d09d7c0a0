//! `dupfind reuse`: passages that are in several places.

use serde_json::{Value, json};

use crate::env::{Args, Env, Run, Says, large, named_record, value};

const STEP: &str = "Open the console, choose the region in the upper left corner, and wait 30 seconds for the list.";

fn report(env: &Env, args: impl Args) -> Value {
    value(env.run(("reuse --format json", args)).ok())
}

/// The groups of a report, with some of their values.
fn groups<const N: usize>(report: &Value, keys: [&str; N]) -> Value {
    let groups = report["groups"].as_array().unwrap().iter();
    groups
        .map(|group| json!(keys.map(|key| &group[key]).as_slice()))
        .collect()
}

/// A number in letters.
fn letters(mut number: usize) -> String {
    let mut word = String::new();
    loop {
        word.push(char::from(b'a' + u8::try_from(number % 26).unwrap()));
        number /= 26;
        if number == 0 {
            return word;
        }
    }
}

/// A text of 60 words of its own, so that no two pages are alike.
fn own(number: usize) -> String {
    let words = (0..60).map(|word| format!("{}q{}", letters(number), letters(word)));
    let words: Vec<String> = words.collect();
    words.join(" ")
}

/// Pages with texts of their own and [`STEP`]. One of them has another number in it.
fn steps() -> Env {
    let env = Env::new();
    for (name, step) in [
        ("a/one.md", STEP.to_owned()),
        ("a/two.md", STEP.to_owned()),
        ("b/three.md", STEP.replace("30", "90")),
        ("b/four.md", STEP.to_owned()),
    ] {
        let own = own(name.len() * 7 + name.as_bytes()[2] as usize);
        let text = format!("# Title of {name}\n\n{own}\n\n1. {step}\n2. Short.\n");
        env.write(name, text);
    }
    env
}

#[test]
fn a_passage_is_reported_with_its_wordings_and_lines() {
    let report = report(&steps(), "");
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["tool"]["name"], "dupfind");
    assert_eq!(report["settings"]["min_units"], 8);
    let summary = &report["summary"];
    let counts = ["documents", "skipped", "groups", "groups_listed"].map(|key| &summary[key]);
    assert_eq!(json!(counts), json!([4, 0, 1, 1]));
    assert!(summary["blocks"].as_u64() >= Some(8) && summary["duplicated"].as_f64() > Some(0.1));
    let place = |path: &str| json!({"path": path, "start_line": 5, "end_line": 5});
    let places = ["a/one.md", "a/two.md", "b/four.md"].map(place);
    let changes = json!([{"kind": "number", "before": "30", "after": "90"}]);
    let expected = json!([{
        "id": 0, "kind": "list item", "blocks": 1, "units": 18, "copies": 4, "documents": 4, "units_saved": 54,
        "common": false, "whole": false,
        "wordings": [
            {
                "text": STEP, "copies": 3, "odd": false, "changes": [],
                "places": places,
            },
            {
                "text": STEP.replace("30", "90"), "copies": 1, "odd": true, "changes": changes,
                "places": [place("b/three.md")],
            },
        ],
    }]);
    assert_eq!(report["groups"], expected);
    assert_eq!(json!([report["skipped"], report["notes"]]), json!([[], []]));
}

#[test]
fn blocks_that_follow_each_other_are_one_finding() {
    let env = Env::new();
    let run = (0..3).map(|part| format!("{}\n\n", own(900 + part)));
    let run: String = run.collect();
    for (page, before) in [("x.md", 0), ("y.md", 2), ("z.md", 1)] {
        let before: String = (0..before)
            .map(|n| format!("{}\n\n", own(n + page.as_bytes()[0] as usize * 10)))
            .collect();
        let text = format!(
            "{before}{run}{}\n\n{}\n",
            own(page.as_bytes()[0].into()),
            own(5000 + page.as_bytes()[0] as usize)
        );
        env.write(page, text);
    }
    let report = report(&env, "");
    let found = groups(&report, ["blocks", "copies", "units"]);
    assert_eq!(found, json!([[3, 3, 180]]));
    let wording = &report["groups"][0]["wordings"][0];
    let places = wording["places"].as_array().unwrap().iter();
    let lines: Value = places
        .map(|place| json!([place["start_line"], place["end_line"]]))
        .collect();
    assert_eq!(lines, json!([[1, 5], [5, 9], [3, 7]]));
    assert_eq!(wording["text"].as_str().unwrap().matches("\n\n").count(), 2);
}

#[test]
fn words_behind_the_shown_part_of_a_text_are_no_change() {
    let text: Vec<String> = (0..20).map(own).collect();
    let text = text.join("\n\n");
    let env = Env::new()
        .file("a.md", &text)
        .file("b.md", text.replacen(' ', " for once a longer word ", 1));
    let report = report(&env, "");
    let changes = &report["groups"][0]["wordings"][1]["changes"];
    assert_eq!(changes.as_array().unwrap().len(), 1, "{changes}");
}

#[test]
fn a_paragraph_behind_itself_is_in_several_places() {
    let (text, other) = (own(1), own(2));
    let env = Env::new()
        .file("a.md", format!("{text}\n\n{text}\n\n{text}\n\n{other}\n"))
        .file("b.md", format!("{text}\n"));
    let report = report(&env, "");
    let found = groups(&report, ["copies", "documents", "blocks"]);
    assert_eq!(found, json!([[4, 2, 1]]));
}

#[test]
fn templates_and_whole_pages_are_told_apart() {
    let env = Env::new();
    for page in 0..20 {
        let text = format!(
            "{}\n\nThis notice stands on every page of the site, and nobody wants to read it here.\n",
            own(page)
        );
        env.write(format!("p{page:02}.md"), text);
    }
    let page = format!("{}\n\n{}\n", own(100), own(101));
    let env = env.file("copy/a.md", &page).file("copy/b.md", &page);
    let report = report(&env, "");
    let told = groups(&report, ["copies", "common", "whole"]);
    assert_eq!(told, json!([[2, false, true], [20, true, false]]));
    let summary = ["groups", "common_groups", "units_saved"].map(|key| &report["summary"][key]);
    assert_eq!(json!(summary), json!([1, 1, 120]));
    assert!(report["summary"]["units"].as_u64() > Some(120));
    let first = self::report(&env, "--top 1");
    assert_eq!(groups(&first, ["copies"]), json!([[2]]));
    // Both sentences count the same, together.
    let table = env.run("reuse --top 1").stdout;
    table.says(": 1 passage is in");
    table.says("; 1 more of templates");
    table.says("\n1 of 2 listed; --top 2");
}

#[test]
fn every_format_says_the_same_and_nothing_in_a_text_acts() {
    let env = steps();
    let bad = format!("{STEP} <script>alert(1)</script> `x` | \u{202e}");
    for name in ["c/x.txt", "c/=y,\"z\".txt"] {
        env.write(name, &bad);
    }
    let table = env.run("reuse");
    table.ok().says("number: '30' became '90'");
    assert!(
        table.stdout.lines().all(|line| line.chars().count() <= 100),
        "{}",
        table.stdout
    );
    for format in ["table", "json"] {
        let run = |threads| env.run(["reuse", "-f", format, "-j", threads]).stdout;
        assert_eq!(run("1"), run("4"), "{format}");
        // JSON has the text as it is.
        assert!(
            format == "json" || !run("1").contains('\u{202e}'),
            "{format}"
        );
    }
}

#[test]
fn code_does_not_count_and_records_have_the_lines_of_their_file() {
    let code = format!("```\n{}\n```\n", own(9));
    let env = Env::new()
        .file("a.md", format!("{}\n\n{code}", own(1)))
        .file("b.md", format!("{}\n\n{code}", own(2)));
    assert_eq!(report(&env, "")["groups"], json!([]));
    let records =
        named_record("x", own(5)) + &named_record("y", format!("{}\n\n{}", own(6), own(5)));
    let env = Env::new().file("all.jsonl", records);
    let report = report(&env, "--id-field id");
    let place = |path: &str, line: u64| json!({"path": path, "start_line": line, "end_line": line});
    let expected = json!([place("all.jsonl#x", 1), place("all.jsonl#y", 2)]);
    assert_eq!(report["groups"][0]["wordings"][0]["places"], expected);
}

#[test]
fn files_of_code_count_if_they_are_asked_for() {
    let env = Env::new();
    for (at, name) in ["src/a.py", "src/b.py", "conf/c.yml", "docs/d.md"]
        .iter()
        .enumerate()
    {
        env.write(*name, format!("{}\n\n{STEP}\n", own(at)));
    }
    // A page and code are no pair in a scan.
    assert_eq!(report(&env, "")["groups"], json!([]));
    assert_eq!(report(&env, "")["summary"]["documents"], 4);
    let copies = |args: &str| groups(&report(&env, args), ["copies"]);
    assert_eq!(copies("-t code"), json!([[3]]));
    assert_eq!(copies("-t py,md"), json!([[3]]));
    assert_eq!(copies("src/a.py src/b.py"), json!([[2]]));
    env.write("docs/e.md", format!("{}\n\n{STEP}\n", own(9)));
    let places = |args: &str| report(&env, args)["groups"][0]["wordings"][0]["places"].clone();
    let paths = |places: Value| -> Vec<Value> {
        let places = places.as_array().unwrap().iter();
        places.map(|place| place["path"].clone()).collect()
    };
    assert_eq!(paths(places("")), ["docs/d.md", "docs/e.md"]);
    assert_eq!(report(&env, ""), report(&env, "conf docs src"));
}

#[test]
fn a_path_that_is_not_there_is_an_error_alone() {
    let env = steps();
    env.run("reuse nofolder").fails("nofolder: not found");
    let run = env.run("reuse nofolder a");
    assert_eq!(run.code, Some(2));
    run.stdout
        .says("2 documents: 1 passage is in several places");
    let run = env.run("reuse nofolder --format json");
    assert_eq!(run.code, Some(2));
    assert_eq!(value(&run.stdout)["skipped"][0]["path"], "nofolder");
}

#[test]
fn hostile_texts_take_little_time_and_stay_readable() {
    let line = "the same line stands here again and again and again\n\n";
    let rows: String = (0..large(50_000))
        .map(|n| format!("| user name{n} | was given access to the system on demand of {n} |\n"))
        .collect();
    let numbers =
        (0..large(20_000)).map(|n| format!("{n} {} {} 4 5 6 7 8 9 10\n\n", n * 7, n % 13));
    let numbers: String = numbers.collect();
    let env = Env::new()
        .file("block.txt", own(1).repeat(large(2_500)))
        .file("block2.txt", own(1).repeat(large(2_500)) + " one more word")
        .file("lines.txt", line.repeat(large(100_000)))
        .file("lines2.txt", line.repeat(2))
        .file("numbers.txt", &numbers)
        .file("numbers2.txt", numbers)
        .file("table.md", format!("| a | b |\n|---|---|\n{rows}"))
        .file("table2.md", format!("| a | b |\n|---|---|\n{rows}"));
    let report = report(&env, "--memory-limit 64M");
    let all = report["groups"].as_array().unwrap();
    let text = |group: &Value| group["wordings"][0]["text"].as_str().unwrap().to_owned();
    let is_line = |group: &&Value| text(group).starts_with("the same line");
    assert_eq!(all.iter().find(is_line).unwrap()["copies"], 2);
    // All rows of a table that are alike are one line.
    let rows = all.iter().filter(|group| group["kind"] == "table row");
    assert!(rows.count() < 10);
    assert!(
        all.iter()
            .any(|group| group["units"].as_u64() > Some(large(2_500) as u64 * 40))
    );
    let size = |run: Run| run.stdout.len();
    assert!(size(env.run("reuse")) < 100_000);
}

#[test]
fn the_limit_of_memory_holds() {
    let records = |n: usize| named_record(n, own(n));
    let env = Env::new().file("all.jsonl", (0..15_000).map(records).collect::<String>());
    let run = env.run("reuse --memory-limit 16M");
    assert_eq!(run.code, Some(2));
    run.says("of memory: look at fewer documents");
}

#[test]
fn a_scan_says_which_document_is_closest_to_each() {
    let report = Env::parks().json("");
    let mut all = report.documents.iter();
    let copy = all.find(|d| d.path == "en/copy.md").unwrap();
    assert_eq!(copy.closest.as_str(), "en/park.md");
    assert_eq!(copy.jaccard, Some(1.0));
    assert_eq!(copy.near, 2);
    for document in &report.documents {
        assert!(document.path != "bread.md", "{document:?}");
    }
}
