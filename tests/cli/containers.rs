//! The same documents in every container: tables, JSON arrays, compressed files, standard input.

use std::io::Read;

use serde_json::json;

use crate::env::{
    BREAD, Env, PARK, PARK_EDITED, PARK_ZH, PARK_ZH_EDITED, Report, Says, formats, lines, value,
};

const TEXTS: [&str; 5] = [PARK, PARK_EDITED, PARK_ZH, BREAD, PARK_ZH_EDITED];

const ENDS: [&str; 2] = ["gz", "zst"];

fn compressed(bytes: &[u8], end: &str) -> Vec<u8> {
    let mut out = Vec::new();
    match end {
        "gz" => {
            let level = flate2::Compression::fast();
            let mut encoder = flate2::read::GzEncoder::new(bytes, level);
            encoder.read_to_end(&mut out).unwrap();
        }
        "zst" => zstd::stream::copy_encode(bytes, &mut out, 1).unwrap(),
        _ => panic!("{end}"),
    }
    out
}

/// The texts in a format of records, with ids from 0.
fn records(format: &str) -> String {
    let object = |(id, text)| json!({ "id": id, "text": text }).to_string();
    let objects = TEXTS.iter().enumerate().map(object);
    match format {
        "jsonl" => objects.map(|object| object + "\n").collect(),
        "json" => format!("[\n  {}\n]\n", objects.collect::<Vec<_>>().join(",\n  ")),
        _ => {
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(["id", "text"]).unwrap();
            for (id, text) in TEXTS.iter().enumerate() {
                writer.write_record([&id.to_string(), *text]).unwrap();
            }
            String::from_utf8(writer.into_inner().unwrap()).unwrap()
        }
    }
}

#[test]
fn damaged_compressed_data_is_reported_and_the_records_before_it_are_read() {
    // More than a batch, so that there is something before the cut. No two are alike.
    let words = |n: u32| {
        (n * 60..(n + 1) * 60).map(|word| format!("w{:x} ", word.wrapping_mul(2_654_435_761)))
    };
    let many: String = (0..4000)
        .map(|n| json!({ "text": words(n).collect::<String>() }).to_string() + "\n")
        .collect();
    for end in ENDS {
        let whole = compressed(many.as_bytes(), end);
        let env = Env::new()
            .file(format!("cut.jsonl.{end}"), &whole[..whole.len() * 9 / 10])
            .file(format!("lies.txt.{end}"), PARK)
            .file(format!("ok.txt.{end}"), compressed(PARK.as_bytes(), end));
        let run = env.run("scan --no-pairs --detectors shingle --format json");
        // It is an error, as in dedup: not all records were compared.
        assert_eq!(run.code, Some(2), "{run:?}");
        run.says("is cut off");
        let report = value(&run.stdout);
        let skipped = report["skipped"].as_array().unwrap();
        let names: Vec<&str> = skipped.iter().filter_map(|s| s["path"].as_str()).collect();
        let expected = [format!("cut.jsonl.{end}"), format!("lies.txt.{end}")];
        assert_eq!(names, expected);
        assert!(skipped.iter().all(|s| s["reason"] == "malformed"));
        let detail = skipped[1]["detail"].as_str().unwrap();
        detail.says("though its name says so");
        assert!(
            report["summary"]["documents"].as_u64() >= Some(1000),
            "{end}"
        );
    }
}

#[test]
fn what_is_not_expanded_says_what_helps() {
    let env = Env::new()
        .file("a.txt.xz", b"\xfd7zXZ\0")
        .file("b.jsonl.bz2", b"BZh91AY")
        .file("in.jsonl", records("jsonl"));
    let report = value(&env.run("scan --format json").stdout);
    let skipped = report["skipped"].as_array().unwrap();
    assert_eq!(skipped.len(), 2, "{report}");
    for (skip, program) in skipped.iter().zip(["xz", "bzip2"]) {
        let detail = skip["detail"].as_str().unwrap();
        assert!(skip["reason"] == "unsupported", "{skip}");
        assert!(detail.contains(&format!("'{program} -dk FILE'")), "{skip}");
    }
    let piped = env.run_with(b"BZh91AY", "scan -");
    piped.fails("pipe it through 'bzip2 -dc'");
    env.run("dedup in.jsonl -o out.jsonl.xz")
        .fails("xz is not written: end the name in .gz or .zst");
    assert!(!env.path("out.jsonl.xz").exists());
}

#[test]
fn what_expands_beyond_the_limit_is_too_large() {
    let bomb = compressed(&vec![b' '; 8 << 20], "gz");
    assert!(bomb.len() < 100_000);
    let env = Env::new()
        .file("bomb.txt.gz", &bomb)
        .file("bomb.jsonl.gz", &bomb)
        .file("a.txt.gz", compressed(PARK.as_bytes(), "gz"));
    let run = env.scan("--max-filesize 1M");
    let report = Report::of(run.warns("bytes are skipped: 1, the first in bomb.jsonl.gz, line 1"));
    let expected = [
        ("bomb.jsonl.gz#1", "too large"),
        ("bomb.txt.gz", "too large"),
    ];
    assert_eq!(report.skips(), expected);
    assert_eq!(report.summary.documents, 1);
}

#[test]
fn a_file_without_the_named_field_is_skipped_and_one_that_was_not_asked_for_is_a_document() {
    let env = Env::new()
        .file("a.csv", "id;title\n1;one\n")
        .file("b.json", r#"[{"id":1,"title":"one"}]"#)
        .file("c.json", r#"{"name":"package"}"#)
        .file("d.tsv", "id\ttitle\n1\tone\n");
    assert_eq!(env.names(""), ["a.csv", "b.json", "c.json", "d.tsv"]);
    let report = env.scan("--text-field body");
    let report = Report::of(report.warns("it has no column 'body'; it has 'id', 'title'"));
    let details = report.skipped.iter().map(|skipped| skipped.detail.as_str());
    let expected = [
        "it has no column 'body'; it has 'id', 'title'",
        "its first record has no field 'body'; it has 'id', 'title'",
        "it is no array of objects with a field 'body'",
        "it has no column 'body'; it has 'id', 'title'",
    ];
    assert_eq!(details.collect::<Vec<&str>>(), expected);
    let title = env.names("--text-field title --glob !c.json");
    assert_eq!(title, ["a.csv#2", "b.json#1", "d.tsv#2"]);
}

#[test]
fn compare_and_reports_read_records_of_all_containers_again() {
    let env = Env::new()
        .file("r.csv.gz", compressed(records("csv").as_bytes(), "gz"))
        .file("r.json", records("json"));
    let names = ["r.csv.gz#0", "r.json#1"];
    let args = "--id-field id --format json";
    let compared = env.run((["compare", names[0], names[1]], args));
    assert!(
        value(compared.ok())["verdict"].is_object(),
        "{}",
        compared.stdout
    );
    let html = env.report("--id-field id --format html");
    html.ok().says("retired teachers");
    env.run("compare r.csv.gz r.json#1")
        .fails("is a file of records: name one of them, r.csv.gz#ID");
    env.run("compare r.csv.gz#9 r.json#1")
        .fails("there is no such record in r.csv.gz");
}

#[test]
fn standard_input_is_a_file_of_records_in_every_report() {
    let env = Env::new().file("other/park.md", PARK);
    let input = records("jsonl");
    let run = |args: &str| env.run_with(input.clone(), args);
    let list = run("show --as fingerprint - --id-field id");
    let names: Vec<crate::env::Fingerprint> = lines(list.ok());
    let names: Vec<String> = names.into_iter().map(|d| d.path).collect();
    assert_eq!(names, ["-#0", "-#1", "-#2", "-#3", "-#4"]);
    for end in ENDS {
        let packed = compressed(input.as_bytes(), end);
        let found = env.run_with(packed, "scan - --id-field id --format json");
        assert_eq!(Report::of(found.ok()).pairs.len(), 2, "{end}");
    }
    // Beside other paths, and against them.
    let both = run("scan - other --format json");
    assert!(
        Report::of(both.ok())
            .pair_names()
            .contains(&("-#1", "other/park.md"))
    );
    let against = run("scan other --against - --format json");
    assert_eq!(Report::of(against.ok()).pairs.len(), 2);
    // Texts are read again, and no report names the temporary file.
    run("scan - --format html").ok().says("retired teachers");
    for format in formats() {
        let report = run(&format!("scan - --format {format}"));
        let report = report.ok();
        report.omits(".dupfind.tmp");
        assert!(report.contains('-'), "{format}");
    }
    let sarif = run("scan - --format sarif");
    let location = &value(sarif.ok())["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "-");
    // A baseline knows them again.
    run("accept --all - --baseline base --quiet").went_well();
    run("check - --baseline base").went_well();
}

#[test]
fn standard_input_cannot_be_two_things() {
    let env = Env::new().file("-", PARK).file("b", PARK);
    env.run_with("b\n", "scan - --files-from -")
        .fails("standard input cannot be both the list of --files-from and records");
    // A file of that name can be distinguished, and in a list it is meant.
    assert_eq!(env.json("./- b").pairs.len(), 1);
    let listed = env.run_with("-\nb\n", "scan --files-from - --format json");
    assert_eq!(Report::of(listed.ok()).pairs.len(), 1);
    // Nothing at all is no record.
    let empty = env.run_with("", "scan - --format json");
    assert_eq!(Report::of(empty.ok()).summary.documents, 0);
}
