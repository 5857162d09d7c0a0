//! Which pairs count, and which of them are new.
//!
//! A [`Gate`] judges every pair that a scan finds. First its [`PairScope`] decides whether the pair counts; a pair that
//! does not is in no report and no cluster. Then its [`Baseline`], if it has one, decides whether the pair is
//! accepted. Both get the documents before the first pair.

pub mod baseline;
pub mod scope;

use std::collections::BTreeMap;

use crate::gate::baseline::{Baseline, Standing, Standings};
use crate::gate::scope::{LeftOut, PairScope};
use dupfind_engine::features::document::{Apart, Place};
use dupfind_engine::{Counts, DocId, Document, Judge, Pair, Relations};
use dupfind_read::Skipped;
use dupfind_read::site::names::Repeated;
use dupfind_scan::{ScanJudge, Sources};

/// Judges the pairs of one run.
#[derive(Debug, Default)]
pub struct Gate {
    /// The rules that decide which pairs count.
    pub scope: PairScope,
    /// The accepted pairs, if there is a baseline.
    pub baseline: Option<Baseline>,
    /// The standings of pairs. A clone of it can be used while the run goes on.
    pub standings: Standings,
    /// For each document what decides whether a pair of it is set apart; empty if nothing is.
    places: Vec<Place>,
    /// See [`Judge::class`].
    classes: Vec<usize>,
    /// How many pairs are set apart, by relation.
    pub apart: Counts,
    /// How many of them are of code or data.
    pub of_code: u64,
    /// How many pairs are set apart as they are between versions or languages; in a check, of those that would fail.
    pub between_editions: u64,
    /// How many pairs did not count.
    pub left_out: u64,
    /// For each document whether it is there more than once on purpose; empty if all pairs are let through.
    repeated: Vec<Option<Repeated>>,
    /// How many pairs fail no check only because both documents are there more than once on purpose.
    pub of_repeated: u64,
    new: Counts,
    /// How many pairs the baseline accepts.
    pub accepted: u64,
    failing: Option<Failing>,
}

/// Which pairs fail a check.
#[derive(Debug, Clone, Copy)]
struct Failing {
    relations: Relations,
    only_changed: bool,
}

impl Gate {
    /// Returns a gate that has seen no pair. Without a baseline every pair in scope is new.
    pub fn new(scope: PairScope, baseline: Option<Baseline>) -> Self {
        Self {
            scope,
            standings: baseline
                .as_ref()
                .map(Baseline::standings)
                .unwrap_or_default(),
            baseline,
            ..Self::default()
        }
    }

    /// Lets only those pairs of these relations through that are not accepted, not set apart and not of two files that are
    /// there more than once on purpose, which a plan keeps: a check reports what fails, and nothing else. With `only_changed` a document of the pair was changed, too.
    pub fn only_failing(mut self, relations: Relations, only_changed: bool) -> Self {
        self.failing = Some(Failing {
            relations,
            only_changed,
        });
        self
    }

    /// Whether it decides about pairs, whatever their documents are.
    pub fn decides(&self) -> bool {
        self.baseline.is_some() || self.failing.is_some() || self.scope.decides()
    }

    /// Notes the files that the run could not read, see `Baseline::set_aside`.
    pub fn set_aside(&mut self, skipped: &[Skipped]) {
        if let Some(baseline) = &mut self.baseline {
            baseline.set_aside(skipped);
        }
    }

    /// Returns the standing of a pair that counts; see [`Standings::of`].
    pub fn standing(&self, pair: &Pair) -> Option<Standing> {
        self.standings.of(pair)
    }

    /// Returns why a pair is set apart, if it is: it makes no run fail, and no baseline has it.
    pub fn why_apart(&self, pair: &Pair) -> Option<Apart> {
        let [a, b] = [pair.a, pair.b].map(|id| self.places.get(id.index()));
        a?.apart(*b?)
    }

    /// Whether a pair is set apart.
    pub fn is_apart(&self, pair: &Pair) -> bool {
        self.why_apart(pair).is_some()
    }

    /// Whether a pair is to be looked at. Without a baseline these are all pairs that are not set apart, otherwise
    /// those that are new or worse.
    pub fn is_open(&self, pair: &Pair) -> bool {
        match &self.baseline {
            _ if self.is_apart(pair) => false,
            None => true,
            Some(_) => self.standing(pair).is_some_and(Standing::is_open),
        }
    }

    /// Returns the options that have left out pairs.
    pub fn left_out_by(&self) -> Vec<LeftOut> {
        self.scope.left_out()
    }

    /// Returns how many pairs are new or worse, by relation; none without a baseline.
    pub fn new_counts(&self) -> Option<Counts> {
        self.baseline.is_some().then_some(self.new)
    }

    /// Returns how many pairs are to be looked at, see [`Self::is_open`], of those that were found.
    pub fn open_counts(&self, found: Counts) -> Counts {
        self.new_counts()
            .unwrap_or_else(|| found.without(self.apart))
    }

    /// Notes how many pairs fail a check in the end, by relation.
    pub fn note_failing(&mut self, pairs: Counts) {
        self.new = pairs;
    }

    /// Returns how many documents were changed, by git; none if git did not run.
    pub fn count_changed(&self) -> Option<usize> {
        self.scope.count_changed()
    }

    /// Whether a document was changed, by git; none if git did not run.
    pub fn is_changed(&self, id: DocId) -> Option<bool> {
        self.recency(id).map(|recency| recency > 0)
    }

    /// Returns how lately a document was changed, by git: more is later, and 0 if it was not. Nothing if git did not run.
    pub fn recency(&self, id: DocId) -> Option<usize> {
        self.scope.recency(id)
    }

    /// Whether it is unknown which of two documents is the copy: git lacks the history, neither was changed since, and
    /// the baseline knows neither.
    pub fn cannot_tell_the_copy(&self, pair: &Pair) -> bool {
        let ids = [pair.a, pair.b];
        self.scope.lacks_history()
            && ids
                .iter()
                .all(|&id| self.is_changed(id) != Some(true) && self.is_known(id) == Some(false))
    }

    /// Whether the baseline knows a document; none without a baseline. See `Baseline::knows`.
    pub fn is_known(&self, id: DocId) -> Option<bool> {
        self.baseline.as_ref().map(|baseline| baseline.knows(id))
    }
}

impl Gate {
    /// Returns the class of each document. One that is less likely to be at fault has a lower class, and one that the baseline
    /// knows has its own.
    fn classes(&self, documents: &[Document]) -> Vec<usize> {
        let key = |at: usize| {
            let id = DocId::new(at).expect("documents were numbered before");
            let known = (self.is_known(id) == Some(true)).then_some(id);
            let baseline = self.baseline.as_ref();
            let families = baseline.map(|baseline| baseline.families(id));
            let rest = (families, documents[at].place(), self.repeated.get(at));
            (self.scope.key(at), known.is_none(), known, rest)
        };
        let mut numbers: BTreeMap<_, usize> = (0..documents.len()).map(|at| (key(at), 0)).collect();
        for (place, number) in numbers.values_mut().enumerate() {
            *number = place;
        }
        (0..documents.len()).map(|at| numbers[&key(at)]).collect()
    }

    /// Whether the documents of a pair are there more than once on purpose.
    fn may_repeat(&self, pair: &Pair) -> bool {
        let repeated = |id: DocId| *self.repeated.get(id.index())?;
        let both = repeated(pair.a).zip(repeated(pair.b));
        both.is_some_and(|(a, b)| a.may_repeat(b))
    }

    /// Whether a pair that is not accepted may be let through.
    fn may_fail(&self, pair: &Pair) -> bool {
        self.failing.is_none_or(|failing| {
            let is_changed = |id| self.is_changed(id) == Some(true);
            failing.relations.have(pair.relation())
                && (!failing.only_changed || is_changed(pair.a) || is_changed(pair.b))
        })
    }
}

impl ScanJudge for Gate {
    fn documents(&mut self, documents: &[Document], sources: &Sources) -> bool {
        self.scope.documents(sources);
        if let Some(baseline) = &mut self.baseline {
            baseline.documents(documents, sources);
        }
        let places = documents.iter().map(Document::place);
        self.places = match places.clone().any(|place| place != Place::default()) {
            true => places.collect(),
            false => Vec::new(),
        };
        if self.failing.is_some() {
            let documents = documents.iter().zip(&sources.documents);
            self.repeated = documents
                .map(|(document, source)| match source.is_record() {
                    true => None,
                    false => Repeated::of(&document.name),
                })
                .collect();
        }
        let decides = self.decides() || !self.places.is_empty();
        if decides {
            self.classes = self.classes(documents);
        }
        decides
    }
}

impl Judge for Gate {
    fn compares(&self, a: DocId, b: DocId) -> bool {
        self.scope.compares(a, b)
    }

    fn class(&self, id: DocId) -> usize {
        self.classes[id.index()]
    }

    fn counts(&mut self, _documents: &[Document], pair: &Pair, times: u64) -> bool {
        if !self.scope.counts(pair, times) {
            self.left_out += times;
            return false;
        }
        if let Some(why) = self.why_apart(pair) {
            let is_listed = self.failing.is_none();
            if is_listed {
                self.apart.add(pair.relation(), times);
            }
            match why {
                Apart::Code if is_listed => self.of_code += times,
                Apart::Version | Apart::Language if self.may_fail(pair) => {
                    self.between_editions += times;
                }
                _ => {}
            }
            return is_listed;
        }
        let standing = self.baseline.as_mut().and_then(|known| known.meet(pair));
        if standing == Some(Standing::Accepted) {
            self.accepted += times;
            return self.failing.is_none();
        }
        if !self.may_fail(pair) {
            return false;
        }
        if self.may_repeat(pair) {
            self.of_repeated += times;
            return false;
        }
        if standing.is_some() {
            self.new.add(pair.relation(), times);
        }
        true
    }
}

/// Why a run failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tripped {
    /// There was no document, or none to compare with.
    Empty,
    /// There were too many pairs.
    Pairs {
        /// How many, by relation; only of relations that make the run fail.
        counts: Counts,
        /// How many were allowed.
        allowed: u64,
        /// Whether others were there before.
        only_new: bool,
    },
}
