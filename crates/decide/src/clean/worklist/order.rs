//! The gain of fixing a pair, and the order of a worklist by it.

use std::cmp::Reverse;

use crate::clean::worklist::{Entry, Kind, Member};
use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;

/// The steps of a certainty of 1.
pub const STEPS: u64 = 10_000;

/// Returns the gain of fixing a pair: the shingles that the documents share, times the certainty that somebody
/// wrote them twice, in ten-thousandths of a shingle. A shingle is about a word, or a character of Chinese.
///
/// | relation | saved | certainty |
/// |---|---|---|
/// | `exact` | all of the smaller document | 1 |
/// | `short` | nothing | 0 |
/// | `related` | the shared shingles | half of s² |
/// | all others | the shared shingles | s² |
///
/// s is the share of the smaller document that is in the other one. Without shingle sets it is not known, and the
/// certainty is a quarter.
#[must_use]
pub fn gain(documents: &[Document], pair: &Pair) -> u64 {
    let [a, b] = [pair.a, pair.b].map(|id| &documents[id.index()]);
    let smaller = |size: fn(&Document) -> u32| u64::from(size(a).min(size(b)));
    let saved = match (pair.relation(), pair.jaccard()) {
        (Relation::Short, _) => 0,
        (Relation::Exact, _) | (_, None) if a.shingles.min(b.shingles) > 0 => {
            smaller(|document| document.shingles)
        }
        (Relation::Exact, _) | (_, None) => smaller(|document| document.tokens),
        (_, Some(jaccard)) => jaccard.overlap.into(),
    };
    match pair.smaller_first(documents) {
        _ if pair.relation() == Relation::Exact => saved * STEPS,
        Some([(_, share), _]) if pair.relation() == Relation::Related => {
            saved * (share.steps().pow(2) / STEPS / 2)
        }
        Some([(_, share), _]) => saved * (share.steps().pow(2) / STEPS),
        None => saved * (STEPS / 4),
    }
}

/// Sorts entries by their gain, the largest first. Entries that only sum pairs up come last, those of the most documents
/// first, and behind them the versions of pages, the folders of generated pages, and those of code and data. Of equal entries
/// the one whose first document comes first by name is first: documents are numbered by name.
pub(super) fn sort(entries: &mut [Entry], members: &[Member]) {
    entries.sort_unstable_by_key(|entry| {
        let sum = entry.kind.is_sum().then(|| Reverse(entry.members.len()));
        let members = &members[entry.members.clone()];
        let other = members.iter().map(|member| member.document).min();
        let by_folder = match entry.kind {
            Kind::Versions => 1,
            Kind::Generated => 2,
            Kind::Code => 3,
            _ => 0,
        };
        let name = (entry.document, other.unwrap_or(entry.document), entry.kind);
        (by_folder, sum, Reverse(entry.gain), name)
    });
}
