//! Files of records: JSON Lines, every line a document.

use crate::env::{BREAD, Env, PARK, PARK_EDITED, Report, Says};

/// One record as a line.
fn line(id: impl Into<serde_json::Value>, text: &str) -> String {
    serde_json::json!({ "id": id.into(), "text": text, "more": [1, { "text": "no" }] }).to_string()
        + "\n"
}

fn records() -> Env {
    let lines = [
        line("a", PARK),
        line("b", BREAD),
        "\n".into(),
        line(3, PARK_EDITED),
    ];
    Env::new().file("pages.jsonl", lines.concat())
}

#[test]
fn every_line_is_a_document() {
    let env = records();
    let expected = ["pages.jsonl#1", "pages.jsonl#2", "pages.jsonl#4"];
    assert_eq!(env.names("pages.jsonl"), expected);
    let report = env.json("pages.jsonl --id-field id");
    assert_eq!(report.summary.documents, 3);
    assert_eq!(report.pair_names(), [("pages.jsonl#3", "pages.jsonl#a")]);
}

#[test]
fn the_fields_can_be_named() {
    let line = |body: &str| serde_json::json!({ "url": "u/1", "body": body }).to_string();
    let env = Env::new().file("x.ndjson", line(PARK) + "\n" + &line(PARK));
    let args = "x.ndjson --text-field body --id-field url";
    // The second record with an id is known by its line too.
    assert_eq!(env.names(args), ["x.ndjson#u/1", "x.ndjson#u/1@2"]);
    let report = env.json(". -q");
    let expected = [("x.ndjson#1", "malformed"), ("x.ndjson#2", "malformed")];
    assert_eq!(report.skips(), expected);
}

#[test]
fn a_bad_record_is_skipped_and_the_rest_is_read() {
    let bad = "{\"text\": \"unclosed\n[1]\n{\"id\":1}\n";
    let content = [bad.into(), line("a", PARK), bad.into(), line("b", PARK)].concat();
    let env = Env::new().file("x.jsonl", content);
    let run = env.scan("x.jsonl");
    let report = Report::of(run.warns("dupfind: warning: x.jsonl#1: malformed: "));
    assert_eq!((report.summary.documents, report.summary.skipped), (2, 6));
    assert_eq!(report.pair_names(), [("x.jsonl#4", "x.jsonl#8")]);
    run.says("1 more cannot be read; the JSON of a scan lists them");
}

#[test]
fn the_size_limit_is_for_a_record_not_for_the_file() {
    let x_jsonl = line("a", PARK).repeat(50) + &line("b", &PARK.repeat(9));
    let env = Env::new().file("x.jsonl", x_jsonl);
    let limit = (PARK.len() + 500).to_string();
    let run = env.scan(["x.jsonl", "--max-filesize", &limit]);
    let words = format!(
        "warning: x.jsonl: the record of line 51 is skipped: too large: the limit is {limit} bytes"
    );
    let report = Report::of(run.warns(&words));
    assert_eq!(report.summary.documents, 50);
    assert_eq!(report.skips(), [("x.jsonl#51", "too large")]);
}

#[test]
fn many_batches_give_the_same_bytes_for_any_number_of_threads() {
    let lines = (0..4000).map(|n| line(n, &format!("{PARK} {n} {}", n % 7)));
    let lines: String = lines.collect();
    let env = Env::new().file("x.jsonl", lines);
    let scan = |threads| {
        let args = "x.jsonl --detectors shingle --min-jaccard 1 -j";
        env.scan((args, [threads])).ok().to_owned()
    };
    let one = scan("1");
    assert_eq!(Report::of(&one).summary.documents, 4000);
    assert_eq!(one, scan("3"));
}

#[test]
fn the_size_limit_holds_wherever_the_line_is() {
    let large =
        serde_json::json!({ "text": PARK, "meta": "x".repeat(1_700_000) }).to_string() + "\n";
    let filler = line("filler", &"word ".repeat(120_000));
    for content in [
        large.clone(),
        filler.clone() + &large,
        large.clone() + &filler,
    ] {
        let env = Env::new().file("x.jsonl", content);
        let run = env.scan("x.jsonl --max-filesize 1M");
        let report = Report::of(run.warns("too large: the limit is 1048576 bytes"));
        assert_eq!(report.skips().len(), 1);
        assert_eq!(report.skipped[0].reason, "too large");
    }
}

#[test]
fn names_are_unique_whatever_the_ids() {
    let ids = ["x", "x", "x@2", "x@2@3", "x"];
    let env = Env::new().file("x.jsonl", ids.map(|id| line(id, PARK)).concat());
    let report = env.json("x.jsonl --id-field id");
    assert_eq!(report.summary.pairs, 10);
    assert!(report.pairs.iter().all(|pair| pair.a < pair.b));
}

#[test]
fn an_id_field_that_no_record_has_is_a_warning() {
    let env = Env::new().file("a.jsonl", line(7, PARK));
    let args = "show --as fingerprint a.jsonl --id-field";
    let run = env.run((args, "idd"));
    let listed = run.warns("no record has a text, a number or a boolean in the id field 'idd'");
    listed.says("\"a.jsonl#1\"");
    env.run((args, "id")).ok().says("\"a.jsonl#7\"");
}

#[test]
fn an_id_is_used_as_it_is_written() {
    let ids = "7.5 7.50 true 123456789012345678901234567890 null [8] {}";
    let line = |id: &str| format!("{{\"id\":{id},\"text\":{PARK:?}}}\n");
    let env = Env::new().file("a.jsonl", ids.split(' ').map(line).collect::<String>());
    let run = env.run("show --as fingerprint a.jsonl --id-field id");
    let listed = run.warns(
        "dupfind: warning: a.jsonl: 3 records have no text, number or boolean in the id field 'id', the first \
         in line 5: they are called by their numbers\n",
    );
    let names: Vec<crate::env::Fingerprint> = crate::env::lines(listed);
    let mut names: Vec<&str> = names.iter().map(|d| d.path.as_str()).collect();
    names.sort_unstable();
    let expected = "123456789012345678901234567890 5 6 7 7.5 7.50 true";
    assert_eq!(names.join(" ").replace("a.jsonl#", ""), expected);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    // Other commands find a record by its name in a scan.
    env.run("compare a.jsonl#7.5 a.jsonl#true --id-field id")
        .ok();
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
    run.warns(
        "a.jsonl: 3000 records are skipped, the first in line 1: too large: the limit is 200 bytes",
    );
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    env.scan((args, "--quiet")).ok();
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
        .file("config.json", "{\"text\": \"x\", \"list\": [{\"a\": 1}]}");
    let run = env.run("scan data.json 'my late.json' two.json odd.json pretty.json config.json");
    run.says("jq -c '.data[]' data.json");
    run.says("jq -c '.[]' 'my late.json'");
    run.says("jq -c '.test[], .train[]' two.json");
    run.says("jq -c '.' pretty.json");
    run.omits("config.json");
    run.omits("odd.json");
}

#[test]
fn a_table_without_the_text_field_is_told_apart() {
    let env = Env::new().file("t.csv", format!("id,body\n1,\"{PARK}\"\n"));
    let run = env.run("scan t.csv");
    assert_eq!(run.code, Some(0));
    run.says("t.csv: compared as one document: it has no column with the name of the text field");
}
