//! The worklist: entries to look at, the most useful first, made of the pairs of a scan.
//!
//! ```text
//! exact, near, contains ─> stars ─> groups ─┐
//! related ────────────────> one by one ─────┼─> gain ─> entries in order
//! variant, template,
//! related in a family ────> families ───────┤
//! short ──────────────────> one entry ──────┤
//! versions, generated,
//! set apart ──────────────> folders ────────┘
//! ```
//!
//! A group is a star around its longest document: each member is compared with that one and with no other. The rest of
//! a chain is an entry of its own, around the document that it is most like. Pages that are related and of one family by
//! their verdict are a family, unless they make the run fail. A pair has one relation, that of its verdict: the list groups
//! and sorts. Entries about the same pages in several folders of
//! languages or versions are one.

mod groups;
pub mod layout;
mod order;
mod repeated;
mod sums;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::clean::worklist::layout::{Layout, layout};
use crate::clean::worklist::repeated::Folders;
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::pair::Pair;
use dupfind_engine::verdict::{Relation, Relations};

pub use order::{STEPS, gain};
pub use sums::common_folder;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Documents that are copies or near-duplicates of one of them, or contained in it.
    Group,
    /// Two documents that share something rare.
    Related,
    /// Documents that are connected as variants: one page for several subjects.
    Variants,
    /// Documents of one family that are connected as related.
    Subjects,
    /// Documents that are connected by common text: pages of one form.
    Family,
    /// All pairs with a document that is too short to judge.
    Short,
    /// Pages below one folder that are alike in several versions, or in several languages.
    Versions,
    /// Pages in one folder, or in the folders below it, that are marked as written by a program.
    Generated,
    /// Files of code or data in one folder, or files in the folders below it.
    Code,
}

impl Kind {
    /// Returns whether entries of this kind only sum pairs up. They come behind all others.
    #[must_use]
    pub fn is_sum(self) -> bool {
        !matches!(self, Self::Group | Self::Related)
    }
}

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its kind.
    pub kind: Kind,
    /// The document that the others are compared with: the longest one of a group.
    pub document: DocId,
    /// Where its members are in the list of all members.
    members: Range<usize>,
    /// How many pairs it represents.
    pub pairs: u64,
    /// The gain of fixing it, in units of text weighed by certainty.
    pub gain: u64,
    /// The folders of the layout that have the same pages too, ascending.
    also: BTreeSet<usize>,
}

/// A document of an entry other than [`Entry::document`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The document.
    pub document: DocId,
    /// The position of a pair in the list that the worklist was made of. In a group it is the pair with the document of
    /// the entry, in a family the most similar pair of this document.
    pub pair: usize,
}

/// The entries, in order.
#[derive(Debug, Default)]
pub struct Worklist {
    entries: Vec<Entry>,
    members: Vec<Member>,
    /// The folders of languages or versions, if there are any.
    layout: Option<Layout>,
}

impl Worklist {
    /// Returns the worklist of some pairs of these documents, which come with the most similar ones first. It needs some 100
    /// bytes for each pair while it is made, and half of that afterwards.
    #[must_use]
    pub fn new(documents: &[Document], pairs: &[Pair], wanted: &Wanted<'_>) -> Self {
        let names = documents.iter().map(|document| &*document.name);
        let layout = (!wanted.has_sides).then(|| layout(names)).flatten();
        let folders = layout.as_ref();
        let folders = folders.map(|layout| Folders::new(layout, documents));
        let listed = Listed::new(documents, pairs, wanted, folders.as_ref());
        let mut list = Self::default();
        groups::add(&mut list, documents, &listed);
        list.add_related(documents, &listed);
        sums::add_families(&mut list, documents, &listed, Kind::Variants);
        sums::add_families(&mut list, documents, &listed, Kind::Subjects);
        sums::add_families(&mut list, documents, &listed, Kind::Family);
        list.add_short(documents, &listed);
        let is_version = |pair: &Pair| (wanted.is_listed)(pair) && listed.is_version(pair);
        sums::add_folders(&mut list, Kind::Versions, &listed, &is_version);
        let is_generated = |pair: &Pair| (wanted.is_listed)(pair) && listed.is_generated(pair);
        sums::add_folders(&mut list, Kind::Generated, &listed, &is_generated);
        let is_apart = |pair: &Pair| pair.is_apart(documents);
        sums::add_folders(&mut list, Kind::Code, &listed, &is_apart);
        order::sort(&mut list.entries, &list.members);
        if let Some(folders) = &folders {
            repeated::merge(&mut list, folders, &listed);
            order::sort(&mut list.entries, &list.members);
        }
        list.layout = layout;
        list
    }

    /// Returns the entries, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the members of an entry, the most similar ones first.
    #[must_use]
    pub fn members(&self, entry: &Entry) -> &[Member] {
        &self.members[entry.members.clone()]
    }

    /// Returns the folders of languages or versions that have the same pages as an entry too, as their names are typed.
    pub fn also(&self, entry: &Entry) -> impl Iterator<Item = &str> {
        let layout = self.layout.iter();
        layout.flat_map(|layout| entry.also.iter().map(|&at| &*layout.values[at]))
    }

    fn push(
        &mut self,
        kind: Kind,
        document: DocId,
        members: impl IntoIterator<Item = Member>,
        gain: u64,
    ) {
        let start = self.members.len();
        self.members.extend(members);
        let members = start..self.members.len();
        self.entries.push(Entry {
            kind,
            document,
            pairs: members.len() as u64,
            members,
            gain,
            also: BTreeSet::new(),
        });
    }

    /// Sets how many pairs the last entry represents.
    fn set_pairs(&mut self, pairs: u64) {
        if let Some(entry) = self.entries.last_mut() {
            entry.pairs = pairs;
        }
    }

    fn add_related(&mut self, documents: &[Document], listed: &Listed<'_>) {
        let related = listed.of(Relation::Related);
        for (at, pair) in related.filter(|(_, pair)| !listed.is_summed(pair)) {
            let [first, document] = longer_first(documents, pair);
            let member = Member { document, pair: at };
            self.push(Kind::Related, first, [member], gain(documents, pair));
        }
    }

    /// Adds one entry for all pairs that are too short to judge. Its documents are those of the first pair.
    fn add_short(&mut self, documents: &[Document], listed: &Listed<'_>) {
        if let Some((at, pair)) = listed.of(Relation::Short).next() {
            let [first, document] = longer_first(documents, pair);
            let member = Member { document, pair: at };
            self.push(Kind::Short, first, [member], 0);
            self.set_pairs(listed.of(Relation::Short).count() as u64);
        }
    }
}

/// Which pairs a worklist is made of, beside those that are set apart.
#[derive(Clone, Copy)]
pub struct Wanted<'w> {
    /// Whether a pair counts.
    pub is_listed: &'w dyn Fn(&Pair) -> bool,
    /// Whether the documents are compared with another collection only.
    pub has_sides: bool,
    /// The relations of the pairs that make the run fail. These are listed one by one.
    pub failing: Relations,
}

/// The pairs that a worklist is made of.
struct Listed<'p> {
    documents: &'p [Document],
    pairs: &'p [Pair],
    wanted: &'p Wanted<'p>,
    folders: Option<&'p Folders<'p>>,
}

impl<'p> Listed<'p> {
    fn new(
        documents: &'p [Document],
        pairs: &'p [Pair],
        wanted: &'p Wanted<'p>,
        folders: Option<&'p Folders<'p>>,
    ) -> Self {
        Self {
            documents,
            pairs,
            wanted,
            folders,
        }
    }

    /// Returns the pairs, each with its position.
    fn iter(&self) -> impl Iterator<Item = (usize, &'p Pair)> + '_ {
        let numbered = self.pairs.iter().enumerate();
        numbered.filter(|(_, pair)| {
            (self.wanted.is_listed)(pair) && !self.is_version(pair) && !self.is_generated(pair)
        })
    }

    /// Returns whether a pair is listed as one of versions or of translations: no pairs that make the run fail.
    fn is_version(&self, pair: &Pair) -> bool {
        !self.wanted.failing.have(pair.relation())
            && self.folders.is_some_and(|folders| folders.part(pair))
    }

    /// Returns whether a pair is listed as one of generated pages: no copies, and no pairs that make the run fail.
    fn is_generated(&self, pair: &Pair) -> bool {
        let may_be = matches!(
            pair.relation(),
            Relation::Near | Relation::Contains | Relation::Related
        ) && !self.wanted.failing.have(pair.relation())
            && !self.is_version(pair);
        may_be && self.are_generated(pair)
    }

    /// Returns whether programs wrote both documents of a pair.
    fn are_generated(&self, pair: &Pair) -> bool {
        [pair.a, pair.b]
            .iter()
            .all(|id| self.documents[id.index()].is_generated)
    }

    fn of(&self, relation: Relation) -> impl Iterator<Item = (usize, &'p Pair)> + '_ {
        self.iter()
            .filter(move |(_, pair)| pair.relation() == relation)
    }

    /// Returns whether a pair is listed with others of its family, and not one by one.
    fn is_summed(&self, pair: &Pair) -> bool {
        pair.rule.is_of_family() && !self.wanted.failing.have(pair.relation())
    }

    fn pair(&self, at: usize) -> &'p Pair {
        &self.pairs[at]
    }
}

/// Returns the documents of a pair, the longer one first.
fn longer_first(documents: &[Document], pair: &Pair) -> [DocId; 2] {
    match length(documents, pair.b) > length(documents, pair.a) {
        true => [pair.b, pair.a],
        false => [pair.a, pair.b],
    }
}

/// Returns the measures of the length of a document. The size of its shingle set comes first, as that decides which of
/// two documents contains the other one.
fn length(documents: &[Document], id: DocId) -> (u32, usize) {
    let document = &documents[id.index()];
    (document.shingles, document.length)
}

#[cfg(test)]
mod tests;
