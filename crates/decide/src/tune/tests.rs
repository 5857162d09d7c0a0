//! Tests of the counts, and the pairs that they count.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use dupfind_engine::DocId;
use dupfind_engine::Options;
use dupfind_engine::detect::measures::Agreeing;
use dupfind_engine::detect::{Detector, Detectors};
use dupfind_engine::features::document::Document;
use dupfind_engine::join::weighted::Weighted;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::{Pair, Resemblance};
use dupfind_scan::ScanOptions;

/// How many documents there are.
const DOCUMENTS: u32 = 12;

/// Returns options with the default thresholds of [`Tuning`].
pub(crate) fn default_options() -> ScanOptions {
    ScanOptions {
        index: None,
        engine: Options {
            min_jaccard: Tuning::LEAST_JACCARD,
            max_hamming: Tuning::MAX_HAMMING,
            ..Options::default()
        },
        ..ScanOptions::for_paths([""; 0])
    }
}

/// Documents of different sizes.
pub(crate) fn documents() -> Vec<Document> {
    let document = |number: u32| Document {
        text_hash: number.into(),
        fingerprint: Some(0),
        tokens: 100,
        terms: 100,
        shingles: 100 + 20 * number,
        ..Document::sample(format!("{number:02}.md"))
    };
    (0..DOCUMENTS).map(document).collect()
}

/// A near-duplicate pair with a Jaccard similarity in hundredths.
pub(crate) fn pair(a: u32, b: u32, hundredths: u32) -> Pair {
    Pair {
        a: DocId::from(a),
        b: DocId::from(b),
        hamming: Some(20),
        jaccard: Resemblance::new(hundredths, 100),
        weighted: Some(Weighted {
            similarity: 4_000,
            containment: 6_000,
        }),
        relation: Relation::Near,
        found_by: Detector::Shingle.into(),
        agreeing: Agreeing::default(),
    }
}

/// All pairs of some documents, with any measures at all, as far as they are looked at.
pub(crate) fn pairs() -> impl Strategy<Value = Vec<Pair>> {
    let measures = (
        0_u8..=64,
        0_u32..=100,
        0_u16..=10_000,
        0_u16..=10_000,
        0_usize..6,
        any::<bool>(),
    );
    let count = DOCUMENTS * (DOCUMENTS - 1) / 2;
    prop::collection::vec(measures, count as usize).prop_map(|measures| {
        let numbers = (0..DOCUMENTS).flat_map(|b| (0..b).map(move |a| (a, b)));
        let pairs = numbers.zip(measures).map(
            |((a, b), (hamming, hundredths, similarity, containment, relation, is_weighted))| {
                Pair {
                    hamming: Some(hamming),
                    weighted: Some(Weighted {
                        similarity,
                        containment,
                    }),
                    relation: Relation::ALL[relation],
                    found_by: Detectors::from(Detector::Shingle)
                        .with(Detector::Weighted, is_weighted),
                    ..pair(a, b, hundredths)
                }
            },
        );
        let (floor, most) = (Tuning::LEAST_JACCARD, Tuning::MAX_HAMMING);
        let is_looked_at = |pair: &Pair| {
            let similar = pair
                .jaccard
                .is_some_and(|j| floor.admits(j.overlap, j.union.get()));
            similar || pair.hamming.is_some_and(|bits| u32::from(bits) <= most)
        };
        pairs.filter(is_looked_at).collect()
    })
}

/// Returns the counts of some pairs that come `size` at a time.
pub(crate) fn tuned(pairs: &[Pair], size: usize) -> Tuning {
    let mut tuning = Tuning::new(&default_options());
    let documents = documents();
    for some in pairs.chunks(size) {
        tuning.take(&documents, some).unwrap();
    }
    tuning
}

proptest! {
    #[test]
    fn counts_are_those_of_filtering_all_pairs(all in pairs(), size in 1_usize..50) {
        let tuning = tuned(&all, size);
        prop_assert_eq!(tuning.choices().len(), 9 + 13 + 1);
        for choice in tuning.choices() {
            let mut counts = Counts::default();
            let mut documents = BTreeSet::new();
            let steps = choice.min_jaccard.unwrap_or(u64::MAX);
            for pair in &all {
                let is_similar = pair.jaccard.is_some_and(|jaccard| jaccard.steps() >= steps);
                let bits = pair.hamming.map(u32::from);
                let is_weighted = pair.found_by.have(Detector::Weighted) && steps <= 2_000;
                if is_similar || is_weighted || choice.max_hamming.is_some_and(|most| bits <= Some(most)) {
                    counts.add(pair.relation, 1);
                    documents.extend([pair.a, pair.b]);
                }
            }
            prop_assert_eq!((choice.counts, choice.documents), (counts, documents.len()));
        }
    }
}

#[test]
fn the_default_threshold_is_among_the_listed_ones() {
    assert!(SIMILARITIES.contains(&Choice::default_jaccard()));
}

#[test]
fn thresholds_that_were_not_looked_at_are_not_reported() {
    let rows = |min_jaccard: &str, max_hamming| {
        let mut options = default_options();
        options.engine.min_jaccard = min_jaccard.parse().unwrap();
        options.engine.max_hamming = max_hamming;
        let tuning = Tuning::new(&options);
        let both = tuning.by_default().is_some();
        (
            tuning.by_jaccard().count(),
            tuning.by_hamming().count(),
            both,
        )
    };
    assert_eq!(rows("0.05", 12), (9, 13, true));
    assert_eq!(rows("0.2", 3), (8, 4, true));
    assert_eq!(rows("0.21", 3), (7, 4, false));
    assert_eq!(rows("0.1", 2), (9, 3, false));
    assert_eq!(rows("1", 0), (0, 1, false));
}

#[test]
fn without_a_detector_there_is_nothing_of_its_measure() {
    let mut options = default_options();
    options.engine.detectors = Detector::Simhash.into();
    let mut tuning = Tuning::new(&options);
    let pair = Pair {
        hamming: Some(4),
        jaccard: None,
        weighted: None,
        ..pair(0, 1, 50)
    };
    tuning.take(&documents(), &[pair]).unwrap();
    assert_eq!(
        (tuning.by_jaccard().count(), tuning.by_default()),
        (0, None)
    );
    let found: Vec<usize> = tuning.by_hamming().map(|choice| choice.documents).collect();
    assert_eq!((found[3], found[4]), (0, 2));
}
