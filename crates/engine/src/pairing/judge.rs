//! The judge decides which of the pairs count.

use crate::features::document::DocId;
use crate::features::document::Document;
use crate::verdict::pair::Pair;

/// Decides about every pair that the detectors find.
///
/// A pair that does not count is in no report, no number and no cluster. A run with a judge looks at every pair, also
/// where a run without one only multiplies the sizes of two groups.
pub trait Judge: Send {
    /// Returns whether two documents are compared: all are, unless they must come from two sides or from one. Two that
    /// are not compared are no pair, and do not count as the document that either is most like.
    fn compares(&self, _a: DocId, _b: DocId) -> bool {
        true
    }

    /// Returns the class of a document. Those of one class are judged alike: whether two copies of a text count depends on
    /// their classes alone. Of many copies, one of the lowest class stands for all.
    fn class(&self, id: DocId) -> usize {
        id.index()
    }

    /// Returns whether a pair counts. `documents` are all documents, the same at every call. The pair stands for so many of
    /// the same classes.
    fn counts(&mut self, documents: &[Document], pair: &Pair, times: u64) -> bool;
}
