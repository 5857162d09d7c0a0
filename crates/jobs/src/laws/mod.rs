//! The law of every job: its outcome is that of a scan of all documents.

mod rows;

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use crate::laws::rows::{Cut, rows_of_job};
use dupfind_engine::{Containment, Detector, Detectors, Options, Pair, Silent, TopPairs};
use dupfind_scan::{Scan, ScanOptions, scan};

fn assert_equal(found: &(Scan, Vec<Pair>), expected: &(Scan, Vec<Pair>)) {
    assert_eq!(found.1, expected.1);
    let (found, expected) = (&found.0, &expected.0);
    assert_eq!(found.documents, expected.documents);
    assert_eq!(found.pair_counts, expected.pair_counts);
    assert_eq!(found.clusters, expected.clusters);
    assert_eq!(found.skipped, expected.skipped);
    assert_eq!(found.notes, expected.notes);
}

/// Returns the kinds of options that jobs are run with.
fn kinds() -> Vec<Options> {
    let usual = Options::default();
    let with = |detectors: Detectors| Options {
        detectors,
        ..Options::default()
    };
    let all = Detectors::USUAL
        .with(Detector::SuperShingle, true)
        .with(Detector::IMatch, true);
    let mut low = usual.clone();
    low.min_jaccard = "0.7".parse().unwrap();
    low.max_hamming = 1;
    let mut heavy = low.clone();
    heavy.min_weighted = Some("0.2".parse().unwrap());
    let mut contained = low.clone();
    contained.containment = Some(Containment {
        least: "0.9".parse().unwrap(),
        min_size: 30,
    });
    vec![
        usual,
        low,
        heavy,
        contained,
        with(all),
        with(Detector::Simhash.into()),
        with(Detector::SuperShingle.into()),
        with(Detector::Shingle.into()),
    ]
}

/// Returns a stretch of one of a few long texts.
fn stretch((text, start, length): (u32, u32, u32)) -> String {
    let words = (start..start + length).map(|word| format!("w{}", word * 7 + text * 1_000));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns texts with the paths of their files, which are in two subfolders.
fn texts(stretches: &[(u32, u32, u32)]) -> Vec<(String, String)> {
    let named = stretches.iter().enumerate().map(|(at, &words)| {
        let subfolder = if at % 3 == 0 { "b" } else { "a" };
        (format!("{subfolder}/{at}.txt"), stretch(words))
    });
    let empty = ("a/empty.txt".to_owned(), "...".to_owned());
    named.chain([empty]).collect()
}

/// Writes these texts. Returns them.
fn write_documents(folder: &Path, stretches: &[(u32, u32, u32)]) -> Vec<(String, String)> {
    for name in ["a", "b"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
    let texts = texts(stretches);
    for (path, text) in &texts {
        fs::write(folder.join(path), text).unwrap();
    }
    texts
}

/// Checks that a job of these documents has the outcome of a scan.
fn check(stretches: &[(u32, u32, u32)], options: &Options, cut: Cut) {
    let folder = tempfile::tempdir().unwrap();
    let texts = write_documents(folder.path(), stretches);
    let mut scanned = ScanOptions::for_paths(["a", "b"].map(|name| folder.path().join(name)));
    scanned.walk.base = folder.path().to_owned();
    scanned.engine = options.clone();
    let mut best = TopPairs::all();
    let outcome = scan(&scanned, &Silent, Some(&mut best)).unwrap();
    let expected = (outcome, best.into_pairs());

    let found = rows_of_job(options, &texts, cut).unwrap();
    let pairs = found.pairs.clone();
    assert_equal(&(found, pairs), &expected);
}

#[test]
fn a_job_in_which_no_task_can_have_pairs_has_an_outcome() {
    let options = Options {
        min_jaccard: "0.7".parse().unwrap(),
        max_hamming: 0,
        ..Options::default()
    };
    // One text is twice as long as the other one. From three tiles on, each is alone in its tile.
    for tiles in 1..9 {
        let cut = Cut {
            tiles,
            stretches: 1,
            cores: 2,
            work: None,
        };
        check(&[(0, 0, 62), (1, 0, 122)], &options, cut);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_job_has_the_outcome_of_a_scan(
        stretches in prop::collection::vec(
            (0_u32..3, 0_u32..40, prop_oneof![2_u32..150, Just(60_u32)]), 0..130,
        ),
        kind in 0..kinds().len(),
        tiles in 1_u32..9,
        stretch_count in 1_u32..5,
        work in prop_oneof![Just(None), Just(Some(4_000_000_000_u64))],
    ) {
        let cut = Cut { tiles, stretches: stretch_count, cores: 2, work };
        check(&stretches, &kinds().swap_remove(kind), cut);
    }
}
