//! An accepted pair, and the identities of its documents.

use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;

/// The name and the text by which a document is recognised: the present ones, or those when a pair of it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentIdentity {
    /// Its path from the folder of the baseline.
    pub name: String,
    /// The hash of its normalised text.
    pub(crate) text: u64,
}

/// An accepted pair, as it was when it was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedPair {
    /// The first document by name.
    pub a: DocumentIdentity,
    /// The second document by name.
    pub b: DocumentIdentity,
    pub(crate) relation: Relation,
    /// Why it is accepted.
    pub(crate) reason: Option<String>,
}

impl AcceptedPair {
    pub(super) fn new(documents: &[DocumentIdentity], pair: &Pair) -> Self {
        let [a, b] = [pair.a, pair.b].map(|id| documents[id.index()].clone());
        Self {
            a,
            b,
            relation: pair.relation(),
            reason: None,
        }
        .in_order()
    }

    /// Returns the pair with its documents in the order of their names.
    pub(super) fn in_order(mut self) -> Self {
        if self.b < self.a {
            std::mem::swap(&mut self.a, &mut self.b);
        }
        self
    }

    /// Returns the names of both documents. Pairs are sorted by them, and no two pairs have the same.
    pub(super) fn names(&self) -> (&str, &str) {
        (&self.a.name, &self.b.name)
    }

    /// Whether a pair of the same documents has a stronger relation than the accepted one. A sentence may turn `near` into
    /// `contains` or back, so these two count as one.
    pub(super) fn is_exceeded_by(&self, pair: &Pair) -> bool {
        let strength = |relation| match relation {
            Relation::Contains => Relation::Near,
            other => other,
        };
        strength(pair.relation()) < strength(self.relation)
    }
}
