//! Makes a plan of a scan: ties and rules in, lines out.

use crate::clean::doubt::{doubt, is_apart, named_in};
use crate::clean::drops::{Drops, Ground};
use crate::clean::keep::candidate::{Candidate, Facts};
use crate::clean::keep::reason::Reason;
use crate::clean::mentions::named_by_what_stays;
use crate::clean::plan::line::{
    Drop, FileLoss, Header, Line, SCHEMA_VERSION, Unresolved, because, file_hash,
};
use crate::clean::records::verdict::Verdicts;
use crate::clean::stars::{Decision, Partner, exact, stars};
use crate::clean::ties::{Collected, Copies, Measures, Tie};
use dupfind_engine::{DocId, Relation};
use dupfind_read::ReadOptions;
use dupfind_read::site::names::sides;
use dupfind_scan::Scan;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

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
        let (ties, apart) = self.ties_within_sides();
        let (copies, apart_copies) = self.copies_within_sides(rank);
        let mut decisions = stars(rank, &ties, &copies, &stays);
        for (own, decision) in candidates.iter().zip(&mut decisions) {
            if let Decision::Drop(partner) = *decision
                && doubt(own, &candidates[partner.document as usize], facts).is_some()
            {
                *decision = Decision::Unresolved(partner);
            }
        }
        if !facts.even_if_linked && !facts.mentions.is_empty() {
            let numbered = candidates.iter().zip(&decisions);
            let going = numbered.filter(|(_, decision)| matches!(decision, Decision::Drop(_)));
            let going = going.map(|(own, _)| own.name()).collect();
            let named = named_by_what_stays(going, &facts.mentions);
            for (own, decision) in candidates.iter().zip(&mut decisions) {
                if let Decision::Drop(partner) = *decision
                    && named.contains(own.name())
                {
                    *decision = Decision::Unresolved(partner);
                }
            }
        }
        for tie in apart_copies.into_iter().chain(apart) {
            let worse = match rank[tie.a as usize] < rank[tie.b as usize] {
                true => tie.b,
                false => tie.a,
            };
            let decision = &mut decisions[worse as usize];
            if *decision == Decision::Keep {
                *decision = Decision::Unresolved(Partner::of(worse, &tie));
            }
        }
        decisions
    }

    /// Returns the ties between documents of one language and version, and the other ties.
    fn ties_within_sides(&self) -> (Vec<Tie>, Vec<Tie>) {
        let is_within = |tie: &Tie| {
            let [a, b] = [tie.a, tie.b].map(|at| &self.candidates[at as usize]);
            !is_apart(a, b)
        };
        self.ties.iter().copied().partition(is_within)
    }

    /// Returns the groups of documents of one text, each of one language and version, and ties between the best document of
    /// all that have a text and the best of each other group of it.
    fn copies_within_sides(&self, rank: &[u32]) -> (Vec<Copies>, Vec<Tie>) {
        let mut within = Vec::new();
        let mut apart = Vec::new();
        let best_of = |documents: &[u32]| {
            let best = documents
                .iter()
                .copied()
                .min_by_key(|&at| rank[at as usize]);
            best.expect("a group has documents")
        };
        for group in &self.copies {
            let mut by_sides: BTreeMap<Vec<&str>, Vec<u32>> = BTreeMap::new();
            for &at in &group.documents {
                let candidate = &self.candidates[at as usize];
                let sides = match candidate.is_record() {
                    false => sides(candidate.name()),
                    true => Vec::new(),
                };
                by_sides.entry(sides).or_default().push(at);
            }
            let first = best_of(&group.documents);
            for documents in by_sides.into_values() {
                let best = best_of(&documents);
                if best != first {
                    apart.push(exact(first, best));
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
        (within, apart)
    }
}

/// A plan, and the facts that are printed about it.
#[derive(Debug)]
pub struct Plan {
    /// The first line.
    pub header: Header,
    /// The other lines, by the document that stays and the one that goes; then those that are unresolved.
    pub lines: Vec<Line>,
    /// The difference that the rule found for each document that goes, in the order of the lines.
    pub reasons: Vec<Reason>,
    /// Counts.
    pub summary: Summary,
    /// The files that could not be read, with the message of the operating system. Their documents are in no line.
    pub unreadable: Vec<(PathBuf, io::Error)>,
}

/// The counts of a plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Documents that stay for others.
    pub groups: usize,
    /// Documents that go.
    pub drops: usize,
    /// Documents to look at.
    pub unresolved: usize,
    /// The bytes of the texts that go.
    pub bytes: u64,
}

impl Plan {
    /// Writes down which documents stay and which go, hashes the files, and reads those of exact copies again: files of one
    /// text may differ. Paths are relative to `base`.
    pub fn new(verdicts: &Verdicts<'_>, drops: Drops, options: &ReadOptions, base: &Path) -> Self {
        let (hashes, unreadable) = verdicts.hashes(base);
        let mut losses = verdicts.losses(&hashes, options, base);
        let mut unresolved: Vec<Unresolved> = verdicts.staying().collect();
        let mut drop_lines = Vec::new();
        let mut keepers = BTreeSet::new();
        let mut summary = Summary::default();
        for (at, own, partner) in verdicts.going() {
            let keeper = verdicts.keeper(partner);
            let (Some(keep_hash), Some(drop_hash)) =
                (hashes.get(keeper.file), hashes.get(own.file))
            else {
                continue;
            };
            keepers.insert(partner.document);
            summary.bytes += own.document.length as u64;
            let (rule, reason) = verdicts.reason(at, partner);
            let linked_from = verdicts.facts.mentions.get(own.name());
            let (because, only_in_drop) = match losses.remove(&at) {
                Some(loss) => (loss.because, loss.lines),
                None => (because(partner.ground, partner.measures).into(), None),
            };
            let line = Drop {
                keep: keeper.name().to_owned(),
                drop: own.name().to_owned(),
                relation: partner.ground,
                measures: partner.measures.into(),
                because,
                only_in_drop,
                rule: rule.to_string(),
                reason: reason.to_string(),
                linked_from: linked_from.into_iter().flatten().cloned().collect(),
                keep_hash: keep_hash.clone(),
                drop_hash: drop_hash.clone(),
            };
            drop_lines.push((line, reason));
        }
        drop_lines.sort_by(|(a, _), (b, _)| (&a.keep, &a.drop).cmp(&(&b.keep, &b.drop)));
        let (drop_lines, reasons): (Vec<Drop>, Vec<Reason>) = drop_lines.into_iter().unzip();
        unresolved.sort_by(|a, b| a.document.cmp(&b.document));
        summary.groups = keepers.len();
        summary.drops = drop_lines.len();
        summary.unresolved = unresolved.len();
        let drops_first = drop_lines.into_iter().map(Line::Drop);
        Self {
            header: Header {
                schema_version: SCHEMA_VERSION,
                min_similarity: Measures::number(drops.least),
                keep: verdicts
                    .keep
                    .rules()
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
                drop: drops.names().into_iter().map(str::to_owned).collect(),
                folder: None,
            },
            lines: drops_first
                .chain(unresolved.into_iter().map(Line::Unresolved))
                .collect(),
            reasons,
            summary,
            unreadable,
        }
    }
}

impl<'t> Verdicts<'t> {
    /// Returns the documents that stay though they are like others, each with the reason.
    fn staying(&self) -> impl Iterator<Item = Unresolved> {
        let decided = self.tied.candidates.iter().zip(&self.decisions);
        decided.filter_map(|(own, decision)| {
            let Decision::Unresolved(partner) = *decision else {
                return None;
            };
            Some(Unresolved {
                document: own.name().to_owned(),
                other: self.name(partner.document).to_owned(),
                relation: partner.ground,
                measures: partner.measures.into(),
                because: self.why_it_stays(own, partner),
            })
        })
    }

    fn why_it_stays(&self, own: &Candidate<'_>, partner: Partner) -> String {
        let other = self.keeper(partner);
        match self.decisions[partner.document as usize] {
            _ if own.is_accepted => "it stays, as a pair of it is accepted".into(),
            _ if own.has_names => "it stays, as its file has other names here (hard links)".into(),
            _ if own.is_home && own.stays => {
                "it is the page of its folder, which goes only if it is named".into()
            }
            Decision::Drop(partner) => format!(
                "{} goes for {}, and {} is not alike enough to that one",
                other.name(),
                self.name(partner.document),
                own.name()
            ),
            _ => match doubt(own, other, self.facts).or_else(|| named_in(own, self.facts)) {
                Some(doubt) => doubt,
                None if partner.ground == Ground::Relation(Relation::Contains) => {
                    "a rule keeps the one of the two that is a part of the other".into()
                }
                None => format!("{} stays too", other.name()),
            },
        }
    }

    /// Returns the hashes of the files of all documents that go, and of those that stay for them.
    fn hashes(&self, base: &Path) -> (HashMap<&'t Path, String>, Vec<(PathBuf, io::Error)>) {
        let going = self.going();
        let files: BTreeSet<&Path> = going
            .flat_map(|(_, own, partner)| [own.file, self.keeper(partner).file])
            .collect();
        let hashed: Vec<(&Path, io::Result<String>)> = files
            .into_par_iter()
            .map(|file| (file, file_hash(&base.join(file))))
            .collect();
        let mut hashes = HashMap::new();
        let mut unreadable = Vec::new();
        for (file, hash) in hashed {
            match hash {
                Ok(hash) => drop(hashes.insert(file, hash)),
                Err(error) => unreadable.push((file.to_owned(), error)),
            }
        }
        (hashes, unreadable)
    }

    /// Returns what each document that goes for an exact copy has in its file and the other one has not, by its position.
    /// Records are parts of files, and have no files to compare.
    fn losses(
        &self,
        hashes: &HashMap<&Path, String>,
        options: &ReadOptions,
        base: &Path,
    ) -> HashMap<usize, FileLoss> {
        let going: Vec<(usize, &Candidate<'_>, Partner)> = self.going().collect();
        let of = |(at, own, partner): (usize, &Candidate<'_>, Partner)| {
            let keeper = self.keeper(partner);
            if partner.ground != Ground::EXACT || keeper.is_record() || own.is_record() {
                return None;
            }
            let [keep_hash, drop_hash] = [keeper, own].map(|of| hashes.get(of.file));
            let loss = match keep_hash? == drop_hash? {
                true => FileLoss::of_same_bytes(),
                false => FileLoss::of_files(&base.join(keeper.file), &base.join(own.file), options),
            };
            Some((at, loss))
        };
        going.into_par_iter().filter_map(of).collect()
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
    let candidate = |&id: &DocId| {
        let source = outcome.sources.of(id);
        // The other name of a file would keep it; records go from the copy of it.
        let has_names = source.has_names && !source.is_record();
        Candidate {
            document: &outcome.documents[id.index()],
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
