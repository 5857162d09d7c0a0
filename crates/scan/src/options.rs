//! The options of a scan.

use std::path::PathBuf;

use crate::indexed::IndexOptions;
use dupfind_engine::Options;
use dupfind_read::{ReadOptions, WalkOptions};

/// Everything that decides about the result of a scan.
#[derive(Debug, Clone)]
pub struct ScanOptions {
    /// Which files are read.
    pub walk: WalkOptions,
    /// How texts are made of documents.
    pub read: ReadOptions,
    /// How texts are compared.
    pub engine: Options,
    /// The index that knows some of the documents, if there is one.
    pub index: Option<IndexOptions>,
}

impl ScanOptions {
    /// Returns the default options for these paths. Documents are named by their paths as given. Absolute paths are
    /// shortened if [`WalkOptions::base`] is set.
    pub fn for_paths<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Self {
        let paths = paths.into_iter().map(Into::into).collect();
        Self {
            walk: WalkOptions::new(paths, PathBuf::from(".")),
            read: ReadOptions::default(),
            engine: Options::default(),
            index: None,
        }
    }

    /// Returns these options for rows of texts: no files are read. It stays known whether there is another collection.
    #[must_use]
    pub fn for_rows(self) -> Self {
        let mut rows = Self {
            engine: self.engine,
            ..Self::for_paths([] as [PathBuf; 0])
        };
        rows.walk.against = self.walk.against;
        rows
    }
}
