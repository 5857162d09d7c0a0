//! The wire format of `dupfind tune --format json`. The documentation of these types is its specification. The rules
//! for all formats are in [`crate::model`].

use serde::Serialize;

use crate::model::{RelationsRecord, Report};
use dupfind_decide::tune::{Choice, Tuning};
use dupfind_engine::verdict::pair::Resemblance;

/// The data for the report.
#[derive(Debug, Clone, Copy)]
pub struct TuneReport<'r> {
    /// The run, with the thresholds from which pairs were looked at; its pairs are not needed.
    pub run: Report<'r>,
    /// The counts for each threshold.
    pub tuning: &'r Tuning,
}

/// The counts of a scan with other thresholds.
#[derive(Debug, Serialize)]
pub(crate) struct ChoiceRecord {
    /// The least Jaccard similarity; `null` without the shingle detector.
    pub(crate) min_jaccard: Option<f64>,
    /// The largest Hamming distance; `null` without the SimHash detector.
    pub(crate) max_hamming: Option<u32>,
    /// How many pairs.
    pub(crate) pairs: u64,
    /// How many documents are in any of them.
    pub(crate) documents: usize,
    /// How many pairs there are of each relation.
    pub(crate) relations: RelationsRecord,
}

impl From<&Choice> for ChoiceRecord {
    fn from(choice: &Choice) -> Self {
        Self {
            min_jaccard: choice.min_jaccard.map(Resemblance::as_number),
            max_hamming: choice.max_hamming,
            pairs: choice.counts.total(),
            documents: choice.documents,
            relations: choice.counts.into(),
        }
    }
}
