//! Whether the joins find exactly the pairs of the exhaustive join on real documents, and how much
//! sooner:
//!
//! ```text
//! cargo bench --bench exactness -- FOLDER...
//! ```

use std::time::Instant;

use dupfind_engine::join::oracle::{self, joined};
use dupfind_engine::join::threshold::WeightedThreshold;
use dupfind_engine::{DocId, Options, Silent, Threshold, TopPairs};
use dupfind_scan::{ScanOptions, features, scan};

#[expect(dead_code, reason = "the texts and labels are for other benches")]
mod support;

fn main() {
    for folder in support::folders() {
        let settings = support::settings(folder.clone());
        let corpus = features(&settings, &Silent).expect("a readable folder");
        let collection = corpus.collection;
        println!(
            "{}: {} documents",
            folder.display(),
            collection.documents.len()
        );
        let codes: Vec<u64> = collection
            .documents
            .iter()
            .map(|document| document.fingerprint().expect("all documents have one"))
            .collect();
        let sets = collection.sets.slices().expect("in memory");
        for t in ["0.2", "0.5", "0.8"] {
            let t: Threshold = t.parse().expect("a threshold");
            let name = format!("Jaccard >= {t}");
            compare(
                &name,
                || joined::jaccard(&sets, t).expect("not too many shingles"),
                || oracle::jaccard(&sets, t),
            );
        }
        for least in [100, 500, 2_000] {
            let t = WeightedThreshold {
                least,
                min_size: 80,
            };
            compare(
                &format!("weighted >= {}", f64::from(least) / 1e4),
                || joined::weighted(&sets, t).expect("not too many shingles"),
                || oracle::weighted(&sets, t),
            );
        }
        for k in [0, 3, 8] {
            compare(
                &format!("Hamming <= {k}"),
                || joined::hamming(&codes, k),
                || oracle::hamming(&codes, k),
            );
        }
        whole_scans(&settings, &codes, &sets);
    }
}

/// Scans with less and less memory, and with one thread and two, against all exhaustive joins.
fn whole_scans(settings: &ScanOptions, codes: &[u64], sets: &[&[u64]]) {
    let similar = oracle::jaccard(sets, settings.engine.min_jaccard);
    let near = oracle::hamming(codes, settings.engine.max_hamming);
    let mut expected: Vec<(u32, u32)> = similar.iter().map(|pair| (pair.a, pair.b)).collect();
    expected.extend(near.iter().map(|pair| (pair.a, pair.b)));
    // Among few documents nothing is known of how rare shingles are.
    let threshold = settings.engine.weighted();
    if let Some(threshold) = threshold.filter(|_| sets.len() >= Options::MIN_WEIGHTED_DOCUMENTS) {
        let heavy = oracle::weighted(sets, threshold);
        expected.extend(heavy.iter().map(|pair| (pair.a, pair.b)));
    }
    expected.sort_unstable();
    expected.dedup();
    let shingles: usize = sets.iter().map(|set| set.len()).sum();
    for (tiles, threads) in [(1, 1), (1, 2), (3, 2), (10, 1), (10, 2)] {
        let limit = (tiles > 1).then(|| 36 * shingles as u64 / tiles);
        let mut settings = settings.clone();
        settings.engine.threads = threads;
        settings.engine.budget.limit = limit;
        let mut best = TopPairs::all();
        let start = Instant::now();
        let outcome = scan(&settings, &Silent, Some(&mut best)).expect("a readable folder");
        let time = start.elapsed();
        let pairs = best.into_pairs();
        let position = |id: DocId| u32::try_from(id.index()).expect("32 bits");
        let pairs = pairs
            .iter()
            .map(|pair| (position(pair.a), position(pair.b)));
        let mut found: Vec<(u32, u32)> = pairs.collect();
        found.sort_unstable();
        let tiles = outcome.stats.join.map_or(0, |join| join.tiles);
        println!(
            "  scan, {tiles:>2} tiles, {threads} threads: {:>8} pairs, {:>8} by the exhaustive joins; {:>8.1} ms",
            found.len(),
            expected.len(),
            time.as_secs_f64() * 1e3,
        );
        assert!(found == expected, "{tiles} tiles: the scan is not exact");
    }
}

/// Runs both, prints what they found and took, and insists that they agree.
fn compare<P: PartialEq>(name: &str, fast: impl Fn() -> Vec<P>, exhaustive: impl Fn() -> Vec<P>) {
    let start = Instant::now();
    let found = fast();
    let fast_time = start.elapsed();
    let start = Instant::now();
    let expected = exhaustive();
    let exhaustive_time = start.elapsed();
    let verdict = if found == expected {
        "equal"
    } else {
        "DIFFERENT"
    };
    println!(
        "  {name:<15} {:>8} pairs, {:>8} by the exhaustive join: {verdict}; {:>8.1} ms, {:>9.1} ms",
        found.len(),
        expected.len(),
        fast_time.as_secs_f64() * 1e3,
        exhaustive_time.as_secs_f64() * 1e3,
    );
    assert!(found == expected, "{name}: the join is not exact");
}
