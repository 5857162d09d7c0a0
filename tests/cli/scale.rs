//! Collections that are large for the memory they may take, and answers that are large.

use std::collections::BTreeSet;

use crate::env::{Args, Env, PARK, Run, Says, record};

/// Words without meaning, the same for the same seed.
pub(crate) fn words(seed: u64, count: u64) -> String {
    let word = |at: u64| {
        let mixed = (seed << 20 | at).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("w{} ", mixed >> 42)
    };
    (0..count).map(word).collect()
}

/// Records of 1.2 million shingles: more than half of the least limit of memory. Every fourth one is
/// the one before it with changes, and some are equal.
fn large() -> Env {
    let lines: String = (0..1500_u64)
        .map(|at| {
            let text = match at % 4 {
                3 => words(at - 1, 700) + &words(at, 100 + at % 90),
                2 if at % 100 == 2 => words(2, 800),
                _ => words(at, 700 + at % 200),
            };
            record(text)
        })
        .collect();
    Env::new().file("large.jsonl", lines).folder("temporary")
}

/// Copies of one page.
fn copies(count: usize) -> Env {
    Env::new().file("copies.jsonl", record(PARK).repeat(count))
}

/// Runs the program with little memory, in a folder for temporary files.
fn with_little(env: &Env, args: impl Args) -> Run {
    let mut command = env.command((args, "--memory-limit 16M"));
    Run::of(command.env("TMPDIR", env.path("temporary")))
}

#[test]
fn the_result_does_not_depend_on_memory() {
    let env = large();
    let args = "scan large.jsonl -f json=a.json -f jsonl=a.jsonl -f csv=a.csv";
    let formats = ["a.json", "a.jsonl", "a.csv"];
    env.run((args, "--stats")).omits("temporary");
    let much = formats.map(|format| env.read(format));
    let run = with_little(&env, (args, "--stats"));
    run.says("bytes, joined in 3 tiles");
    for (format, much) in formats.into_iter().zip(much) {
        assert!(much.lines().count() > 390, "{format}");
        assert_eq!(much, env.read(format), "{format}");
    }
    assert!(env.path("temporary").read_dir().unwrap().next().is_none());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_leaves_nothing() {
    let env = large();
    // No file may grow beyond 4 MiB, which a full disk looks like.
    let mut limited = env.limited("-f 8192", "scan large.jsonl --memory-limit 16M -f csv");
    let run = Run::from(limited.env("TMPDIR", "temporary").output().unwrap());
    run.fails("temporary file in temporary");
    run.says("TMPDIR");
    assert!(env.path("temporary").read_dir().unwrap().next().is_none());
}

#[test]
fn many_pairs_are_printed_as_they_are_found() {
    let env = copies(80);
    let csv = env.run("scan -f csv");
    let lines = env.run("scan -f jsonl");
    let report = env.json("");
    assert_eq!(report.pairs.len(), 80 * 79 / 2);
    let names: BTreeSet<_> = report.pair_names().into_iter().collect();
    let mut rows = csv::Reader::from_reader(csv.ok().as_bytes());
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    let found: BTreeSet<_> = rows.iter().map(|row| (&row[0], &row[1])).collect();
    assert_eq!((rows.len(), found), (names.len(), names));
    let is_pair = |line: &&str| line.starts_with(r#"{"type":"pair","#);
    assert_eq!(lines.ok().lines().filter(is_pair).count(), rows.len());
}

#[test]
fn a_reader_that_has_enough_ends_the_run() {
    // Two hundred million pairs; the first few are read.
    let env = copies(20_000);
    let mut child = env
        .std_command("scan -f csv")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    assert_eq!(
        line,
        "a,b,jaccard,hamming,matched_by,containment,weighted,relation,container,standing,prose,apart\n"
    );
    drop(out);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
