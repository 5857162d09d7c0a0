//! One accepted pair.

use jiff::civil::Date;

use crate::engine::outcome::{Pair, Resemblance};
use crate::engine::relation::Relation;

/// By how many ten-thousandths the similarity of an accepted pair may rise.
const MOST_RISE: u16 = 1_000;

/// A document as it was when a pair of it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    /// Its name, from the folder of the baseline.
    pub(crate) name: String,
    /// The hash of its normalised text.
    pub(crate) text: u64,
    /// Its fingerprint, if it was known.
    pub(crate) fingerprint: Option<u64>,
}

/// An accepted pair, as it was then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The first document by name.
    pub(crate) a: Side,
    /// The other one.
    pub(crate) b: Side,
    /// What they were to each other.
    pub(crate) relation: Relation,
    /// Their Jaccard similarity in ten-thousandths, if it was known. The weighted one is not kept: it
    /// changes when other documents do.
    pub(crate) jaccard: Option<u16>,
    /// The Hamming distance of their fingerprints, if it was known.
    pub(crate) hamming: Option<u8>,
    /// Why it is accepted.
    pub(crate) reason: Option<String>,
    /// The last day on which it is.
    pub(crate) expires: Option<Date>,
}

impl Entry {
    /// Takes all documents of a run and a pair of them.
    pub(super) fn of_pair(documents: &[Side], pair: &Pair) -> Self {
        let side = |id: crate::document::DocId| documents[id.index()].clone();
        Self {
            a: side(pair.a),
            b: side(pair.b),
            relation: pair.relation,
            jaccard: pair.jaccard.map(steps),
            hamming: pair.hamming,
            reason: None,
            expires: None,
        }
        .in_order()
    }

    /// The same with its documents in the order of their names.
    pub(super) fn in_order(mut self) -> Self {
        if self.b < self.a {
            std::mem::swap(&mut self.a, &mut self.b);
        }
        self
    }

    /// What entries are sorted by, and what only one of them has.
    pub(super) fn names(&self) -> (&str, &str) {
        (&self.a.name, &self.b.name)
    }

    /// Whether its last day is over.
    pub(super) fn is_expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }

    /// Whether a pair of the same documents, not both of them unchanged, is worse than what was accepted.
    /// Similarities are left out of account if the two runs did not measure the same.
    pub(super) fn is_exceeded_by(&self, pair: &Pair, is_comparable: bool) -> bool {
        let has_risen = match (self.jaccard, pair.jaccard.map(steps)) {
            (Some(was), Some(is)) if is_comparable => is >= was.saturating_add(MOST_RISE),
            _ => false,
        };
        has_risen || rank(pair.relation) < rank(self.relation)
    }

    /// Joins another entry of the same two names, as a merge of two branches leaves it: each of the two
    /// was accepted, so the pair may be as bad as either; a reason or a date that one has is kept, and
    /// of two dates the earlier one.
    pub(super) fn join(&mut self, other: Self) {
        // Of the two states the one that allows more, with the texts that belong to it.
        let allows = |entry: &Self| {
            let relation = std::cmp::Reverse(rank(entry.relation));
            (relation, entry.jaccard, entry.a.clone(), entry.b.clone())
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

/// How bad a relation is, the worst first. Which of `near` and `contains` a pair is may change with a
/// sentence; between them only the similarity decides.
fn rank(relation: Relation) -> u8 {
    match relation {
        Relation::Exact => 0,
        Relation::Near | Relation::Contains => 1,
        Relation::Related => 2,
        Relation::Template => 3,
        Relation::Short => 4,
    }
}

/// A similarity in ten-thousandths.
fn steps(jaccard: Resemblance) -> u16 {
    u16::try_from(jaccard.steps()).expect("at most 10,000")
}
