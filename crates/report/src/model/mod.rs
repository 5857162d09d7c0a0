//! The wire format of `json` and `jsonl`, schema version 1. The documentation of these types is its
//! specification. Every key is always present unless marked optional. Every list is sorted, but for very many
//! pairs in `jsonl`. Keys may be added within a version; none changes its meaning or goes away.
//!
//! Names of documents are paths as the user would type them, with `/` between folders and `\xHH` for bytes that
//! are not UTF-8. Reports hold no times, and no paths of the machine.

mod pair;
pub(crate) mod settings;
pub mod typed;

use serde::{Serialize, Serializer};

use crate::model::pair::DocumentRecord;
pub(crate) use crate::model::pair::{JudgedRecord, PairRecord};
pub(crate) use crate::model::settings::SettingsRecord;
use crate::model::typed::Typed;
use crate::style::shell;
use dupfind_decide::{Gate, LeftOut};
use dupfind_engine::{Counts, DocId, Pair, Relation, Relations};
use dupfind_read::Skipped;
use dupfind_read::source::walk::is_of_stdin;
use dupfind_scan::Scan;

/// The version of the wire format.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// The data for a report.
#[derive(Debug, Clone, Copy)]
pub struct Report<'r> {
    /// The result of the scan.
    pub outcome: &'r Scan,
    /// The pairs to be shown, in order: all, or the most similar ones. None if they were not asked for, or if
    /// they have been written while they were found.
    pub pairs: Option<&'r [Pair]>,
    /// The place of the pairs in the baseline.
    pub gate: &'r Gate,
    /// The relations whose pairs are shown; the others are counted only.
    pub shown: Relations,
    /// The relations whose pairs make the run fail.
    pub failing: Relations,
    /// The parts of the command line that it shows.
    pub typed: &'r Typed,
}

/// The program that made the report.
#[derive(Debug, Serialize)]
pub(crate) struct ToolRecord {
    /// `dupfind`.
    pub(crate) name: &'static str,
    /// Its version.
    pub(crate) version: &'static str,
}

impl ToolRecord {
    /// This program.
    pub(crate) const THIS: Self = Self {
        name: "dupfind",
        version: env!("CARGO_PKG_VERSION"),
    };
}

/// What was missing for a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Lack {
    /// There was no document.
    Documents,
    /// There was no document to compare the others with.
    Others,
}

/// The counts of a run.
#[derive(Debug, Serialize)]
pub(crate) struct SummaryRecord {
    /// Documents compared.
    pub(crate) documents: usize,
    /// Entries not compared.
    pub(crate) skipped: u64,
    /// Pairs found.
    pub(crate) pairs: u64,
    /// How many of them are `new` or `worse`; `null` without a baseline.
    pub(crate) new_pairs: Option<u64>,
    /// Optional: how many of them are set apart: pairs of code or data, and those between versions or languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) apart: Option<u64>,
    /// How many of them there are of each relation.
    #[serde(serialize_with = "by_relation")]
    pub(crate) relations: Counts,
    /// Clusters they form.
    pub(crate) clusters: usize,
    /// Documents in any cluster.
    pub(crate) documents_in_clusters: usize,
    /// The options that left out pairs. These pairs are not in the report, and count nowhere else.
    pub(crate) left_out: Vec<LeftOut>,
}

/// Writes numbers of pairs by the names of their relations.
pub(crate) fn by_relation<S: Serializer>(
    counts: &Counts,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let all = Relation::ALL.into_iter();
    serializer.collect_map(all.map(|relation| (relation.as_str(), counts.of(relation))))
}

/// Documents connected by pairs.
#[derive(Debug, Serialize)]
pub(crate) struct ClusterRecord<'r> {
    /// Its number in this report, from 0; the largest cluster comes first.
    pub(crate) id: usize,
    /// The member with the longest text.
    pub(crate) representative: &'r str,
    /// The lowest Jaccard similarity of a member to the representative, rounded down to four decimals;
    /// `null` if the shingle detector was off.
    pub(crate) least_similarity: Option<f64>,
    /// All members.
    pub(crate) documents: Vec<&'r str>,
}

impl<'r> Report<'r> {
    /// Returns a report of a scan that shows all its pairs, and no part of the command line.
    pub fn new(outcome: &'r Scan, gate: &'r Gate) -> Self {
        Self {
            outcome,
            pairs: Some(&outcome.pairs),
            gate,
            shown: Relations::ALL,
            failing: Relations::NONE,
            typed: &Typed::NOTHING,
        }
    }

    /// Returns the command that compares two documents as this scan does; `None` if it cannot be copied into a shell,
    /// and for documents from standard input, which cannot be read again.
    pub(crate) fn compare(&self, two: [DocId; 2]) -> Option<String> {
        let options = self.typed.compare.as_deref()?;
        Some(format!("dupfind compare{}{options}", self.words(two)?))
    }

    /// Returns the command that accepts the pair of two documents; `None` as [`Self::compare`].
    pub(crate) fn accept(&self, two: [DocId; 2]) -> Option<String> {
        let words = self.typed.accept.as_deref()?;
        let two = self.words(two)?;
        Some(format!("dupfind accept{two}{words} --reason \"...\""))
    }

    /// Returns the command that accepts the pages of a folder as a family; `None` as [`Self::compare`], and where options name
    /// the file of accepted pairs.
    pub(crate) fn accept_family(&self, folder: &str) -> Option<String> {
        let words = self.typed.accept.as_deref()?;
        let of_file = ["--config", "--no-config", "--baseline"];
        if of_file.iter().any(|option| words.contains(option)) {
            return None;
        }
        let folder = shell::path(folder)?;
        Some(format!("dupfind accept --family {folder} --reason \"...\""))
    }

    /// Returns two documents as words for a shell, each behind a space.
    fn words(&self, two: [DocId; 2]) -> Option<String> {
        let names = two.map(|id| self.outcome.name(id));
        if names.into_iter().any(is_of_stdin) {
            return None;
        }
        let [a, b] = names.map(shell::path);
        Some(format!(" {} {}", a?, b?))
    }

    pub(crate) fn settings(&self) -> SettingsRecord {
        SettingsRecord::new(&self.outcome.options, self.outcome.documents.len())
    }

    pub(crate) fn summary(&self) -> SummaryRecord {
        let outcome = self.outcome;
        SummaryRecord {
            documents: outcome.documents.len(),
            skipped: outcome.skipped.iter().map(Skipped::count).sum(),
            pairs: outcome.pair_counts.total(),
            new_pairs: self.gate.new_counts().map(Counts::total),
            apart: Some(self.gate.apart().total()).filter(|&apart| apart > 0),
            relations: outcome.pair_counts,
            clusters: outcome.clusters.len(),
            documents_in_clusters: outcome.clusters.iter().map(|c| c.documents.len()).sum(),
            left_out: self.gate.left_out_by(),
        }
    }

    /// Returns what was missing for a comparison; `None` if documents were compared.
    pub(crate) fn lack(&self) -> Option<Lack> {
        let own = self.outcome.sources.own();
        let is_all = own == self.outcome.documents.len();
        let lacks_others = is_all && (own == 1 || self.gate.scope().has_sides());
        match own {
            0 => Some(Lack::Documents),
            _ => lacks_others.then_some(Lack::Others),
        }
    }

    /// Returns how many pairs are to be looked at, see [`Gate::is_open`], of the relations that are shown.
    pub fn open_pairs(&self) -> u64 {
        self.open_counts().of_any(self.shown)
    }

    /// Returns how many pairs are to be looked at, of all relations.
    pub(crate) fn open_counts(&self) -> Counts {
        self.gate.open_counts(self.outcome.pair_counts)
    }

    /// Returns how many pairs are set apart, of the relations that are shown.
    pub(crate) fn apart_pairs(&self) -> u64 {
        self.gate.apart().of_any(self.shown)
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = JudgedRecord<'r>> {
        let documents = &self.outcome.documents;
        let standings = self.gate.standings();
        let pairs = self.pairs.into_iter().flatten();
        pairs.map(|pair| JudgedRecord::new(documents, pair, standings))
    }

    /// Returns a summary of its pairs for each document that is in a pair.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocumentRecord<'r>> {
        pair::documents(self.outcome, self.pairs.unwrap_or_default())
    }

    pub(crate) fn clusters(&self) -> impl Iterator<Item = ClusterRecord<'r>> {
        let outcome = self.outcome;
        let numbered = outcome.clusters.iter().enumerate();
        numbered.map(|(id, cluster)| ClusterRecord {
            id,
            representative: outcome.name(cluster.representative),
            least_similarity: cluster.least_similarity,
            documents: cluster
                .documents
                .iter()
                .map(|&id| outcome.name(id))
                .collect(),
        })
    }
}
