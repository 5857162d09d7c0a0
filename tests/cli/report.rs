//! The output for other programs, parsed: the documented keys and no others. That all are there is in `schema`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use dupfind_engine::verdict::rules;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::env::Says;

/// Reads one JSON value a line.
#[track_caller]
pub(crate) fn lines<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let values = text.lines().map(serde_json::from_str);
    values.collect::<Result<_, _>>().expect(text)
}

/// The report of `scan --format json`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    pub(crate) schema_version: u32,
    pub(crate) tool: Tool,
    pub(crate) settings: Settings,
    pub(crate) summary: Summary,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) clusters: Vec<Cluster>,
    pub(crate) documents: Vec<Near>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) notes: Vec<Note>,
}

/// The facts about a document from its pairs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Near {
    pub(crate) path: String,
    pub(crate) closest: String,
    pub(crate) jaccard: Option<f64>,
    pub(crate) near: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) version: String,
}

/// Those of the settings that tests look at. `schema` has all.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Settings {
    pub(crate) max_hamming: u32,
    pub(crate) min_jaccard: f64,
    pub(crate) shingle_size: usize,
    pub(crate) shingle_unit: String,
    pub(crate) min_containment: Option<f64>,
    pub(crate) min_weighted: Option<f64>,
    pub(crate) detectors: Vec<String>,
    pub(crate) super_shingle: Option<Value>,
    pub(crate) i_match: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Summary {
    pub(crate) documents: usize,
    pub(crate) skipped: usize,
    pub(crate) pairs: usize,
    pub(crate) new_pairs: Option<usize>,
    pub(crate) apart: Option<usize>,
    pub(crate) relations: BTreeMap<String, usize>,
    pub(crate) clusters: usize,
    pub(crate) documents_in_clusters: usize,
    pub(crate) left_out: Vec<LeftOut>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeftOut {
    pub(crate) rule: String,
    pub(crate) count: usize,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) relation: String,
    pub(crate) rule: String,
    #[serde(default)]
    pub(crate) family: bool,
    pub(crate) container: Option<String>,
    pub(crate) hamming: Option<u32>,
    pub(crate) jaccard: Option<f64>,
    pub(crate) weighted: Option<f64>,
    pub(crate) containment: Option<f64>,
    pub(crate) a_in_b: Option<f64>,
    pub(crate) b_in_a: Option<f64>,
    pub(crate) prose: Option<f64>,
    pub(crate) super_shingles: Option<u8>,
    pub(crate) i_match: Option<u8>,
    pub(crate) matched_by: Vec<String>,
    pub(crate) because: String,
    pub(crate) standing: Option<String>,
    pub(crate) apart: Option<String>,
    pub(crate) reason: Option<String>,
}

/// All relations, in order.
const RELATIONS: [&str; 7] = [
    "exact", "near", "contains", "variant", "related", "template", "short",
];

impl Pair {
    /// What holds for the pairs of a relation. Its rules have a table in the engine.
    #[track_caller]
    fn has_a_sound_relation(&self) {
        let is_container = |name: &String| [&self.a, &self.b].contains(&name);
        let expected = self.relation == "contains";
        assert_eq!(self.container.is_some(), expected, "{self:?}");
        assert!(self.container.iter().all(is_container), "{self:?}");
        assert!(!self.because.is_empty());
        match self.relation.as_str() {
            "exact" => {
                assert!(self.jaccard.is_none_or(|share| share >= 1.0), "{self:?}");
            }
            "contains" => {
                let least = f64::from(u32::try_from(rules::CONTAINED).unwrap()) / 10_000.0;
                assert!(self.containment >= Some(least), "{self:?}");
            }
            "variant" => {
                self.because.says("for another subject");
            }
            "short" => {
                self.because.says("too short");
            }
            _ => {}
        }
    }

    /// The names of both documents.
    pub(crate) fn names(&self) -> (&str, &str) {
        (&self.a, &self.b)
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cluster {
    pub(crate) id: usize,
    pub(crate) representative: String,
    pub(crate) least_similarity: Option<f64>,
    pub(crate) documents: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Skipped {
    pub(crate) path: String,
    pub(crate) reason: String,
    #[serde(default)]
    pub(crate) detail: String,
    /// How many records of a file it represents.
    pub(crate) records: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Note {
    pub(crate) path: String,
    pub(crate) note: String,
}

/// One line of `dupfind show --as fingerprint`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fingerprint {
    pub(crate) path: String,
    pub(crate) fingerprint: String,
    pub(crate) tokens: u32,
    pub(crate) terms: u32,
    pub(crate) shingles: u32,
    pub(crate) format: String,
    pub(crate) encoding: String,
}

/// Whether a detector found a pair.
fn found_by(pair: &Pair, detector: &str) -> bool {
    pair.matched_by.iter().any(|name| name == detector)
}

impl Report {
    /// Reads a report and asserts what holds for every one of them.
    #[track_caller]
    pub(crate) fn of(text: &str) -> Self {
        let report: Self = serde_json::from_str(text).expect(text);
        report.is_consistent();
        report
    }

    /// The names of all pairs, in the order of the report.
    pub(crate) fn pair_names(&self) -> Vec<(&str, &str)> {
        self.pairs.iter().map(Pair::names).collect()
    }

    /// Paths and reasons of the skipped entries.
    pub(crate) fn skips(&self) -> Vec<(&str, &str)> {
        let skipped = self.skipped.iter();
        skipped
            .map(|skipped| (skipped.path.as_str(), skipped.reason.as_str()))
            .collect()
    }

    /// The documentation of the format, as far as it can be checked on any report.
    #[track_caller]
    fn is_consistent(&self) {
        assert_eq!(self.schema_version, 1);
        assert_eq!(self.tool.name, "dupfind");
        assert_eq!(self.tool.version, env!("CARGO_PKG_VERSION"));
        let members = self.clusters.iter().map(|c| c.documents.len());
        let skipped = self.skipped.iter();
        let apart = self.pairs.iter().filter(|pair| pair.apart.is_some());
        let apart = apart.count();
        let counts = Summary {
            documents: self.summary.documents,
            skipped: skipped.map(|skipped| skipped.records.unwrap_or(1)).sum(),
            pairs: self.pairs.len(),
            new_pairs: self.summary.new_pairs.map(|_| {
                let standings = self.pairs.iter();
                let standings = standings.filter_map(|pair| pair.standing.as_deref());
                standings.filter(|standing| *standing != "accepted").count()
            }),
            apart: Some(apart).filter(|&apart| apart > 0),
            relations: RELATIONS
                .iter()
                .map(|&relation| {
                    let pairs = self.pairs.iter().filter(|pair| pair.relation == relation);
                    (relation.to_owned(), pairs.count())
                })
                .collect(),
            clusters: self.clusters.len(),
            documents_in_clusters: members.clone().sum(),
            left_out: self.summary.left_out.clone(),
        };
        assert_eq!(self.summary, counts);
        assert!(counts.documents_in_clusters <= counts.documents);

        let ran = |detector: &str| self.settings.detectors.iter().any(|name| name == detector);
        for pair in &self.pairs {
            assert!(pair.a < pair.b, "{pair:?}");
            assert_eq!(pair.hamming.is_some(), ran("simhash"), "{pair:?}");
            assert_eq!(pair.jaccard.is_some(), ran("shingle"), "{pair:?}");
            assert_eq!(pair.super_shingles.is_some(), ran("super-shingle"));
            assert_eq!(pair.i_match.is_some(), ran("i-match"), "{pair:?}");
            let agreeing = |setting: &Option<Value>, counted: Option<u8>, least: &str| {
                let least = setting.as_ref().and_then(|setting| setting[least].as_u64());
                counted.is_some_and(|counted| u64::from(counted) >= least.unwrap_or(1))
            };
            let (super_shingle, i_match) = (&self.settings.super_shingle, &self.settings.i_match);
            let expected = agreeing(super_shingle, pair.super_shingles, "min_equal");
            assert_eq!(found_by(pair, "super-shingle"), expected);
            let expected = agreeing(i_match, pair.i_match, "");
            assert_eq!(found_by(pair, "i-match"), expected);
            let (jaccard, containment) = (pair.jaccard, pair.containment);
            assert!(jaccard <= containment && containment <= jaccard.and(Some(1.0)));
            let shares = pair.a_in_b.zip(pair.b_in_a);
            assert_eq!(shares.map(|(a, b)| a.max(b)), containment);
            assert!(pair.a_in_b >= jaccard && pair.b_in_a >= jaccard);
            let near = pair.hamming.is_some_and(|d| d <= self.settings.max_hamming);
            let found = |detector: &str| found_by(pair, detector);
            assert_eq!(near, found("simhash"), "{pair:?}");
            assert!(!pair.matched_by.is_empty(), "{pair:?}");
            pair.has_a_sound_relation();
            let standings = ["new", "accepted", "worse"];
            let is_known = |standing: &String| standings.contains(&standing.as_str());
            assert!(pair.standing.iter().all(is_known), "{pair:?}");
            assert!(self.summary.new_pairs.is_some() || pair.standing.is_none());
            let contained = pair.containment.zip(self.settings.min_containment);
            let is_contained = contained.is_some_and(|(share, least)| share + 1e-4 >= least);
            assert!(is_contained || !found("containment"), "{pair:?}");
            let least = self.settings.min_jaccard;
            let apart = pair.jaccard.is_none_or(|share| share + 1e-4 < least);
            assert!(!(apart && found("shingle")), "{pair:?}");
        }
        let rank = |pair: &Pair| {
            let relation = RELATIONS.iter().position(|&name| name == pair.relation);
            (relation, -pair.jaccard.unwrap_or(0.0), pair.hamming)
        };
        assert!(self.pairs.is_sorted_by(|first, second| {
            (rank(first), first.names()) < (rank(second), second.names())
        }));

        for (id, cluster) in self.clusters.iter().enumerate() {
            assert_eq!(cluster.id, id);
            assert!(cluster.documents.len() > 1, "{cluster:?}");
            assert!(cluster.documents.is_sorted_by(|a, b| a < b), "{cluster:?}");
            assert!(cluster.documents.contains(&cluster.representative));
            let least = cluster.least_similarity;
            assert!(least.is_none_or(|least| (0.0..=1.0).contains(&least)));
        }
        let order = |c: &Cluster| (Reverse(c.documents.len()), c.documents[0].clone());
        assert!(self.clusters.is_sorted_by_key(order));
        let connects = |pair: &&Pair| ["exact", "near", "contains"].contains(&&*pair.relation);
        // The versions and translations of a page are one page, and code is no page.
        let edges = self.pairs.iter().filter(connects);
        let edges = edges.filter(|pair| pair.apart.is_none());
        let mut clusters: Vec<BTreeSet<&str>> = Vec::new();
        for (a, b) in edges.map(Pair::names) {
            // Whatever has one of them is one cluster now.
            let mut joined = BTreeSet::from([a, b]);
            clusters.retain(|cluster| {
                let touches = cluster.contains(a) || cluster.contains(b);
                if touches {
                    joined.extend(cluster);
                }
                !touches
            });
            clusters.push(joined);
        }
        assert_eq!(clusters.len(), self.clusters.len());
        for cluster in &self.clusters {
            let documents = cluster.documents.iter().map(String::as_str).collect();
            assert!(clusters.contains(&documents));
        }

        assert!(self.skipped.is_sorted());
        assert!(self.notes.is_sorted());
    }
}

/// The value of a JSON text.
#[track_caller]
pub(crate) fn value(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}
