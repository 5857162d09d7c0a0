//! The judge of a scan.

use crate::engine::document::Document;
use crate::engine::pairing::judge::Judge;
use crate::scan::outcome::Sources;

/// A [`Judge`] that decides by the files of the documents.
pub trait ScanJudge: Judge {
    /// Hears of all documents and their sources, before the first pair comes.
    fn documents(&mut self, documents: &[Document], sources: &Sources);
}
