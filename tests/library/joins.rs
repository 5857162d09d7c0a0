//! Every join strategy against one table of cases and against the exhaustive join, on the documents of the fixtures and on
//! many sets and codes. Random sets are in the engine.

use std::path::Path;
use std::{fs, io};

use dupfind_engine::join::JaccardPair;
use dupfind_engine::join::oracle::{self, joined};
use dupfind_engine::join::threshold::WeightedThreshold;
use dupfind_engine::{
    Containment, Detector, Document, Error, Options, Pair, PairSink, Silent, Threshold,
};
use dupfind_scan::{ScanOptions, features, scan};
use rayon::ThreadPoolBuilder;

use crate::detectors::scanned;
use crate::table::table;

type Sets = Vec<Vec<u64>>;
type Join = (&'static str, fn(&Sets, Threshold) -> Vec<JaccardPair>);

const STRATEGIES: [Join; 2] = [
    ("oracle", |sets, t| oracle::jaccard(sets, t)),
    ("counting", counting),
];

fn counting(sets: &Sets, t: Threshold) -> Vec<JaccardPair> {
    joined::jaccard(sets, t).unwrap()
}

fn threshold(text: &str) -> Threshold {
    text.parse().unwrap()
}

fn range(from: u64, to: u64) -> Vec<u64> {
    (from..to).collect()
}

#[test]
fn table_of_cases() {
    // Sets, which are ranges; a threshold; and the pairs with the sizes of overlap and union.
    for [name, sets, t, expected] in table(
        "nothing                          |                    | 0.2         |
         one set                          | 0..5               | 0.2         |
         empty sets are no pair           | 0..0 0..0          | 0.2         |
         empty and full                   | 0..0 0..3          | 0.2         |
         equal                            | 0..9 0..9          | 1           | 0-1 9/9
         three equal ones are three pairs | 0..2 5..6 0..2 0..2 | 0.5        | 0-2 2/2, 0-3 2/2, 2-3 2/2
         disjoint                         | 0..5 5..10         | 0.000000001 |
         exactly at 1/5                   | 0..6 4..10         | 0.2         | 0-1 2/10
         just below 1/5                   | 0..6 4..11         | 0.2         |
         exactly at 7/35                  | 0..21 14..35       | 0.2         | 0-1 7/35
         exactly at 0.7                   | 0..10 0..7         | 0.7         | 0-1 7/10
         one in a large one               | 0..1 0..5          | 0.2         | 0-1 1/5
         one in a larger one              | 0..1 0..6          | 0.2         |
         not ordered by size              | 0..8 0..2 0..4     | 0.5         | 0-2 4/8, 1-2 2/4",
    ) {
        let ends = sets.split_whitespace().map(|set| set.split_once("..").unwrap());
        let sets = ends.map(|(from, to)| range(from.parse().unwrap(), to.parse().unwrap()));
        joins(name, &sets.collect(), t, expected);
    }
    let ends = vec![vec![0, u64::MAX], vec![u64::MAX]];
    joins("the ends of the numbers", &ends, "0.5", "0-1 1/2");
}

/// Asserts which pairs each strategy finds.
#[track_caller]
fn joins(name: &str, sets: &Sets, t: &str, expected: &str) {
    for (strategy, join) in STRATEGIES {
        let found = join(sets, threshold(t)).into_iter();
        let found =
            found.map(|pair| format!("{}-{} {}/{}", pair.a, pair.b, pair.overlap, pair.union));
        let found: Vec<String> = found.collect();
        assert_eq!(found.join(", "), expected, "{name}, {strategy}");
    }
}

/// Returns what is computed in so many threads.
fn in_threads<T: Send>(threads: usize, compute: impl FnOnce() -> T + Send) -> T {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(compute)
}

#[test]
fn sets_too_large_for_narrow_counters() {
    // A pair of these shares more than 16 bits can count.
    let sets: Sets = vec![
        range(0, 70_000),
        range(5_000, 75_000),
        range(60_000, 130_000),
        range(0, 9),
    ];
    for t in ["0.05", "0.2", "0.8"] {
        let t = threshold(t);
        assert_eq!(counting(&sets, t), oracle::jaccard(&sets, t));
    }
}

#[test]
fn many_codes_equal_exhaustive_for_any_number_of_threads() {
    // Enough codes for blocks and for splitting groups: 40 centres with noise of up to 10 bits.
    let mut state = 0x1234_5678_9abc_def0_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let centres: Vec<u64> = (0..40).map(|_| next()).collect();
    let codes: Vec<u64> = (0..6000)
        .map(|at| {
            let flips = (0..next() % 10).fold(0, |flips, _| flips | 1 << (next() % 64));
            centres[at % 40] ^ flips
        })
        .collect();
    for distance in [0, 3, 8] {
        let expected = oracle::hamming(&codes, distance);
        for threads in [1, 2, 5] {
            let found = in_threads(threads, || joined::hamming(&codes, distance));
            assert_eq!(found, expected, "{distance} {threads}");
        }
    }
}

#[test]
fn many_sets_equal_exhaustive_for_any_number_of_threads() {
    // 1,200 sets of a skewed vocabulary, every third one a copy with changes: lists long enough for
    // tails.
    let element = |set: u64, i: u64| {
        let mixed = (set * 1_000_003 + i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let uniform = mixed % 10_000 + 1;
        uniform * uniform / 20_000
    };
    let sets: Sets = (0..1200_u64)
        .map(|set| {
            let original = set / 3 * 3;
            let size = 20 + original % 97 * 3;
            let changed = (set - original) * size / 10;
            let kept = (0..size - changed).map(|i| element(original, i));
            let elements = kept.chain((0..changed).map(|i| element(set + 7000, i)));
            let mut elements: Vec<u64> = elements.collect();
            elements.sort_unstable();
            elements.dedup();
            elements
        })
        .collect();
    let alike = oracle::jaccard(&sets, threshold("0.2"));
    for t in ["0.2", "0.5", "0.8"] {
        let t = threshold(t);
        let admitted = alike.iter();
        let admitted = admitted.filter(|pair| t.admits(pair.overlap, pair.union));
        let expected: Vec<_> = admitted.copied().collect();
        assert!(expected.len() > 100, "{}", expected.len());
        for threads in [1, 2, 5] {
            let found = in_threads(threads, || counting(&sets, t));
            assert_eq!(found, expected, "{t} {threads}");
        }
    }
    let t = WeightedThreshold {
        least: 500,
        min_size: 30,
    };
    let expected = oracle::weighted(&sets, t);
    assert!(expected.len() > 100, "{}", expected.len());
    for threads in [1, 2, 5] {
        let found = in_threads(threads, || joined::weighted(&sets, t).unwrap());
        assert_eq!(found, expected, "{threads}");
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

/// Takes no pairs.
struct Full;

impl PairSink for Full {
    fn take(&mut self, _documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        assert!(!pairs.is_empty());
        Err(io::ErrorKind::StorageFull.into())
    }
}

#[test]
fn a_sink_that_fails_ends_the_run() {
    let mut settings = ScanOptions::for_paths(["fixtures/corpus"]);
    for limit in [None, Some(36 * 500)] {
        settings.engine.budget.limit = limit;
        match scan(&settings, &Silent, Some(&mut Full)) {
            Err(Error::Sink(error)) => assert_eq!(error.kind(), io::ErrorKind::StorageFull),
            other => panic!("{limit:?}: {other:?}"),
        }
        settings.engine.budget.temp_dir = Some("no/such/folder".into());
        let spilled = scan(&settings, &Silent, None);
        let expected = limit.is_some();
        assert_eq!(matches!(spilled, Err(Error::TempFile { .. })), expected);
        settings.engine.budget.temp_dir = None;
    }
}
