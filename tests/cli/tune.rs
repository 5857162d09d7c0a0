//! `dupfind tune`: it counts the pairs that `dupfind scan` reports.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde::Deserialize;
use serde_json::Value;

use crate::env::{BREAD, Env, Run, value};

/// The report of `tune --format json`: the documented keys, all of them and no others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    schema_version: u32,
    tool: Value,
    settings: Value,
    summary: Value,
    thresholds: Vec<Choice>,
    skipped: Vec<Value>,
    notes: Vec<Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    min_jaccard: Option<f64>,
    max_hamming: Option<u32>,
    pairs: u64,
    documents: usize,
    relations: Relations,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Relations {
    exact: u64,
    near: u64,
    contains: u64,
    variant: u64,
    related: u64,
    template: u64,
    short: u64,
}

impl Relations {
    fn total(&self) -> u64 {
        self.exact
            + self.near
            + self.contains
            + self.variant
            + self.related
            + self.template
            + self.short
    }
}

/// A folder with pairs of many similarities: a text, and ever more of it replaced by another one.
fn mixtures() -> Env {
    let words = |prefix: &str| -> Vec<String> {
        (0..120).map(|number| format!("{prefix}{number}")).collect()
    };
    let (whole, other) = (words("word"), words("other"));
    let mixture = |kept: usize| {
        let parts = [&whole[..kept], &other[kept..]].concat();
        parts.join(" ")
    };
    (0..=12).fold(Env::new().file("bread.md", BREAD), |env, step| {
        env.file(format!("{step:02}.md"), mixture(10 * step))
    })
}

/// The mixtures among so many documents that rare text is known to be rare.
fn mixtures_among_many() -> Env {
    (0..100_u64).fold(mixtures(), |env, number| {
        env.file(format!("{number}.txt"), crate::scale::words(number, 20))
    })
}

fn report(env: &Env, args: &[&str]) -> Report {
    let run = env.run(&[&["tune", "--format", "json"], args].concat());
    serde_json::from_str(run.ok()).expect(&run.stdout)
}

/// The pairs of a scan, and the documents in them.
fn scanned(env: &Env, args: &[&str]) -> (u64, usize) {
    let run = env.run(&[&["scan", "--format", "json"], args].concat());
    let report = value(run.ok());
    let pairs = report["pairs"].as_array().unwrap();
    let names = pairs.iter().flat_map(|pair| [&pair["a"], &pair["b"]]);
    let mut names: Vec<&str> = names.map(|name| name.as_str().unwrap()).collect();
    names.sort_unstable();
    names.dedup();
    (pairs.len() as u64, names.len())
}

#[test]
fn counts_are_those_of_scans_with_each_threshold() {
    let env = mixtures_among_many();
    let report = report(&env, &[]);
    assert_eq!(report.thresholds.len(), 9 + 13 + 1);
    // Some of the pairs have rare text in common, and are not similar otherwise.
    let pairs = |args: &[&str]| scanned(&env, args).0;
    assert!(pairs(&[]) > pairs(&["--min-weighted", "off"]));
    for choice in &report.thresholds {
        let least = choice.min_jaccard.unwrap_or(1.0).to_string();
        let most = choice.max_hamming.unwrap_or(0).to_string();
        let detectors = match (choice.min_jaccard, choice.max_hamming) {
            (Some(_), Some(_)) => "shingle,simhash",
            (Some(_), None) => "shingle",
            _ => "simhash",
        };
        let mut args = vec!["-q", "--detectors", detectors];
        args.extend(["--min-jaccard", &least, "--max-hamming", &most]);
        assert_eq!(
            (choice.pairs, choice.documents),
            scanned(&env, &args),
            "{args:?}"
        );
        assert_eq!(choice.relations.total(), choice.pairs);
    }
    let both = report.thresholds.last().unwrap();
    assert_eq!((both.pairs, both.documents), scanned(&env, &[]));
    let most = report.thresholds.iter().map(|choice| choice.pairs).max();
    assert!(most > Some(40), "{most:?}");
}

#[test]
fn the_run_is_described() {
    let report = report(&mixtures(), &[]);
    assert_eq!(report.schema_version, 1);
    assert_eq!(report.tool["name"], "dupfind");
    assert_eq!(report.settings["min_jaccard"], 0.05);
    assert_eq!(report.settings["max_hamming"], 12);
    assert_eq!(report.summary["documents"], 14);
    assert!(report.skipped.is_empty() && report.notes.is_empty());
}

#[test]
fn the_range_limits_the_rows() {
    let env = mixtures();
    let report = report(&env, &["--min-jaccard", "0.35", "--max-hamming", "2"]);
    let chosen = |choice: &Choice| (choice.min_jaccard, choice.max_hamming);
    let first = report.thresholds.first().map(chosen);
    assert_eq!(first, Some((Some(0.4), None)));
    let last = report.thresholds.last().map(chosen);
    assert_eq!(last, Some((None, Some(2))));
    let said = env.run(&["tune", "--min-jaccard", "0.35", "--max-hamming", "2"]);
    let table = said.ok();
    assert!(!table.contains("both defaults"), "{table}");
    assert!(!table.contains("--min-jaccard 0.3 "), "{table}");
    assert!(
        table.contains("Jaccard similarity >= 0.35 or Hamming distance <= 2"),
        "{table}"
    );
}

#[test]
fn the_table_has_its_parts_in_order() {
    let run = mixtures().run(&["tune"]);
    let table = run.ok();
    let parts = [
        "What scan would report",
        "--min-jaccard 0.2 (default)",
        "--max-hamming 3   (default)",
        "both defaults",
        "14 documents compared: ",
    ];
    let places: Vec<Option<usize>> = parts.iter().map(|part| table.find(part)).collect();
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{places:?}\n{table}"
    );
    assert!(!table.contains('\u{1b}'));
    let coloured = mixtures().run(&["tune", "--color", "always"]);
    assert!(coloured.ok().contains("\u{1b}[1mWhat scan would report"));
}

#[test]
fn the_bytes_depend_on_the_documents_alone() {
    let env = mixtures();
    for format in ["table", "json"] {
        let run = |args: &[&str]| {
            let run = env.run(&[&["tune", "--format", format, "--quiet"], args].concat());
            run.ok().to_owned()
        };
        let expected = run(&[]);
        for args in [
            &["--threads", "1"][..],
            &["--threads", "3"],
            &["--memory-limit", "16M"],
        ] {
            assert_eq!(run(args), expected, "{args:?}");
        }
    }
}

#[test]
fn nothing_to_compare_is_reported() {
    let nothing = Env::new().run(&["tune"]);
    assert_eq!(
        nothing.ok(),
        "0 documents compared: there was nothing to compare\n"
    );
    let apart = Env::new()
        .file("bread.md", BREAD)
        .file("other.md", "Something else altogether, of one line.");
    assert_eq!(
        apart.run(&["tune"]).ok(),
        "2 documents compared: no pairs of Jaccard similarity >= 0.05 or Hamming distance <= 12\n"
    );
    let report = report(&apart, &[]);
    assert!(report.thresholds.iter().all(|choice| choice.pairs == 0));
}

#[test]
fn errors_are_those_of_scan() {
    let env = mixtures();
    let missing = env.run(&["tune", "nowhere", "."]);
    let table = missing.complains("dupfind: error: nowhere: not found");
    assert!(
        table.contains("14 documents compared (1 skipped: 1 not found)"),
        "{table}"
    );
    env.run(&["tune", "--min-jaccard", "5"])
        .fails("did you mean");
    env.run(&["tune", "--max-hamming", "17"]).fails("0..=16");
    env.run(&["tune", "--detectors", "simhash"])
        .fails("--detectors");
    env.run(&["tune", "--format", "csv"]).fails("table, json");
    env.run(&["tune", "--temp-dir", "nowhere"])
        .fails("--temp-dir: no folder");
    env.run(&["tune", "--output", "nowhere/x"])
        .fails("there is no folder");
}

#[test]
fn the_report_goes_to_a_file() {
    let env = mixtures();
    let printed = env.run(&["tune"]).ok().to_owned();
    assert_eq!(env.run(&["tune", "-o", "report.txt"]).ok(), "");
    assert_eq!(env.read("report.txt"), printed);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let env = mixtures();
    let mut child = env
        .std_command(&["tune", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    assert_eq!(first, "{\n");
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn help_is_short_and_its_long_form_has_examples() {
    let env = Env::new();
    let short = env.run(&["tune", "-h"]);
    assert!(short.ok().lines().count() < 60, "{}", short.stdout);
    let long = env.run(&["tune", "--help"]);
    let (options, examples) = long.ok().split_once("Examples:").unwrap();
    for group in ["Input", "Text", "Detection", "Output", "Running"] {
        assert!(options.contains(&format!("\n{group}:\n")), "{group}");
        assert!(examples.contains(&format!("  {group}: ")), "{group}");
    }
    assert!(examples.contains("Exit status"));
}

#[test]
fn every_key_is_in_the_guide() {
    let env = mixtures();
    let object = value(env.run(&["tune", "--format", "json"]).ok());
    let section = include_str!("../../docs/json.md")
        .split_once("\n## dupfind tune\n")
        .and_then(|(_, rest)| rest.split_once("\n## "))
        .unwrap();
    let mut keys: Vec<&String> = object.as_object().unwrap().keys().collect();
    keys.extend(object["thresholds"][0].as_object().unwrap().keys());
    for key in keys {
        assert!(section.0.contains(&format!("`{key}`")), "{key}");
    }
}
