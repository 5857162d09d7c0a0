//! The order of a worklist.

use std::cmp::Reverse;

use crate::clean::worklist::{Entry, Member};
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::{Pair, Resemblance};

/// The order of the entries. Entries that only sum pairs up come last in each, those of the most documents first. Of equal entries the one whose first
/// document has the first name comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By the gain, the largest first.
    #[default]
    Gain,
    /// By the most similar pair: copies, then by Jaccard similarity, the highest first.
    Similarity,
    /// By the name of the first document.
    Path,
}

impl Order {
    /// Sorts entries. Documents are numbered by name.
    pub(super) fn sort(self, entries: &mut [Entry], members: &[Member], pairs: &[Pair]) {
        let name = |entry: &Entry| {
            let members = &members[entry.members.clone()];
            let others = members.iter().map(|member| member.document);
            let other = others.min().unwrap_or(entry.document);
            (entry.document, other, entry.kind)
        };
        let similarity = |entry: &Entry| {
            let members = members[entry.members.clone()].iter();
            let best = members.map(|member| {
                let pair = &pairs[member.pair];
                let jaccard = pair.jaccard.map(Resemblance::steps);
                (
                    pair.relation == Relation::Exact,
                    jaccard,
                    Reverse(pair.hamming),
                )
            });
            best.max()
        };
        let sum = |entry: &Entry| entry.kind.is_sum().then(|| Reverse(entry.members.len()));
        match self {
            Self::Gain => {
                entries
                    .sort_unstable_by_key(|entry| (sum(entry), Reverse(entry.gain), name(entry)));
            }
            Self::Similarity => entries.sort_unstable_by_key(|entry| {
                (sum(entry), Reverse(similarity(entry)), name(entry))
            }),
            Self::Path => entries.sort_unstable_by_key(|entry| (sum(entry), name(entry))),
        }
    }
}
