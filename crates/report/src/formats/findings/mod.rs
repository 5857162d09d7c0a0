//! The findings that reports for CI list: the documents at fault.
//!
//! A [`Finding`] is one document with all pairs in which it is at fault. A pull request that adds a copy gets one
//! finding, at the file that was added. With a finding for each pair, a thousand copies would have half a million
//! findings. A finding for each cluster would be at the cluster's representative, which the pull request does not
//! touch, and GitHub shows nothing there.

pub(crate) mod location;
pub(crate) mod words;

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use crate::formats::findings::location::{Folders, SharedText, locate};
use crate::model::Report;
use dupfind_decide::{Gate, Standing, Tripped};
use dupfind_engine::{Counts, DocId, Document, Pair, Relation, Relations, Result};
use dupfind_scan::{Scan, Sources};

pub use crate::formats::findings::words::write_list;

/// How many annotations of one level GitHub shows. The findings of a run are of one level.
pub(crate) const ANNOTATIONS: usize = 10;

/// The choice of findings, and their places.
#[derive(Debug, Clone, Copy)]
pub struct Listing<'r> {
    /// The relations of the pairs that are listed.
    pub watched: Relations,
    /// Why the run fails, if it does. Findings with pairs that make it fail are errors.
    pub tripped: Option<Tripped>,
    /// The absolute path of the folder that paths in reports are relative to: that of the repository.
    pub root: &'r Path,
    /// Where people find the findings that a format leaves out: `the job summary`.
    pub rest: &'r str,
}

/// The documents at fault, and the report they come from.
#[derive(Debug)]
pub struct Findings<'r> {
    pub(crate) report: Report<'r>,
    pub(crate) listing: Listing<'r>,
    /// The findings, the strongest relation first, then the most similar.
    pub list: Vec<Finding>,
    /// How many pairs they are about, by relation.
    pub(crate) pairs: Counts,
    folders: Folders,
    /// How many documents are below each folder; counted when it is first needed.
    below: OnceCell<HashMap<&'r str, usize>>,
}

/// A document at fault.
#[derive(Debug)]
pub struct Finding {
    pub(crate) subject: DocId,
    /// The pairs in which it is at fault, best first; at most [`Finding::MAX_PAIRS`].
    pub(crate) pairs: Vec<Pair>,
    /// How many such pairs there are.
    pub(crate) count: u64,
    /// The place of its best pair in the baseline; none without a baseline.
    pub(crate) standing: Option<Standing>,
    /// Whether the run fails because of it.
    pub(crate) fails: bool,
    /// The passages that it shares with the other document of its best pair; none if they were not looked for.
    pub(crate) shared: Option<SharedText>,
}

impl Finding {
    /// The most pairs that are kept of one finding.
    pub(crate) const MAX_PAIRS: usize = 20;

    /// How many documents are named beside the best other one.
    const NAMED: usize = 3;

    pub(crate) fn best(&self) -> &Pair {
        &self.pairs[0]
    }

    /// Returns its strongest relation.
    pub(crate) fn relation(&self) -> Relation {
        self.best().relation()
    }

    /// Returns the other document of one of its pairs.
    pub(crate) fn other(&self, pair: &Pair) -> DocId {
        if pair.a == self.subject {
            pair.b
        } else {
            pair.a
        }
    }

    /// Returns the other documents, best first.
    pub(crate) fn others(&self) -> impl Iterator<Item = DocId> {
        self.pairs.iter().map(|pair| self.other(pair))
    }

    /// Returns those of the other documents that its message names.
    pub(crate) fn named(&self) -> impl Iterator<Item = DocId> {
        self.others().take(1 + Self::NAMED)
    }

    pub(crate) fn gravity(&self) -> Gravity {
        match self.relation() {
            _ if self.fails => Gravity::Error,
            relation if Relations::DUPLICATES.have(relation) => Gravity::Warning,
            _ => Gravity::Note,
        }
    }
}

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Gravity {
    /// The run fails because of it.
    Error,
    /// A duplicate.
    Warning,
    /// Something to know.
    Note,
}

impl<'r> Findings<'r> {
    /// Finds the documents at fault in a report with all of its pairs. The texts of the first thousand are read again,
    /// for the lines of the shared passages. Fails with [`Error::Threads`](dupfind_engine::Error::Threads).
    pub fn new(report: Report<'r>, listing: Listing<'r>) -> Result<Self> {
        let documents = &report.outcome.documents;
        let subjects = Subjects::new(report.outcome, report.gate);
        let mut places: HashMap<DocId, usize> = HashMap::new();
        let mut list: Vec<Finding> = Vec::new();
        let mut pairs = Counts::default();
        for pair in report.pairs.unwrap_or_default() {
            if !listing.watched.have(pair.relation()) || !report.gate.is_open(pair) {
                continue;
            }
            pairs.add(pair.relation(), 1);
            for subject in subjects.all_of(documents, pair) {
                let at = *places.entry(subject).or_insert_with(|| {
                    list.push(Finding {
                        subject,
                        pairs: Vec::new(),
                        count: 0,
                        standing: report.gate.standing(pair),
                        fails: false,
                        shared: None,
                    });
                    list.len() - 1
                });
                let finding = &mut list[at];
                finding.count += 1;
                finding.fails |= counts_against(listing.tripped, pair.relation());
                if finding.pairs.len() < Finding::MAX_PAIRS {
                    finding.pairs.push(*pair);
                }
            }
        }
        let outcome = report.outcome;
        locate(outcome, &mut list)?;
        let folders = Folders::new(
            &outcome.sources.files,
            &outcome.options.walk.base,
            listing.root,
        );
        Ok(Self {
            report,
            listing,
            list,
            pairs,
            folders,
            below: OnceCell::new(),
        })
    }

    /// Returns the report that they come from.
    pub fn report(&self) -> &Report<'r> {
        &self.report
    }

    pub(crate) fn document(&self, id: DocId) -> &'r Document {
        &self.report.outcome.documents[id.index()]
    }

    /// Returns how many documents are below a folder.
    fn documents_below(&self, folder: &str) -> usize {
        let below = self.below.get_or_init(|| {
            let mut below = HashMap::new();
            for document in &self.report.outcome.documents {
                for folder in folders_above(&document.name) {
                    *below.entry(folder).or_default() += 1;
                }
            }
            below
        });
        below.get(folder).copied().unwrap_or_default()
    }

    /// Returns how many findings there are by relation.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for finding in &self.list {
            counts.add(finding.relation(), 1);
        }
        counts
    }

    /// Returns 16 hexadecimal digits that identify a finding from run to run. They are made of its relation and of
    /// the text of its document, so that a renamed document keeps them. Other documents with the same text have
    /// them too.
    pub(crate) fn content_hash(&self, finding: &Finding) -> String {
        let text = self.document(finding.subject).text_hash;
        let key = [text, finding.relation() as u64].map(u64::to_le_bytes);
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&key.concat()))
    }
}

/// Returns the folders that a document is below, the nearest first.
fn folders_above(name: &str) -> impl Iterator<Item = &str> {
    let ends = name.rmatch_indices('/');
    ends.map(|(end, _)| &name[..end])
}

/// Whether pairs of a relation make the run fail.
fn counts_against(tripped: Option<Tripped>, relation: Relation) -> bool {
    match tripped {
        Some(Tripped::Pairs { counts, .. }) => counts.of(relation) > 0,
        Some(Tripped::Empty) | None => false,
    }
}

/// Numbers repeated texts, so that each differs from those before it.
#[derive(Debug, Default)]
pub(crate) struct Repeats(HashMap<String, usize>);

impl Repeats {
    /// Returns how many times it was called with a text, this time included.
    pub(crate) fn number(&mut self, thing: &str) -> usize {
        let count = self.0.entry(thing.to_owned()).or_default();
        *count += 1;
        *count
    }
}

/// Chooses the documents at fault.
#[derive(Debug)]
pub(super) struct Subjects<'r> {
    gate: &'r Gate,
    sources: &'r Sources,
    is_representative: Vec<bool>,
}

impl<'r> Subjects<'r> {
    pub(super) fn new(outcome: &'r Scan, gate: &'r Gate) -> Self {
        let mut is_representative = vec![false; outcome.documents.len()];
        for cluster in &outcome.clusters {
            is_representative[cluster.representative.index()] = true;
        }
        Self {
            gate,
            sources: &outcome.sources,
            is_representative,
        }
    }

    /// Returns the documents of a pair that are listed: the one at fault, and if it is unknown which of the two is the
    /// copy, the other one too. Otherwise there might be no entry at the file that was added.
    pub(super) fn all_of(
        &self,
        documents: &[Document],
        pair: &Pair,
    ) -> impl Iterator<Item = DocId> + use<> {
        let at_fault = self.of(documents, pair);
        let other = if at_fault == pair.a { pair.b } else { pair.a };
        let is_listed = self.gate.cannot_tell_the_copy(pair) && !self.sources.of(other).is_against;
        [Some(at_fault), is_listed.then_some(other)]
            .into_iter()
            .flatten()
    }

    /// Returns the document of a pair that is at fault. It is never one that is only there to be compared with.
    /// The first difference between the two decides: the one that was changed, or later; the one that the baseline
    /// does not know; of two records of a file the later one; the one that does not represent their cluster; the one that is
    /// contained; the shorter one; the later one by name.
    fn of(&self, documents: &[Document], pair: &Pair) -> DocId {
        let container = pair.container(documents);
        let [a, b] = [pair.a, pair.b].map(|id| self.sources.of(id));
        let are_of_one_file = a.is_record() && b.is_record() && a.file == b.file;
        let fault = |id: DocId| {
            let document = &documents[id.index()];
            (
                !self.sources.of(id).is_against,
                self.gate.recency(id),
                self.gate.is_known(id) == Some(false),
                are_of_one_file.then(|| self.sources.of(id).record),
                !self.is_representative[id.index()],
                container != Some(id),
                Reverse(document.length),
                id,
            )
        };
        std::cmp::max_by_key(pair.a, pair.b, |&id| fault(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{canned, copies, listed};
    use dupfind_engine::{Cluster, Rule};

    #[test]
    fn a_document_is_one_finding_however_many_copies_it_has() {
        let mut canned = copies(100);
        // All pairs there are, not only those with the first.
        let pair = canned.pairs.unwrap()[0];
        let ids = || (0..100).map(DocId::from);
        let pairs = ids().flat_map(|a| ids().map(move |b| (a, b)));
        let pairs = pairs.filter(|(a, b)| a < b);
        canned.pairs = Some(pairs.map(|(a, b)| Pair { a, b, ..pair }).collect());
        listed(&canned, None, |findings, _| {
            assert_eq!(findings.list.len(), 99);
            assert_eq!(findings.pairs.total(), 4_950);
            let counted: u64 = findings.list.iter().map(|finding| finding.count).sum();
            assert_eq!(counted, 4_950);
            for finding in &findings.list {
                assert!(finding.others().all(|other| other < finding.subject));
                let most = u64::try_from(Finding::MAX_PAIRS).unwrap();
                assert_eq!(finding.pairs.len() as u64, finding.count.min(most));
            }
            Ok(())
        });
    }

    #[test]
    fn findings_that_make_the_run_fail_are_grave() {
        let mut counts = Counts::default();
        counts.add(Relation::Exact, 1);
        let tripped = Tripped::Pairs {
            counts,
            allowed: 0,
            only_new: false,
        };
        for (tripped, expected) in [
            (None, [Gravity::Warning, Gravity::Warning]),
            (Some(Tripped::Empty), [Gravity::Warning, Gravity::Warning]),
            (Some(tripped), [Gravity::Error, Gravity::Warning]),
        ] {
            listed(&canned(), tripped, |findings, _| {
                let found: Vec<Gravity> = findings.list.iter().map(Finding::gravity).collect();
                assert_eq!(found, expected);
                Ok(())
            });
        }
    }

    /// Whether the second document of a pair is at fault. The first one has 60 shingles, the second 30; the
    /// lengths of their texts and which of them is only there to be compared with are given, and which of them
    /// represents their cluster.
    fn is_second(
        relation: Relation,
        lengths: [usize; 2],
        against: Option<usize>,
        representative: Option<u32>,
    ) -> bool {
        let mut outcome = canned().outcome;
        outcome.documents.truncate(2);
        outcome.documents[0].shingles = 60;
        for (at, length) in lengths.into_iter().enumerate() {
            outcome.documents[at].length = length;
            outcome.sources.documents[at].is_against = against == Some(at);
        }
        let [a, b] = [0, 1].map(DocId::from);
        let cluster = |id: u32| Cluster {
            representative: id.into(),
            documents: vec![a, b],
            least_similarity: None,
        };
        outcome.clusters = representative.map(cluster).into_iter().collect();
        let pair = Pair {
            a,
            b,
            rule: Rule::of(relation),
            ..canned().pairs.unwrap()[0]
        };
        let gate = Gate::default();
        let subjects = Subjects::new(&outcome, &gate);
        subjects.of(&outcome.documents, &pair) == b
    }

    #[test]
    fn the_document_that_nobody_would_keep_is_at_fault() {
        use Relation::{Contains, Exact, Near};
        for (relation, lengths, against, representative, expected) in [
            // Ties: the later name.
            (Exact, [9, 9], None, None, true),
            (Near, [9, 5], None, None, true),
            (Near, [5, 9], None, None, false),
            // The second one has fewer shingles, so it is contained however long it is.
            (Contains, [5, 9], None, None, true),
            (Contains, [9, 5], None, Some(1), false),
            (Near, [5, 9], None, Some(0), true),
            (Near, [9, 5], Some(1), None, false),
            (Near, [9, 5], Some(1), Some(0), false),
            (Near, [5, 9], Some(0), Some(1), true),
        ] {
            assert_eq!(
                is_second(relation, lengths, against, representative),
                expected,
                "{relation:?} {lengths:?} {against:?} {representative:?}"
            );
        }
    }
}
