//! Ties: the pairs that let a document go; and records that must not be in another set.

#[cfg(test)]
mod laws;

use crate::clean::drops::{Drops, Ground};
use dupfind_engine::features::document::Edition;
use dupfind_engine::pairing::sink::TooManyPairs;
use dupfind_engine::verdict::pair::Share;
use dupfind_engine::verdict::{Titles, name_counts};
use dupfind_engine::{
    Counts, DocId, Document, Observer, Pair, PairSink, Relation, Relations, Resemblance, Threshold,
    Weighted,
};
use dupfind_scan::Scan;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::io;

/// If so much of a page is in the other one, in ten-thousandths, it is a part of that.
const WHOLE: u64 = 9_500;

/// The measures of a pair, in the steps in which reports print them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measures {
    /// The Hamming distance of the fingerprints; `None` if the detector was off.
    pub hamming: Option<u8>,
    /// The Jaccard similarity in ten-thousandths, as the next two; `None` if the shingle detector was off.
    pub jaccard: Option<u16>,
    /// The weighted similarity.
    pub weighted: Option<u16>,
    /// Which share of the document that goes (or of the first one) is in the other one, and which share of the other one is in it.
    pub shares: Option<[Share; 2]>,
}

impl Measures {
    /// The measures of two equal texts.
    pub const EQUAL: Self = Self {
        hamming: Some(0),
        jaccard: Some(10_000),
        weighted: Some(10_000),
        shares: Some([Share::ALL; 2]),
    };

    /// Returns which of the two holds the other one, or all but a little of it, and has more.
    pub(in crate::clean) fn larger(&self) -> Option<Side> {
        match self.shares?.map(|share| share.steps() >= WHOLE) {
            [true, false] => Some(Side::B),
            [false, true] => Some(Side::A),
            _ => None,
        }
    }

    /// Returns how much of the smaller document is in the other one, as a number from 0 to 1.
    pub fn containment(&self) -> Option<f64> {
        self.shares.map(|[a, b]| a.max(b).as_number())
    }

    /// Returns ten-thousandths as a number from 0 to 1.
    pub fn number(steps: u16) -> f64 {
        Resemblance::as_number(steps.into())
    }

    /// Returns a number from 0 to 1 in ten-thousandths.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped before"
    )]
    pub fn steps(number: f64) -> u16 {
        (number.clamp(0.0, 1.0) * 10_000.0).round() as u16
    }
}

/// The document of a pair that contains the other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Side {
    /// The first one.
    A,
    /// The second one.
    B,
}

/// A pair that lets a document go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tie {
    /// The position of the first document in its list.
    pub a: u32,
    /// The position of the second one.
    pub b: u32,
    /// What lets one of the two go.
    pub ground: Ground,
    /// Which of the two contains the other one: for [`Relation::Contains`], and for pages if it holds all of the other one and more.
    pub container: Option<Side>,
    /// The measures.
    pub measures: Measures,
}

impl Tie {
    /// Returns the tie of a pair.
    pub fn of(documents: &[Document], pair: &Pair) -> Self {
        Self {
            a: position(pair.a),
            b: position(pair.b),
            ground: Ground::Relation(pair.relation()),
            container: pair.container(documents).map(|container| {
                if container == pair.a {
                    Side::A
                } else {
                    Side::B
                }
            }),
            measures: Measures {
                hamming: pair.hamming,
                jaccard: pair.jaccard().map(|jaccard| short(jaccard.steps())),
                weighted: pair
                    .weighted()
                    .map(|weighted: Weighted| weighted.similarity),
                shares: pair.shares(documents),
            },
        }
    }

    /// Returns the tie as one of similar texts, whose relation does not matter.
    fn of_similar(self) -> Self {
        let ground = match self.ground {
            Ground::EXACT => Ground::EXACT,
            _ => Ground::Similar,
        };
        Self {
            ground,
            container: None,
            ..self
        }
    }

    /// Returns the tie with the page that contains the other one, also if the two are near-duplicates.
    pub(in crate::clean) fn with_container(self) -> Self {
        Self {
            container: self.container.or(self.measures.larger()),
            ..self
        }
    }

    /// Returns the other document of the pair.
    pub fn other(&self, document: u32) -> u32 {
        if self.a == document { self.b } else { self.a }
    }

    /// Returns the worse document of the pair: `rank` has the place of each in the order of the rules.
    pub(in crate::clean) fn worse(&self, rank: &[u32]) -> u32 {
        match rank[self.a as usize] < rank[self.b as usize] {
            true => self.b,
            false => self.a,
        }
    }

    /// Returns whether a document of the pair may go for the other one. A document never goes for one that is a part of
    /// it.
    pub fn may_go(&self, document: u32) -> bool {
        match self.container {
            Some(Side::A) => document == self.b,
            Some(Side::B) => document == self.a,
            None => true,
        }
    }
}

/// Returns ten-thousandths as they are kept.
pub(in crate::clean) fn short(steps: u64) -> u16 {
    u16::try_from(steps).unwrap_or(u16::MAX)
}

fn position(id: DocId) -> u32 {
    u32::try_from(id.index()).expect("ids have 32 bits")
}

/// Returns the error of more ties than there is memory for.
pub(in crate::clean) fn too_many(most: usize) -> io::Error {
    io::Error::other(TooManyPairs { most })
}

/// How much memory a tie needs until all is decided, in bytes: it is kept, grows with its list, is numbered anew, and its
/// documents are listed with it.
const OF_TIE: u64 = 4 * size_of::<Tie>() as u64;

/// Collects the ties of a scan.
///
/// A thousand copies of a document are half a million pairs. So copies are found by the hashes of their texts, and their
/// pairs are not kept. See [`Copies`].
#[derive(Debug)]
pub struct Ties {
    drops: Drops,
    /// Whether copies are collected as a group. It must not be so if single pairs of a scan do not count.
    groups_copies: bool,
    /// The first document of the same text, for each document; empty before the first pair.
    first: Vec<u32>,
    /// See [`Copies::have_same_ties`], for each document.
    have_same_ties: Vec<bool>,
    pairs: Vec<Tie>,
    /// How many pairs there is memory for.
    most: usize,
    /// Whether pairs that are less similar than [`Drops::least`] are neither taken nor counted.
    is_pruned: bool,
    /// Whether pairs of different shingle sets are looked for afterwards, if memory has all sets.
    by_keepers: bool,
    left: Left,
}

/// Documents of the same text: each two of them are an exact pair that is in no list.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Copies {
    /// The documents, ascending, at least two.
    pub documents: Vec<u32>,
    /// Whether only the first one is in the ties, and its ties are those of all. It is so with records. The relation of a
    /// file to another text depends on its name: so each copy of a file has its own ties.
    pub have_same_ties: bool,
}

/// The pairs that let no document go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Left {
    /// Those that are exact, near or contained, and may not go as they were not requested.
    pub duplicates: Counts,
    /// How many would, but have different titles.
    pub titles: u64,
    /// The others from [`Drops::least`] on, by their relation.
    pub similar: Counts,
}

/// The ties of a scan.
#[derive(Debug, Clone, Default)]
pub struct Collected {
    /// The pairs of documents with different texts, or of all documents if copies were not grouped.
    pub pairs: Vec<Tie>,
    /// Groups of documents of the same text, by their first document.
    pub copies: Vec<Copies>,
    /// The pairs that let no document go.
    pub left: Left,
    /// How many ties [`Self::with_similar`] may add, if it is to add those of the documents that stay.
    pub most_of_keepers: Option<usize>,
}

impl Ties {
    /// Returns a collector of the pairs that let a document go. It fails with [`TooManyPairs`] if there are more than
    /// `memory` bytes have room for.
    pub fn new(drops: Drops, groups_copies: bool, memory: u64) -> Self {
        Self {
            drops,
            groups_copies: groups_copies && drops.admit(Relation::Exact, None),
            first: Vec::new(),
            have_same_ties: Vec::new(),
            pairs: Vec::new(),
            most: usize::try_from(memory / OF_TIE).unwrap_or(usize::MAX),
            is_pruned: false,
            by_keepers: false,
            left: Left::default(),
        }
    }

    /// Returns the collector of pairs that are similar enough, if no others let a document go: others are neither looked for
    /// nor counted.
    #[must_use]
    pub fn pruned(self) -> Self {
        let is_pruned = self.drops.need_relations() && self.drops.need_likeness();
        Self { is_pruned, ..self }
    }

    /// Returns the collector of copies alone, if similarity decides alone and no document is only there to be compared with: what
    /// is similar to those that stay is looked for afterwards ([`Collected::with_similar`]).
    #[must_use]
    pub fn by_keepers(self) -> Self {
        let by_keepers = self.groups_copies && self.drops.need_similarity_alone();
        Self { by_keepers, ..self }
    }

    /// Returns the collected ties, when all pairs have been handed on.
    pub fn finish(self) -> Collected {
        let mut groups: HashMap<u32, Vec<u32>> = HashMap::new();
        let numbered = (0_u32..).zip(&self.first);
        for (document, &first) in numbered.filter(|&(document, &first)| document != first) {
            let group = groups.entry(first).or_insert_with(|| vec![first]);
            group.push(document);
        }
        let group = |documents: Vec<u32>| Copies {
            have_same_ties: self.have_same_ties[documents[0] as usize],
            documents,
        };
        let mut copies: Vec<Copies> = groups.into_values().map(group).collect();
        copies.sort_unstable();
        Collected {
            pairs: self.pairs,
            copies,
            left: self.left,
            most_of_keepers: self.by_keepers.then_some(self.most),
        }
    }

    /// Finds the copies among all documents. Those whose names count and the others are different
    /// groups.
    fn group(&mut self, documents: &[Document]) {
        let only_copies = !self.drops.by_similarity && self.drops.relations == Relations::EXACT;
        let have_same_ties = documents
            .iter()
            .map(|it| only_copies || !name_counts(&it.name));
        self.have_same_ties = have_same_ties.collect();
        let mut by_text: HashMap<((u64, u32), bool, Edition), u32> = HashMap::new();
        let numbered = (0_u32..).zip(documents).zip(&self.have_same_ties);
        self.first = numbered
            .map(|((document, known), &is_same)| match known.is_code {
                true => document,
                false => {
                    let text = (known.text(), is_same, known.edition);
                    *by_text.entry(text).or_insert(document)
                }
            })
            .collect();
    }

    /// Returns whether a pair that may be dropped is kept: it is none of two copies, and of documents with the same ties
    /// it is one of the first.
    fn keeps(&self, [a, b]: [DocId; 2]) -> bool {
        if self.first.is_empty() {
            return true;
        }
        let first = |id: DocId| self.first[id.index()];
        let has_own = |id: DocId| first(id) == position(id) || !self.have_same_ties[id.index()];
        first(a) != first(b) && has_own(a) && has_own(b)
    }
}

impl Ties {
    /// Returns whether the titles of a pair let no document go.
    fn part_titles(&self, documents: &[Document], pair: &Pair) -> bool {
        let titles = [pair.a, pair.b].map(|id| &documents[id.index()].title);
        let is_copy = pair.relation() == Relation::Exact;
        !self.drops.over_titles && !is_copy && Titles::of(titles) == Titles::Differ
    }

    /// Counts a pair that lets no document go.
    fn leave(&mut self, relation: Relation, jaccard: Option<u16>) {
        if Relations::DUPLICATES.have(relation) {
            self.left.duplicates.add(relation, 1);
        } else if jaccard.is_some_and(|jaccard| jaccard >= self.drops.least) {
            self.left.similar.add(relation, 1);
        }
    }
}

impl Collected {
    /// Adds the ties that there are without some documents, as the relation of two depends on all others. Returns whether there
    /// are new ones.
    pub(in crate::clean) fn add_without(
        &mut self,
        scan: &Scan,
        gone: &[bool],
        (drops, memory): (Drops, u64),
        observer: &dyn Observer,
    ) -> dupfind_engine::Result<bool> {
        let mut ties = Ties::new(drops, false, memory).pruned();
        if !scan.without(gone, observer, &mut ties)? {
            self.left = Left::default();
            return Ok(false);
        }
        self.left = ties.left;
        let copies = self.copies.iter().flat_map(|it| &it.documents);
        let is_copy: HashSet<u32> = copies.copied().collect();
        let known: HashSet<[u32; 2]> = self.pairs.iter().map(|tie| [tie.a, tie.b]).collect();
        let is_new = |tie: &Tie| {
            let are_copies = tie.ground == Ground::EXACT && is_copy.contains(&tie.a);
            !are_copies && !known.contains(&[tie.a, tie.b])
        };
        let before = self.pairs.len();
        self.pairs.extend(ties.pairs.into_iter().filter(is_new));
        Ok(self.pairs.len() > before)
    }
}

impl PairSink for Ties {
    fn least(&self) -> Option<Threshold> {
        let least = self.is_pruned.then_some(self.drops.least)?;
        Threshold::new(least.into(), 10_000)
    }

    fn looks_for_similar(&self) -> bool {
        self.by_keepers
    }

    fn begin(&mut self, documents: &[Document]) -> Vec<bool> {
        if !self.groups_copies {
            return Vec::new();
        }
        self.group(documents);
        let numbered = (0_u32..).zip(&self.first);
        let copies = numbered.map(|(document, &first)| document != first);
        let both = copies.zip(&self.have_same_ties);
        both.map(|(is_copy, &has_same)| is_copy && has_same)
            .collect()
    }

    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        if self.groups_copies && self.first.is_empty() {
            self.group(documents);
        }
        for pair in pairs.iter().filter(|pair| !pair.is_apart(documents)) {
            let steps = pair.jaccard().map(Resemblance::steps).map(short);
            if self.is_pruned && steps.is_some_and(|steps| steps < self.drops.least) {
                continue;
            }
            if !self.drops.admit(pair.relation(), steps) {
                self.leave(pair.relation(), steps);
            } else if self.part_titles(documents, pair) {
                self.left.titles += 1;
            } else if self.keeps([pair.a, pair.b]) {
                let tie = Tie::of(documents, pair);
                self.pairs
                    .push(match self.drops.admit_similar(pair.relation(), steps) {
                        true => tie.of_similar(),
                        false => tie,
                    });
            }
        }
        if self.pairs.len() > self.most {
            return Err(too_many(self.most));
        }
        Ok(())
    }
}
