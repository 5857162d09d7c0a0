//! Accepting the pairs of a run.

use crate::engine::outcome::Pair;
use crate::engine::relation::Relations;
use crate::gate::baseline::Baseline;
use crate::gate::baseline::accepted::Unmet;
use crate::gate::baseline::content::{Content, Cut};
use crate::gate::baseline::entry::Entry;

/// What an update made of a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Changes {
    /// Entries that it has now.
    pub(crate) pairs: usize,
    /// Those that it did not have.
    pub(crate) new: usize,
    /// Those that it had and that say something else now.
    pub(crate) updated: usize,
    /// Those that it has no more.
    pub(crate) gone: usize,
    /// Those that it had and whose date was dropped because it was over.
    pub(crate) renewed: usize,
}

impl Baseline {
    /// Takes all pairs of the run that it judged, the relations it is to hold and what shingles are now;
    /// returns what it is to hold now.
    ///
    /// Entries of pairs that are still there keep their reasons, and their dates if these are to come: a
    /// pair whose time is up is accepted anew. As long as neither text changes the entry stays as it is, so
    /// that a merge meets no needless changes, and also if other documents have made the relation of
    /// the pair another one. Entries that the run could not see are kept.
    pub(crate) fn updated(
        &self,
        pairs: &[Pair],
        relations: Relations,
        cut: Cut,
    ) -> (Content, Changes) {
        let accepted = &self.accepted;
        let old = accepted.content.entries();
        let documents = accepted.run().map_or(&[][..], |run| &run.documents);
        let mut changes = Changes::default();
        let mut entries = Vec::with_capacity(old.len());
        let mut is_kept = vec![false; old.len()];
        for pair in pairs {
            let known = accepted.find(pair);
            let same = known.filter(|&at| accepted.is_comparable && accepted.is_unchanged(at));
            let mut entry = match same {
                Some(at) if relations.have(old[at].relation) => accepted.renamed(at),
                _ if relations.have(pair.relation) => Entry::of_pair(documents, pair),
                _ => continue,
            };
            if let Some(at) = known {
                is_kept[at] = true;
                entry.reason.clone_from(&old[at].reason);
                let is_over = old[at].is_expired(accepted.today);
                entry.expires = old[at].expires.filter(|_| !is_over);
                changes.renewed += usize::from(is_over);
                entry = entry.in_order();
                changes.updated += usize::from(entry != old[at]);
            } else {
                changes.new += 1;
            }
            entries.push(entry);
        }
        for (at, is_kept) in is_kept.iter_mut().enumerate() {
            let is_unseen = !*is_kept && self.unmet(at) == Some(Unmet::Unseen);
            if is_unseen && relations.have(old[at].relation) {
                *is_kept = true;
                let entry = accepted.renamed(at).in_order();
                changes.updated += usize::from(entry != old[at]);
                entries.push(entry);
            }
        }
        changes.gone = is_kept.iter().filter(|is_kept| !**is_kept).count();
        let content = Content::new(relations, cut, entries);
        changes.pairs = content.entries().len();
        (content, changes)
    }
}
