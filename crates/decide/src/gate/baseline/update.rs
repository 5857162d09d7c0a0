//! Changes of the accepted pairs: all pairs of a run, one pair more or less, or lines for people who choose some.

use crate::gate::baseline::Baseline;
use crate::gate::baseline::accepted::{Unmet, identities};
use crate::gate::baseline::content::{
    AcceptedPair, BaselineContent, DocumentIdentity, header, line,
};
use crate::gate::baseline::names::Names;
use dupfind_engine::{DocId, Document, Pair, Relations};
use dupfind_scan::Sources;

/// How an update changed a baseline, in numbers of accepted pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UpdateCounts {
    /// All that it holds now.
    pub pairs: usize,
    /// Those that it did not hold before.
    pub new: usize,
    /// Those that it held before and that have changed.
    pub updated: usize,
    /// Those that it no longer holds.
    pub gone: usize,
}

impl Baseline {
    /// Returns the new content of a baseline after a run. `pairs` are all pairs of the run, and `relations` those that
    /// the baseline is to hold.
    ///
    /// Pairs that are still there keep their reasons. As long as neither text changes, a pair stays as it is, even if other
    /// documents have changed its relation, so that a merge meets no needless changes. Pairs that the run
    /// could not see are kept.
    pub fn updated(&self, pairs: &[Pair], relations: Relations) -> (BaselineContent, UpdateCounts) {
        let accepted = &self.accepted;
        let old = accepted.content.pairs();
        let documents = accepted.run().map_or(&[][..], |run| &run.documents);
        let mut counts = UpdateCounts::default();
        let mut new = Vec::with_capacity(old.len());
        let mut is_kept = vec![false; old.len()];
        for pair in pairs {
            let known = accepted.find(pair);
            let same = known.filter(|&at| accepted.is_unchanged(at));
            let mut pair = match same {
                Some(at) => accepted.renamed(at),
                _ if known.is_none() && accepted.family(pair).is_some() => continue,
                _ if known.is_some() || relations.have(pair.relation()) => {
                    AcceptedPair::new(documents, pair)
                }
                _ => continue,
            };
            if let Some(at) = known {
                is_kept[at] = true;
                pair.reason.clone_from(&old[at].reason);
                pair = pair.in_order();
                counts.updated += usize::from(pair != old[at]);
            } else {
                counts.new += 1;
            }
            new.push(pair);
        }
        for (at, is_kept) in is_kept.iter_mut().enumerate() {
            let is_unseen = !*is_kept && self.unmet(at) == Some(Unmet::Unseen);
            if is_unseen {
                *is_kept = true;
                let pair = accepted.renamed(at).in_order();
                counts.updated += usize::from(pair != old[at]);
                new.push(pair);
            }
        }
        counts.gone = is_kept.iter().filter(|is_kept| !**is_kept).count();
        let content = BaselineContent::new(relations, new)
            .with_families(accepted.content.families.iter().cloned());
        counts.pairs = content.pairs().len();
        (content, counts)
    }
}

impl BaselineContent {
    /// Returns the content with a pair of a run, and the reason that it had before. If the pair was accepted
    /// before, it is accepted as it is now.
    pub fn with(
        self,
        names: &Names,
        documents: &[Document],
        sources: &Sources,
        pair: &Pair,
        reason: Option<String>,
    ) -> (Self, Option<String>) {
        let mut accepted = AcceptedPair::new(&identities(names, documents, Some(sources)), pair);
        accepted.reason = reason;
        let (relations, families) = (self.relations, self.families.clone());
        let is_it = |known: &AcceptedPair| known.names() == accepted.names();
        let (before, mut pairs): (Vec<AcceptedPair>, Vec<AcceptedPair>) =
            self.into_pairs().into_iter().partition(is_it);
        pairs.push(accepted);
        let reason = before.into_iter().find_map(|known| known.reason);
        let content = Self::new(relations, pairs).with_families(families);
        (content, reason)
    }
}

/// The lines of a baseline that would hold some pairs.
#[derive(Debug)]
pub struct Lines {
    /// The first line of a new file; `None` if there is a baseline already.
    pub header: Option<String>,
    /// The line of each pair, which is a JSON object; `None` for a pair of a relation that the baseline does not hold.
    pub pairs: Vec<Option<String>>,
}

impl Lines {
    /// Returns the lines of some pairs of a run. Names of documents are relative to the folder of the baseline of the
    /// run, or without one to the current folder.
    pub fn new(
        baseline: Option<&Baseline>,
        documents: &[Document],
        sources: &Sources,
        pairs: &[Pair],
    ) -> Self {
        let own: Vec<DocumentIdentity>;
        let run = baseline.and_then(|baseline| baseline.accepted.run());
        let identities = match run {
            Some(run) => &run.documents,
            None => {
                own = identities(&Names::default(), documents, Some(sources));
                &own
            }
        };
        let relations = match baseline {
            Some(baseline) => baseline.content().relations,
            None => Relations::DUPLICATES,
        };
        let is_known = |id: DocId| id.index() < identities.len();
        let line_of = |pair: &Pair| {
            (is_known(pair.a) && is_known(pair.b))
                .then(|| line(&AcceptedPair::new(identities, pair)))
        };
        Self {
            header: baseline.is_none().then(|| header(relations)),
            pairs: pairs.iter().map(line_of).collect(),
        }
    }
}
