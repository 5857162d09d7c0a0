//! What a run cost.

use std::ops::AddAssign;
use std::time::Duration;

use crate::engine::observer::Stage;
use crate::join::cost::Estimate;

/// Counts and times of a run. Never part of a report: they differ from run to run.
#[derive(Debug, Clone, Default)]
pub struct Stats {
    /// Wall time of each stage, in order.
    pub stages: Vec<(Stage, Duration)>,
    /// What [`Stage::Read`] spent on each step, summed over the threads.
    pub steps: Steps,
    /// How long loading jieba took, on its own thread; zero if it was not needed.
    pub jieba_load: Duration,
    /// Worker threads.
    pub threads: usize,
    /// Bytes read.
    pub bytes: u64,
    /// Tokens of all documents.
    pub tokens: u64,
    /// Distinct shingles, summed over the documents.
    pub shingles: u64,
    /// How the shingle sets were joined; none if they were not.
    pub join: Option<Join>,
}

/// How shingle sets were joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Join {
    /// What it was expected to cost.
    pub estimate: Estimate,
    /// In how many tiles the sets were; 1 if all were in memory at once.
    pub tiles: usize,
    /// How many bytes of shingles were in a temporary file.
    pub spilled: u64,
}

impl Stats {
    /// Notes the wall time of a stage.
    pub fn add(&mut self, stage: Stage, time: Duration) {
        self.stages.push((stage, time));
    }

    /// The wall time of all stages together.
    #[must_use]
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
    /// The steps with their names, in order.
    #[must_use]
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
