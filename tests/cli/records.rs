//! Files of records: JSON Lines, every line a document.

use crate::env::{Env, PARK, Report, Says};

/// One record as a line.
fn line(id: impl Into<serde_json::Value>, text: &str) -> String {
    serde_json::json!({ "id": id.into(), "text": text, "more": [1, { "text": "no" }] }).to_string()
        + "\n"
}

#[test]
fn of_many_bad_records_the_first_hundred_are_listed() {
    // They are more than one batch.
    let bad = "x".repeat(200) + "\n";
    let env = Env::new()
        .file("a.jsonl", bad.repeat(7_000) + &line("y", "a word"))
        .file("b.csv", "text\n".to_owned() + &"...\n".repeat(150));
    for threads in ["1", "4"] {
        let run = env.scan([".", "--threads", threads]);
        run.warns("a.jsonl#1: malformed");
        let report = Report::of(&run.stdout);
        assert_eq!(report.summary.documents, 1);
        assert_eq!(report.summary.skipped, 7_150);
        let rest = report.skipped.iter();
        let mut rest = rest.filter(|entry| entry.records.is_some());
        let mut rest = || {
            let entry = rest.next().unwrap();
            (&*entry.path, &*entry.reason, &*entry.detail)
        };
        assert_eq!(rest(), ("a.jsonl", "malformed", "6900 more records"));
        assert_eq!(rest(), ("b.csv", "empty", "50 more records"));
        let named: Vec<&str> = report.skipped.iter().map(|entry| &*entry.path).collect();
        assert_eq!(named.len(), 202);
        assert!(named.contains(&"a.jsonl#100") && !named.contains(&"a.jsonl#101"));
        assert!(named.contains(&"b.csv#101") && !named.contains(&"b.csv#102"));
    }
    env.report(".").warns("6995 more cannot be read; ");
    let table = env.report(".").stdout;
    table.says("7150 skipped: 150 empty, 7000 malformed");
}

#[test]
fn many_records_that_are_too_large_are_one_line() {
    let bad = line("x", &"word ".repeat(100)).repeat(3_000) + &line("y", "a word");
    let env = Env::new().file("a.jsonl", &bad).file("b.jsonl", &bad);
    let args = ". --max-filesize 200";
    let run = env.scan(args);
    run.warns("records of more than 200 bytes are skipped: 6000, the first in a.jsonl, line 1");
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    env.scan((args, "--quiet")).ok();
}

#[test]
fn a_test_set_without_the_text_field_is_refused() {
    let question = serde_json::json!({ "question": PARK }).to_string();
    let env = Env::new()
        .file("train.jsonl", line(1, PARK))
        .file("test.jsonl", &question)
        .file("test.json", format!("[{question}]"))
        .file("test.csv", format!("question\n\"{PARK}\"\n"));
    let refused = "test.jsonl: no document in it: its only record is malformed: no field 'text'; it has 'question'";
    for command in ["scan", "check"] {
        let run = env.run((command, "train.jsonl --against test.jsonl"));
        run.complains(refused);
    }
    for set in ["test.csv", "test.json"] {
        let run = env.run(["scan", "train.jsonl", "--against", set]);
        run.complains(&format!("error: {set}: no record has the text field"));
    }
}

#[test]
fn each_text_field_is_one_that_a_record_has() {
    let late = line(1, PARK) + &serde_json::json!({ "title": null, "text": "x" }).to_string();
    let env = Env::new()
        .file("a.jsonl", late)
        .file("b.csv", format!("text,name\n\"{PARK}\",x\n"));
    let fields = |names: &str| format!("a.jsonl b.csv --text-field {names}");
    for command in ["scan", "check", "scan --quiet"] {
        let run = env.run((command, fields("text,titel")));
        run.complains("dupfind: error: no record has the text field 'titel'");
    }
    for known in ["text,title", "name,text"] {
        env.scan(fields(known)).ok();
    }
}

#[test]
fn records_are_no_pages_of_versions() {
    let env = ["v1", "v2"].iter().fold(Env::new(), |env, version| {
        env.file(format!("{version}/p.jsonl"), line(1, PARK))
    });
    let list = env.report(".").stdout;
    list.says("2 copies of one text\n    v1/p.jsonl#1\n    v2/p.jsonl#1");
    list.omits("compared with itself");
    // Beside pages of versions, too.
    let pages = [
        "Bread rises twice before it is baked in a hot oven.",
        "Tea is picked by hand.",
    ];
    let env = ["v1", "v2"].iter().fold(env, |env, version| {
        let pages = pages.iter().enumerate();
        pages.fold(env, |env, (at, page)| {
            env.file(format!("{version}/{at}.md"), page)
        })
    });
    let list = env.report(".").stdout;
    list.says("2 versions (v1, v2); each is compared with itself");
    list.says("2 copies of one text\n    v1/p.jsonl#1\n    v2/p.jsonl#1");
}

#[test]
fn records_within_json_are_told_apart() {
    let record = serde_json::json!({ "text": PARK }).to_string();
    let two = format!("{{\"train\":[{record}],\"test\":[{record}]}}");
    let odd = format!("{{\"\":[{record}],\"test\":[{record}]}}");
    let env = Env::new()
        .file("data.json", format!("{{\"n\":[1],\"data\":[{record}]}}"))
        .file("my late.json", format!("[{{\"id\":1}},{record}]"))
        .file("two.json", two)
        .file("odd.json", odd)
        .file("pretty.json", record.replace("{", "{\n").repeat(2))
        .file("t.csv", format!("id,body\n1,\"{PARK}\"\n"))
        .file("config.json", "{\"text\": \"x\", \"list\": [{\"a\": 1}]}");
    let env = env.file(
        "deep.json",
        format!("{{\"data\":{{\"items\":[{record}]}}}}"),
    );
    let run = env.run(
        "scan data.json deep.json 'my late.json' two.json odd.json pretty.json config.json t.csv",
    );
    run.says("jq -c '.data.items[]' deep.json");
    run.says("jq -c '.data[]' data.json");
    run.says("my late.json#1: malformed: no field 'text'; it has 'id'");
    run.says("jq -c '.test[], .train[]' two.json");
    run.says("jq -c '.' pretty.json");
    run.says("t.csv: compared as one document: it has no column with the name of the text field");
    run.omits("config.json");
    run.omits("odd.json");
}
