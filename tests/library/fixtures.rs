//! The fixture corpus against its oracle: an implementation of the definition in another language,
//! `fixtures/oracle.py`, whose answer is `fixtures/expected.json`.

use std::collections::BTreeMap;

use dupfind_engine::{Detector, Pair, Silent, TopPairs};
use dupfind_scan::{Scan, ScanOptions, scan};
use serde::Deserialize;

const CORPUS: &str = "fixtures/corpus";

#[derive(Deserialize)]
struct Expected {
    documents: usize,
    skipped: Vec<Skipped>,
    pairs: Vec<Labelled>,
    not_reported: Vec<Negative>,
}

#[derive(Deserialize)]
struct Skipped {
    path: String,
    reason: String,
}

#[derive(Deserialize)]
struct Labelled {
    a: String,
    b: String,
    kind: String,
    overlap: u32,
    union: u32,
}

#[derive(Deserialize)]
struct Negative {
    a: String,
    b: String,
    kind: String,
}

fn expected() -> Expected {
    let text = std::fs::read_to_string("fixtures/expected.json").unwrap();
    serde_json::from_str(&text).unwrap()
}

fn found() -> (Scan, Vec<Pair>) {
    let mut best = TopPairs::all();
    let settings = ScanOptions::for_paths([CORPUS]);
    let outcome = scan(&settings, &Silent, Some(&mut best)).unwrap();
    (outcome, best.into_pairs())
}

/// A document's name within the corpus.
fn short(name: &str) -> &str {
    name.strip_prefix(CORPUS).unwrap().trim_start_matches('/')
}

#[test]
fn every_pair_and_only_those_with_the_very_numbers() {
    let (expected, (outcome, pairs)) = (expected(), found());
    let found: BTreeMap<(&str, &str), (u32, u32)> = pairs
        .iter()
        .filter(|pair| pair.found_by.have(Detector::Shingle))
        .map(|pair| {
            let names = (short(outcome.name(pair.a)), short(outcome.name(pair.b)));
            let jaccard = pair.jaccard().unwrap();
            (names, (jaccard.overlap, jaccard.union.get()))
        })
        .collect();
    let wanted = expected.pairs.iter().map(|pair| {
        (
            (pair.a.as_str(), pair.b.as_str()),
            (pair.overlap, pair.union),
        )
    });
    let wanted: BTreeMap<(&str, &str), (u32, u32)> = wanted.collect();
    assert!(wanted.len() > 50);
    assert_eq!(found, wanted);
    // No detector finds documents that are unlike.
    let names = |pair: &Pair| [pair.a, pair.b].map(|id| short(outcome.name(id)));
    let unlike = |pair: &&Negative| pair.kind == "unrelated" || pair.kind == "template";
    let unlike: Vec<&Negative> = expected.not_reported.iter().filter(unlike).collect();
    assert!(unlike.len() >= 12);
    for Negative { a, b, kind } in unlike {
        let mut found = pairs.iter().map(names);
        assert!(found.all(|names| names != [a, b]), "{kind}: {a} {b}");
    }
}

#[test]
fn the_same_documents_are_compared_and_skipped() {
    let (expected, (outcome, _)) = (expected(), found());
    assert_eq!(outcome.documents.len(), expected.documents);
    let found = outcome.skipped.iter();
    let found = found.map(|skipped| (short(&skipped.path), skipped.reason.as_str()));
    let found: Vec<(&str, &str)> = found.collect();
    let wanted = expected.skipped.iter();
    let wanted = wanted.map(|skipped| (skipped.path.as_str(), skipped.reason.as_str()));
    let wanted: Vec<(&str, &str)> = wanted.collect();
    assert_eq!(found, wanted);
}

#[test]
fn another_form_of_the_same_text_has_the_same_fingerprint() {
    let (expected, (outcome, _)) = (expected(), found());
    let fingerprints = outcome.documents.iter();
    let fingerprints: BTreeMap<&str, u64> = fingerprints
        .map(|document| (short(&document.name), document.fingerprint().unwrap()))
        .collect();
    let same_text = [
        "exact",
        "encoding",
        "case",
        "full-width",
        "invisible",
        "punctuation",
    ];
    let mut checked = 0;
    for pair in &expected.pairs {
        if same_text.contains(&pair.kind.as_str()) && pair.overlap == pair.union {
            let (a, b) = (fingerprints[pair.a.as_str()], fingerprints[pair.b.as_str()]);
            assert_eq!(a, b, "{} {}", pair.a, pair.b);
            checked += 1;
        }
    }
    assert!(checked >= 8, "{checked}");
}
