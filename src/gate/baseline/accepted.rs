//! The accepted pairs, found by the documents of a run.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use jiff::civil::Date;

use crate::document::DocId;
use crate::engine::outcome::{Document, Pair};
use crate::gate::baseline::Standing;
use crate::gate::baseline::content::{Content, Cut};
use crate::gate::baseline::entry::{Entry, Side};
use crate::gate::baseline::matching::{Fate, Known, fates};
use crate::gate::baseline::names::{Names, cut_record};

/// What a baseline holds, ready to be asked about pairs of a run.
#[derive(Debug)]
pub(super) struct Accepted {
    pub(super) content: Content,
    pub(super) names: Names,
    pub(super) today: Date,
    /// Whether similarities of this run can be compared with those of the baseline.
    pub(super) is_comparable: bool,
    /// By name.
    known: Vec<Known>,
    /// The positions of the documents of each entry, the first by name first.
    sides: Vec<(u32, u32)>,
    /// Which entry is of which two documents.
    by_sides: HashMap<(u32, u32), u32>,
    /// Known when the documents of the run are.
    run: OnceLock<Run>,
}

/// The documents of a run, as the baseline sees them.
#[derive(Debug)]
pub(super) struct Run {
    /// All of them, by id.
    pub(super) documents: Vec<Side>,
    /// Which document of the baseline each of them is, by id.
    known: Vec<Option<u32>>,
    /// What became of those of the baseline.
    fates: Vec<Fate>,
    /// Whether each is only there for others to be compared with, if some are.
    against: Option<Vec<bool>>,
}

/// What is to be said of an entry of which no pair was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unmet {
    /// The run could not see it: a document is elsewhere, or both are on one side of two that were
    /// compared with each other.
    Unseen,
    /// Its pair is gone.
    Stale,
}

impl Accepted {
    /// Takes what a baseline holds, documents that it knows though no entry has them, how it names
    /// documents, what shingles are in this run, and the day it is.
    pub(super) fn new(
        content: Content,
        others: &[Side],
        names: Names,
        cut: Cut,
        today: Date,
    ) -> Self {
        let of_entries = content
            .entries()
            .iter()
            .flat_map(|entry| [&entry.a, &entry.b]);
        let mut all: Vec<&Side> = of_entries.chain(others).collect();
        all.sort_unstable();
        all.dedup();
        let known: Vec<Known> = all
            .chunk_by(|one, other| one.name == other.name)
            .map(|one| Known {
                name: one[0].name.clone(),
                texts: one
                    .iter()
                    .map(|side| (side.text, side.fingerprint))
                    .collect(),
            })
            .collect();
        let by_name: HashMap<&str, u32> = known
            .iter()
            .map(|known| known.name.as_str())
            .zip(0..)
            .collect();
        let sides = content.entries().iter().map(|entry| {
            let (a, b) = entry.names();
            (by_name[a], by_name[b])
        });
        let sides: Vec<(u32, u32)> = sides.collect();
        Self {
            is_comparable: content.cut == cut,
            by_sides: sides.iter().copied().zip(0..).collect(),
            sides,
            known,
            content,
            names,
            today,
            run: OnceLock::new(),
        }
    }

    /// Takes all documents of the run.
    pub(super) fn documents(&self, documents: &[Document]) {
        let sides: Vec<Side> = sides(&self.names, documents);
        let is_record = |document: &&Document| document.place.is_record();
        let records = documents
            .iter()
            .zip(&sides)
            .filter(|(document, _)| is_record(document));
        // A record that is gone from a file that was read is nowhere else.
        let read: HashSet<&str> = records.map(|(_, side)| cut_record(&side.name).0).collect();
        let fates = fates(&self.known, &sides, |name| {
            let (file, _) = cut_record(name);
            !read.contains(file) && self.names.is_there(file)
        });
        let mut known = vec![None; documents.len()];
        for (at, fate) in (0..).zip(&fates) {
            if let Fate::Met(id) = fate {
                known[*id as usize] = Some(at);
            }
        }
        let against: Vec<bool> = documents
            .iter()
            .map(|document| document.is_against)
            .collect();
        let run = Run {
            known,
            fates,
            against: against.contains(&true).then_some(against),
            documents: sides,
        };
        self.run.set(run).expect("the documents of a run come once");
    }

    /// The documents of the run, once they are known.
    pub(super) fn run(&self) -> Option<&Run> {
        self.run.get()
    }

    /// Whether it knows a document.
    pub(super) fn knows(&self, id: DocId) -> bool {
        self.run()
            .is_some_and(|run| run.known[id.index()].is_some())
    }

    /// The position of the entry of a pair, if there is one.
    pub(super) fn find(&self, pair: &Pair) -> Option<usize> {
        let run = self.run()?;
        let known = |id: DocId| run.known[id.index()];
        let (a, b) = (known(pair.a)?, known(pair.b)?);
        let entry = self.by_sides.get(&(a.min(b), a.max(b)))?;
        Some(*entry as usize)
    }

    /// How a pair stands; none if the baseline says nothing about pairs of its relation.
    pub(super) fn standing(&self, pair: &Pair) -> Option<Standing> {
        let Some(at) = self.find(pair) else {
            let is_held = self.content.relations.have(pair.relation);
            return is_held.then_some(Standing::New);
        };
        let entry = &self.content.entries()[at];
        Some(if entry.is_expired(self.today) {
            Standing::Expired
        } else if !self.is_unchanged(at) && entry.is_exceeded_by(pair, self.is_comparable) {
            Standing::Worse
        } else {
            Standing::Accepted
        })
    }

    /// Whether both texts of an entry whose documents are there are those that were accepted. Then the pair
    /// is what it was, also if its relation is another one now because of other documents.
    pub(super) fn is_unchanged(&self, at: usize) -> bool {
        let entry = &self.content.entries()[at];
        let is_same = |side: &Side, known| self.now(known).is_some_and(|now| now.text == side.text);
        let (a, b) = self.sides[at];
        is_same(&entry.a, a) && is_same(&entry.b, b)
    }

    /// An entry with the names and fingerprints that its documents have now.
    pub(super) fn renamed(&self, at: usize) -> Entry {
        let mut entry = self.content.entries()[at].clone();
        let (a, b) = self.sides[at];
        for (side, known) in [(&mut entry.a, a), (&mut entry.b, b)] {
            if let Some(now) = self.now(known) {
                side.name.clone_from(&now.name);
                if side.text == now.text {
                    side.fingerprint = now.fingerprint.or(side.fingerprint);
                }
            }
        }
        entry
    }

    /// What is to be said of an entry of which no pair was met.
    pub(super) fn unmet(&self, at: usize) -> Unmet {
        let Some(run) = self.run() else {
            return Unmet::Unseen;
        };
        let (a, b) = self.sides[at];
        let is_gone = |at: u32| {
            let name = &self.known[at as usize].name;
            run.fates[at as usize] == Fate::Gone && self.names.is_in_sight(cut_record(name).0)
        };
        if is_gone(a) || is_gone(b) {
            return Unmet::Stale;
        }
        match (run.fates[a as usize], run.fates[b as usize]) {
            // What was in a folder that was not read may be there by another name.
            (Fate::Gone, _) | (_, Fate::Gone) => Unmet::Unseen,
            (Fate::Elsewhere, _) | (_, Fate::Elsewhere) => Unmet::Unseen,
            (Fate::Met(a), Fate::Met(b)) => {
                let sides = run.against.as_ref();
                let same_side = |against: &Vec<bool>| against[a as usize] == against[b as usize];
                if sides.is_some_and(same_side) {
                    Unmet::Unseen
                } else {
                    Unmet::Stale
                }
            }
        }
    }

    /// What a document of the baseline is now.
    fn now(&self, known: u32) -> Option<&Side> {
        let run = self.run()?;
        match run.fates[known as usize] {
            Fate::Met(id) => Some(&run.documents[id as usize]),
            Fate::Elsewhere | Fate::Gone => None,
        }
    }
}

/// Documents of a run as a baseline keeps them, by id.
pub(super) fn sides(names: &Names, documents: &[Document]) -> Vec<Side> {
    let side = |document: &Document| Side {
        name: names.of(document),
        text: document.text_hash,
        fingerprint: document.fingerprint,
    };
    documents.iter().map(side).collect()
}
