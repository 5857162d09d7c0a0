//! `dupfind features`, `freeze`, `join` and `merge`: the report of a scan, made in tasks with files between.

use std::fs;

use crate::env::{BREAD, Env, PARK, PARK_EDITED, PARK_ZH, PARK_ZH_EDITED, Run, formats};

/// Documents in two folders, and records.
fn documents() -> Env {
    let mut env = Env::new()
        .file("docs/park.md", PARK)
        .file("docs/copy.txt", PARK)
        .file(
            "docs/bread.html",
            format!("<html><body><p>{BREAD}</p></body></html>"),
        )
        .file("docs/empty.txt", "...")
        .file("more/公园.md", PARK_ZH)
        .file("more/公园-2.md", PARK_ZH_EDITED)
        .file("more/picture.png", b"\x89PNG\r\n\x1a\n\0\0")
        .file(
            "more/broken.txt",
            b"caf\xe9 \xff\xfe and the rest of it is good enough text".as_slice(),
        );
    let mut records = String::new();
    for number in 0..120 {
        let text = format!(
            "{} {PARK_EDITED}",
            "word ".repeat(number % 7) + &number.to_string()
        );
        records += &serde_json::json!({ "id": number, "text": text }).to_string();
        records.push('\n');
    }
    env = env.file("records.jsonl", records);
    env
}

const PATHS: [&str; 3] = ["docs", "more", "records.jsonl"];

/// The options of reading, which `features` and `merge` take.
const READING: [&str; 2] = ["--id-field", "id"];

/// Makes the features of all documents, a file for each path, and freezes them. Returns the files.
fn frozen(env: &Env, options: &[&str]) -> Vec<String> {
    let mut parts = Vec::new();
    for path in PATHS {
        let part = format!("{path}.feat");
        let args = ["features", "-q", path, "-o", &part];
        env.run(&[&args, options, &READING].concat()).ok();
        parts.push(part);
    }
    let words: Vec<&str> = parts.iter().map(String::as_str).collect();
    let args = ["freeze", "-q", "-o", "frequencies"];
    env.run(&[&args, options, &words].concat()).ok();
    parts
}

/// Runs a whole job of so many tiles. Returns the files of features and of pairs.
fn done(env: &Env, options: &[&str], tiles: &str) -> Vec<String> {
    let mut files = frozen(env, options);
    let join = [
        "join",
        "-q",
        "--frequencies",
        "frequencies",
        "--tiles",
        tiles,
    ];
    let listed = env.run(&[&join, options, &["--dry-run"]].concat());
    let parts = files.clone();
    for line in listed.ok().lines() {
        let task = line.split('\t').next().unwrap();
        let pairs = format!("pairs-{task}");
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let task = ["--tile", task, "-o", &pairs];
        env.run(&[&join, options, &task, &parts].concat()).ok();
        files.push(pairs);
    }
    files
}

fn merged(env: &Env, options: &[&str], files: &[String]) -> Run {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let merge = ["merge", "-q", "--frequencies", "frequencies"];
    env.run(&[&merge, options, &READING, &files].concat())
}

fn scanned(env: &Env, options: &[&str]) -> Run {
    env.run(&[&["scan", "-q"], options, &READING, &PATHS].concat())
}

#[test]
fn the_report_is_that_of_a_scan_in_every_format() {
    let env = documents();
    let files = done(&env, &[], "3");
    assert_eq!(files.len(), 3 + 6);
    // A page has the texts, for which it reads the documents again.
    for format in formats().filter(|format| *format != "html") {
        let options = ["--format", format];
        let (scan, merge) = (scanned(&env, &options), merged(&env, &options, &files));
        assert_eq!(merge.code, scan.code, "{}", merge.stderr);
        // Reports for people suggest commands that read the documents again, by the paths of the scan.
        let lines = |run: &Run| -> Vec<String> {
            let lines = run.stdout.lines().filter(|line| !line.contains("dupfind "));
            lines.map(str::to_owned).collect()
        };
        assert!(lines(&merge) == lines(&scan), "{format}");
    }
    // The gate, and rules about pairs.
    assert_eq!(merged(&env, &["--fail-on", "near"], &files).code, Some(1));
    let rules = ["--within", "{*}/", "--show", "near", "--format", "json"];
    let (merge, scan) = (merged(&env, &rules, &files), scanned(&env, &rules));
    assert_eq!(merge.ok(), scan.ok());
    // Verdicts on records are those of the command that removes them.
    let records = Env::new().file("records.jsonl", env.read("records.jsonl"));
    let args = [
        "records.jsonl",
        "--drop",
        "exact,near",
        "--id-field",
        "id",
        "--verdicts",
        "gone",
    ];
    records.run(&[&["dedup", "-q"], &args[..]].concat()).ok();
    let part = [
        "features",
        "-q",
        "records.jsonl",
        "--id-field",
        "id",
        "-o",
        "part",
    ];
    records.run(&part).ok();
    records
        .run(&["freeze", "-q", "part", "-o", "frequencies"])
        .ok();
    let join = [
        "join",
        "-q",
        "part",
        "--frequencies",
        "frequencies",
        "--tiles",
        "1",
    ];
    records
        .run(&[&join[..], &["--tile", "1,1", "-o", "pairs"]].concat())
        .ok();
    let expected = records.read("gone");
    let merge = [
        "merge",
        "-q",
        "part",
        "pairs",
        "--frequencies",
        "frequencies",
    ];
    records.run(&[&merge[..], &args[1..]].concat()).ok();
    assert!(expected.lines().count() > 10 && records.read("gone") == expected);
}

#[test]
fn verdicts_are_about_the_pairs_that_count_and_are_not_accepted() {
    let env = Env::new()
        .file("v1/park.md", PARK)
        .file("v2/park.md", PARK)
        .file("v2/bread.md", BREAD);
    let run = |line: &str| env.run(&line.split(' ').collect::<Vec<_>>());
    run("features -q v1 v2 -o part").ok();
    run("freeze -q part -o frequencies").ok();
    run("join -q part --frequencies frequencies --tiles 1 --tile 1,1 -o pairs").ok();
    let verdicts = |options: &str| {
        let run = run(&format!(
            "merge part pairs --frequencies frequencies --verdicts gone{options}"
        ));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        (env.read("gone").lines().count(), run.stderr)
    };
    assert_eq!(verdicts("").0, 1);
    assert_eq!(verdicts(" --within {*}/").0, 0);
    let rule = "[[ignore]]\ndocuments = [\"v1/**\", \"v2/**\"]\nreason = \"versions\"\n";
    env.write("dupfind.toml", rule);
    assert_eq!(verdicts("").0, 0);
    env.write("dupfind.toml", "fail-on = \"near\"\nformat = [\"json\"]\n");
    assert_eq!(verdicts("").0, 1);
    fs::remove_file(env.path("dupfind.toml")).unwrap();
    run("accept -q v1/park.md v2/park.md --reason versions").ok();
    let (lines, note) = verdicts("");
    assert_eq!(lines, 0);
    assert!(
        note.contains("1 pair is accepted in .dupfind-baseline"),
        "{note}"
    );
    assert_eq!(verdicts(" --no-config").0, 1);
    for (options, part) in [
        ("--verdicts gone --format json", "--format"),
        ("--verdicts gone --fail-on near", "--fail-on"),
        (
            "--verdicts gone --baseline none",
            "no accepted pairs in none",
        ),
        ("--keep longest", "--verdicts"),
    ] {
        run(&format!(
            "merge part pairs --frequencies frequencies {options}"
        ))
        .fails(part);
    }
}

#[test]
fn options_mean_what_they_mean_in_a_scan() {
    let env = documents();
    for (tiles, options) in [
        ("2", &["--min-jaccard", "0.9", "--max-hamming", "0"][..]),
        (
            "4",
            &["--detectors", "simhash,shingle,super-shingle,i-match"],
        ),
        ("2", &["--detectors", "simhash,shingle", "--require", "all"]),
        ("3", &["--detectors", "simhash,i-match"]),
        (
            "7",
            &[
                "--min-containment",
                "0.8",
                "--min-weighted",
                "off",
                "--detectors",
                "shingle",
            ],
        ),
        (
            "2",
            &[
                "--shingle-size",
                "5",
                "--simhash-bits",
                "128",
                "--cluster-on",
                "near",
            ],
        ),
    ] {
        let files = done(&env, options, tiles);
        let json = [options, &["--format", "json"]].concat();
        assert_eq!(
            merged(&env, &json, &files).ok(),
            scanned(&env, &json).ok(),
            "{options:?}"
        );
        for pairs in files.iter().filter(|file| file.starts_with("pairs-")) {
            fs::remove_file(env.path(pairs)).unwrap();
        }
    }
}

#[test]
fn more_tiles_than_documents_make_no_more_tasks_than_pairs() {
    let env = Env::parks();
    env.run(&["features", "-q", ".", "-o", "all.feat"]).ok();
    env.run(&["freeze", "-q", "all.feat", "-o", "frequencies"])
        .ok();
    let join = ["join", "--frequencies", "frequencies", "--tiles", "1000"];
    let listed = env.run(&[&join[..], &["-q", "--dry-run"]].concat());
    let tasks = listed.ok().lines().count();
    assert!((1..=10).contains(&tasks), "{}", listed.stdout);
    // A task that has nothing to do may be run.
    let idle = env.run(&[&join[..], &["all.feat", "--tile", "1,1000", "-o", "idle"]].concat());
    idle.warns("idle has 0 pairs of sets");
    for (number, line) in listed.stdout.lines().enumerate() {
        let (task, pairs) = (line.split('\t').next().unwrap(), format!("pairs-{number}"));
        env.run(&[&join[..], &["-q", "all.feat", "--tile", task, "-o", &pairs]].concat())
            .ok();
    }
    let mut files: Vec<String> = (0..tasks).map(|number| format!("pairs-{number}")).collect();
    files.extend(["all.feat".to_owned(), "idle".to_owned()]);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let merge = [
        "merge",
        "-q",
        "--frequencies",
        "frequencies",
        "--format",
        "json",
    ];
    let merge = env.run(&[&merge[..], &files].concat());
    let scan = env.run(&["scan", "-q", ".", "--format", "json", "--glob", "!*.feat"]);
    assert_eq!(
        merge.ok().split("\"skipped\"").next(),
        scan.ok().split("\"skipped\"").next()
    );
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let env = documents();
    let parts = frozen(&env, &[]);
    let [docs, more, records] = [&*parts[0], &*parts[1], &*parts[2]];
    let join = ["join", "--frequencies", "frequencies", "--tiles", "2"];
    let task = |rest: &[&str]| env.run(&[&join[..], rest].concat());
    task(&[docs, more, records]).fails("--tile I,J -o FILE; --dry-run lists the tasks");
    task(&[docs, more, records, "--tile", "2,1", "-o", "x"]).fails("there is no task 2,1");
    task(&[docs, more, records, "--tile", "2", "-o", "x"]).fails("two numbers such as 1,2");
    task(&[docs, records, "--tile", "1,2", "-o", "x"]).fails("more.feat is missing");
    task(&[docs, more, records, "--tile", "1,2", "-o", "more.feat"])
        .fails("would replace more.feat");
    task(&[docs, more, "records.jsonl", "--tile", "1,2", "-o", "x"])
        .fails("records.jsonl: it is no file of features");
    let other = [
        "--min-jaccard",
        "0.3",
        "--tile",
        "1,1",
        "-o",
        "x",
        docs,
        more,
        records,
    ];
    task(&other).fails("frequencies: it was frozen with min_jaccard 0.2, not 0.3");
    assert!(!env.path("x").exists());

    env.run(&["freeze", docs, more, docs, "-o", "again"])
        .fails("there is a document named");
    env.run(&["freeze", docs, more, "--shingle-size", "4", "-o", "again"])
        .fails("docs.feat: the features were made with shingle_size 3, not 4");
    env.run(&["features", "docs", "--html", "all", "-o", "other.feat"]);
    env.run(&["freeze", "other.feat", more, "-o", "again"])
        .fails("it was made of files read with html main, not all");
    assert!(!env.path("again").exists());

    let merge = ["merge", "--frequencies", "frequencies"];
    let report = |rest: &[&str]| env.run(&[&merge[..], rest].concat());
    report(&[docs, more, records])
        .fails("it was frozen of files read with id_field \"id\", not \"\"");
    report(&[docs, more, records, "--id-field", "id"]).fails("1 of 1 tasks are missing");
    report(&[docs, "--glob", "*.md"]).fails("cannot be used with '--glob <GLOB>'");
    env.run(&["merge", docs, "--frequencies", docs])
        .fails("docs.feat: these are no frozen frequencies");
    let whole = fs::read(env.path("frequencies")).unwrap();
    fs::write(env.path("frequencies"), &whole[..whole.len() / 2]).unwrap();
    report(&[docs, more, records]).fails("frequencies: it is cut off");
    let mut damaged = whole;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(env.path("frequencies"), damaged).unwrap();
    report(&[docs, more, records]).fails("frequencies: it is damaged");
}
