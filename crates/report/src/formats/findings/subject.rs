//! Which of the two documents of a pair is at fault.

use std::cmp::Reverse;

use dupfind_decide::gate::Gate;
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::pair::Pair;
use dupfind_scan::Scan;
use dupfind_scan::sources::Sources;

/// Chooses the documents at fault.
#[derive(Debug)]
pub(super) struct Subjects<'r> {
    gate: &'r Gate,
    sources: &'r Sources,
    /// For each document the position of its cluster.
    clusters: Vec<Option<u32>>,
    is_representative: Vec<bool>,
}

impl<'r> Subjects<'r> {
    pub(super) fn new(outcome: &'r Scan, gate: &'r Gate) -> Self {
        let count = outcome.documents.len();
        let (mut clusters, mut is_representative) = (vec![None; count], vec![false; count]);
        for (at, cluster) in outcome.clusters.iter().enumerate() {
            is_representative[cluster.representative.index()] = true;
            for id in &cluster.documents {
                clusters[id.index()] = u32::try_from(at).ok();
            }
        }
        Self {
            gate,
            sources: &outcome.sources,
            clusters,
            is_representative,
        }
    }

    /// Returns the position of a document's cluster.
    pub(super) fn cluster(&self, id: DocId) -> Option<usize> {
        self.clusters[id.index()].map(|at| at as usize)
    }

    /// Returns the documents of a pair that are listed: the one at fault, and if it is unknown which of the two is the
    /// copy, the other one too. Otherwise there might be no entry at the file that was added.
    pub(super) fn all_of(
        &self,
        documents: &[Document],
        pair: &Pair,
    ) -> impl Iterator<Item = DocId> + use<> {
        let at_fault = self.of(documents, pair);
        let other = if at_fault == pair.a { pair.b } else { pair.a };
        let is_listed = self.gate.cannot_tell_the_copy(pair) && !self.sources.of(other).is_against;
        [Some(at_fault), is_listed.then_some(other)]
            .into_iter()
            .flatten()
    }

    /// Returns the document of a pair that is at fault. It is never one that is only there to be compared with.
    /// The first difference between the two decides: the one that was changed; the one that the baseline
    /// does not know; the one that does not represent their cluster; the one that is contained; the
    /// shorter one; the later one by name.
    fn of(&self, documents: &[Document], pair: &Pair) -> DocId {
        let container = pair.container(documents);
        let fault = |id: DocId| {
            let document = &documents[id.index()];
            (
                !self.sources.of(id).is_against,
                self.gate.is_changed(id) == Some(true),
                self.gate.is_known(id) == Some(false),
                !self.is_representative[id.index()],
                container != Some(id),
                Reverse(document.length),
                id,
            )
        };
        std::cmp::max_by_key(pair.a, pair.b, |&id| fault(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::canned;
    use dupfind_engine::pairing::cluster::Cluster;
    use dupfind_engine::verdict::{Relation, Rule};

    /// Whether the second document of a pair is at fault. The first one has 60 shingles, the second 30; the
    /// lengths of their texts and which of them is only there to be compared with are given, and which of them
    /// represents their cluster.
    fn is_second(
        relation: Relation,
        lengths: [usize; 2],
        against: Option<usize>,
        representative: Option<u32>,
    ) -> bool {
        let mut outcome = canned().outcome;
        outcome.documents.truncate(2);
        outcome.documents[0].shingles = 60;
        for (at, length) in lengths.into_iter().enumerate() {
            outcome.documents[at].length = length;
            outcome.sources.documents[at].is_against = against == Some(at);
        }
        let [a, b] = [0, 1].map(DocId::from);
        let cluster = |id: u32| Cluster {
            representative: id.into(),
            documents: vec![a, b],
            cohesion: None,
        };
        outcome.clusters = representative.map(cluster).into_iter().collect();
        let pair = Pair {
            a,
            b,
            rule: Rule::of(relation),
            ..canned().pairs.unwrap()[0]
        };
        let gate = Gate::default();
        let subjects = Subjects::new(&outcome, &gate);
        assert_eq!(subjects.cluster(b), representative.map(|_| 0));
        subjects.of(&outcome.documents, &pair) == b
    }

    #[test]
    fn the_document_that_nobody_would_keep_is_at_fault() {
        use Relation::{Contains, Exact, Near};
        for (relation, lengths, against, representative, expected) in [
            // Ties: the later name.
            (Exact, [9, 9], None, None, true),
            (Near, [9, 5], None, None, true),
            (Near, [5, 9], None, None, false),
            // The second one has fewer shingles, so it is contained however long it is.
            (Contains, [5, 9], None, None, true),
            (Contains, [9, 5], None, Some(1), false),
            (Near, [5, 9], None, Some(0), true),
            (Near, [9, 5], Some(1), None, false),
            (Near, [9, 5], Some(1), Some(0), false),
            (Near, [5, 9], Some(0), Some(1), true),
        ] {
            assert_eq!(
                is_second(relation, lengths, against, representative),
                expected,
                "{relation:?} {lengths:?} {against:?} {representative:?}"
            );
        }
    }
}
