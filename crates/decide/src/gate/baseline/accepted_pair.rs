//! An accepted pair, and what its documents are known by.

use jiff::civil::Date;

use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::{Pair, Resemblance};

/// From this rise on, in ten-thousandths of similarity, an accepted pair has become worse.
const MAX_RISE: u16 = 1_000;

/// What a document is known by, as it is now or as it was when a pair of it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentIdentity {
    /// Its path from the folder of the baseline.
    pub name: String,
    /// The hash of its normalised text.
    pub(crate) text: u64,
    /// Its fingerprint, if it was known.
    pub(crate) fingerprint: Option<u64>,
}

/// An accepted pair, as it was when it was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedPair {
    /// The first document by name.
    pub a: DocumentIdentity,
    /// The second document by name.
    pub b: DocumentIdentity,
    pub(crate) relation: Relation,
    /// Jaccard similarity in ten-thousandths, if it was known. The weighted one is not kept: it changes when
    /// other documents do.
    pub(crate) jaccard: Option<u16>,
    /// Hamming distance of the fingerprints, if it was known.
    pub(crate) hamming: Option<u8>,
    /// Why it is accepted.
    pub(crate) reason: Option<String>,
    /// The last day on which it is accepted.
    pub(crate) expires: Option<Date>,
}

impl AcceptedPair {
    pub(super) fn new(documents: &[DocumentIdentity], pair: &Pair) -> Self {
        let [a, b] = [pair.a, pair.b].map(|id| documents[id.index()].clone());
        Self {
            a,
            b,
            relation: pair.relation,
            jaccard: pair.jaccard.map(steps),
            hamming: pair.hamming,
            reason: None,
            expires: None,
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

    /// Whether its last day is over.
    pub(super) fn is_expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }

    /// Whether a pair of the same documents, of which at least one has changed, is worse than the accepted one.
    /// Similarities are not looked at if the two runs did not measure the same.
    pub(super) fn is_exceeded_by(&self, pair: &Pair, is_comparable: bool) -> bool {
        let has_risen = match (self.jaccard, pair.jaccard.map(steps)) {
            (Some(was), Some(is)) if is_comparable => is >= was.saturating_add(MAX_RISE),
            _ => false,
        };
        has_risen || rank(pair.relation) < rank(self.relation)
    }

    /// Joins another pair of the same two names, as a merge of two branches leaves it. Each of the two was
    /// accepted, so the pair may be as bad as either. A reason or a date that one has is kept, and of two dates
    /// the earlier one.
    pub(super) fn join(&mut self, other: Self) {
        // The state that allows more is kept, with the texts that belong to it.
        let allows = |pair: &Self| {
            let relation = std::cmp::Reverse(rank(pair.relation));
            (relation, pair.jaccard, pair.a.clone(), pair.b.clone())
        };
        let reason = self.reason.take().max(other.reason.clone());
        let expires = match (self.expires, other.expires) {
            (Some(one), Some(another)) => Some(one.min(another)),
            (one, another) => one.or(another),
        };
        if allows(self) < allows(&other) {
            *self = other;
        }
        self.reason = reason;
        self.expires = expires;
    }
}

/// Returns how bad a relation is; the worst is 0. A sentence may turn `near` into `contains` or back, so they
/// have one rank, and only the similarity decides between them.
fn rank(relation: Relation) -> u8 {
    match relation {
        Relation::Exact => 0,
        Relation::Near | Relation::Contains => 1,
        Relation::Variant => 2,
        Relation::Related => 3,
        Relation::Template => 4,
        Relation::Short => 5,
    }
}

fn steps(jaccard: Resemblance) -> u16 {
    u16::try_from(jaccard.steps()).expect("at most 10,000")
}
