//! Lets a caller follow a run, and stop it.

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Listing the files.
    Walk,
    /// Reading documents and computing their fingerprints and shingle sets.
    Read,
    /// Finding fingerprints within the Hamming distance.
    HammingJoin,
    /// Preparing the shingle sets for their join.
    Index,
    /// Finding shingle sets of the Jaccard similarity.
    JaccardJoin,
    /// Grouping pairs into clusters.
    Cluster,
}

impl Stage {
    /// Returns a short description of the stage, for people.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walk => "listing files",
            Self::Read => "reading documents",
            Self::HammingJoin => "comparing fingerprints",
            Self::Index => "indexing shingles",
            Self::JaccardJoin => "comparing shingle sets",
            Self::Cluster => "clustering",
        }
    }
}

/// Hears of the progress of a run. Its methods are called from several threads.
pub trait Observer: Sync {
    /// A stage begins. `total` is how many steps [`Observer::advance`] will announce, if that is known.
    fn stage(&self, stage: Stage, total: Option<u64>);

    /// One more step of the stage is done.
    fn advance(&self);

    /// So many bytes of `all` files of the stage have been read. Called where a file holds many documents, and how many is
    /// not known before they are read.
    fn bytes_read(&self, _read: u64, _all: u64) {}

    /// Returns whether the run must stop. It then ends with [`Error::Stopped`](crate::run::error::Error::Stopped).
    fn is_stopped(&self) -> bool {
        false
    }
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn stage(&self, _stage: Stage, _total: Option<u64>) {}

    fn advance(&self) {}
}
