//! The accepted pairs of a folder.

use crate::document::DocId;
use crate::scan::outcome::{Document, Pair};

/// How a pair stands to a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The baseline does not hold it.
    New,
    /// It was accepted, and has become worse since.
    Worse,
    /// It was accepted until a day that is over.
    Expired,
    /// It is accepted.
    Accepted,
}

impl Standing {
    /// Its name in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Worse => "worse",
            Self::Expired => "expired",
            Self::Accepted => "accepted",
        }
    }

    /// Whether the pair is to be looked at.
    #[must_use]
    pub fn is_open(self) -> bool {
        self != Self::Accepted
    }
}

/// Accepted pairs.
#[derive(Debug, Default)]
pub struct Baseline {}

impl Baseline {
    /// Takes all documents of a run and finds out which of them the baseline knows.
    pub fn documents(&mut self, _documents: &[Document]) {}

    /// Takes a pair that counts, notes that it is still there, and returns how it stands.
    pub fn meet(&mut self, pair: &Pair) -> Standing {
        self.standing(pair)
    }

    /// Takes a pair that counts and returns how it stands.
    #[must_use]
    pub fn standing(&self, _pair: &Pair) -> Standing {
        Standing::New
    }

    /// Whether the baseline knows a document, by name or by content.
    #[must_use]
    pub fn knows(&self, _id: DocId) -> bool {
        false
    }
}
