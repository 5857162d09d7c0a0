//! Who decides which pairs of a scan count.

use std::path::PathBuf;

use crate::engine::judge::Judge;
use crate::engine::outcome::Document;

/// A [`Judge`] who goes by the files that documents were read from.
pub trait ScanJudge: Judge {
    /// Hears of all documents and the files they were read from, before the first pair comes.
    fn documents(&mut self, documents: &[Document], files: &[PathBuf]);
}
