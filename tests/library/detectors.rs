//! Scans with every combination of detectors, against each of them by itself and against the definitions.

use std::collections::{BTreeMap, BTreeSet};

use dupfind_engine::fingerprint::super_shingle::{LEAST, SuperShingler, WIDTH};
use dupfind_engine::join::oracle;
use dupfind_engine::{Detector, Detectors, DocId, Options, Pair, Silent, TopPairs};
use dupfind_scan::{Scan, ScanOptions, features, scan};

/// Those that are asked for by name.
const NAMED: [Detector; 4] = [
    Detector::Simhash,
    Detector::Shingle,
    Detector::SuperShingle,
    Detector::IMatch,
];

/// ScanOptions under which every detector finds something that others do not.
fn settings(detectors: Detectors) -> ScanOptions {
    ScanOptions {
        engine: Options {
            detectors,
            max_hamming: 9,
            min_jaccard: "0.5".parse().unwrap(),
            ..Options::default()
        },
        ..ScanOptions::for_paths(["fixtures/corpus"])
    }
}

/// The pairs that a scan reports.
pub(crate) fn scanned(settings: &ScanOptions) -> (Vec<Pair>, Scan) {
    let mut best = TopPairs::all();
    let outcome = scan(settings, &Silent, Some(&mut best)).unwrap();
    (best.into_pairs(), outcome)
}

fn ids(pairs: &[Pair]) -> BTreeSet<(DocId, DocId)> {
    pairs.iter().map(|pair| (pair.a, pair.b)).collect()
}

/// All combinations of one detector and more.
fn combinations() -> impl Iterator<Item = Detectors> {
    (1..1 << NAMED.len()).map(|bits: u32| {
        let chosen = (0..NAMED.len()).filter(|at| bits >> at & 1 == 1);
        chosen.map(|at| NAMED[at]).collect()
    })
}

#[test]
fn the_pairs_are_the_union() {
    let alone: BTreeMap<Detector, BTreeSet<(DocId, DocId)>> = NAMED
        .into_iter()
        .map(|detector| {
            let (pairs, _) = scanned(&settings(detector.into()));
            assert!(pairs.iter().all(|pair| pair.found_by == detector.into()));
            assert!(pairs.len() > 10, "{detector:?}: {}", pairs.len());
            (detector, ids(&pairs))
        })
        .collect();
    assert_eq!(
        alone.values().collect::<BTreeSet<_>>().len(),
        NAMED.len(),
        "each finds other pairs"
    );
    // A tile for each set, and tiles of some hundreds and some thousands of shingles: one of these for each combination.
    let mut tilings = [(0, 1), (36 * 500, 3), (36 * 4000, 1), (36 * 4000, 2)]
        .into_iter()
        .cycle();
    for detectors in combinations() {
        let found = |pair: &(DocId, DocId)| -> Detectors {
            let finding = detectors.iter();
            let finding = finding.filter(|detector| alone[detector].contains(pair));
            finding.collect()
        };
        let expected = alone.values().flatten();
        let expected = expected.filter(|pair| !found(pair).is_empty());
        let expected: BTreeSet<(DocId, DocId)> = expected.copied().collect();
        let settings = settings(detectors);
        let (pairs, outcome) = scanned(&settings);
        assert_eq!(ids(&pairs), expected, "{detectors:?}");
        for pair in &pairs {
            assert_eq!(pair.found_by, found(&(pair.a, pair.b)), "{pair:?}");
        }
        // Whether anybody looks at each pair or not.
        let counted = scan(&settings, &Silent, None).unwrap();
        assert_eq!(counted.pair_counts, outcome.pair_counts, "{detectors:?}");
        assert_eq!(counted.clusters, outcome.clusters, "{detectors:?}");
        let (limit, threads) = tilings.next().unwrap();
        let mut tiled = settings.clone();
        tiled.engine.budget.limit = Some(limit);
        tiled.engine.threads = threads;
        let (found, whole) = scanned(&tiled);
        assert_eq!(found, pairs, "{detectors:?} {limit} {threads}");
        assert_eq!(whole.pair_counts, outcome.pair_counts, "{detectors:?}");
        assert_eq!(whole.clusters, outcome.clusters, "{detectors:?}");
        if detectors.have(Detector::Shingle) {
            let join = whole.stats.join.unwrap();
            assert!(join.tiles > 2 && join.spilled > 0, "{join:?}");
        }
    }
}

#[test]
fn super_shingles_are_those_of_the_definition() {
    let settings = settings(Detector::SuperShingle.into());
    let (pairs, outcome) = scanned(&settings);
    let sets = features(&settings, &Silent).unwrap().collection.sets;
    let mut shingler = SuperShingler::default();
    let mut signatures = Vec::new();
    for set in sets.slices().unwrap() {
        shingler.append(set, &mut signatures);
    }
    let expected = oracle::agreement(&signatures, WIDTH, LEAST as usize);
    assert_eq!(signatures.len(), WIDTH * outcome.documents.len());
    assert_eq!(pairs.len(), expected.len());
    for pair in expected {
        let (a, b) = (DocId::from(pair.a), DocId::from(pair.b));
        let found = pairs.iter().find(|found| (found.a, found.b) == (a, b));
        let agreeing = found.unwrap().agreeing.of(Detector::SuperShingle);
        assert_eq!(agreeing.map(u32::from), Some(pair.agreeing));
    }
}

#[test]
fn signatures_alone_keep_no_shingle_sets() {
    let mut settings = settings(Detector::SuperShingle.into());
    let (expected, _) = scanned(&settings);
    // The first set that were kept would go to a folder that is not there.
    settings.engine.budget.limit = Some(0);
    settings.engine.budget.temp_dir = Some("nowhere".into());
    assert_eq!(scanned(&settings).0, expected);
    settings.engine.detectors = Detector::Shingle.into();
    assert!(scan(&settings, &Silent, None).is_err());
}
