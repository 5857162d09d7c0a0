//! What is gained by fixing a pair.

use crate::engine::document::Document;
use crate::engine::pair::Pair;
use crate::engine::pair::relation::Relation;

/// The steps of a certainty of 1.
pub const STEPS: u64 = 10_000;

/// How certain it is that a pair should be fixed, if no shingles were compared and it is no copy.
const UNKNOWN: u64 = STEPS / 4;

/// Returns what is gained by fixing a pair: the shingles that the documents share, times the certainty that somebody
/// wrote them twice, in ten-thousandths of a shingle. A shingle is about a word, or a character of Chinese.
///
/// | relation | saved | certainty |
/// |---|---|---|
/// | `exact` | all of the smaller document | 1 |
/// | `contains` | what the larger one has of it | weighted containment², halved |
/// | `near` | what both have | weighted similarity² |
/// | `related` | what both have | weighted similarity², a quarter of it |
/// | `template` | what both have | weighted similarity², a quarter of it |
/// | `short` | nothing | 0 |
///
/// The square makes a pair of .7 count as much as four of .35 of the same size: those share their form and some of their
/// words, and rarely can one of them go.
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
    let square = |steps: u16| u64::from(steps) * u64::from(steps) / STEPS;
    match (pair.relation, pair.weighted) {
        (Relation::Exact, _) => STEPS,
        (Relation::Short, _) => 0,
        (_, None) => UNKNOWN,
        (Relation::Contains, Some(weighted)) => square(weighted.containment) / 2,
        (Relation::Near, Some(weighted)) => square(weighted.similarity),
        (Relation::Related | Relation::Template, Some(weighted)) => square(weighted.similarity) / 4,
    }
}
