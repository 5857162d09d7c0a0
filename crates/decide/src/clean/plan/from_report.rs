//! The ties in a report of a scan (`json`), so that a plan need not compare again.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use rayon::prelude::*;
use serde::Deserialize;

use crate::clean::keep::candidate::Candidate;
use crate::clean::plan::make::Tied;
use crate::clean::ties::{Drops, Measures, Side, Tie};
use dupfind_engine::detect::Detector;
use dupfind_engine::verdict::{Relation, Relations};
use dupfind_engine::{FeatureMaker, Options};
use dupfind_read::ReadOptions;
use dupfind_read::named::{file_of, read_named};

/// A report, as far as a plan needs it.
#[derive(Debug, Deserialize)]
pub struct ReportRecord {
    schema_version: u32,
    tool: ToolRecord,
    summary: SummaryRecord,
    pairs: Vec<PairRecord>,
}

#[derive(Debug, Deserialize)]
struct ToolRecord {
    name: String,
}

#[derive(Debug, Deserialize)]
struct SummaryRecord {
    pairs: u64,
}

#[derive(Debug, Deserialize)]
struct PairRecord {
    a: String,
    b: String,
    relation: String,
    container: Option<String>,
    hamming: Option<u8>,
    jaccard: Option<f64>,
    weighted: Option<f64>,
    containment: Option<f64>,
}

/// The version of reports that are understood.
const SCHEMA_VERSION: u32 = 1;

/// What a report ties.
#[derive(Debug, Default)]
pub struct FromReport {
    /// The documents and their ties.
    pub tied: Tied,
    /// The documents of the report that cannot be read any more, with the reason. Their pairs are left out.
    pub gone: Vec<String>,
    /// How many pairs are exact, near or contained, and may not go as they were not requested.
    pub others: u64,
}

impl ReportRecord {
    /// Reads a report.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in words.
    pub fn read(content: &[u8]) -> Result<Self, String> {
        let report: Self = serde_json::from_slice(content).map_err(|error| {
            format!("it begins as a report of dupfind, and cannot be read: {error}")
        })?;
        if report.tool.name != "dupfind" || report.schema_version != SCHEMA_VERSION {
            return Err(format!(
                "it is a report of {} with schema version {}; dupfind with version {SCHEMA_VERSION} is understood",
                report.tool.name, report.schema_version
            ));
        }
        let (all, listed) = (report.summary.pairs, report.pairs.len() as u64);
        if all > 0 && listed == 0 {
            return Err("the report has no list of pairs, which a plan needs".into());
        }
        if listed < all {
            return Err(format!(
                "the report lists {listed} of {all} pairs, and a plan needs all of them"
            ));
        }
        Ok(report)
    }

    /// Returns the documents and ties of the pairs of some relations. The documents are read for the lengths of their
    /// texts. Paths are relative to `base`.
    ///
    /// # Errors
    ///
    /// The name of a document that is a record: the files of plans are whole files.
    pub fn ties(
        &self,
        drops: Drops,
        options: &ReadOptions,
        engine: &Options,
        base: &Path,
    ) -> Result<FromReport, String> {
        // Lengths need no words.
        let engine = &Options {
            detectors: Detector::Shingle.into(),
            ..engine.clone()
        };
        let relation = |pair: &PairRecord| Relation::named(&pair.relation);
        let (wanted, others): (Vec<_>, Vec<_>) = self.pairs.iter().partition(|pair| {
            let jaccard = pair.jaccard.map(Measures::steps);
            relation(pair).is_some_and(|relation| drops.admit(relation, jaccard))
        });
        let is_duplicate = |pair: &&&PairRecord| {
            relation(pair).is_some_and(|relation| Relations::DUPLICATES.have(relation))
        };
        let others = others.iter().filter(is_duplicate).count() as u64;
        let names: BTreeSet<&str> = wanted
            .iter()
            .flat_map(|pair| [&*pair.a, &*pair.b])
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        let is_record = |name: &&&str| {
            let path = base.join(name);
            !path.exists() && file_of(&path) != path
        };
        if let Some(record) = names.iter().find(is_record) {
            return Err(format!("{record} is a record, and not a file"));
        }
        let lengths: Vec<Result<u64, String>> = names
            .par_iter()
            .map_init(
                || FeatureMaker::new(engine),
                |maker, name| length(name, options, maker, base),
            )
            .collect();
        let mut found = FromReport {
            others,
            ..FromReport::default()
        };
        let mut positions: HashMap<&str, u32> = HashMap::new();
        // Names are sorted, so that their numbers are the places of the files.
        for (place, (name, length)) in (0..).zip(names.iter().zip(lengths)) {
            match length {
                Ok(length) => {
                    let position = u32::try_from(found.tied.candidates.len()).unwrap_or(u32::MAX);
                    positions.insert(name, position);
                    found.tied.candidates.push(Candidate {
                        name: (*name).to_owned(),
                        file: name.into(),
                        record: 0,
                        length,
                        place: (place, 0),
                        is_against: false,
                    });
                }
                Err(why) => found.gone.push(format!("{name}: {why}")),
            }
        }
        for pair in wanted {
            let ends = (positions.get(&*pair.a), positions.get(&*pair.b));
            let (Some(relation), (Some(&a), Some(&b))) = (relation(pair), ends) else {
                continue;
            };
            found.tied.ties.push(Tie {
                a,
                b,
                relation,
                container: pair
                    .container
                    .as_ref()
                    .map(|container| match *container == pair.a {
                        true => Side::A,
                        false => Side::B,
                    }),
                measures: Measures {
                    hamming: pair.hamming,
                    jaccard: pair.jaccard.map(Measures::steps),
                    weighted: pair.weighted.map(Measures::steps),
                    containment: pair.containment.map(Measures::steps),
                },
            });
        }
        Ok(found)
    }
}

/// Returns the length of a document's text.
fn length(
    name: &str,
    options: &ReadOptions,
    maker: &mut FeatureMaker,
    base: &Path,
) -> Result<u64, String> {
    match read_named(&base.join(name), base, options) {
        Ok((_, document)) => {
            let features = maker.features(document.titled());
            features
                .map(|features| features.facts.length)
                .ok_or_else(|| "it has no text any more".into())
        }
        Err((_, refusal)) => Err(format!("it cannot be read any more ({refusal:?})")),
    }
}
