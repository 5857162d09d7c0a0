//! A run that does not fit into memory ends with an error, not with an abort.

use crate::env::{Env, PARK, Report, Run, Says, record, value};

/// A little more equal records than have a million pairs.
fn copies() -> Env {
    Env::new().file("a.jsonl", record(PARK).repeat(1_460))
}

#[test]
fn more_pairs_than_fit_are_an_error_that_says_what_to_use() {
    let env = copies();
    let little = "scan a.jsonl --quiet --memory-limit 16M";
    let run = env.run((little, "-f json"));
    run.fails(
        "--format json: more than 1048576 pairs were found, and there is memory for 1048576; the list and \
         --format html have copies as one group, --no-pairs counts pairs",
    );
    // Pairs that are not shown need no memory.
    let run = env.run((little, "-f json --show near"));
    assert_eq!(value(run.ok())["summary"]["pairs"], 1_065_070);
    // Each copy is one result.
    let found = value(env.run((little, "-f sarif")).ok());
    assert_eq!(found["runs"][0]["results"].as_array().unwrap().len(), 1459);
    env.run("accept --all a.jsonl --memory-limit 16M --baseline b")
        .fails("--all: more than 65536 pairs were found, and there is memory for 65536");
    assert_eq!(env.entries(), ["a.jsonl"]);
}

#[test]
fn a_check_pairs_copies_with_the_first_one() {
    let env = copies();
    let run = env.run("check a.jsonl -f json");
    let report = value(run.trips("1065070 duplicate pairs (1065070 exact)"));
    assert_eq!(report["summary"]["pairs"], 1_065_070);
    assert_eq!(report["clusters"].as_array().unwrap().len(), 1);
    assert_eq!(report["pairs"].as_array().unwrap().len(), 1459);
    let found = env.run("check a.jsonl -f gitlab");
    let found = value(found.trips("1065070 duplicate pairs (1065070 exact)"));
    assert_eq!(found.as_array().unwrap().len(), 1459);
}

#[test]
#[ignore = "nightly: a table of a million pairs takes long"]
fn a_table_counts_what_it_does_not_list() {
    let env = copies();
    let args = "scan a.jsonl --memory-limit 16M -o table";
    let run = env.run(args);
    run.omits("most similar");
    env.read("table").begins("1.  1460 copies of one text\n");
    let run = env.run((args, "-f table"));
    run.warns("1065070 pairs were found, and the table is made of the 1048576 most similar");
    let table = env.read("table");
    table.says("\n… and 16494 pairs not shown\n");
    assert_eq!(table.matches("\nexact ").count(), 1_048_576);
}

#[cfg(target_os = "linux")]
#[test]
fn a_document_that_needs_too_much_memory_is_skipped_and_the_run_goes_on() {
    // No two shingles are equal, so that all are kept.
    let text: String = (0..12_000_000_u32)
        .map(|at| char::from_u32(0x4e00 + (at * 7 + at / 20_000 * 13 + at / 97) % 20_000).unwrap())
        .collect();
    let env = Env::of("PARK: a.md b.md").file("huge.txt", text);
    let mut limited = env.limited("-v 1200000", "scan . --max-filesize 1G -j 1 -f json");
    let run = Run::from(limited.output().unwrap());
    let report = Report::of(run.ok());
    assert_eq!(report.summary.pairs, 1);
    assert_eq!(report.skips(), [("huge.txt", "too large")]);
    run.stdout
        .says("it needs about 2059 MB of memory, the limit is 585 MB");
}
