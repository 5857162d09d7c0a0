//! The accepted pairs of a folder, so that only what is new has to be looked at.
//!
//! A [`Baseline`] is made from a file or from another run. It is told the documents of a run, finds out
//! which of them it knows whatever they are called now (`matching`), and then says how each pair stands.
//! An accepted pair stays accepted while its documents are renamed or edited, as long as they do not
//! become more similar. A further copy of an accepted text is new.
//!
//! Cost: reading and matching a file of n entries takes time in n log n, and a pair one look into a
//! table.

mod accepted;
pub(crate) mod content;
pub(crate) mod entry;
#[cfg(test)]
mod laws;
mod matching;
pub(crate) mod names;
pub(crate) mod read;
pub(crate) mod update;
mod write;

use std::collections::HashSet;
use std::sync::Arc;

use jiff::civil::Date;

use crate::document::{DocId, SkipReason, Skipped};
use crate::engine::outcome::{Document, Pair};
use crate::engine::relation::Relations;
use crate::gate::baseline::accepted::{Accepted, Unmet, sides};
use crate::gate::baseline::content::{Content, Cut};
use crate::gate::baseline::entry::Entry;
use crate::gate::baseline::names::{Names, cut_record};

/// How a pair stands to a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The baseline does not hold it.
    New,
    /// It was accepted, and has become worse since.
    Worse,
    /// It was accepted until a day that is over.
    Expired,
    /// It is accepted.
    Accepted,
}

impl Standing {
    /// Its name in reports.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Worse => "worse",
            Self::Expired => "expired",
            Self::Accepted => "accepted",
        }
    }

    /// Whether the pair is to be looked at.
    pub(crate) fn is_open(self) -> bool {
        self != Self::Accepted
    }
}

/// Accepted pairs.
#[derive(Debug)]
pub(crate) struct Baseline {
    accepted: Arc<Accepted>,
    /// For each entry, whether its pair is still there.
    met: Vec<bool>,
    /// Files of which not every record could be read: any of their entries may be one of those.
    set_aside: HashSet<String>,
}

impl Baseline {
    /// Takes what a file holds, how it names documents, what shingles are in the run to be judged, and
    /// the day it is (UTC, so that it is the same day everywhere).
    pub(crate) fn new(content: Content, names: Names, cut: Cut, today: Date) -> Self {
        Self::of(Accepted::new(content, &[], names, cut, today))
    }

    /// Takes the documents and all pairs of another run with the same settings, and the relations to be
    /// watched: a baseline without a file. Names of documents must mean the same in both runs.
    ///
    /// It knows more than a file: documents without a pair, and pairs of other relations, so that one that
    /// was `template` and is `near` only because of other documents is not new.
    pub(crate) fn from_run(
        documents: &[Document],
        pairs: &[Pair],
        relations: Relations,
        cut: Cut,
    ) -> Self {
        let names = Names::default();
        let sides = sides(&names, documents);
        let entries = pairs.iter().map(|pair| Entry::of_pair(&sides, pair));
        let content = Content::new(relations, cut, entries.collect());
        // No entry has a date.
        Self::of(Accepted::new(content, &sides, names, cut, Date::MIN))
    }

    fn of(accepted: Accepted) -> Self {
        Self {
            met: vec![false; accepted.content.entries().len()],
            set_aside: HashSet::new(),
            accepted: Arc::new(accepted),
        }
    }

    /// Takes all documents of a run and finds out which of them the baseline knows.
    pub(crate) fn documents(&mut self, documents: &[Document]) {
        self.accepted.documents(documents);
    }

    /// Takes a pair that counts, notes that it is still there, and returns how it stands; see
    /// [`Standings::of`].
    pub(crate) fn meet(&mut self, pair: &Pair) -> Option<Standing> {
        if let Some(at) = self.accepted.find(pair) {
            self.met[at] = true;
        }
        self.standing(pair)
    }

    /// Takes a pair that counts and returns how it stands; see [`Standings::of`].
    pub(crate) fn standing(&self, pair: &Pair) -> Option<Standing> {
        self.accepted.standing(pair)
    }

    /// How pairs stand, for who looks at them while the run goes on.
    pub(crate) fn standings(&self) -> Standings {
        Standings(Some(Arc::clone(&self.accepted)))
    }

    /// Whether the baseline knows a document, by name or by content. A file knows documents with an
    /// accepted pair only, another run all that it read.
    pub(crate) fn knows(&self, id: DocId) -> bool {
        self.accepted.knows(id)
    }

    /// Takes what was not read: of a file that is malformed, or that a program failed to read, nobody can tell which
    /// pairs are gone.
    pub(crate) fn set_aside(&mut self, skipped: &[Skipped]) {
        let malformed = skipped.iter().filter(|skipped| {
            matches!(
                skipped.reason,
                SkipReason::Malformed | SkipReason::PreFailed
            )
        });
        let names = &self.accepted.names;
        self.set_aside = malformed
            .map(|skipped| names.file_of(&skipped.path))
            .collect();
    }

    /// Why the pair of an entry was not met, if it was not.
    fn unmet(&self, at: usize) -> Option<Unmet> {
        let is_aside = |name| self.set_aside.contains(cut_record(name).0);
        let (a, b) = self.accepted.content.entries()[at].names();
        (!self.met[at]).then(|| {
            if is_aside(a) || is_aside(b) {
                Unmet::Unseen
            } else {
                self.accepted.unmet(at)
            }
        })
    }

    /// What it holds.
    pub(crate) fn content(&self) -> &Content {
        &self.accepted.content
    }

    /// Whether similarities of this run can be compared with those that it holds.
    pub(crate) fn is_comparable(&self) -> bool {
        self.accepted.is_comparable
    }

    /// The entries whose pairs are not there any more, by names. An entry that the run could not see, because
    /// a document of it lies in a folder that was not read, is none of them.
    pub(crate) fn stale(&self) -> impl Iterator<Item = &Entry> {
        let entries = self.accepted.content.entries().iter().enumerate();
        entries
            .filter(|&(at, _)| self.unmet(at) == Some(Unmet::Stale))
            .map(|(_, entry)| entry)
    }
}

/// How the pairs of a run stand, to be asked from everywhere. Without a baseline it says nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Standings(Option<Arc<Accepted>>);

impl Standings {
    /// Takes a pair that counts and returns how it stands; none without a baseline, and if the baseline
    /// neither has the pair nor holds pairs of its relation.
    pub(crate) fn of(&self, pair: &Pair) -> Option<Standing> {
        self.0.as_ref()?.standing(pair)
    }

    /// Takes a pair that counts and returns the reason that was given for accepting it.
    pub(crate) fn reason(&self, pair: &Pair) -> Option<&str> {
        let accepted = self.0.as_ref()?;
        let entry = &accepted.content.entries()[accepted.find(pair)?];
        entry.reason.as_deref()
    }
}
