//! The wire format of `json` and `jsonl`, schema version 1. The documentation of these types is its
//! specification: every key is always present unless marked optional, every list is sorted (but for very
//! many pairs in `jsonl`), keys may be added within a version and none changes its meaning or goes away.
//!
//! Names of documents are paths as the user would type them, with `/` between folders and, for bytes
//! that are not UTF-8, `\xHH`. There are no times and no paths of the machine in them.

use encoding_rs::Encoding;
use serde::{Serialize, Serializer};

use crate::document::{Note, Skipped};
use crate::engine::IdfSource;
use crate::engine::because::Because;
use crate::engine::cluster::Cluster;
use crate::engine::detectors::Detector;
use crate::engine::outcome::{Document, Outcome, Pair, Resemblance};
use crate::engine::relation::{Counts, Relation};
use crate::gate::Gate;
use crate::gate::baseline::{Standing, Standings};
use crate::join::weighted::Weighted;
use crate::scan::ScanOptions;
use crate::text::han::Han;

/// The version of the wire format.
pub const SCHEMA_VERSION: u32 = 1;

/// What a report is made from.
#[derive(Debug, Clone, Copy)]
pub struct Report<'r> {
    /// What was asked.
    pub settings: &'r ScanOptions,
    /// What was found.
    pub outcome: &'r Outcome,
    /// The pairs to be shown, in order: all, or the most similar ones; none if they were not asked for
    /// or have been written while they were found.
    pub pairs: Option<&'r [Pair]>,
    /// Who judged them.
    pub gate: &'r Gate,
}

/// The program that made the report.
#[derive(Debug, Serialize)]
pub struct ToolRecord {
    /// `dupfind`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

impl ToolRecord {
    /// This program.
    pub const THIS: Self = Self {
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
    };
}

/// The settings that decide which pairs are reported.
#[derive(Debug, Serialize)]
pub struct SettingsRecord {
    /// Bits of a fingerprint.
    pub simhash_bits: u32,
    /// Largest Hamming distance that makes a pair.
    pub max_hamming: u32,
    /// Least Jaccard similarity that makes a pair.
    pub min_jaccard: f64,
    /// Units in a shingle.
    pub shingle_size: usize,
    /// `auto`, `char` or `word`.
    pub shingle_unit: &'static str,
    /// Whether Traditional characters were taken for Simplified ones.
    pub fold_han: bool,
    /// Which part of web pages was compared: `main`, `all` or `raw`.
    pub html: &'static str,
    /// Whether code blocks were: `text` or `skip`.
    pub markdown_code: &'static str,
    /// The format of the texts of records.
    pub record_format: &'static str,
    /// The encoding that was said; `null` if it was found out for each file.
    pub encoding: Option<&'static str>,
    /// `dictionary`, `corpus` or `file`.
    pub idf: &'static str,
    /// Least containment that makes a pair; `null` if that detector was off.
    pub min_containment: Option<f64>,
    /// Always `null`: all similar pairs are found.
    pub approximate: (),
    /// Those of `simhash`, `shingle`, `super-shingle` and `i-match` that ran.
    pub detectors: Vec<&'static str>,
    /// How many of them must find a pair: `any` one or `all`.
    pub require: &'static str,
    /// How super-shingles were made; `null` if that detector was off.
    pub super_shingle: Option<SuperShingleRecord>,
    /// What was hashed for I-Match; `null` if that detector was off.
    pub i_match: Option<IMatchRecord>,
    /// The relations of pairs that connect the documents of a cluster.
    pub cluster_on: Vec<&'static str>,
}

/// How super-shingles were made.
#[derive(Debug, Serialize)]
pub struct SuperShingleRecord {
    /// How many min-hashes there were.
    pub hashes: u32,
    /// Of how many of them a super-shingle was made.
    pub run: u32,
    /// How many super-shingles of a pair are equal at least.
    pub min_equal: u32,
}

/// What was hashed for I-Match.
#[derive(Debug, Serialize)]
pub struct IMatchRecord {
    /// The IDF of the terms that counted: `5..12`.
    pub idf: String,
    /// How many lexicons there were besides the one of all terms.
    pub lexicons: u8,
}

/// The counts of a run.
#[derive(Debug, Serialize)]
pub struct SummaryRecord {
    /// Documents compared.
    pub documents: usize,
    /// Entries not compared.
    pub skipped: usize,
    /// Pairs found.
    pub pairs: u64,
    /// How many of them the baseline neither holds nor is silent about: those that are `new`, `worse` or
    /// `expired`; `null` without a baseline.
    pub new_pairs: Option<u64>,
    /// How many of them there are of each relation.
    pub relations: RelationsRecord,
    /// Always `null`: all similar pairs are found.
    pub recall: (),
    /// Clusters they form.
    pub clusters: usize,
    /// Documents in any cluster.
    pub documents_in_clusters: usize,
}

/// Numbers of pairs by relation.
#[derive(Debug, Serialize)]
pub struct RelationsRecord {
    /// The same normalised text, white space aside.
    pub exact: u64,
    /// Near-duplicates.
    pub near: u64,
    /// One contains the other.
    pub contains: u64,
    /// They share something rare.
    pub related: u64,
    /// They share common text.
    pub template: u64,
    /// Too short to judge.
    pub short: u64,
}

impl From<Counts> for RelationsRecord {
    fn from(counts: Counts) -> Self {
        Self {
            exact: counts.of(Relation::Exact),
            near: counts.of(Relation::Near),
            contains: counts.of(Relation::Contains),
            related: counts.of(Relation::Related),
            template: counts.of(Relation::Template),
            short: counts.of(Relation::Short),
        }
    }
}

/// Two documents that are reported; `a` < `b`.
#[derive(Debug, Serialize)]
pub struct PairRecord<'r> {
    /// The first document.
    pub a: &'r str,
    /// The other one.
    pub b: &'r str,
    /// What they are to each other: `exact`, `near`, `contains`, `related`, `template` or `short`.
    pub relation: Relation,
    /// For `contains`, the document that contains the other one; otherwise `null`.
    pub container: Option<&'r str>,
    /// Hamming distance of their fingerprints, whichever detector found the pair; `null` if the
    /// SimHash detector was off.
    pub hamming: Option<u32>,
    /// Jaccard similarity of their shingle sets, rounded down to four decimals, so 1 means equal
    /// sets; `null` if the shingle detector was off.
    pub jaccard: Option<f64>,
    /// Jaccard similarity in which a shingle weighs as much as it is rare in these documents, rounded
    /// down to four decimals; `null` if the shingle detector was off.
    pub weighted: Option<f64>,
    /// How much of the smaller shingle set is in the other one, from 0 to 1 and rounded down to four
    /// decimals; `null` if the shingle detector was off.
    pub containment: Option<f64>,
    /// How many of their super-shingles are equal. Left out if that detector was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub super_shingles: Option<u8>,
    /// How many of their I-Match signatures are equal. Left out if that detector was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub i_match: Option<u8>,
    /// Those of `simhash`, `shingle`, `containment`, `super-shingle` and `i-match` that found the pair.
    pub matched_by: Vec<&'static str>,
    /// Why the relation is what it is, for people.
    pub because: Because<'r>,
}

/// A pair of a scan, and how it stands to the baseline.
#[derive(Debug, Serialize)]
pub struct JudgedRecord<'r> {
    /// The pair; its keys are those of the record.
    #[serde(flatten)]
    pub pair: PairRecord<'r>,
    /// `accepted`, if the baseline holds it; `worse`, if it has become more similar since; `expired`, if
    /// the last day on which it was accepted is over; `new`, if the baseline does not hold it; `null`
    /// without a baseline, and for relations that it does not hold.
    #[serde(serialize_with = "by_name")]
    pub standing: Option<Standing>,
    /// Optional: why it was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'r str>,
}

impl<'r> JudgedRecord<'r> {
    /// Takes all documents, a pair of them, and how pairs stand.
    #[must_use]
    pub fn new(documents: &'r [Document], pair: &Pair, standings: &'r Standings) -> Self {
        Self {
            pair: PairRecord::new(documents, pair),
            standing: standings.of(pair),
            reason: standings.reason(pair),
        }
    }
}

fn by_name<S: Serializer>(standing: &Option<Standing>, serializer: S) -> Result<S::Ok, S::Error> {
    standing.map(Standing::as_str).serialize(serializer)
}

/// Documents connected by pairs.
#[derive(Debug, Serialize)]
pub struct ClusterRecord<'r> {
    /// Its number in this report, from 0; the largest cluster comes first.
    pub id: usize,
    /// The member with the longest text.
    pub representative: &'r str,
    /// The lowest Jaccard similarity of a member to the representative, rounded down to four decimals;
    /// `null` if the shingle detector was off.
    pub cohesion: Option<f64>,
    /// All members.
    pub documents: Vec<&'r str>,
}

/// An entry that was not compared.
#[derive(Debug, Serialize)]
pub struct SkippedRecord<'r> {
    /// Its name.
    pub path: &'r str,
    /// `binary`, `empty`, `too large`, `not a regular file`, `link loop`,
    /// `opted out`, `malformed`, `pre failed`, `not found` or `unreadable`.
    pub reason: &'static str,
    /// Optional: what the system said, or which limit was met.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub detail: &'r str,
}

/// Something to know about a document that was compared.
#[derive(Debug, Serialize)]
pub struct NoteRecord<'r> {
    /// Its name.
    pub path: &'r str,
    /// What to know.
    pub note: &'r str,
}

/// One document of `dupfind fingerprint`.
#[derive(Debug, Serialize)]
pub struct FingerprintRecord<'r> {
    /// Its name.
    pub path: &'r str,
    /// The 64-bit SimHash, 16 hexadecimal digits.
    pub fingerprint: String,
    /// How many tokens it has.
    pub tokens: u32,
    /// How many distinct terms.
    pub terms: u32,
    /// How many distinct shingles.
    pub shingles: u32,
    /// What its text was taken from.
    pub format: &'static str,
    /// The encoding it was decoded from.
    pub encoding: &'static str,
}

impl<'r> Report<'r> {
    /// The settings, for the wire.
    #[must_use]
    pub fn settings(&self) -> SettingsRecord {
        let settings = self.settings;
        let runs = |detector| settings.engine.detectors.have(detector);
        SettingsRecord {
            simhash_bits: settings.engine.simhash_width.bits(),
            max_hamming: settings.engine.max_hamming,
            min_jaccard: settings.engine.min_jaccard.as_f64(),
            shingle_size: settings.engine.shingle_size.get(),
            shingle_unit: settings.engine.shingle_unit.as_str(),
            fold_han: settings.engine.han == Han::Folded,
            html: settings.read.extract.html.as_str(),
            markdown_code: settings.read.extract.code(),
            record_format: settings.read.record_format.as_str(),
            encoding: settings.read.encoding.map(Encoding::name),
            idf: match settings.engine.idf {
                IdfSource::Dictionary => "dictionary",
                IdfSource::Corpus => "corpus",
                IdfSource::Given(_) => "file",
            },
            min_containment: settings.engine.containment.map(|c| c.least.as_f64()),
            approximate: (),
            detectors: settings.engine.detectors.names().collect(),
            require: settings.engine.require.as_str(),
            super_shingle: runs(Detector::SuperShingle).then(|| SuperShingleRecord {
                hashes: settings.engine.super_shingles.hashes(),
                run: settings.engine.super_shingles.run(),
                min_equal: settings.engine.super_shingles.least(),
            }),
            i_match: runs(Detector::IMatch).then(|| IMatchRecord {
                idf: settings.engine.i_match.idf.to_string(),
                lexicons: settings.engine.i_match.lexicons,
            }),
            cluster_on: settings
                .engine
                .cluster_on
                .iter()
                .map(Relation::as_str)
                .collect(),
        }
    }

    /// The counts, for the wire.
    #[must_use]
    pub fn summary(&self) -> SummaryRecord {
        let outcome = self.outcome;
        SummaryRecord {
            documents: outcome.documents.len(),
            skipped: outcome.skipped.len(),
            pairs: outcome.pair_counts.total(),
            new_pairs: self.gate.new_counts().map(Counts::total),
            relations: outcome.pair_counts.into(),
            recall: (),
            clusters: outcome.clusters.len(),
            documents_in_clusters: outcome.clusters.iter().map(|c| c.documents.len()).sum(),
        }
    }

    /// How many pairs are to be looked at, see [`Gate::is_open`].
    #[must_use]
    pub fn open_pairs(&self) -> u64 {
        let counts = self.gate.new_counts();
        counts.unwrap_or(self.outcome.pair_counts).total()
    }

    /// The pairs, for the wire.
    pub fn pairs(&self) -> impl Iterator<Item = JudgedRecord<'r>> {
        let documents = &self.outcome.documents;
        let standings = self.gate.standings();
        let pairs = self.pairs.into_iter().flatten();
        pairs.map(|pair| JudgedRecord::new(documents, pair, standings))
    }

    /// The clusters, for the wire.
    pub fn clusters(&self) -> impl Iterator<Item = ClusterRecord<'r>> {
        let outcome = self.outcome;
        let numbered = outcome.clusters.iter().enumerate();
        numbered.map(
            |(
                id,
                Cluster {
                    representative,
                    documents,
                    cohesion,
                },
            )| ClusterRecord {
                id,
                representative: outcome.name(*representative),
                cohesion: *cohesion,
                documents: documents.iter().map(|&id| outcome.name(id)).collect(),
            },
        )
    }

    /// What was not compared, for the wire.
    pub fn skipped(&self) -> impl Iterator<Item = SkippedRecord<'r>> {
        self.outcome.skipped.iter().map(
            |Skipped {
                 path,
                 reason,
                 detail,
             }| SkippedRecord {
                path,
                reason: reason.as_str(),
                detail,
            },
        )
    }

    /// What to know about single documents, for the wire.
    pub fn notes(&self) -> impl Iterator<Item = NoteRecord<'r>> {
        let notes = self.outcome.notes.iter();
        notes.map(|Note { path, note }| NoteRecord { path, note })
    }
}

impl<'r> PairRecord<'r> {
    /// Takes all documents and a pair of them.
    #[must_use]
    pub fn new(documents: &'r [Document], pair: &Pair) -> Self {
        let (a, b) = (&documents[pair.a.index()], &documents[pair.b.index()]);
        let contained = |jaccard: Resemblance| jaccard.containment(a.shingles, b.shingles);
        Self {
            a: &a.name,
            b: &b.name,
            relation: pair.relation,
            container: pair
                .container(documents)
                .map(|id| documents[id.index()].name.as_str()),
            hamming: pair.hamming.map(u32::from),
            jaccard: pair.jaccard.map(Resemblance::rounded),
            weighted: pair.weighted.map(Weighted::rounded_similarity),
            containment: pair.jaccard.map(contained),
            super_shingles: pair.agreeing.super_shingles,
            i_match: pair.agreeing.i_match,
            matched_by: pair.found_by.names().collect(),
            because: Because::new(documents, pair),
        }
    }
}

/// The fingerprint of a document, 16 or 32 digits.
fn hex(document: &Document) -> String {
    let upper = document
        .fingerprint_high
        .map(|upper| format!("{upper:016x}"));
    let lower = document.fingerprint.unwrap_or_default();
    format!("{}{lower:016x}", upper.unwrap_or_default())
}

impl<'r> FingerprintRecord<'r> {
    /// Takes a document and returns its record.
    #[must_use]
    pub fn new(document: &'r Document) -> Self {
        Self {
            path: &document.name,
            fingerprint: hex(document),
            tokens: document.tokens,
            terms: document.terms,
            shingles: document.shingles,
            format: document.format.as_str(),
            encoding: document.encoding,
        }
    }
}
