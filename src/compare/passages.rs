//! Passages: what a reader would call one place in one document and its counterpart in the other.

use std::iter::once;
use std::ops::Range;

use crate::compare::side::Side;

/// The least number of units in a row that are taken for a shared passage, unless a document is shorter
/// than that. Fewer are mostly turns of phrase that any two texts on one subject have in common; but a
/// line that both documents have is a passage however short it is, see [`crate::compare`].
pub const LEAST: usize = 8;

/// A stretch of both documents that is the same but for what was changed in it. Ranges are of units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Where it is in the first document.
    pub a: Range<usize>,
    /// Where it is in the second document.
    pub b: Range<usize>,
    /// What it consists of, in order and without gaps: equal and changed parts by turns. The first and
    /// the last of them are equal, but for a few changed units at the end of both documents.
    pub parts: Vec<Part>,
    /// Whether it stands at another place in the order of the passages of the second document.
    pub is_moved: bool,
}

/// A part of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Where it is in the first document; empty if something was inserted.
    pub a: Range<usize>,
    /// Where it is in the second document; empty if something was left out.
    pub b: Range<usize>,
    /// Whether both have the same units.
    pub is_same: bool,
}

impl Passage {
    /// The number of its units that are the same in both documents.
    #[must_use]
    pub fn same(&self) -> usize {
        let same = self.parts.iter().filter(|part| part.is_same);
        same.map(|part| part.a.len()).sum()
    }

    /// Takes both documents and returns the stretches of their texts that the parts are shown as.
    #[must_use]
    pub fn texts(&self, a: &Side<'_>, b: &Side<'_>) -> [Vec<Range<usize>>; 2] {
        let in_a = self.parts.iter().map(|part| (part.a.clone(), part.is_same));
        let in_b = self.parts.iter().map(|part| (part.b.clone(), part.is_same));
        [a.parts(&self.a, in_a), b.parts(&self.b, in_b)]
    }

    /// How many places in it differ.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.parts.iter().filter(|part| !part.is_same).count()
    }
}

/// Takes places in a document in order and how long it is, and returns what lies between them.
pub(crate) fn uncovered(
    taken: impl Iterator<Item = Range<usize>>,
    len: usize,
) -> Vec<Range<usize>> {
    let mut end = 0;
    let mut rest = Vec::new();
    for place in taken.chain(once(len..len)) {
        if end < place.start {
            rest.push(end..place.start);
        }
        end = place.end;
    }
    rest
}
