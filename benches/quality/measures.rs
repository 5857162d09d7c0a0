//! The measures of a reported pair: its relation, and scores that pairs can be ranked by.

use dupfind_engine::join::weighted::Weighted;
use dupfind_engine::{Pair, Resemblance};
use dupfind_scan::Scan;

/// The relations there are, in the order of the columns.
pub(crate) const RELATIONS: [&str; 7] = [
    "exact", "near", "contains", "variant", "related", "template", "short",
];

/// How two documents are related, one of [`RELATIONS`].
pub(crate) fn relation(pair: &Pair) -> &'static str {
    pair.relation().as_str()
}

/// Says how alike two documents are: the more, the higher, and never below 0, which stands for pairs
/// that are not reported.
pub(crate) type Score = fn(&Pair, &Scan) -> f64;

/// All scores by name.
pub(crate) const SCORES: [(&str, Score); 4] = [
    ("weighted", weighted),
    ("Jaccard", jaccard),
    ("containment", containment),
    ("64 - Hamming", nearness),
];

fn weighted(pair: &Pair, _outcome: &Scan) -> f64 {
    let similarity = |found: Weighted| f64::from(found.similarity);
    pair.weighted().map_or(0.0, similarity)
}

fn jaccard(pair: &Pair, _outcome: &Scan) -> f64 {
    let share = |found: Resemblance| f64::from(found.overlap) / f64::from(found.union.get());
    pair.jaccard().map_or(0.0, share)
}

fn containment(pair: &Pair, outcome: &Scan) -> f64 {
    let [a, b] = [pair.a, pair.b].map(|id| outcome.documents[id.index()].shingles);
    let share = |found: Resemblance| f64::from(found.overlap) / f64::from(a.min(b).max(1));
    pair.jaccard().map_or(0.0, share)
}

fn nearness(pair: &Pair, _outcome: &Scan) -> f64 {
    pair.hamming.map_or(0.0, |bits| 64.0 - f64::from(bits))
}
