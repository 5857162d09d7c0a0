//! Files that decide which documents go: plans, lists of files that went, and files of records.

use std::fs;

use crate::documents::words;
use crate::files::with_documents;
use crate::mutate::mutated;
use crate::random::Random;
use crate::run::{Fault, Site, words_of};
use crate::seeds;

/// How many runs a round makes.
const RUNS: usize = 6;

/// Pieces that may be in a plan or a list in the wrong place.
const WORDS: &str = r#"{¦"keep":¦"drop":¦"relation":"exact"¦../outside/secret.md¦docs/a.md¦docs/../../outside/secret.md¦null¦-1¦⏎"#;

const PLAN: &str = "plan docs -j1 -o plan.jsonl --keep in:docs/a*";

/// Makes a right file by a run, and then runs on broken ones.
fn broken(
    site: &Site,
    random: &mut Random,
    (file, made_by): (&str, &str),
    runs: &[&[&str]],
) -> (usize, Fault) {
    with_documents(site);
    if let Some(fault) = site.run(&words_of(made_by), b"", &[]) {
        return (1, Some(fault));
    }
    let right = fs::read(site.path(file)).unwrap();
    for _ in 0..RUNS {
        site.write(file, mutated(&right, WORDS, random));
        let args = runs[random.below(runs.len())];
        if let Some(fault) = site.run(args, b"", &[]) {
            return (RUNS, Some(fault));
        }
    }
    (RUNS, None)
}

/// A plan that somebody changed by hand.
pub(crate) fn plan(site: &Site, random: &mut Random) -> (usize, Fault) {
    let runs: [&[&str]; 3] = [
        &["apply", "plan.jsonl"],
        &["apply", "plan.jsonl", "--yes", "--quiet"],
        &["apply", "plan.jsonl", "--redirects", "{from} {to:text}"],
    ];
    broken(site, random, ("plan.jsonl", PLAN), &runs)
}

/// The list of files that went.
pub(crate) fn undo(site: &Site, random: &mut Random) -> (usize, Fault) {
    with_documents(site);
    for args in [PLAN, "apply plan.jsonl --yes"] {
        if let Some(fault) = site.run(&words_of(args), b"", &[]) {
            return (1, Some(fault));
        }
    }
    let list = site.path("plan.removed/.dupfind-removed.jsonl");
    let right = fs::read(&list).unwrap();
    for _ in 0..RUNS {
        // The folder of a plan that was taken back is gone.
        fs::create_dir_all(site.path("plan.removed")).unwrap();
        fs::write(&list, mutated(&right, WORDS, random)).unwrap();
        if let Some(fault) = site.run(&["apply", "plan.jsonl", "--undo"], b"", &[]) {
            return (RUNS, Some(fault));
        }
    }
    (RUNS, None)
}

/// Records that stay byte for byte, from files that are damaged.
pub(crate) fn dedup(site: &Site, random: &mut Random) -> (usize, Fault) {
    let kinds: [(&str, &[u8], &str); 3] = [
        ("in.jsonl", seeds::JSON_LINES, words::JSON),
        ("in.csv", seeds::CSV, words::TABLE),
        ("in.tsv", seeds::TSV, words::TABLE),
    ];
    let (name, seed, words) = kinds[random.below(kinds.len())];
    for _ in 0..RUNS {
        site.write(name, mutated(seed, words, random));
        let args = ["dedup", name, "-o", "kept"];
        if let Some(fault) = site.run(&args, b"", &[]) {
            return (RUNS, Some(fault));
        }
    }
    (RUNS, None)
}
