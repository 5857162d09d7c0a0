//! What to look at first: the entries of a worklist, the most useful first, made of the pairs of a report.
//!
//! ```text
//! exact, near, contains ─> stars ─> groups ─┬─> parallel folders ─┐
//! related ────────────────> one by one ─────┘                     │
//! variant, template,                                              ├─> gain ─> entries in order
//! related siblings ───────> families ──> one for each folder ─────┤
//! short ──────────────────> one entry ────────────────────────────┤
//! untranslated, generated,                                        │
//! set apart ──────────────> folders ──────────────────────────────┘
//! ```
//!
//! A pair is of one kind (`Worklist::kind`), and has the relation of its verdict: the list groups and sorts. A group is a
//! star around its longest document: each member is compared with that one and with no other. The rest of a chain is an
//! entry of its own, around the document that it is most like. Entries about the same pages in several folders of languages
//! or versions are one.
//!
//! Documents are read again for the sentences on entries that are shown (`Worklist::read`), and for nothing else.

mod differences;
mod families;
pub mod folders;
mod groups;
pub(crate) mod sentence;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::model::Report;
use crate::worklist::differences::Differences;
use crate::worklist::families::Siblings;
use crate::worklist::folders::Folders;
use dupfind_decide::clean::LEAST_SIZE;
use dupfind_engine::features::document::Apart;
use dupfind_engine::verdict::Titles;
use dupfind_engine::{DocId, Document, Pair, Relation};
use serde::Serialize;

pub use families::common_folder;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Documents that are copies or near-duplicates of one of them, or contained in it.
    Group,
    /// Two documents that share something rare.
    Related,
    /// Pages that two folders have, each page of one folder with that of the other.
    Parallel,
    /// Pages of one form, for several subjects: those in the folder of a family, or those that are connected.
    Family,
    /// All pairs with a document that is too short to judge.
    Short,
    /// Pages below one folder in a language that have the text of another one.
    Untranslated,
    /// Pages in one folder, or in the folders below it, that are marked as written by a program.
    Generated,
    /// Files of code or data in one folder, or files in the folders below it.
    Code,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Group,
        Self::Related,
        Self::Parallel,
        Self::Family,
        Self::Short,
        Self::Untranslated,
        Self::Generated,
        Self::Code,
    ];

    /// Returns whether entries of this kind only sum pairs up. They come behind all others.
    pub(crate) fn is_sum(self) -> bool {
        !matches!(self, Self::Group | Self::Related | Self::Parallel)
    }
}

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    /// The document that the others are compared with: the longest one of a group.
    pub(crate) first: DocId,
    /// The other documents, the most similar ones first.
    pub(crate) members: Vec<Member>,
    /// How many pairs it represents.
    pub(crate) pairs: u64,
    /// The gain of fixing it, in units of text weighed by certainty.
    pub(crate) gain: u64,
    /// The editions that have the same pages too, ascending.
    also: BTreeSet<usize>,
    /// The differences of its two documents, if they were read again.
    differences: Option<Differences>,
}

impl Entry {
    /// Returns all of its documents.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocId> + Clone {
        let members = self.members.iter().map(|member| member.document);
        std::iter::once(self.first).chain(members)
    }
}

/// A document of an entry other than its first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) document: DocId,
    /// The position of a pair in the report. In a group it is the pair with the first document of the entry, in parallel folders
    /// that of the same page, in a family the most similar pair of this document.
    pub(crate) pair: usize,
}

/// The entries, in order.
#[derive(Debug)]
pub(crate) struct Worklist<'r> {
    report: Report<'r>,
    pub(crate) entries: Vec<Entry>,
    /// The names of the editions: languages and versions.
    editions: Vec<String>,
    siblings: Siblings,
    /// The folders that are families.
    families: HashSet<&'r str>,
    /// How many pages each language has, by its number.
    in_language: HashMap<u16, usize>,
}

/// The similarity of a page and one that is not translated, from which on that is said, in ten-thousandths.
const ONE_TEXT: u64 = 9_000;

impl<'r> Worklist<'r> {
    /// Returns the worklist of the pairs of a report that are to be looked at; they come with the most similar ones first. It
    /// needs some 100 bytes for each pair while it is made, and half of that afterwards.
    pub(crate) fn new(report: &Report<'r>) -> Self {
        let mut list = Self {
            report: *report,
            entries: Vec::new(),
            editions: Vec::new(),
            siblings: Siblings::new(),
            families: HashSet::new(),
            in_language: HashMap::new(),
        };
        let documents = list.documents();
        for document in documents {
            *list
                .in_language
                .entry(document.edition.language)
                .or_default() += 1;
        }
        list.find_families();
        let editions = report.outcome.sources.editions.as_deref();
        let folders = editions.map(|editions| Folders::new(editions, report.outcome));
        let mut of_kind = Kind::ALL.map(|_| Vec::new());
        for (at, pair) in list.pairs().iter().enumerate() {
            if let Some(kind) = list.kind(pair) {
                of_kind[kind as usize].push(at);
            }
        }
        for (kind, pairs) in Kind::ALL.into_iter().zip(of_kind) {
            match (kind, pairs.as_slice()) {
                (_, []) => {}
                (Kind::Group, pairs) => list.add_groups(pairs),
                (Kind::Related, pairs) => pairs.iter().for_each(|&at| list.add_two(kind, at)),
                // They are made of entries.
                (Kind::Parallel, _) => {}
                (Kind::Family, pairs) => list.add_families(pairs),
                // All of them are one entry. Its documents are those of the first pair.
                (Kind::Short, &[first, ..]) => {
                    list.add_two(kind, first);
                    list.set_pairs(pairs.len() as u64);
                }
                (Kind::Untranslated | Kind::Generated | Kind::Code, pairs) => {
                    list.add_folders(kind, pairs);
                }
            }
        }
        list.sort();
        if let Some(folders) = &folders {
            list.merge(folders);
            list.editions = folders.names();
        }
        list.join_parallel(folders.as_ref());
        list.sort();
        list
    }

    /// Returns the kind of the entries that a pair belongs to; none if it is not to be looked at. Pairs that make the run fail
    /// are listed one by one. Copies are no pages of a program, whoever wrote them.
    fn kind(&self, pair: &Pair) -> Option<Kind> {
        let (documents, relation) = (self.documents(), pair.relation());
        let two = [pair.a, pair.b].map(|id| &documents[id.index()]);
        // A page of few words or without a title, such as code that pages include, needs no translation.
        let may_be_translated = two.iter().all(|it| {
            let has_title = it.title.hash > 0 && !it.title.is_line();
            has_title && !(1..LEAST_SIZE).contains(&it.shingles)
        });
        let is_one_text = match relation {
            Relation::Exact => true,
            // The prose of less similar pages may be translated, and their code alike.
            Relation::Near => pair.jaccard().is_some_and(|it| it.steps() >= ONE_TEXT),
            _ => false,
        };
        match pair.apart(documents) {
            Some(Apart::Code) => return Some(Kind::Code),
            // Nobody has translated such a page.
            Some(Apart::Language) if may_be_translated && is_one_text => {
                return Some(Kind::Untranslated);
            }
            Some(Apart::Language | Apart::Version) => return None,
            None => {}
        }
        if !self.report.gate.is_open(pair) {
            return None;
        }
        let may_be_summed = !self.report.failing.have(relation);
        Some(match relation {
            Relation::Short => Kind::Short,
            Relation::Variant | Relation::Template => Kind::Family,
            Relation::Exact => Kind::Group,
            _ if may_be_summed
                && !pair.rule.is_of_family()
                && two.iter().all(|document| document.is_generated) =>
            {
                Kind::Generated
            }
            Relation::Related if may_be_summed && pair.rule.is_of_family() => Kind::Family,
            Relation::Related => Kind::Related,
            Relation::Near | Relation::Contains => Kind::Group,
        })
    }

    fn documents(&self) -> &'r [Document] {
        &self.report.outcome.documents
    }

    fn pairs(&self) -> &'r [Pair] {
        self.report.pairs.unwrap_or_default()
    }

    /// Returns the pair of a member of an entry.
    pub(crate) fn pair(&self, member: &Member) -> &'r Pair {
        &self.pairs()[member.pair]
    }

    /// Returns how many entries do not only sum pairs up. These come first.
    pub(crate) fn single(&self) -> usize {
        self.entries.partition_point(|entry| !entry.kind.is_sum())
    }

    fn push(&mut self, kind: Kind, first: DocId, members: Vec<Member>, gain: u64) {
        self.entries.push(Entry {
            kind,
            first,
            pairs: members.len() as u64,
            members,
            gain,
            also: BTreeSet::new(),
            differences: None,
        });
    }

    /// Sets how many pairs the last entry represents.
    fn set_pairs(&mut self, pairs: u64) {
        if let Some(entry) = self.entries.last_mut() {
            entry.pairs = pairs;
        }
    }

    /// Adds an entry of the two documents of a pair.
    fn add_two(&mut self, kind: Kind, at: usize) {
        let [first, document] = self.longer_first(at);
        let gain = self.gain(at);
        self.push(kind, first, vec![Member { document, pair: at }], gain);
    }

    /// Returns the documents of a pair, the longer one first.
    fn longer_first(&self, at: usize) -> [DocId; 2] {
        let Pair { a, b, .. } = self.pairs()[at];
        match self.length(b) > self.length(a) {
            true => [b, a],
            false => [a, b],
        }
    }

    /// Returns the length of a document, in characters, as for the representative of a cluster.
    fn length(&self, id: DocId) -> usize {
        self.documents()[id.index()].length
    }

    fn gain(&self, at: usize) -> u64 {
        gain(self.documents(), &self.pairs()[at])
    }

    /// Sorts entries by their gain, the largest first; those of related pages, which may share much and need no work, come
    /// behind all duplicates. Entries that only sum pairs up come last, those of the most documents first, and behind them the
    /// versions of pages, the folders of generated pages, and those of code and data. Of equal entries the one whose first
    /// document comes first by name is first: documents are numbered by name.
    fn sort(&mut self) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_by_cached_key(|entry| {
            let sum = entry.kind.is_sum().then_some(Reverse(entry.members.len()));
            let other = entry.members.iter().map(|member| member.document).min();
            let by_folder = match entry.kind {
                Kind::Untranslated => 1,
                Kind::Generated => 2,
                Kind::Code => 3,
                _ => 0,
            };
            let is_related = |member: &Member| self.pair(member).relation() == Relation::Related;
            let is_related = entry.members.first().is_some_and(is_related);
            let name = (entry.first, other.unwrap_or(entry.first), entry.kind);
            (by_folder, sum, is_related, Reverse(entry.gain), name)
        });
        self.entries = entries;
    }
}

fn titles(two: [&Document; 2]) -> Titles {
    Titles::of(two.map(|document| &document.title))
}

/// The steps of a certainty of 1.
pub(crate) const STEPS: u64 = 10_000;

/// Returns the gain of fixing a pair: the shingles that the documents share, times the certainty that somebody
/// wrote them twice, in ten-thousandths of a shingle. A shingle is about a word, or a character of Chinese.
///
/// | relation | saved | certainty |
/// |---|---|---|
/// | `exact` | all of the smaller document | 1 |
/// | `short` | nothing | 0 |
/// | all others | the shared shingles | s² |
///
/// s is the share of the smaller document that is in the other one. Without shingle sets it is not known, and the
/// certainty is a quarter.
fn gain(documents: &[Document], pair: &Pair) -> u64 {
    let [a, b] = [pair.a, pair.b].map(|id| &documents[id.index()]);
    let smaller = |size: fn(&Document) -> u32| u64::from(size(a).min(size(b)));
    let saved = match (pair.relation(), pair.jaccard()) {
        (Relation::Short, _) => 0,
        (Relation::Exact, _) | (_, None) if a.shingles.min(b.shingles) > 0 => {
            smaller(|document| document.shingles)
        }
        (Relation::Exact, _) | (_, None) => smaller(|document| document.tokens),
        (_, Some(jaccard)) => jaccard.overlap.into(),
    };
    match pair.smaller_first(documents) {
        _ if pair.relation() == Relation::Exact => saved * STEPS,
        Some([(_, share), _]) => saved * (share.steps().pow(2) / STEPS),
        None => saved * (STEPS / 4),
    }
}

#[cfg(test)]
mod tests;
