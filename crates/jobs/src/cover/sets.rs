//! The facts about the shingle sets that all tasks of a job share.

use std::ops::Range;

use dupfind_engine::Identity;
use dupfind_engine::Options;

/// The different shingle sets of the documents of a job. Sets have ranks: their places in the order of sizes.
#[derive(Debug, Default)]
pub(crate) struct JobSets {
    /// The number of the job. Jobs of other documents or with other options have another number.
    pub(crate) number: u64,
    /// The rank of the set of each document; [`dupfind_engine::join::groups::NONE`] if it has no shingles.
    pub(crate) ranks: Vec<u32>,
    /// The sizes of the sets, by rank.
    pub(crate) sizes: Vec<u32>,
    /// The weights of the sets, by rank.
    pub(crate) weights: Vec<u64>,
    /// The pairs of ranks `(later, earlier)`, ordered, that have documents with similar signatures.
    pub(crate) candidates: Vec<(u32, u32)>,
}

impl JobSets {
    /// Returns how many documents there are.
    pub(crate) fn documents(&self) -> usize {
        self.ranks.len()
    }

    /// Returns how many shingles the sets of some ranks have.
    pub(crate) fn shingles(&self, ranks: Range<u32>) -> u64 {
        let sizes = &self.sizes[ranks.start as usize..ranks.end as usize];
        sizes.iter().map(|&size| u64::from(size)).sum()
    }

    /// Returns how many shingles all sets have.
    pub(crate) fn all_shingles(&self) -> u64 {
        self.sizes.iter().map(|&size| u64::from(size)).sum()
    }

    /// Returns the options that decide about the pairs of so many documents.
    pub(crate) fn options(&self, options: &Options) -> Options {
        options.among(self.documents())
    }
}

/// Returns every option that changes a feature or decides which pairs there are.
pub(crate) fn options_of(options: &Options) -> String {
    let mut lines = Identity::of(options).to_string();
    for (name, value) in options.values().of_pairs {
        lines.push_str(&format!("{name}={value}\n"));
    }
    lines
}
