//! Groups: stars around the longest document.

use std::cmp::Reverse;

use crate::clean::stars::{Decision, stars};
use crate::clean::ties::Tie;
use crate::clean::worklist::order::gain;
use crate::clean::worklist::{Kind, Listed, Member, Worklist, length};
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::pair::Pair;
use dupfind_engine::verdict::{Relation, Relations};

/// A pair of a document and the one in the middle of its group. Documents are numbered by length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ray {
    middle: u32,
    /// Whether the document in the middle is a member of another group.
    is_rest: bool,
    /// The position of the pair. The most similar pairs come first.
    pair: usize,
    document: u32,
}

impl Ray {
    fn new(middle: u32, document: u32, pair: usize, is_rest: bool) -> Self {
        Self {
            middle,
            is_rest,
            pair,
            document,
        }
    }
}

/// Adds the groups of the pairs that are duplicates.
///
/// Copies come first: of each text one document represents all, so that copies are distinguished from similar
/// documents. Documents that are near to it or contained in it join its copies; other copies are a group of their own.
pub(super) fn add(list: &mut Worklist, documents: &[Document], listed: &Listed<'_>) {
    let duplicates = || {
        let listed_pairs = listed.iter();
        listed_pairs.filter(|(_, pair)| Relations::DUPLICATES.have(pair.relation()))
    };
    let mut numbers = vec![u32::MAX; documents.len()];
    let ids = by_length(documents, duplicates().map(|(_, pair)| pair), &mut numbers);
    let of = |pair: &Pair| [pair.a, pair.b].map(|id| numbers[id.index()]);
    let mut rays: Vec<Ray> = Vec::new();
    let mut is_copy = vec![false; ids.len()];
    for copies in [true, false] {
        let pairs = || {
            let is_copy = &is_copy;
            duplicates().filter(move |(_, pair)| {
                let [a, b] = of(pair).map(|number| is_copy[number as usize]);
                (pair.relation() == Relation::Exact) == copies && !a && !b
            })
        };
        let tie = |(_, pair): (usize, &Pair)| {
            let [a, b] = of(pair);
            Tie {
                a,
                b,
                ..Tie::of(documents, pair)
            }
        };
        let ties: Vec<Tie> = pairs().map(tie).collect();
        let rank = match copies {
            true => hubs_first(&ties, ids.len()),
            false => (0..).take(ids.len()).collect(),
        };
        let decisions = stars(&rank, &ties, &[], &[]);
        drop(ties);
        let goes_for = |number: u32| match decisions[number as usize] {
            Decision::Drop(partner) => Some(partner.document),
            _ => None,
        };
        for (at, pair) in pairs() {
            let [a, b] = of(pair);
            for [document, middle] in [[a, b], [b, a]] {
                if goes_for(document) == Some(middle) {
                    rays.push(Ray::new(middle, document, at, false));
                }
            }
        }
        if copies {
            for ray in &rays {
                is_copy[ray.document as usize] = true;
            }
        }
    }
    let mut is_in = vec![false; ids.len()];
    for ray in &rays {
        is_in[ray.middle as usize] = true;
        is_in[ray.document as usize] = true;
    }
    // The rest of chains: each document with the one that it is most like.
    for (at, pair) in duplicates() {
        let [a, b] = of(pair);
        for [document, middle] in [[a, b], [b, a]] {
            if !is_in[document as usize] {
                rays.push(Ray::new(middle, document, at, true));
                is_in[middle as usize] = true;
                is_in[document as usize] = true;
            }
        }
    }
    rays.sort_unstable();
    let id = |number: u32| ids[number as usize];
    for rays in rays.chunk_by(|x, y| (x.middle, x.is_rest) == (y.middle, y.is_rest)) {
        let gains = rays
            .iter()
            .map(|ray| gain(documents, listed.pair(ray.pair)));
        // Of two documents the longer one comes first.
        let turns = rays.len() == 1 && rays[0].document < rays[0].middle;
        let (first, members): (u32, Vec<Ray>) = match turns {
            true => {
                let ray = rays[0];
                let (document, middle) = (ray.middle, ray.document);
                let turned = Ray { document, ..ray };
                (middle, vec![turned])
            }
            false => (rays[0].middle, rays.to_vec()),
        };
        let members = members.iter().map(|ray| Member {
            document: id(ray.document),
            pair: ray.pair,
        });
        list.push(Kind::Group, id(first), members, gains.sum());
    }
}

/// Returns the rank of each document among some ties: one with more ties comes first, and of equal ones the longer one.
/// If only some pairs of copies are listed, such as those of a new page, the page that is in all of them makes one group.
fn hubs_first(ties: &[Tie], count: usize) -> Vec<u32> {
    let mut counts = vec![0_u32; count];
    for document in ties.iter().flat_map(|tie| [tie.a, tie.b]) {
        counts[document as usize] += 1;
    }
    let mut order: Vec<u32> = (0..).take(count).collect();
    order.sort_by_key(|&document| Reverse(counts[document as usize]));
    let mut rank = vec![0; count];
    for (place, &document) in (0_u32..).zip(&order) {
        rank[document as usize] = place;
    }
    rank
}

/// Returns the documents of some pairs, the longest first, and sets their numbers in this order.
fn by_length<'p>(
    documents: &[Document],
    pairs: impl Iterator<Item = &'p Pair>,
    numbers: &mut [u32],
) -> Vec<DocId> {
    let mut ids: Vec<DocId> = Vec::new();
    for id in pairs.flat_map(|pair| [pair.a, pair.b]) {
        let number = &mut numbers[id.index()];
        if *number == u32::MAX {
            *number = 0;
            ids.push(id);
        }
    }
    ids.sort_unstable_by_key(|&id| (Reverse(length(documents, id)), id));
    for (number, id) in (0_u32..).zip(&ids) {
        numbers[id.index()] = number;
    }
    ids
}
