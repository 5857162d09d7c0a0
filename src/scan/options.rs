//! What decides about a scan.

use std::path::PathBuf;

use crate::engine::Options;
use crate::read::ReadOptions;
use crate::read::source::walk::WalkOptions;

/// Everything that decides about the result of a scan.
#[derive(Debug, Clone)]
pub struct ScanOptions {
    /// Which files are read.
    pub walk: WalkOptions,
    /// How documents come to their texts.
    pub read: ReadOptions,
    /// What becomes of the texts.
    pub engine: Options,
}

impl ScanOptions {
    /// Returns the default options for scanning these paths. Names in the result are the paths as given; set
    /// [`WalkOptions::base`] to have absolute ones shortened.
    #[must_use]
    pub fn for_paths<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Self {
        let paths = paths.into_iter().map(Into::into).collect();
        Self {
            walk: WalkOptions::new(paths, PathBuf::from(".")),
            read: ReadOptions::default(),
            engine: Options::default(),
        }
    }
}
