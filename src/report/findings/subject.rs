//! Which of the two documents of a pair is the one to look at.

use std::cmp::Reverse;

use crate::document::DocId;
use crate::gate::Gate;
use crate::scan::outcome::{Document, Outcome, Pair};
use crate::scan::relation::container;

/// Chooses the documents at fault.
#[derive(Debug)]
pub(super) struct Subjects<'r> {
    gate: &'r Gate,
    /// For each document the position of its cluster.
    clusters: Vec<Option<u32>>,
    is_representative: Vec<bool>,
}

impl<'r> Subjects<'r> {
    /// Takes what was found and who judged it.
    pub(super) fn new(outcome: &Outcome, gate: &'r Gate) -> Self {
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
            clusters,
            is_representative,
        }
    }

    /// The position of a document's cluster.
    pub(super) fn cluster(&self, id: DocId) -> Option<usize> {
        self.clusters[id.index()].map(|at| at as usize)
    }

    /// Takes all documents and a pair, and returns the document at fault. That is never one that is only there
    /// to be compared with. Otherwise it is the one that was changed, if only one was; then the one that a user
    /// would not keep of their cluster; then the one that is contained, or shorter; then the later one by
    /// name.
    pub(super) fn of(&self, documents: &[Document], pair: &Pair) -> DocId {
        let container = container(documents, pair);
        let fault = |id: DocId| {
            let document = &documents[id.index()];
            (
                !document.is_against,
                self.gate.is_changed(id) == Some(true),
                !self.is_representative[id.index()],
                container != Some(id),
                Reverse(document.length),
                id,
            )
        };
        std::cmp::max_by_key(pair.a, pair.b, |&id| fault(id))
    }
}
