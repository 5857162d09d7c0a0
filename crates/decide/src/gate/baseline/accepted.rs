//! Looks up accepted pairs by the documents of a run.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::OnceLock;

use crate::gate::baseline::Standing;
use crate::gate::baseline::content::{AcceptedPair, BaselineContent, DocumentIdentity, Family};
use crate::gate::baseline::matching::{Fate, KnownDocument, fates};
use crate::gate::baseline::names::{Names, cut_record};
use crate::glob::FileGlob;
use dupfind_engine::features::document::Place;
use dupfind_engine::{DocId, Document, Pair, Relation};
use dupfind_scan::Sources;

/// The content of a baseline, in the form for questions about pairs of a run.
#[derive(Debug)]
pub(super) struct Accepted {
    pub(super) content: BaselineContent,
    pub(super) names: Names,
    /// The globs of the families.
    families: Vec<FileGlob>,
    /// By name.
    known: Vec<KnownDocument>,
    /// For each accepted pair the positions of its documents in `known`, ascending.
    positions: Vec<(u32, u32)>,
    /// The accepted pairs by the positions of their documents.
    by_positions: HashMap<(u32, u32), u32>,
    /// Set once the documents of the run are known.
    run: OnceLock<RunDocuments>,
}

/// The documents of a run.
#[derive(Debug)]
pub(super) struct RunDocuments {
    /// By id.
    pub(super) documents: Vec<DocumentIdentity>,
    /// Which document of the baseline each of them is, by id.
    known: Vec<Option<u32>>,
    /// The fate of each document of the baseline.
    fates: Vec<Fate>,
    /// For each document whether it is only there for others to be compared with; none if no document is.
    against: Option<Vec<bool>>,
    /// For each document what decides whether a pair of it is set apart. The baseline does not hold such pairs.
    apart: Vec<Place>,
    /// For each document the families that it is in; empty if there are no families.
    families: Vec<Vec<usize>>,
}

/// Why a run does not have an accepted pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unmet {
    /// The run could not see it: a document is elsewhere, or two collections were compared and both documents
    /// are in one of them.
    Unseen,
    /// It is gone.
    Stale,
}

impl Accepted {
    /// Returns the accepted pairs of a content. `others` are documents that are known though they are in no
    /// accepted pair.
    pub(super) fn new(content: BaselineContent, others: &[DocumentIdentity], names: Names) -> Self {
        let of_pairs = content.pairs().iter().flat_map(|pair| [&pair.a, &pair.b]);
        let mut all: Vec<&DocumentIdentity> = of_pairs.chain(others).collect();
        all.sort_unstable();
        all.dedup();
        let known: Vec<KnownDocument> = all
            .chunk_by(|one, other| one.name == other.name)
            .map(|one| KnownDocument {
                name: one[0].name.clone(),
                texts: one.iter().map(|one| one.text).collect(),
            })
            .collect();
        let by_name: HashMap<&str, u32> = known
            .iter()
            .map(|known| known.name.as_str())
            .zip(0..)
            .collect();
        let positions = content.pairs().iter().map(|pair| {
            let (a, b) = pair.names();
            (by_name[a], by_name[b])
        });
        let positions: Vec<(u32, u32)> = positions.collect();
        Self {
            by_positions: positions.iter().copied().zip(0..).collect(),
            positions,
            known,
            families: content.families.iter().flat_map(Family::glob).collect(),
            content,
            names,
            run: OnceLock::new(),
        }
    }

    /// Finds out which documents of the run are known. It is called once.
    pub(super) fn documents(&self, documents: &[Document], sources: &Sources) {
        let identities = identities(&self.names, documents, Some(sources));
        let records = sources
            .documents
            .iter()
            .zip(&identities)
            .filter(|(source, _)| source.is_record());
        // A record that is gone from a file that was read is nowhere else.
        let read = records.map(|(_, record)| cut_record(&record.name).0);
        let read: HashSet<&str> = read.collect();
        let fates = fates(&self.known, &identities, |name| {
            let (file, _) = cut_record(name);
            !read.contains(file) && self.names.is_there(file)
        });
        let mut known = vec![None; documents.len()];
        for (at, fate) in (0..).zip(&fates) {
            if let Fate::Met(id) = fate {
                known[*id as usize] = Some(at);
            }
        }
        let sides = sources.documents.iter();
        let against: Vec<bool> = sides.map(|source| source.is_against).collect();
        let run = RunDocuments {
            known,
            fates,
            against: against.contains(&true).then_some(against),
            families: self.families_of(&identities),
            documents: identities,
            apart: documents.iter().map(Document::place).collect(),
        };
        self.run.set(run).expect("the documents of a run come once");
    }

    /// Returns the families that each document is in; nothing if there are no families.
    fn families_of(&self, documents: &[DocumentIdentity]) -> Vec<Vec<usize>> {
        let of = |document: &DocumentIdentity| {
            let file = cut_record(&document.name).0;
            let globs = self.families.iter().enumerate();
            let found = globs.filter(|(_, glob)| glob.matches(Path::new(file)));
            found.map(|(at, _)| at).collect()
        };
        match self.families.is_empty() {
            true => Vec::new(),
            false => documents.iter().map(of).collect(),
        }
    }

    /// Returns the family in which a pair may be alike; none for a copy.
    pub(super) fn family(&self, pair: &Pair) -> Option<&Family> {
        let of = |id: DocId| self.run()?.families.get(id.index());
        let (a, b) = (of(pair.a)?, of(pair.b)?);
        let both = a.iter().find(|family| b.contains(family))?;
        (pair.relation() != Relation::Exact).then(|| &self.content.families[*both])
    }

    /// Returns the documents of the run, once they are known.
    pub(super) fn run(&self) -> Option<&RunDocuments> {
        self.run.get()
    }

    pub(super) fn knows(&self, id: DocId) -> bool {
        self.run()
            .is_some_and(|run| run.known[id.index()].is_some())
    }

    /// Returns the positions of the families that a document is in.
    pub(super) fn families(&self, id: DocId) -> &[usize] {
        let run = self.run.get();
        let families = run.and_then(|run| run.families.get(id.index()));
        families.map_or(&[], Vec::as_slice)
    }

    /// Returns the position of a pair among the accepted ones, if it is accepted.
    pub(super) fn find(&self, pair: &Pair) -> Option<usize> {
        let run = self.run()?;
        let known = |id: DocId| run.known[id.index()];
        let (a, b) = (known(pair.a)?, known(pair.b)?);
        let at = self.by_positions.get(&(a.min(b), a.max(b)))?;
        Some(*at as usize)
    }

    /// Returns the standing of a pair; none if a document of it is set apart. Only a pair that is listed or of a family is
    /// accepted, whatever its relation is.
    pub(super) fn standing(&self, pair: &Pair) -> Option<Standing> {
        if self.family(pair).is_some() {
            return Some(Standing::Accepted);
        }
        let is_apart = |run: &RunDocuments| {
            let [a, b] = [pair.a, pair.b].map(|id| run.apart[id.index()]);
            a.apart(b).is_some()
        };
        let Some(at) = self.find(pair) else {
            return (!self.run().is_some_and(is_apart)).then_some(Standing::New);
        };
        let is_worse = !self.is_unchanged(at) && self.content.pairs()[at].is_exceeded_by(pair);
        Some(match is_worse {
            true => Standing::Worse,
            false => Standing::Accepted,
        })
    }

    /// Whether both documents of an accepted pair are there with the texts that were accepted. Then the pair is
    /// unchanged, even if other documents have changed its relation.
    pub(super) fn is_unchanged(&self, at: usize) -> bool {
        let pair = &self.content.pairs()[at];
        let is_same =
            |was: &DocumentIdentity, at| self.now(at).is_some_and(|now| now.text == was.text);
        let (a, b) = self.positions[at];
        is_same(&pair.a, a) && is_same(&pair.b, b)
    }

    /// Returns an accepted pair with the names that its documents have now.
    pub(super) fn renamed(&self, at: usize) -> AcceptedPair {
        let mut pair = self.content.pairs()[at].clone();
        let (a, b) = self.positions[at];
        for (document, at) in [(&mut pair.a, a), (&mut pair.b, b)] {
            if let Some(now) = self.now(at) {
                document.name.clone_from(&now.name);
            }
        }
        pair
    }

    /// Returns why the run does not have an accepted pair.
    pub(super) fn unmet(&self, at: usize) -> Unmet {
        let Some(run) = self.run() else {
            return Unmet::Unseen;
        };
        let (a, b) = self.positions[at];
        let is_gone = |at: u32| {
            let name = &self.known[at as usize].name;
            run.fates[at as usize] == Fate::Gone && self.names.is_in_sight(cut_record(name).0)
        };
        if is_gone(a) || is_gone(b) {
            return Unmet::Stale;
        }
        match (run.fates[a as usize], run.fates[b as usize]) {
            (Fate::Met(a), Fate::Met(b)) => {
                let is_one_side = |against: &Vec<bool>| against[a as usize] == against[b as usize];
                match run.against.as_ref().is_some_and(is_one_side) {
                    true => Unmet::Unseen,
                    false => Unmet::Stale,
                }
            }
            // A document of a folder that was not read may be there under another name.
            _ => Unmet::Unseen,
        }
    }

    /// Returns the present state of a document of the baseline, if the run has it.
    fn now(&self, at: u32) -> Option<&DocumentIdentity> {
        let run = self.run()?;
        match run.fates[at as usize] {
            Fate::Met(id) => Some(&run.documents[id as usize]),
            Fate::Elsewhere | Fate::Gone => None,
        }
    }
}

/// Returns the data that a baseline keeps of the documents of a run, by id.
pub(super) fn identities(
    names: &Names,
    documents: &[Document],
    sources: Option<&Sources>,
) -> Vec<DocumentIdentity> {
    let is_record = |at: usize| sources.is_some_and(|sources| sources.documents[at].is_record());
    let identity = |(at, document): (usize, &Document)| DocumentIdentity {
        name: names.of(&document.name, is_record(at)),
        text: document.text_hash,
    };
    documents.iter().enumerate().map(identity).collect()
}
