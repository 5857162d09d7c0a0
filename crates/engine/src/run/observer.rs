//! Lets a caller follow a run, and stop it; and what the run cost.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

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

/// Counts and times of a run. They are in no report, as they differ from run to run.
#[derive(Debug, Clone, Default)]
pub struct Stats {
    /// Wall time of each stage, in order.
    pub stages: Vec<(Stage, Duration)>,
    /// The time of each step of [`Stage::Read`], summed over the threads.
    pub steps: Steps,
    /// Worker threads.
    pub threads: usize,
    /// Bytes read.
    pub bytes: u64,
    /// Tokens of all documents.
    pub tokens: u64,
    /// Distinct shingles, summed over the documents.
    pub shingles: u64,
    /// How the shingle sets were joined; `None` if the shingle detector is off.
    pub join: Option<Join>,
}

/// How shingle sets were joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Join {
    /// How many tiles the sets were cut into; 1 if all sets were in memory at once.
    pub tiles: usize,
    /// How many bytes of shingles were written to a temporary file.
    pub spilled: u64,
}

impl Stats {
    /// Announces a stage, does its work and notes its wall time. Returns the result of the work. `total` is how many
    /// steps the observer is going to hear of, if that is known.
    pub fn time<T>(
        &mut self,
        observer: &dyn Observer,
        (stage, total): (Stage, Option<u64>),
        work: impl FnOnce() -> T,
    ) -> T {
        observer.stage(stage, total);
        let start = Instant::now();
        let result = work();
        self.stages.push((stage, start.elapsed()));
        result
    }

    /// Returns the wall time of all stages together.
    pub fn total(&self) -> Duration {
        self.stages.iter().map(|(_, time)| *time).sum()
    }
}

/// Time spent on the steps of reading documents.
#[derive(Debug, Clone, Copy, Default)]
pub struct Steps {
    /// Opening and reading files; decoding and extracting.
    pub read: Duration,
    /// Normalising.
    pub text: Duration,
    /// Units and shingle sets.
    pub shingle: Duration,
    /// Cutting into tokens and counting terms; waiting for jieba included.
    pub tokenize: Duration,
    /// Weighing terms and summing bits.
    pub simhash: Duration,
}

impl Steps {
    /// Returns the steps with their names, in order.
    pub fn named(&self) -> [(&'static str, Duration); 5] {
        [
            ("read, decode, extract", self.read),
            ("normalise", self.text),
            ("shingle", self.shingle),
            ("tokenise", self.tokenize),
            ("simhash", self.simhash),
        ]
    }
}

impl AddAssign for Steps {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.text += other.text;
        self.shingle += other.shingle;
        self.tokenize += other.tokenize;
        self.simhash += other.simhash;
    }
}
