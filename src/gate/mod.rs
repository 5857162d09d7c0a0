//! Which pairs count, and which of them are new: what a content repository asks of a run.
//!
//! A [`Gate`] judges every pair that a scan finds. First its [`Scope`] says whether the pair counts at all;
//! what does not is in no report and no cluster. Then its [`Baseline`], if it has one, says whether the pair
//! is accepted. Both see the documents before the first pair.

pub mod baseline;
pub mod scope;

use std::path::PathBuf;

use crate::document::{DocId, Skipped};
use crate::engine::judge::Judge;
use crate::engine::outcome::{Document, Pair};
use crate::engine::relation::{Counts, Relations};
use crate::gate::baseline::{Baseline, Standing, Standings};
use crate::gate::scope::Scope;
use crate::scan::ScanJudge;

/// Judges the pairs of one run.
#[derive(Debug, Default)]
pub struct Gate {
    scope: Scope,
    baseline: Option<Baseline>,
    standings: Standings,
    left_out: u64,
    new: Counts,
    accepted: u64,
}

impl Gate {
    /// Takes what counts, and the accepted pairs if any are known.
    #[must_use]
    pub fn new(scope: Scope, baseline: Option<Baseline>) -> Self {
        Self {
            scope,
            standings: baseline
                .as_ref()
                .map(Baseline::standings)
                .unwrap_or_default(),
            baseline,
            left_out: 0,
            new: Counts::default(),
            accepted: 0,
        }
    }

    /// Whether it has anything to decide: without a scope and a baseline all pairs count, and a scan is
    /// faster that nobody judges.
    #[must_use]
    pub fn decides(&self) -> bool {
        self.baseline.is_some() || self.scope.decides()
    }

    /// What counts.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Takes what the run could not read, see [`Baseline::set_aside`].
    pub fn set_aside(&mut self, skipped: &[Skipped]) {
        if let Some(baseline) = &mut self.baseline {
            baseline.set_aside(skipped);
        }
    }

    /// The accepted pairs, if any are known.
    #[must_use]
    pub fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_ref()
    }

    /// How a pair that counts stands to the baseline; see [`Standings::of`].
    #[must_use]
    pub fn standing(&self, pair: &Pair) -> Option<Standing> {
        self.standings.of(pair)
    }

    /// How pairs stand to the baseline. A copy of it can be asked while the run goes on.
    #[must_use]
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Whether a pair is to be looked at: all are without a baseline, and otherwise those that are new, worse
    /// or expired. A pair of a relation that the baseline does not hold is none of them.
    #[must_use]
    pub fn is_open(&self, pair: &Pair) -> bool {
        match &self.baseline {
            None => true,
            Some(_) => self.standing(pair).is_some_and(Standing::is_open),
        }
    }

    /// How many pairs did not count.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How many pairs the baseline accepts.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// How many pairs are new, worse or expired, by relation; none without a baseline.
    #[must_use]
    pub fn new_counts(&self) -> Option<Counts> {
        self.baseline.is_some().then_some(self.new)
    }

    /// Whether git says that a document was changed. None if it was not asked.
    #[must_use]
    pub fn is_changed(&self, id: DocId) -> Option<bool> {
        self.scope.is_changed(id)
    }

    /// Whether the baseline knows a document. One in a file knows those of accepted pairs only. None without a
    /// baseline.
    #[must_use]
    pub fn is_known(&self, id: DocId) -> Option<bool> {
        self.baseline.as_ref().map(|baseline| baseline.knows(id))
    }
}

impl ScanJudge for Gate {
    fn documents(&mut self, documents: &[Document], files: &[PathBuf]) {
        self.scope.documents(documents, files);
        if let Some(baseline) = &mut self.baseline {
            baseline.documents(documents);
        }
    }
}

impl Judge for Gate {
    fn counts(&mut self, documents: &[Document], pair: &Pair) -> bool {
        if !self.scope.counts(documents, pair) {
            self.left_out += 1;
            return false;
        }
        let standing = self.baseline.as_mut().and_then(|known| known.meet(pair));
        match standing {
            Some(Standing::Accepted) => self.accepted += 1,
            Some(_) => self.new.add(pair.relation, 1),
            None => {}
        }
        true
    }
}

/// What makes a run fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conditions {
    /// The relations of pairs that count against it.
    pub fail_on: Relations,
    /// Whether only those that the baseline does not accept do.
    pub only_new: bool,
    /// How many are allowed.
    pub max_pairs: u64,
    /// Whether it fails if there is no document.
    pub on_empty: bool,
}

/// Why a run failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tripped {
    /// There was no document.
    Empty,
    /// There were too many pairs.
    Pairs {
        /// How many, by relation; only of relations that count against the run.
        counts: Counts,
        /// How many were allowed.
        allowed: u64,
        /// Whether only those count that the baseline does not accept.
        only_new: bool,
    },
}

impl Conditions {
    /// Takes the number of documents, the pairs found, and the gate they went through; returns why the
    /// run fails, if it does.
    #[must_use]
    pub fn tripped(&self, documents: usize, found: Counts, gate: &Gate) -> Option<Tripped> {
        if self.on_empty && documents == 0 {
            return Some(Tripped::Empty);
        }
        let found = if self.only_new {
            gate.new_counts().unwrap_or(found)
        } else {
            found
        };
        let counts = found.only(self.fail_on);
        (counts.total() > self.max_pairs).then_some(Tripped::Pairs {
            counts,
            allowed: self.max_pairs,
            only_new: self.only_new,
        })
    }
}
