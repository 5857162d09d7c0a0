//! Who decides which pairs count before anything is made of them.

use crate::engine::document::Document;
use crate::engine::pair::Pair;

/// Looks at every pair that the detectors find.
///
/// A pair that does not count is in no report, no count and no cluster. With a judge every pair is looked
/// at by itself, also where a run without one would only multiply the sizes of two groups.
pub trait Judge: Send {
    /// Whether a pair counts. The documents are the same at every call.
    fn counts(&mut self, documents: &[Document], pair: &Pair) -> bool;
}
