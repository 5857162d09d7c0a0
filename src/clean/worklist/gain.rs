//! What is gained by fixing a pair.

use crate::engine::document::Document;
use crate::engine::pair::Pair;
use crate::engine::pair::relation::{NEAR_WEIGHTED, Relation};

/// The steps of a certainty of 1.
pub const STEPS: u64 = 10_000;

/// The weighted similarity from which on it is certain that one text was made from the other.
const CERTAIN: u64 = STEPS / 2;

/// How certain it is that a pair should be fixed, if no shingles were compared and it is no copy.
const UNKNOWN: u64 = STEPS / 4;

/// Returns what is gained by fixing a pair: the shingles that the documents share, times the certainty that somebody
/// wrote them twice, in ten-thousandths of a shingle. A shingle is about a word, or a character of Chinese.
///
/// | relation | saved | certainty |
/// |---|---|---|
/// | `exact` | all of the smaller document | 1 |
/// | `near` | what both have | c², or a quarter of the weighted similarity² if that is more |
/// | `contains` | what both have | the same, or an eighth of the weighted containment² if that is more |
/// | `related`, `template` | what both have | an eighth of the weighted similarity² |
/// | `short` | nothing | 0 |
///
/// c grows with the weighted similarity: it is 0 up to 0.15, from which on documents are near-duplicates, and 1 from 0.5
/// on. The square keeps pairs of little similarity behind: they mostly share their form and some of their words, and
/// rarely can one of them go. A page that stands in another one is often an excerpt that is wanted, so it counts an eighth.
#[must_use]
pub fn gain(documents: &[Document], pair: &Pair) -> u64 {
    let [a, b] = [pair.a, pair.b].map(|id| &documents[id.index()]);
    let smaller = |size: fn(&Document) -> u32| u64::from(size(a).min(size(b)));
    let saved = match (pair.relation, pair.jaccard) {
        (Relation::Short, _) => 0,
        (Relation::Exact, _) | (_, None) if a.shingles.min(b.shingles) > 0 => {
            smaller(|document| document.shingles)
        }
        (Relation::Exact, _) | (_, None) => smaller(|document| document.tokens),
        (_, Some(jaccard)) => jaccard.overlap.into(),
    };
    saved * certainty(pair)
}

fn certainty(pair: &Pair) -> u64 {
    let square = |steps: u64| steps * steps / STEPS;
    let Some(weighted) = pair.weighted else {
        return match pair.relation {
            Relation::Exact => STEPS,
            Relation::Short => 0,
            _ => UNKNOWN,
        };
    };
    let least = u64::from(NEAR_WEIGHTED);
    let above = u64::from(weighted.similarity).saturating_sub(least);
    let clear = square((above * STEPS / (CERTAIN - least)).min(STEPS));
    let weak = square(weighted.similarity.into());
    let similar = clear.max(weak / 4);
    match pair.relation {
        Relation::Exact => STEPS,
        Relation::Near => similar,
        Relation::Contains => similar.max(square(weighted.containment.into()) / 8),
        Relation::Related | Relation::Template => weak / 8,
        Relation::Short => 0,
    }
}
