//! How alike documents are to the one that is most like them.

use crate::detect::{Detectors, Require};
use crate::document::DocId;
use crate::options::Options;
use crate::text::units::ShingleUnit;
use crate::verdict::pair::Pair;

/// The weighted similarity of documents, or of groups of them, to the one that is most like them. Two versions of a page
/// are more like each other than like the pages for other subjects.
///
/// Only pairs count that the detectors of shingle sets find. If signatures must find a pair too, and for scanned texts,
/// nothing is noted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Closest(Vec<u16>);

impl Closest {
    /// Returns the notes on so many documents or groups, before a pair is noted.
    #[must_use]
    pub fn new(options: &Options, count: usize) -> Self {
        let matters = options.require == Require::Any && options.shingle_unit != ShingleUnit::Ocr;
        Self(vec![0; if matters { count } else { 0 }])
    }

    /// Returns the notes on the documents of some pairs.
    #[must_use]
    pub fn of_pairs(options: &Options, documents: usize, pairs: &[Pair]) -> Self {
        let mut closest = Self::new(options, documents);
        let found_by_sets =
            |pair: &&Pair| pair.found_by.intersection(Detectors::OF_SETS) != Detectors::NONE;
        for pair in pairs.iter().filter(found_by_sets) {
            if let Some(weighted) = pair.weighted {
                closest.note([pair.a, pair.b].map(DocId::index), weighted.similarity);
            }
        }
        closest
    }

    /// Notes that two of these weighted similarity were found.
    pub fn note(&mut self, two: [usize; 2], similarity: u16) {
        for at in two {
            if let Some(closest) = self.0.get_mut(at) {
                *closest = similarity.max(*closest);
            }
        }
    }

    /// Returns the lower of what is noted of two; `None` if nothing is noted.
    #[must_use]
    pub fn of(&self, two: [usize; 2]) -> Option<u16> {
        let [one, other] = two.map(|at| self.0.get(at).copied());
        Some(one?.min(other?))
    }

    /// Returns whether anything is noted.
    #[must_use]
    pub fn matters(&self) -> bool {
        !self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_less_similar_of_two_decides() {
        let mut closest = Closest::new(&Options::default(), 3);
        closest.note([0, 1], 5_000);
        closest.note([1, 2], 3_000);
        closest.note([0, 2], 1_000);
        assert_eq!(closest.of([0, 1]), Some(5_000));
        assert_eq!(closest.of([0, 2]), Some(3_000));
        assert_eq!(closest.of([0, 3]), None);
        let scanned = Options {
            shingle_unit: ShingleUnit::Ocr,
            ..Options::default()
        };
        assert!(!Closest::new(&scanned, 3).matters());
    }
}
