//! Accepting the pairs of a run.

use crate::engine::pair::Pair;
use crate::engine::pair::relation::Relations;
use crate::gate::baseline::Baseline;
use crate::gate::baseline::accepted::Unmet;
use crate::gate::baseline::accepted_pair::AcceptedPair;
use crate::gate::baseline::content::{Content, Cut};

/// How an update changed a baseline, in numbers of accepted pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct UpdateCounts {
    /// All that it holds now.
    pub(crate) pairs: usize,
    /// Those that it did not hold before.
    pub(crate) new: usize,
    /// Those that it held before and that have changed.
    pub(crate) updated: usize,
    /// Those that it no longer holds.
    pub(crate) gone: usize,
    /// Those that it held before and whose date was dropped because it was over.
    pub(crate) renewed: usize,
}

impl Baseline {
    /// Returns the new content of a baseline after a run, of which `pairs` are all pairs. `relations` are those
    /// it is to hold; `cut` is how texts were cut.
    ///
    /// Pairs that are still there keep their reasons, and their dates if these are not over: a pair whose time
    /// is up is accepted anew. As long as neither text changes, a pair stays as it is, even if other
    /// documents have changed its relation, so that a merge meets no needless changes. Pairs that the run
    /// could not see are kept.
    pub(crate) fn updated(
        &self,
        pairs: &[Pair],
        relations: Relations,
        cut: Cut,
    ) -> (Content, UpdateCounts) {
        let accepted = &self.accepted;
        let old = accepted.content.pairs();
        let documents = accepted.run().map_or(&[][..], |run| &run.documents);
        let mut counts = UpdateCounts::default();
        let mut new = Vec::with_capacity(old.len());
        let mut is_kept = vec![false; old.len()];
        for pair in pairs {
            let known = accepted.find(pair);
            let same = known.filter(|&at| accepted.is_comparable && accepted.is_unchanged(at));
            let mut pair = match same {
                Some(at) if relations.have(old[at].relation) => accepted.renamed(at),
                _ if relations.have(pair.relation) => AcceptedPair::new(documents, pair),
                _ => continue,
            };
            if let Some(at) = known {
                is_kept[at] = true;
                pair.reason.clone_from(&old[at].reason);
                let is_over = old[at].is_expired(accepted.today);
                pair.expires = old[at].expires.filter(|_| !is_over);
                counts.renewed += usize::from(is_over);
                pair = pair.in_order();
                counts.updated += usize::from(pair != old[at]);
            } else {
                counts.new += 1;
            }
            new.push(pair);
        }
        for (at, is_kept) in is_kept.iter_mut().enumerate() {
            let is_unseen = !*is_kept && self.unmet(at) == Some(Unmet::Unseen);
            if is_unseen && relations.have(old[at].relation) {
                *is_kept = true;
                let pair = accepted.renamed(at).in_order();
                counts.updated += usize::from(pair != old[at]);
                new.push(pair);
            }
        }
        counts.gone = is_kept.iter().filter(|is_kept| !**is_kept).count();
        let content = Content::new(relations, cut, new);
        counts.pairs = content.pairs().len();
        (content, counts)
    }
}
