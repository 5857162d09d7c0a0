//! Which pairs count, and which of them are new: what a content repository asks of a run.
//!
//! A [`Gate`] judges every pair that a scan finds. First its [`Scope`] says whether the pair counts at all;
//! what does not is in no report and no cluster. Then its [`Baseline`], if it has one, says whether the pair
//! is accepted. Both see the documents before the first pair.

pub mod baseline;
pub mod scope;

use std::path::PathBuf;

use crate::document::DocId;
use crate::gate::baseline::{Baseline, Standing};
use crate::gate::scope::Scope;
use crate::scan::judge::Judge;
use crate::scan::outcome::{Document, Pair};
use crate::scan::relation::{Counts, Relations};

/// Judges the pairs of one run.
#[derive(Debug, Default)]
pub struct Gate {
    scope: Scope,
    baseline: Option<Baseline>,
    left_out: u64,
    new: Counts,
}

impl Gate {
    /// Takes what counts, and the accepted pairs if any are known.
    #[must_use]
    pub fn new(scope: Scope, baseline: Option<Baseline>) -> Self {
        Self {
            scope,
            baseline,
            left_out: 0,
            new: Counts::default(),
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

    /// The accepted pairs, if any are known.
    #[must_use]
    pub fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_ref()
    }

    /// How a pair that counts stands to the baseline; none without a baseline.
    #[must_use]
    pub fn standing(&self, pair: &Pair) -> Option<Standing> {
        self.baseline
            .as_ref()
            .map(|baseline| baseline.standing(pair))
    }

    /// Whether a pair is to be fixed: one that no baseline accepts.
    #[must_use]
    pub fn is_open(&self, pair: &Pair) -> bool {
        self.standing(pair).is_none_or(Standing::is_open)
    }

    /// How many pairs did not count.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How many pairs the baseline does not accept, by relation; none without a baseline.
    #[must_use]
    pub fn new_counts(&self) -> Option<Counts> {
        self.baseline.is_some().then_some(self.new)
    }

    /// Whether a document is known to be changed or new, so that it is the one to be looked at: by git if
    /// the scope asks it, otherwise by the baseline. None if nothing is known.
    #[must_use]
    pub fn is_changed(&self, id: DocId) -> Option<bool> {
        self.scope
            .is_changed(id)
            .or_else(|| Some(!self.baseline.as_ref()?.knows(id)))
    }
}

impl Judge for Gate {
    fn documents(&mut self, documents: &[Document], files: &[PathBuf]) {
        self.scope.documents(documents, files);
        if let Some(baseline) = &mut self.baseline {
            baseline.documents(documents);
        }
    }

    fn counts(&mut self, documents: &[Document], pair: &Pair) -> bool {
        if !self.scope.counts(documents, pair) {
            self.left_out += 1;
            return false;
        }
        if let Some(baseline) = &mut self.baseline
            && baseline.meet(pair).is_open()
        {
            self.new.add(pair.relation, 1);
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
