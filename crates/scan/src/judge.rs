//! The judge of a scan.

use crate::outcome::Sources;
use dupfind_engine::features::document::Document;
use dupfind_engine::pairing::judge::Judge;

/// A [`Judge`] that decides by the files of the documents.
pub trait ScanJudge: Judge {
    /// Hears of all documents and their sources, before the first pair comes. Returns whether there is anything to decide
    /// about pairs. A scan without a judge is faster.
    fn documents(&mut self, documents: &[Document], sources: &Sources) -> bool;
}
