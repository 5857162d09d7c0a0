//! What a baseline holds.

use std::num::NonZeroUsize;

use crate::gate::baseline::accepted_pair::AcceptedPair;
use dupfind_engine::text::han::Han;
use dupfind_engine::text::units::ShingleUnit;
use dupfind_engine::verdict::Relations;
use dupfind_read::extract::ExtractOptions;
use dupfind_read::format::Format;
use dupfind_scan::ScanOptions;

/// How texts are cut into shingles. Similarities of runs that differ in it cannot be compared.
///
/// The encoding is not part of it: it is the same for most documents whether it was given or found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// What a shingle is made of.
    pub unit: ShingleUnit,
    /// Units in a shingle.
    pub size: NonZeroUsize,
    /// Whether Traditional characters are folded.
    pub han: Han,
    /// Which parts of a text count.
    pub extract: ExtractOptions,
    /// The format of the texts of records.
    pub record_format: Format,
}

impl Cut {
    /// Returns how the options of a scan cut texts.
    pub fn of(settings: &ScanOptions) -> Self {
        Self {
            unit: settings.engine.shingle_unit,
            size: settings.engine.shingle_size,
            han: settings.engine.han,
            extract: settings.read.extract,
            record_format: settings.read.record_format,
        }
    }
}

/// Accepted pairs, and the settings they were found with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineContent {
    /// The relations of the pairs it holds. A pair of another relation is neither accepted nor new.
    pub relations: Relations,
    /// How the texts of the pairs were cut.
    pub cut: Cut,
    /// In the order of their names, which no two have alike.
    pairs: Vec<AcceptedPair>,
}

impl BaselineContent {
    /// Sorts the pairs, and joins those of the same names.
    pub fn new(relations: Relations, cut: Cut, pairs: Vec<AcceptedPair>) -> Self {
        let mut pairs: Vec<AcceptedPair> = pairs.into_iter().map(AcceptedPair::in_order).collect();
        pairs.sort_by(|one, other| one.names().cmp(&other.names()));
        let mut joined: Vec<AcceptedPair> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            match joined.last_mut() {
                Some(last) if last.names() == pair.names() => last.join(pair),
                _ => joined.push(pair),
            }
        }
        Self {
            relations,
            cut,
            pairs: joined,
        }
    }

    /// Returns the pairs.
    #[must_use]
    pub fn into_pairs(self) -> Vec<AcceptedPair> {
        self.pairs
    }

    pub(crate) fn pairs(&self) -> &[AcceptedPair] {
        &self.pairs
    }
}
