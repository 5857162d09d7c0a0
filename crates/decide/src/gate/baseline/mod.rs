//! The accepted pairs of a folder. A pair is new if it is not accepted.
//!
//! A [`Baseline`] is made from a file or from another run. It gets the documents of a run, finds out which
//! of them it knows, even under other names (`matching`), and then returns the [`Standing`] of each pair. An accepted
//! pair stays accepted while its documents are renamed or edited, as long as they do not become copies. A
//! further copy of an accepted text is new. The pages of a family may be alike, new ones too, but no copies.
//!
//! The time to read and match a file of n pairs grows with n log n. Each pair of the run is one look into a
//! table.

mod accepted;
pub mod content;
#[cfg(test)]
mod content_tests;
#[cfg(test)]
mod laws;
mod matching;
pub mod names;
pub mod update;

use std::collections::HashSet;
use std::sync::Arc;

use crate::gate::baseline::accepted::{Accepted, Unmet, identities};
use crate::gate::baseline::content::{AcceptedPair, BaselineContent};
use crate::gate::baseline::names::{Names, cut_record};
use dupfind_engine::{DocId, Document, Pair, Relations};
use dupfind_read::{SkipReason, Skipped};
use dupfind_scan::Sources;

/// Whether a pair of a run is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is not accepted.
    New,
    /// It was accepted, and has become worse since.
    Worse,
    /// It is accepted.
    Accepted,
}

impl Standing {
    /// Returns the word for it in machine formats.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Worse => "worse",
            Self::Accepted => "accepted",
        }
    }

    /// Whether the pair is to be looked at.
    pub fn is_open(self) -> bool {
        self != Self::Accepted
    }
}

/// Accepted pairs.
#[derive(Debug)]
pub struct Baseline {
    accepted: Arc<Accepted>,
    /// For each accepted pair whether the run has it.
    met: Vec<bool>,
    /// Files with records that could not be read. Any of their accepted pairs may be one of these records.
    set_aside: HashSet<String>,
}

impl Baseline {
    /// Returns the baseline of a file.
    pub fn new(content: BaselineContent, names: Names) -> Self {
        Self::of(Accepted::new(content, &[], names))
    }

    /// Returns a baseline of some pairs of another run with the same settings. Names of documents must mean the same in
    /// both runs. `relations` are those of pairs that can be new. It knows documents without a pair, too.
    pub fn from_run(documents: &[Document], pairs: &[Pair], relations: Relations) -> Self {
        let names = Names::default();
        let identities = identities(&names, documents, None);
        let pairs = pairs
            .iter()
            .map(|pair| AcceptedPair::new(&identities, pair));
        let content = BaselineContent::new(relations, pairs.collect());
        Self::of(Accepted::new(content, &identities, names))
    }

    fn of(accepted: Accepted) -> Self {
        Self {
            met: vec![false; accepted.content.pairs().len()],
            set_aside: HashSet::new(),
            accepted: Arc::new(accepted),
        }
    }

    /// Finds out which documents of a run the baseline knows. It is called once: a baseline judges one run.
    pub(crate) fn documents(&mut self, documents: &[Document], sources: &Sources) {
        self.accepted.documents(documents, sources);
    }

    /// Notes that the run has a pair, and returns its standing; see [`Standings::of`].
    pub(crate) fn meet(&mut self, pair: &Pair) -> Option<Standing> {
        if let Some(at) = self.accepted.find(pair) {
            self.met[at] = true;
        }
        self.accepted.standing(pair)
    }

    /// Returns the standings of pairs, for use while the run goes on.
    pub(crate) fn standings(&self) -> Standings {
        Standings(Some(Arc::clone(&self.accepted)))
    }

    /// Whether the baseline knows a document, by name or by content. A file knows the documents of accepted
    /// pairs only, another run all that it read.
    pub(crate) fn knows(&self, id: DocId) -> bool {
        self.accepted.knows(id)
    }

    /// Returns the positions of the families that a document is in.
    pub(crate) fn families(&self, id: DocId) -> &[usize] {
        self.accepted.families(id)
    }

    /// Notes the files that were not read. If a file is malformed, or a program failed to read it, it is not known
    /// which of its pairs are gone.
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

    /// Returns why the run does not have an accepted pair, if it does not.
    fn unmet(&self, at: usize) -> Option<Unmet> {
        let is_aside = |name| self.set_aside.contains(cut_record(name).0);
        let (a, b) = self.accepted.content.pairs()[at].names();
        (!self.met[at]).then(|| {
            if is_aside(a) || is_aside(b) {
                Unmet::Unseen
            } else {
                self.accepted.unmet(at)
            }
        })
    }

    /// Returns the accepted pairs and their settings.
    pub fn content(&self) -> &BaselineContent {
        &self.accepted.content
    }

    /// Returns the accepted pairs that are gone, by names. Pairs that the run could not see, because a document
    /// is in a folder that was not read, are left out.
    pub fn stale(&self) -> impl Iterator<Item = &AcceptedPair> {
        let pairs = self.accepted.content.pairs().iter().enumerate();
        let stale = pairs.filter(|&(at, _)| self.unmet(at) == Some(Unmet::Stale));
        stale.map(|(_, pair)| pair)
    }
}

/// The standings of the pairs of a run. Clones are cheap. Without a baseline no pair has a standing.
#[derive(Debug, Clone, Default)]
pub struct Standings(Option<Arc<Accepted>>);

impl Standings {
    /// Returns the standing of a pair that counts; none without a baseline, or if the baseline does not have the
    /// pair, and one of its documents is set apart.
    pub fn of(&self, pair: &Pair) -> Option<Standing> {
        self.0.as_ref()?.standing(pair)
    }

    /// Whether a pair is accepted by a line of its own.
    pub fn lists(&self, pair: &Pair) -> bool {
        let accepted = self.0.as_ref();
        accepted.is_some_and(|accepted| accepted.find(pair).is_some())
    }

    /// Returns the reason that was given for accepting a pair, or its family.
    pub fn reason(&self, pair: &Pair) -> Option<&str> {
        let accepted = self.0.as_ref()?;
        match accepted.find(pair) {
            Some(at) => accepted.content.pairs()[at].reason.as_deref(),
            None => Some(&accepted.family(pair)?.reason),
        }
    }
}
