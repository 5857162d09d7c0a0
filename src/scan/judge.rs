//! Who decides which pairs of a scan count.

use crate::engine::document::Document;
use crate::engine::pairing::judge::Judge;
use crate::scan::outcome::Sources;

/// A [`Judge`] who goes by the files that documents were read from.
pub trait ScanJudge: Judge {
    /// Hears of all documents and where they were read from, before the first pair comes.
    fn documents(&mut self, documents: &[Document], sources: &Sources);
}
