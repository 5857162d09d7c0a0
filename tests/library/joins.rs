//! Joins of large sets and of many pages, against the exhaustive join. Random sets are in the engine.

use std::fs;
use std::path::Path;

use dupfind_engine::join::oracle::{self, joined};
use dupfind_engine::join::threshold::WeightedThreshold;
use dupfind_engine::{Containment, Detector, Options, Pair, Silent, Threshold};
use dupfind_scan::{ScanOptions, features};

use crate::detectors::scanned;

fn threshold(text: &str) -> Threshold {
    text.parse().unwrap()
}

fn range(from: u64, to: u64) -> Vec<u64> {
    (from..to).collect()
}

#[test]
fn sets_too_large_for_narrow_counters() {
    // A pair of these shares more than 16 bits can count.
    let sets = vec![
        range(0, 70_000),
        range(5_000, 75_000),
        range(60_000, 130_000),
        range(0, 9),
    ];
    for t in ["0.05", "0.2", "0.8"] {
        let t = threshold(t);
        assert_eq!(
            joined::jaccard(&sets, t).unwrap(),
            oracle::jaccard(&sets, t)
        );
    }
}

/// Writes pages of words. Two of three have a fifth of the page before them. Three more are in one of them.
fn write_rewritten_pages(folder: &Path) {
    let word = |page: usize, at: usize| format!("w{}", (page * 7919 + at * at * 31) % 5003);
    for page in 0..150 {
        let own = |page: usize| (0..200).map(move |at| word(page, at));
        let kept = own(page - page % 3).take(40);
        let words: Vec<String> = kept.chain(own(page).skip(40)).collect();
        fs::write(folder.join(format!("{page:03}.txt")), words.join(" ")).unwrap();
        if page % 50 == 0 {
            let part = words[80..110].join(" ");
            fs::write(folder.join(format!("part{page}.txt")), part).unwrap();
        }
    }
}

#[test]
fn rewritten_and_contained_pages_are_found_in_tiles_of_any_size() {
    let folder = tempfile::tempdir().unwrap();
    write_rewritten_pages(folder.path());
    let options = |min_weighted, limit, threads| {
        let mut options = ScanOptions::for_paths([folder.path()]);
        options.engine.min_weighted = min_weighted;
        options.engine.containment = Some(Containment {
            least: threshold("0.9"),
            min_size: 20,
        });
        options.engine.budget.limit = limit;
        options.engine.threads = threads;
        options
    };
    let (expected, whole) = scanned(&options(Some(Options::REWRITTEN), None, 2));
    let (without, _) = scanned(&options(None, None, 2));
    let is_new = |pair: &&Pair| !pair.found_by.have(Detector::Shingle);
    assert!(
        expected.iter().filter(is_new).count() > 50,
        "{}",
        expected.len()
    );
    let is_contained = |pair: &&Pair| pair.found_by == Detector::Containment.into();
    assert_eq!(expected.iter().filter(is_contained).count(), 3);
    let known = expected.iter();
    let known = known.filter(|pair| without.iter().any(|old| (old.a, old.b) == (pair.a, pair.b)));
    assert_eq!(known.count(), without.len());

    let collection = features(&options(Some(Options::REWRITTEN), None, 2), &Silent)
        .unwrap()
        .collection;
    let threshold = WeightedThreshold {
        least: 500,
        min_size: 80,
    };
    let sets = collection.sets.slices().unwrap();
    let heavy = oracle::weighted(&sets, threshold);
    let found = expected.iter();
    let found = found.filter(|pair| pair.found_by.have(Detector::Weighted));
    let found: Vec<(usize, usize)> = found.map(|pair| (pair.a.index(), pair.b.index())).collect();
    let positions = heavy.iter().map(|pair| (pair.a as usize, pair.b as usize));
    let mut positions: Vec<(usize, usize)> = positions.collect();
    let mut sorted = found.clone();
    sorted.sort_unstable();
    positions.sort_unstable();
    assert_eq!(sorted, positions);

    for (limit, threads) in [(0, 1), (36 * 500, 3), (36 * 4000, 2)] {
        let (found, outcome) = scanned(&options(Some(Options::REWRITTEN), Some(limit), threads));
        assert!(outcome.stats.join.unwrap().tiles > 2);
        assert_eq!(found, expected, "{limit} {threads}");
        assert_eq!(outcome.clusters, whole.clusters);
    }
}
