//! `dupfind sql`: the statement, and what it is expected to cost. `tests/adoption` runs it in DuckDB.

use crate::env::{BREAD, Env, PARK, PARK_EDITED};

/// Three documents, and their frequencies.
fn frozen() -> Env {
    let env = Env::new()
        .file("docs/park.md", PARK)
        .file("docs/edited.md", PARK_EDITED)
        .file("docs/bread.md", BREAD);
    env.run(&["features", "-q", "docs", "-o", "docs.feat"]).ok();
    env.run(&["freeze", "-q", "docs.feat", "-o", "frequencies"])
        .ok();
    env
}

#[test]
fn every_dialect_has_a_statement_with_the_threshold_in_integers() {
    let env = Env::new();
    let args = ["sql", "--min-jaccard", "0.35", "--table", "crawl.pages"];
    let spark = env.run(&[&args[..], &["--dialect", "spark"]].concat());
    assert_eq!(spark.stderr, "");
    let spark = spark.ok();
    let duckdb = env.run(&[&args[..], &["--dialect", "duckdb", "-o", "pairs.sql"]].concat());
    assert_eq!(duckdb.ok(), "");
    let duckdb = env.read("pairs.sql");
    for statement in [spark, &duckdb] {
        assert!(statement.contains("FROM crawl.pages\n"));
        assert!(statement.contains("shared * 100 >= 35 * (sizes - shared)"));
        assert_eq!(statement.matches(';').count(), 1, "one statement");
    }
    assert!(spark.contains("`shingles`") && spark.contains("explode("));
    assert!(duckdb.contains("\"shingles\"") && duckdb.contains("unnest("));
    let names = ["--id-column", "url", "--shingles-column", "three words"];
    let named = env.run(&[&args[..], &["--dialect", "duckdb"], &names].concat());
    let named = named.ok();
    assert!(named.contains("CAST(\"url\" AS STRING) AS id, \"three words\" AS shingles"));
}

#[test]
fn the_shingle_sets_are_a_table() {
    let env = frozen();
    let args = ["features", "-q", "docs", "--format", "jsonl", "-o"];
    env.run(&[&args[..], &["docs.jsonl"]].concat()).ok();
    let text = env.read("docs.jsonl");
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ids: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["docs/bread.md", "docs/edited.md", "docs/park.md"]);
    for row in &rows {
        let shingles = row["shingles"].as_array().unwrap();
        assert_eq!(row["size"], shingles.len());
        assert!(shingles.iter().all(serde_json::Value::is_i64));
    }
}

#[test]
fn the_cost_is_told_from_frozen_frequencies_of_the_same_shingles() {
    let env = frozen();
    let args = ["sql", "--dialect", "duckdb", "--frequencies", "frequencies"];
    let told = env.run(&args);
    let said = "joined rows, and about 0 s of one core in DuckDB; 'dupfind join' takes about 0 s";
    assert!(told.stderr.contains(said), "{}", told.stderr);
    assert!(told.stdout.contains("WITH "));
    // The threshold need not be that of the job.
    let higher = env.run(&[&args[..], &["--min-jaccard", "0.9"]].concat());
    assert!(higher.stderr.contains("joined rows"));
    assert_eq!(env.run(&[&args[..], &["--quiet"]].concat()).stderr, "");

    let other = env.run(&[&args[..], &["--shingle-size", "5"]].concat());
    let reason = "frequencies: it was frozen with shingle_size 3, not 5";
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains(reason), "{}", other.stderr);
    assert_eq!(other.stdout, "");
    let damaged = frozen().file("frequencies", "these are none");
    let refused = damaged.run(&args);
    assert!(refused.stderr.contains("these are no frozen frequencies"));
    let replaced = env.run(&[&args[..], &["-o", "frequencies"]].concat());
    assert_eq!(replaced.code, Some(2), "{}", replaced.stderr);
}

#[test]
fn wrong_options_are_refused() {
    let env = Env::new();
    let cases: [(&[&str], &str); 4] = [
        (&["sql"], "--dialect <NAME>"),
        (
            &["sql", "--dialect", "postgres"],
            "[possible values: spark, duckdb]",
        ),
        (
            &["sql", "--dialect", "spark", "--min-jaccard", "0"],
            "expected a number above 0",
        ),
        (
            &["sql", "--dialect", "spark", "--frequencies", "nowhere"],
            "nowhere: cannot read it",
        ),
    ];
    for (args, reason) in cases {
        let run = env.run(args);
        assert_eq!(run.code, Some(2));
        assert_eq!(run.stdout, "");
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
}
