//! The wire format of `dupfind tune --format json`. The documentation of these types is its
//! specification; what [`crate::report::model`] says of all formats goes for this one.

use serde::Serialize;

use crate::engine::pair::Resemblance;
use crate::engine::pair::relation::Counts;
use crate::report::model::{PairRecord, RelationsRecord, Report};
use crate::tune::Tuning;
use crate::tune::borderline::{Borderline, CutOff};
use crate::tune::choice::Choice;
use crate::tune::histogram::{Histogram, least};

/// What the report is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TuneReport<'r> {
    /// The run, with the thresholds from which pairs were looked at; its pairs are not needed.
    pub(crate) run: Report<'r>,
    pub(crate) tuning: &'r Tuning,
}

/// A value of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum MeasureValue {
    /// A Hamming distance.
    Bits(u64),
    /// A similarity from 0 to 1.
    Similarity(f64),
}

/// A bin of a histogram.
#[derive(Debug, Serialize)]
pub(crate) struct BinRecord {
    /// `jaccard`, `weighted` or `hamming`.
    pub(crate) measure: &'static str,
    /// The least value in it.
    pub(crate) from: MeasureValue,
    /// The least value above it; `null` if it is the last one. Equal sets have a bin of their own.
    pub(crate) to: Option<MeasureValue>,
    /// Whether all pairs of the documents are counted in it. If not, only those that were looked at for
    /// another measure are.
    pub(crate) complete: bool,
    /// How many pairs were found.
    pub(crate) pairs: u64,
    /// How many of them there are of each relation.
    pub(crate) relations: RelationsRecord,
    /// The same, to be drawn.
    #[serde(skip)]
    pub(crate) counts: Counts,
}

/// What a scan with other thresholds reports.
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

/// A pair near a cut-off.
#[derive(Debug, Serialize)]
pub(crate) struct BorderlineRecord<'r> {
    /// `jaccard`, `hamming`, `weighted` or `containment`.
    pub(crate) measure: &'static str,
    /// The value that decides.
    pub(crate) cut_off: MeasureValue,
    /// What it decides: whether a pair is `reported`, `near` or `contains`.
    pub(crate) decides: &'static str,
    /// Whether the pair is that.
    pub(crate) admitted: bool,
    /// The pair, as in `scan`.
    #[serde(flatten)]
    pub(crate) pair: PairRecord<'r>,
}

impl From<Choice> for ChoiceRecord {
    fn from(choice: Choice) -> Self {
        Self {
            min_jaccard: choice.min_jaccard.map(Resemblance::as_number),
            max_hamming: choice.max_hamming,
            pairs: choice.counts.total(),
            documents: choice.documents,
            relations: choice.counts.into(),
        }
    }
}

impl<'r> TuneReport<'r> {
    /// Returns the bins of the Jaccard similarity, from 0.
    pub(crate) fn jaccard(&self) -> impl Iterator<Item = BinRecord> {
        similarities("jaccard", self.tuning.jaccard(), |bin| {
            self.tuning.has_seen(bin)
        })
    }

    /// Returns the bins of the weighted similarity, from 0. No threshold is about it, so no bin is complete.
    pub(crate) fn weighted(&self) -> impl Iterator<Item = BinRecord> {
        similarities("weighted", self.tuning.weighted(), |_| false)
    }

    /// Returns the distances up to the largest one that is looked at, and one bin for all others.
    pub(crate) fn hamming(&self) -> impl Iterator<Item = BinRecord> {
        let most = self.run.settings.engine.max_hamming;
        let mut counts = self.tuning.hamming().bins().iter();
        (0..=most + 1).map(move |bits| {
            let is_last = bits > most;
            let mut bin = *counts.next().expect("at most 16 are looked at");
            if is_last {
                counts.by_ref().for_each(|&others| bin.add_all(others));
            }
            let to = (!is_last).then(|| MeasureValue::Bits(u64::from(bits) + 1));
            BinRecord::new(
                "hamming",
                MeasureValue::Bits(bits.into()),
                to,
                !is_last,
                bin,
            )
        })
    }

    /// Returns what single thresholds of the Jaccard similarity report, then those of the Hamming distance, then
    /// the default ones together.
    pub(crate) fn thresholds(&self) -> impl Iterator<Item = ChoiceRecord> {
        let tuning = self.tuning;
        let choices = tuning.by_jaccard().into_iter().chain(tuning.by_hamming());
        choices
            .chain(tuning.default_choice())
            .map(ChoiceRecord::from)
    }

    /// Returns the pairs nearest to the cut-offs: for each cut-off those that it admits, then the others, the
    /// nearest first.
    pub(crate) fn borderline(&self) -> impl Iterator<Item = BorderlineRecord<'r>> {
        let report = *self;
        let borderlines = self.tuning.borderlines();
        borderlines.flat_map(move |borderline| report.nearest(borderline))
    }

    /// Returns the pairs nearest to one cut-off.
    pub(crate) fn nearest(
        self,
        borderline: &'r Borderline,
    ) -> impl Iterator<Item = BorderlineRecord<'r>> {
        let cut_off = borderline.cut_off;
        let admitted = borderline.admitted().map(|pair| (pair, true));
        let refused = borderline.refused().map(|pair| (pair, false));
        let pairs = admitted.chain(refused);
        pairs.map(move |(pair, admitted)| BorderlineRecord {
            measure: measure(cut_off),
            cut_off: value(cut_off),
            decides: decides(cut_off),
            admitted,
            pair: PairRecord::new(&self.run.outcome.documents, pair),
        })
    }

    /// Returns thresholds that do better than the default ones, if there are any.
    pub(crate) fn suggestion(&self) -> Option<ChoiceRecord> {
        self.tuning.suggestion().map(ChoiceRecord::from)
    }
}

impl BinRecord {
    fn new(
        measure: &'static str,
        from: MeasureValue,
        to: Option<MeasureValue>,
        complete: bool,
        counts: Counts,
    ) -> Self {
        Self {
            measure,
            from,
            to,
            complete,
            pairs: counts.total(),
            relations: counts.into(),
            counts,
        }
    }
}

fn similarities(
    measure: &'static str,
    histogram: &Histogram,
    is_complete: impl Fn(u8) -> bool,
) -> impl Iterator<Item = BinRecord> {
    let last = histogram.bins().len() - 1;
    let bins = (0..).zip(histogram.bins());
    bins.map(move |(bin, &counts)| {
        let similarity = |bin| MeasureValue::Similarity(Resemblance::as_number(least(bin)));
        let to = (usize::from(bin) < last).then(|| similarity(bin + 1));
        BinRecord::new(measure, similarity(bin), to, is_complete(bin), counts)
    })
}

/// Returns the measure that a cut-off is compared with.
fn measure(cut_off: CutOff) -> &'static str {
    match cut_off {
        CutOff::Jaccard | CutOff::NearJaccard => "jaccard",
        CutOff::Hamming => "hamming",
        CutOff::NearWeighted => "weighted",
        CutOff::Contained => "containment",
    }
}

fn value(cut_off: CutOff) -> MeasureValue {
    match cut_off {
        CutOff::Hamming => MeasureValue::Bits(cut_off.value()),
        _ => MeasureValue::Similarity(Resemblance::as_number(cut_off.value())),
    }
}

/// Returns what a cut-off decides.
fn decides(cut_off: CutOff) -> &'static str {
    match cut_off {
        CutOff::Jaccard | CutOff::Hamming => "reported",
        CutOff::NearWeighted | CutOff::NearJaccard => "near",
        CutOff::Contained => "contains",
    }
}
