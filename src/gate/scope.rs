//! Which pairs count at all.

use crate::document::DocId;
use crate::scan::outcome::{Document, Pair};

/// Which pairs count at all.
#[derive(Debug, Default)]
pub struct Scope {}

impl Scope {
    /// Whether there is a pair that might not count.
    #[must_use]
    pub fn decides(&self) -> bool {
        false
    }

    /// Takes all documents of a run.
    pub fn documents(&mut self, _documents: &[Document]) {}

    /// Takes a pair and returns whether it counts.
    pub fn counts(&mut self, _documents: &[Document], _pair: &Pair) -> bool {
        true
    }

    /// Whether a document was changed, if that was asked.
    #[must_use]
    pub fn is_changed(&self, _id: DocId) -> Option<bool> {
        None
    }
}
