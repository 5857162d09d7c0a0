//! Compares what a scan reports with the labels.

use std::collections::{BTreeMap, HashMap};

use dupfind_engine::verdict::rules::NEAR_JACCARD;
use dupfind_engine::{Detector, DocId, Pair, Relations, Silent, Stats, TopPairs};
use dupfind_scan::{Scan, ScanOptions, scan};

use crate::measures::{SCORES, relation};
use crate::metrics::{Decision, average_precision, roc_area};
use crate::support::labels::{Labelled, within};

/// How many pairs of some kind there are, and how many of them were found.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) pairs: u32,
    pub(crate) reported: u32,
    pub(crate) by_simhash: u32,
    pub(crate) by_shingle: u32,
    pub(crate) by_relation: HashMap<&'static str, u32>,
    /// The weighted similarities of those that are not near whatever it is.
    weighted: Vec<u16>,
    /// How many are near by their Jaccard similarity alone.
    near_by_jaccard: u32,
}

/// The results of a folder.
#[derive(Debug)]
pub(crate) struct Evaluation {
    pub(crate) name: String,
    pub(crate) documents: usize,
    /// What the scan cost.
    pub(crate) stats: Stats,
    /// All reported pairs, with a label or without.
    pub(crate) reported: Tally,
    /// Labelled pairs with a document that was not compared; they count as not reported.
    pub(crate) not_compared: u32,
    /// The labels, positive ones first.
    pub(crate) labels: BTreeMap<LabelOrder, Tally>,
    /// By the reported pairs.
    pub(crate) decision: Decision,
    /// By the pairs that are reported as duplicates.
    pub(crate) verdict: Decision,
    /// Average precision and ROC area of each score.
    pub(crate) rankings: Vec<[Option<f64>; 2]>,
    /// Pairs of two pages among which copies were planted; none if none were planted.
    pub(crate) originals: Option<Tally>,
}

/// A label as it is sorted: negative ones last, and `words-2` before `words-10`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LabelOrder {
    pub(crate) negative: bool,
    stem: String,
    number: u64,
    pub(crate) label: String,
}

impl LabelOrder {
    fn of(labelled: &Labelled) -> Self {
        let label = labelled.label.clone();
        let stem = label.trim_end_matches(|c: char| c.is_ascii_digit());
        Self {
            negative: !labelled.positive,
            number: label[stem.len()..].parse().unwrap_or(0),
            stem: stem.to_owned(),
            label,
        }
    }
}

impl Tally {
    /// Counts a pair, reported or not.
    fn add(&mut self, reported: Option<&Pair>) {
        self.pairs += 1;
        if let Some(pair) = reported {
            self.reported += 1;
            self.by_simhash += u32::from(pair.found_by.have(Detector::Simhash));
            self.by_shingle += u32::from(pair.found_by.have(Detector::Shingle));
            *self.by_relation.entry(relation(pair)).or_default() += 1;
            match (pair.jaccard(), pair.weighted()) {
                (Some(jaccard), _) if jaccard.steps() >= NEAR_JACCARD => self.near_by_jaccard += 1,
                (_, Some(weighted)) => self.weighted.push(weighted.similarity),
                _ => {}
            }
        }
    }

    /// How many pairs would be near if this were the least weighted similarity, in ten-thousandths.
    pub(crate) fn near_from(&self, least: u16) -> u32 {
        let near = self
            .weighted
            .iter()
            .filter(|&&similarity| similarity >= least);
        self.near_by_jaccard + u32::try_from(near.count()).expect("not more than pairs")
    }
}

/// Scans a folder and compares the result with its labels.
pub(crate) fn evaluate(name: String, settings: &ScanOptions, labels: &[Labelled]) -> Evaluation {
    let mut best = TopPairs::all();
    let outcome = scan(settings, &Silent, Some(&mut best)).expect("a readable folder");
    let pairs = best.into_pairs();
    let ids = ids(settings, &outcome);
    let found: HashMap<(DocId, DocId), &Pair> =
        pairs.iter().map(|pair| ((pair.a, pair.b), pair)).collect();

    let mut reported = Tally::default();
    for pair in &pairs {
        reported.add(Some(pair));
    }
    let mut evaluation = Evaluation {
        name,
        documents: outcome.documents.len(),
        stats: outcome.stats.clone(),
        reported,
        not_compared: 0,
        labels: BTreeMap::new(),
        decision: Decision::default(),
        verdict: Decision::default(),
        rankings: Vec::new(),
        originals: originals(&ids, &pairs),
    };
    // For each labelled pair, the finding and whether it should have been found.
    let mut judged: Vec<(Option<&Pair>, bool)> = Vec::new();
    for labelled in labels {
        let pair = match (ids.get(&*labelled.a), ids.get(&*labelled.b)) {
            (Some(&a), Some(&b)) => found.get(&(a.min(b), a.max(b))).copied(),
            _ => {
                evaluation.not_compared += 1;
                None
            }
        };
        let tally = evaluation.labels.entry(LabelOrder::of(labelled));
        tally.or_default().add(pair);
        evaluation.decision.add(pair.is_some(), labelled.positive);
        let is_duplicate = |pair: &Pair| Relations::DUPLICATES.have(pair.relation());
        let verdict = pair.is_some_and(is_duplicate);
        evaluation.verdict.add(verdict, labelled.positive);
        judged.push((pair, labelled.positive));
    }
    for (_, score) in SCORES {
        let score = |pair: Option<&Pair>| pair.map_or(0.0, |pair| score(pair, &outcome));
        let scored = judged
            .iter()
            .map(|&(pair, positive)| (score(pair), positive));
        let scored: Vec<(f64, bool)> = scored.collect();
        let ranking = [average_precision(&scored), roc_area(&scored)];
        evaluation.rankings.push(ranking);
    }
    evaluation
}

/// The documents by their names within the folder.
fn ids<'o>(settings: &ScanOptions, outcome: &'o Scan) -> HashMap<&'o str, DocId> {
    let ids = (0..).map(DocId::from);
    let docs = &settings.walk.paths[0];
    let documents = outcome.documents.iter();
    let names = documents.map(|document| within(docs, &document.name));
    names.zip(ids).collect()
}

/// What was reported of the pairs of pages among which copies were planted: nothing was done to them,
/// so most of it is a false alarm.
fn originals(ids: &HashMap<&str, DocId>, pairs: &[Pair]) -> Option<Tally> {
    let originals = ids.iter().filter(|(name, _)| name.starts_with("original/"));
    let originals: Vec<DocId> = originals.map(|(_, id)| *id).collect();
    if originals.is_empty() {
        return None;
    }
    let mut tally = Tally::default();
    let both = |pair: &&Pair| originals.contains(&pair.a) && originals.contains(&pair.b);
    for pair in pairs.iter().filter(both) {
        tally.add(Some(pair));
    }
    let count = u32::try_from(originals.len()).expect("fewer than 2^32 documents");
    tally.pairs = count * (count - 1) / 2;
    Some(tally)
}
