//! How alike documents are to the one that is most like them, and which of them belong together.

use std::collections::{HashMap, HashSet};

use crate::detect::Detectors;
use crate::detect::SignatureMeasures;
use crate::detect::options::Options;
use crate::features::document::{DocId, Document};
use crate::pairing::cluster::Forest;
use crate::verdict::pair::{Pair, pair};
use crate::verdict::rules::is_less_alike;
use crate::verdict::versions::Versions;
use crate::verdict::{Among, Relation, Titles};

/// The weighted similarity of documents, or of groups of them, to the one that is most like them. Two versions of a page
/// are more like each other than like the pages for other subjects.
///
/// Two revisions of one page may both be more like that page than like each other. So documents that other duplicates
/// connect are *kin*. A page with a copy is more like that copy than like its next version, so what is known of one of the copies
/// counts for all of them: if two are versions of a page, they all are.
///
/// Only pairs count that the detectors of shingle sets find. Where two sides are compared, only those of two sides count:
/// a document that has a twin on its own side may still be a copy from the other.
#[derive(Debug, Clone, Default)]
pub struct Closest {
    similarities: Vec<u16>,
    kin: Forest,
    /// For each document the first one with its text; empty if the notes are on groups.
    copies: Vec<u32>,
    /// The groups of which some documents are versions of a page.
    versions: HashSet<[u32; 2]>,
    /// Whether the texts were read from scans.
    is_scanned: bool,
}

impl Closest {
    /// Returns the notes on so many documents or groups, before a pair is noted.
    pub fn new(options: &Options, count: usize) -> Self {
        Self {
            similarities: vec![0; count],
            kin: Forest::new(count),
            copies: Vec::new(),
            versions: HashSet::new(),
            is_scanned: options.compares_scans(),
        }
    }

    /// Returns the notes on the documents of some pairs, whose relations do not depend on such notes yet.
    pub fn of_pairs(
        options: &Options,
        documents: &[Document],
        versions: &Versions<'_>,
        pairs: &[Pair],
    ) -> Self {
        let by_sets =
            |pair: &&Pair| pair.found_by.intersection(Detectors::OF_SETS) != Detectors::NONE;
        let found = || {
            let found = pairs.iter().filter(by_sets);
            found.filter_map(|pair| Some((pair, [pair.a, pair.b].map(DocId::index), pair.sets?)))
        };
        let equal = found().filter(|(.., sets)| sets.jaccard.overlap == sets.jaccard.union.get());
        let mut closest = Self {
            copies: copies(documents, equal.map(|(_, two, _)| two)),
            ..Self::new(options, documents.len())
        };
        for (_, two, sets) in found() {
            closest.note(two, sets.weighted.similarity);
        }
        for (_, two, sets) in found().filter(|(pair, ..)| pair.relation() <= Relation::Contains) {
            let is_version = || {
                let texts = two.map(|at| &documents[at]);
                Titles::of_two(texts, Some(sets), versions).are_versions()
            };
            closest.connect(two, sets.weighted.similarity, is_version);
        }
        closest
    }

    /// Notes that two of this weighted similarity were found.
    pub fn note(&mut self, two: [usize; 2], similarity: u16) {
        for at in two {
            if let Some(closest) = self.similarities.get_mut(at) {
                *closest = similarity.max(*closest);
            }
        }
    }

    /// Makes two duplicates kin, unless each of them is much more like another one. Then it is noted whether they are two versions
    /// of a page. All pairs must be noted before.
    pub fn connect(
        &mut self,
        two: [usize; 2],
        similarity: u16,
        are_versions: impl FnOnce() -> bool,
    ) {
        let Some(closest) = self.lower(two) else {
            return;
        };
        if is_less_alike(similarity, closest, self.is_scanned) {
            if are_versions() {
                self.versions.insert(self.groups(two));
            }
        } else {
            let [a, b] = two.map(number);
            self.kin.union(a, b);
        }
    }

    /// Returns the lower of the similarities that are noted of two; `None` if they are kin, or copies of two versions of a page, or
    /// if nothing is noted.
    pub fn of(&self, two: [usize; 2]) -> Option<u16> {
        let closest = self.lower(two)?;
        let are_kin = self.kin.connects(two) || self.versions.contains(&self.groups(two));
        (!are_kin).then_some(closest)
    }

    /// Returns the groups of two, the lower one first.
    fn groups(&self, two: [usize; 2]) -> [u32; 2] {
        let [a, b] = two.map(|at| self.copies.get(at).copied().unwrap_or_else(|| number(at)));
        [a.min(b), a.max(b)]
    }

    /// Returns a pair with the relation that it has by these notes, and by what is known of the versions of all documents.
    pub fn judged(
        &self,
        options: &Options,
        documents: &[Document],
        versions: &Versions<'_>,
        found: &Pair,
    ) -> Pair {
        let two = [found.a, found.b];
        let texts = two.map(|id| &documents[id.index()]);
        let signatures = SignatureMeasures {
            hamming: found.hamming,
            agreeing: found.agreeing,
        };
        let among = Among {
            closest: self.of(two.map(DocId::index)),
            versions,
        };
        pair(options, two, texts, (found.sets, among), signatures)
    }

    fn lower(&self, two: [usize; 2]) -> Option<u16> {
        let [one, other] = two.map(|at| self.similarities.get(at).copied());
        Some(one?.min(other?))
    }

    /// Returns whether anything is noted.
    pub fn matters(&self) -> bool {
        !self.similarities.is_empty()
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).expect("documents were numbered before")
}

/// Returns for each document which of those of its group stands for all. `equal` are documents with equal sets.
fn copies(documents: &[Document], equal: impl Iterator<Item = [usize; 2]>) -> Vec<u32> {
    let mut copies = Forest::new(documents.len());
    // Where two sides are compared, two copies of one side are no pair.
    let mut first: HashMap<(u64, u32), u32> = HashMap::new();
    for (at, document) in (0..).zip(documents) {
        copies.union(at, *first.entry(document.text()).or_insert(at));
    }
    for [a, b] in equal {
        copies.union(number(a), number(b));
    }
    let all = 0..number(documents.len());
    all.map(|at| copies.root(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_less_similar_of_two_decides() {
        let mut closest = Closest::new(&Options::default(), 3);
        closest.note([0, 1], 5_000);
        closest.note([1, 2], 3_000);
        closest.note([0, 2], 1_000);
        assert_eq!(closest.of([0, 1]), Some(5_000));
        assert_eq!(closest.of([0, 2]), Some(3_000));
        assert_eq!(closest.of([0, 3]), None);
    }

    #[test]
    fn revisions_of_one_page_are_kin_and_pages_for_other_subjects_are_not() {
        let mut closest = Closest::new(&Options::default(), 5);
        let pairs = [
            ([0, 1], 8_000),
            ([0, 2], 7_000),
            ([1, 2], 4_000),
            ([3, 4], 9_000),
            ([2, 3], 3_000),
        ];
        for (two, similarity) in pairs {
            closest.note(two, similarity);
        }
        for (two, similarity) in pairs {
            closest.connect(two, similarity, || false);
        }
        assert_eq!(closest.of([1, 2]), None);
        assert_eq!(closest.of([2, 3]), Some(7_000));
        assert_eq!(closest.of([1, 4]), Some(8_000));
    }
}
