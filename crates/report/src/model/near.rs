//! The summary of its pairs for each document.

use serde::Serialize;

use dupfind_engine::DocId;
use dupfind_engine::verdict::pair::{Pair, Resemblance};
use dupfind_scan::Scan;

/// A document with pairs.
#[derive(Debug, Serialize)]
pub(crate) struct DocumentRecord<'r> {
    /// Its name.
    pub(crate) path: &'r str,
    /// The document that is most like it: of the pair with the highest Jaccard similarity, then with the smallest Hamming
    /// distance, then the first by name.
    pub(crate) closest: &'r str,
    /// The Jaccard similarity of the two; `null` if the shingle detector was off.
    pub(crate) jaccard: Option<f64>,
    /// How many pairs it is in.
    pub(crate) near: u64,
    /// The share of its shingles that no other document has, rounded down to four decimals; `null` if the shingle
    /// detector was off.
    pub(crate) unique: Option<f64>,
}

/// Returns the documents of some pairs, by name.
pub(super) fn documents<'r>(
    outcome: &'r Scan,
    pairs: &'r [Pair],
) -> impl Iterator<Item = DocumentRecord<'r>> {
    let mut near: Vec<Option<(&Pair, DocId, u64)>> = vec![None; outcome.documents.len()];
    let rank = |pair: &Pair| {
        (
            pair.jaccard().map(Resemblance::steps),
            pair.hamming.map(|bits| !bits),
        )
    };
    for pair in pairs {
        for (own, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
            let best = near[own.index()].get_or_insert((pair, other, 0));
            best.2 += 1;
            if (rank(pair), best.1) > (rank(best.0), other) {
                (best.0, best.1) = (pair, other);
            }
        }
    }
    let ids = (0..).map(DocId::from);
    ids.zip(near).filter_map(move |(id, near)| {
        let (pair, closest, near) = near?;
        Some(DocumentRecord {
            path: outcome.name(id),
            closest: outcome.name(closest),
            jaccard: pair.jaccard().map(Resemblance::rounded),
            near,
            unique: outcome.unique_share(id).map(Resemblance::rounded),
        })
    })
}
