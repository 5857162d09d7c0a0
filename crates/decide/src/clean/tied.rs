//! The documents of a scan that are tied to others, and which of them stay.

use crate::clean::doubt::{Sides, doubt, sides_of};
use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::stars::{Decision, Partner, exact, stars};
use crate::clean::ties::{Collected, Copies, Tie};
use dupfind_engine::DocId;
use dupfind_read::Editions;
use dupfind_scan::{Scan, Sources};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The documents that may stay or go, and the ties between them.
#[derive(Debug, Default)]
pub struct Tied<'s> {
    /// The documents, by name. Positions are those of ties.
    pub candidates: Vec<Candidate<'s>>,
    /// The ties.
    pub ties: Vec<Tie>,
    /// Groups of documents of the same text.
    pub copies: Vec<Copies>,
}

impl Tied<'_> {
    /// Lets a record go that holds one of the other set.
    pub fn let_containers_go(&mut self) {
        for tie in &mut self.ties {
            tie.container = None;
        }
    }

    /// Decides which documents stay and which go. `rank` has the place of each in the order of the rules, see [`stars`]. A
    /// page that may be another one than its partner stays.
    pub(in crate::clean) fn decisions(&self, rank: &[u32], facts: &Facts) -> Vec<Decision> {
        let candidates = &self.candidates;
        let stays: Vec<bool> = candidates.iter().map(|candidate| candidate.stays).collect();
        let (ties, ties_between) = self.ties_without_doubt(rank, facts);
        let (copies, copies_between) = self.copies_within_sides(rank);
        let mut decisions = stars(rank, &ties, &copies, &stays);
        for (own, decision) in candidates.iter().zip(&mut decisions) {
            if let Decision::Drop(partner) = *decision
                && doubt(
                    own,
                    &candidates[partner.document as usize],
                    partner.ground,
                    facts,
                )
                .is_some()
            {
                *decision = Decision::Unresolved(partner);
            }
        }
        if !facts.even_if_linked {
            let numbered = candidates.iter().zip(&decisions);
            let going = numbered.filter_map(|(own, decision)| match *decision {
                Decision::Drop(Partner { document, .. }) if !own.is_record() => {
                    Some((own.name(), candidates[document as usize].name()))
                }
                _ => None,
            });
            let named = facts.mentions.named_by_what_stays(going.collect());
            for (own, decision) in candidates.iter().zip(&mut decisions) {
                if let Decision::Drop(partner) = *decision
                    && named.contains(own.name())
                {
                    *decision = Decision::Unresolved(partner);
                }
            }
        }
        for tie in copies_between.into_iter().chain(ties_between) {
            let worse = tie.worse(rank);
            let decision = &mut decisions[worse as usize];
            if *decision == Decision::Keep {
                *decision = Decision::Unresolved(Partner::of(worse, &tie));
            }
        }
        decisions
    }

    /// Returns the ties that let the worse document by the rules go for the other one, and those that do not.
    fn ties_without_doubt(&self, rank: &[u32], facts: &Facts) -> (Vec<Tie>, Vec<Tie>) {
        let may_go = |tie: &Tie| {
            let worse = tie.worse(rank);
            let [own, other] = [worse, tie.other(worse)].map(|at| &self.candidates[at as usize]);
            doubt(own, other, tie.ground, facts).is_none()
        };
        let of_pages = |tie: &Tie| match self.candidates[tie.a as usize].is_record() {
            true => *tie,
            false => tie.with_container(),
        };
        self.ties.iter().map(of_pages).partition(may_go)
    }

    /// Returns the groups of documents of one text, each of one language, script and version, and ties between the best document of
    /// all that have a text and the best of each other group of it.
    fn copies_within_sides(&self, rank: &[u32]) -> (Vec<Copies>, Vec<Tie>) {
        let mut within = Vec::new();
        let mut between = Vec::new();
        let best_of = |documents: &[u32]| {
            let best = documents
                .iter()
                .copied()
                .min_by_key(|&at| rank[at as usize]);
            best.expect("a group has documents")
        };
        for group in &self.copies {
            let mut by_sides: BTreeMap<Sides<'_>, Vec<u32>> = BTreeMap::new();
            for &at in &group.documents {
                let candidate = &self.candidates[at as usize];
                let sides = match candidate.is_record() {
                    false => sides_of(candidate),
                    true => Sides::default(),
                };
                by_sides.entry(sides).or_default().push(at);
            }
            let first = best_of(&group.documents);
            for documents in by_sides.into_values() {
                let best = best_of(&documents);
                if best != first {
                    between.push(exact(first, best));
                }
                if documents.len() > 1 {
                    let have_same_ties = group.have_same_ties;
                    within.push(Copies {
                        documents,
                        have_same_ties,
                    });
                }
            }
        }
        (within, between)
    }
}

impl<'s> Tied<'s> {
    /// Returns the documents of a scan that are tied to others, with their ids. `place` gives the place of a file, by its
    /// position among the files of the scan, in the order that decides last.
    pub fn of_scan(
        outcome: &'s Scan,
        collected: Collected,
        place: impl Fn(u32) -> u64,
    ) -> (Self, Vec<DocId>) {
        let Collected { pairs, copies, .. } = collected;
        let mut is_tied = vec![false; outcome.documents.len()];
        let ends = pairs.iter().flat_map(|tie| [tie.a, tie.b]);
        for document in ends.chain(
            copies
                .iter()
                .flat_map(|group| group.documents.iter().copied()),
        ) {
            is_tied[document as usize] = true;
        }
        let (candidates, ids) = candidates(outcome, &is_tied, place);
        let mut position = vec![0_u32; outcome.documents.len()];
        for (at, id) in (0..).zip(&ids) {
            position[id.index()] = at;
        }
        let at = |document: u32| position[document as usize];
        let tied = Self {
            candidates,
            ties: pairs
                .into_iter()
                .map(|tie| Tie {
                    a: at(tie.a),
                    b: at(tie.b),
                    ..tie
                })
                .collect(),
            copies: copies
                .into_iter()
                .map(|group| Copies {
                    documents: group.documents.into_iter().map(at).collect(),
                    ..group
                })
                .collect(),
        };
        (tied, ids)
    }

    /// Returns all documents of a scan, without ties, and their ids.
    pub(in crate::clean) fn of_all(
        outcome: &'s Scan,
        place: impl Fn(u32) -> u64,
    ) -> (Self, Vec<DocId>) {
        let (candidates, ids) = candidates(outcome, &vec![true; outcome.documents.len()], place);
        let all = Self {
            candidates,
            ..Self::default()
        };
        (all, ids)
    }
}

/// Returns those of the documents that are tied, with their ids.
fn candidates<'s>(
    outcome: &'s Scan,
    is_tied: &[bool],
    place: impl Fn(u32) -> u64,
) -> (Vec<Candidate<'s>>, Vec<DocId>) {
    let tied = (0_u32..).zip(is_tied).filter(|(_, is_tied)| **is_tied);
    let ids: Vec<DocId> = tied.map(|(id, _)| DocId::from(id)).collect();
    let editions = editions(outcome);
    let candidate = |&id: &DocId| {
        let source = outcome.sources.of(id);
        // The other name of a file would keep it; records go from the copy of it.
        let has_names = source.has_names && !source.is_record();
        let document = &outcome.documents[id.index()];
        let editions = editions.as_ref().filter(|_| !source.is_record());
        Candidate {
            document,
            edition: editions.map_or([0; 2], |of| of.named(&document.name)),
            source,
            file: &outcome.sources.files[source.file as usize],
            place: place(source.file),
            is_home: false,
            is_accepted: false,
            has_names,
            // Without the name in the plan it would be there nevertheless.
            stays: source.is_against || has_names,
        }
    };
    (ids.iter().map(candidate).collect(), ids)
}

/// Returns the languages and versions of the pages: those that the scan told apart, or would have without `--across`.
fn editions(outcome: &Scan) -> Option<Arc<Editions>> {
    let Sources {
        documents, files, ..
    } = &outcome.sources;
    let of_pages = || {
        let pages = documents.iter().filter(|it| !it.is_record() && !it.is_code);
        let pages = pages.map(|page| files[page.file as usize].clone());
        Editions::of(&pages.collect::<Vec<_>>(), &outcome.options.walk.base).map(Arc::new)
    };
    outcome.sources.editions.clone().or_else(of_pages)
}
