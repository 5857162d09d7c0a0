//! Pages that are in a few others together: none has most of it, and together they have nearly all of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::clean::worklist::gain::gain_of;
use crate::clean::worklist::{Kind, Listed, Member, Wanted, Worklist, names};
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::join::cover::cover;
use dupfind_engine::verdict::pair::{Pair, Share};

/// How much of the page is in the others together, in ten-thousandths.
const TOGETHER: u64 = 8_000;

/// From this share on, in ten-thousandths, one other page explains enough: the pair of the two is listed instead.
const IN_ONE: u64 = 7_000;

/// How many of the shingles of the page another page adds at least: one of so many.
const ADDS: u8 = 10;

/// How much the second one of the others adds at least, in ten-thousandths. Less is chance beside the part that the
/// first one has.
const SECOND: u64 = 2_000;

/// The most other pages.
const MOST: usize = 5;

/// How many pages are looked at for a page, at most: those that have most of it.
const PARTNERS: usize = 10;

/// The most shingles of all pages that are read again: some megabytes of text.
const READ: u64 = 1 << 20;

/// A page that is in a few others together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gathered {
    /// The page.
    pub document: DocId,
    /// How many shingles it has.
    pub shingles: usize,
    /// The others, the one that has most of it first.
    pub parts: Vec<Part>,
}

/// A page that has a part of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The page.
    pub document: DocId,
    /// The position of the pair of the two.
    pub pair: usize,
    /// The shingles that it has and no part before it.
    pub adds: Vec<u64>,
    /// How many shingles both have.
    pub shared: usize,
}

impl Gathered {
    /// Returns how many of its shingles are in the others.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.parts.iter().map(|part| part.adds.len()).sum()
    }

    /// Returns how much of the page a part adds, or all parts together.
    #[must_use]
    pub fn share<'p>(&self, parts: impl IntoIterator<Item = &'p Part>) -> Share {
        let adds = parts.into_iter().map(|part| part.adds.len()).sum();
        let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Share::new(count(adds), count(self.shingles))
    }
}

/// A document and its partners, each with the position of the pair and how much of the document it has.
type Candidate = (DocId, Vec<(DocId, usize, Share)>);

/// Returns the pages that are in a few others together, by name. Pairs of families and of generated pages do not count.
#[must_use]
pub fn gathered(documents: &[Document], pairs: &[Pair], wanted: &Wanted<'_>) -> Vec<Gathered> {
    of_listed(&Listed::new(documents, pairs, wanted, None))
}

pub(super) fn of_listed(listed: &Listed<'_>) -> Vec<Gathered> {
    let candidates = candidates(listed);
    let ids = candidates.iter().flat_map(|(id, partners)| {
        let others = partners.iter().map(|partner| partner.0);
        others.chain([*id])
    });
    let ids: BTreeSet<DocId> = ids.collect();
    if ids.is_empty() {
        return Vec::new();
    }
    let ids: Vec<DocId> = ids.into_iter().collect();
    let sets = (listed.wanted.shingles)(&ids).into_iter();
    let sets: HashMap<DocId, Vec<u64>> = ids
        .into_iter()
        .zip(sets)
        .filter_map(|(id, set)| Some((id, set?)))
        .collect();
    let found = candidates.iter();
    let found = found.filter_map(|candidate| together(candidate, &sets));
    let mut found: Vec<Gathered> = found.collect();
    found.sort_unstable_by_key(|gathered| gathered.document);
    found
}

/// Returns the documents that may be in others together, the largest first: none has most of them.
fn candidates(listed: &Listed<'_>) -> Vec<Candidate> {
    let documents = listed.documents;
    let numbered = || {
        let numbered = listed.pairs.iter().enumerate();
        numbered.filter(|(_, pair)| (listed.wanted.is_listed)(pair))
    };
    let sides = |pair: &Pair| {
        let shares = pair.shares(documents).into_iter().flatten();
        shares.zip([[pair.a, pair.b], [pair.b, pair.a]])
    };
    let is_part = |pair: &Pair, share: Share| {
        names::may_be_of_family(pair.relation)
            && share.steps() * u64::from(ADDS) >= Share::ALL.steps()
    };
    let mut sums = vec![0; documents.len()];
    let mut is_in_one = vec![false; documents.len()];
    for (_, pair) in numbered() {
        for (share, [id, _]) in sides(pair) {
            is_in_one[id.index()] |= share.steps() >= IN_ONE;
            sums[id.index()] += share.steps() * u64::from(is_part(pair, share));
        }
    }
    let may_be = |id: DocId| sums[id.index()] >= TOGETHER && !is_in_one[id.index()];
    let mut partners: BTreeMap<DocId, Vec<(DocId, usize, Share)>> = BTreeMap::new();
    for (at, pair) in numbered() {
        for (share, [id, other]) in sides(pair) {
            if may_be(id) && is_part(pair, share) && !listed.are_meant_to_be_alike(pair) {
                partners.entry(id).or_default().push((other, at, share));
            }
        }
    }
    let mut candidates: Vec<Candidate> = partners.into_iter().collect();
    candidates.sort_by_key(|&(id, _)| Reverse(documents[id.index()].shingles));
    let mut room = READ;
    candidates.retain_mut(|(id, partners)| {
        partners.sort_unstable_by_key(|&(other, _, share)| (Reverse(share), other));
        partners.truncate(PARTNERS);
        let shares = partners.iter().map(|partner| partner.2.steps());
        let is_enough = shares.sum::<u64>() >= TOGETHER;
        let ids = partners.iter().map(|partner| partner.0).chain([*id]);
        let shingles = ids.map(|id| u64::from(documents[id.index()].shingles));
        let left = room.checked_sub(shingles.sum()).filter(|_| is_enough);
        room = left.unwrap_or(room);
        left.is_some()
    });
    candidates
}

/// Returns a page with the partners that have it together, if they do.
fn together((id, partners): &Candidate, sets: &HashMap<DocId, Vec<u64>>) -> Option<Gathered> {
    let own = sets.get(id)?;
    let mut owners: Vec<Vec<usize>> = vec![Vec::new(); own.len()];
    for (number, (other, ..)) in partners.iter().enumerate() {
        let other = sets.get(other)?;
        for (shingle, owners) in own.iter().zip(&mut owners) {
            if other.binary_search(shingle).is_ok() {
                owners.push(number);
            }
        }
    }
    let least = own.len().div_ceil(ADDS.into());
    let covers = cover(&owners, partners.len(), least, MOST, |_| Ok(true)).ok()?;
    let parts = covers.into_iter().map(|cover| {
        let (document, pair, _) = partners[cover.set];
        Part {
            document,
            pair,
            adds: cover.adds.iter().map(|&at| own[at]).collect(),
            shared: cover.shared,
        }
    });
    let gathered = Gathered {
        document: *id,
        shingles: own.len(),
        parts: parts.collect(),
    };
    let adds = |parts: &[Part]| gathered.share(parts).steps();
    let second = gathered.parts.get(1..2).map_or(0, adds);
    (adds(&gathered.parts) >= TOGETHER && second >= SECOND).then_some(gathered)
}

/// Adds an entry for each of the pages that are in others together.
pub(super) fn add(list: &mut Worklist) {
    for gathered in std::mem::take(&mut list.gathered) {
        let members = gathered.parts.iter().map(|part| Member {
            document: part.document,
            pair: part.pair,
        });
        let gain = gain_of(gathered.covered() as u64, gathered.share(&gathered.parts));
        list.push(Kind::Gathered, gathered.document, members, gain);
        list.gathered.push(gathered);
    }
}
