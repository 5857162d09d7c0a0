//! From groups of equal values to the pairs of their documents.

mod connect;

use std::ops::Range;

use crate::detect::{Detector, Detectors, Require};
use crate::document::DocId;
use crate::engine::cluster::Forest;
use crate::engine::collection::signatures::Signatures;
use crate::engine::document::Document;
use crate::engine::observer::Observer;
use crate::engine::options::Options;
use crate::engine::pair::relation::{Counts, Relation};
use crate::engine::pair::{Pair, Resemblance};
use crate::engine::pairing::judge::Judge;
use crate::engine::pairing::sink::PairSink;
use crate::error::{Error, Result};
use crate::join::groups::Groups;
use crate::join::index::SetPair;
use crate::join::threshold::WeightedThreshold;
use crate::join::weighted::Weighted;

/// Pairs that are handed on together.
const BATCH: usize = 1 << 12;

/// Who is asked about pairs and who gets them. Without a judge all pairs count. Without a sink they are only counted.
pub(crate) struct PairHandlers<'s> {
    pub(crate) judge: Option<&'s mut (dyn Judge + 's)>,
    pub(crate) sink: Option<&'s mut (dyn PairSink + 's)>,
}

impl PairHandlers<'_> {
    /// Returns whether every pair must be made, and not only counted.
    fn need_each(&self) -> bool {
        self.judge.is_some() || self.sink.is_some()
    }
}

/// Documents in groups of equal shingle sets, or of equal signatures if the shingle detector is off.
#[derive(Clone, Copy)]
pub(crate) struct GroupedDocuments<'e> {
    pub(crate) documents: &'e [Document],
    pub(crate) groups: &'e Groups,
    /// The size of each group's set; empty if the shingle detector is off.
    pub(crate) sizes: &'e [u32],
    pub(crate) signatures: &'e Signatures,
}

/// Hands on the pairs of documents, and joins them into clusters.
pub(crate) struct DocumentPairs<'e, 's> {
    options: &'e Options,
    observer: &'e dyn Observer,
    grouped: GroupedDocuments<'e>,
    /// The detectors that run.
    running: Detectors,
    /// When sets share enough weight to be a pair.
    weighted: Option<WeightedThreshold>,
    /// Those of them that find either all pairs of two groups or none.
    of_groups: Detectors,
    handlers: PairHandlers<'s>,
    pub(crate) forest: Forest,
    /// How many pairs there are of each relation.
    pub(crate) counts: Counts,
    batch: Vec<Pair>,
}

impl<'e, 's> DocumentPairs<'e, 's> {
    pub(crate) fn new(
        options: &'e Options,
        observer: &'e dyn Observer,
        grouped: GroupedDocuments<'e>,
        handlers: PairHandlers<'s>,
    ) -> Self {
        let running = options.running();
        let of_groups = if running.have(Detector::Shingle) {
            running.intersection(Detectors::OF_SETS)
        } else {
            running
        };
        Self {
            options,
            observer,
            grouped,
            running,
            weighted: options.weighted(),
            of_groups,
            handlers,
            forest: Forest::new(grouped.documents.len()),
            counts: Counts::default(),
            batch: Vec::with_capacity(BATCH),
        }
    }

    /// Hands on the pairs of some groups in a row: those within each group, and those with earlier groups. `found`
    /// has the similar pairs of these groups with earlier ones, ordered.
    ///
    /// # Errors
    ///
    /// [`Error::Sink`], and [`Error::Stopped`] if the observer asks for it.
    pub(crate) fn hand_on_groups(&mut self, groups: Range<u32>, found: &[SetPair]) -> Result<()> {
        if self.observer.is_stopped() {
            return Err(Error::Stopped);
        }
        let mut found = found.iter().peekable();
        for group in groups {
            self.pairs_within(group)?;
            while let Some(pair) = found.next_if(|pair| pair.x == group) {
                self.pairs_between(pair)?;
            }
        }
        debug_assert!(found.next().is_none());
        Ok(())
    }

    /// Hands on the pairs that are still held back.
    ///
    /// # Errors
    ///
    /// [`Error::Sink`].
    pub(crate) fn flush(&mut self) -> Result<()> {
        if let Some(sink) = &mut self.handlers.sink
            && !self.batch.is_empty()
        {
            let taken = sink.take(self.grouped.documents, &self.batch);
            taken.map_err(Error::Sink)?;
        }
        self.batch.clear();
        Ok(())
    }

    /// Hands on the pairs of a group's members.
    fn pairs_within(&mut self, group: u32) -> Result<()> {
        let members = self.grouped.groups.members(group);
        if members.len() == 1 {
            return Ok(());
        }
        let size = self.grouped.sizes.get(group as usize).copied();
        let measured = self.measure_sets(
            size.and_then(|size| Resemblance::new(size, size)),
            size.map(|_| Weighted::EQUAL),
            size.map(|size| (size, size)),
        );
        let decision = self.decide(members[0], members[0], measured);
        if decision == Decision::Apart {
            return Ok(());
        }
        if decision == Decision::Pairs && self.handlers.judge.is_none() {
            self.connect_equal(members);
            if !self.handlers.need_each() {
                self.count_equal(members);
                return Ok(());
            }
        }
        for (at, &b) in members.iter().enumerate() {
            for &a in &members[..at] {
                self.hand_on(a, b, measured, decision)?;
            }
        }
        Ok(())
    }

    /// Hands on the pairs of documents of one group with those of another.
    fn pairs_between(&mut self, pair: &SetPair) -> Result<()> {
        let (x, y) = (
            self.grouped.groups.members(pair.x),
            self.grouped.groups.members(pair.y),
        );
        let size = |group: u32| self.grouped.sizes.get(group as usize).copied();
        let sizes = size(pair.x).zip(size(pair.y));
        let measured = self.measure_sets(
            sizes.and_then(|_| Resemblance::new(pair.overlap, pair.union)),
            sizes.map(|_| pair.weighted),
            sizes,
        );
        let decision = self.decide(x[0], y[0], measured);
        if decision == Decision::Apart {
            return Ok(());
        }
        if decision == Decision::Pairs {
            let counts = if sizes.is_some() {
                // Documents with different sets have different texts, so all pairs have one relation.
                self.connect_sets(x, y, measured)
            } else {
                self.connect_signatures(x, y)
            };
            if !self.handlers.need_each() {
                self.counts.add_all(counts);
                return Ok(());
            }
        }
        for &a in x {
            for &b in y {
                self.hand_on(a, b, measured, decision)?;
            }
        }
        Ok(())
    }

    /// Returns what is known of two sets. All three are `None` if the shingle detector is off.
    fn measure_sets(
        &self,
        jaccard: Option<Resemblance>,
        weighted: Option<Weighted>,
        sizes: Option<(u32, u32)>,
    ) -> MeasuredSets {
        let admitted = |jaccard: Resemblance| {
            let (overlap, union) = (jaccard.overlap, jaccard.union.get());
            self.options.min_jaccard.admits(overlap, union)
        };
        let contained = || {
            let ((x, y), containment) = (sizes?, self.options.containment?);
            Some(containment.admits(jaccard?.overlap, x, y))
        };
        let is_heavy = || {
            let ((x, y), threshold) = (sizes?, self.weighted?);
            Some(threshold.admits(weighted?, x.min(y)))
        };
        MeasuredSets {
            jaccard,
            weighted,
            found_by: Detectors::NONE
                .with(Detector::Shingle, jaccard.is_some_and(admitted))
                .with(Detector::Containment, contained().unwrap_or(false))
                .with(Detector::Weighted, is_heavy().unwrap_or(false)),
        }
    }

    /// Returns what is known of all pairs of two groups, from one document of each and the measures of their sets.
    fn decide(&self, a: u32, b: u32, measured: MeasuredSets) -> Decision {
        let mut found = measured.found_by;
        // Signatures are compared only if their detectors find all pairs of two groups or none.
        if self.of_groups.compare_signatures() {
            let signatures = self.grouped.signatures.compare(a, b);
            found = found.union(signatures.found_by.intersection(self.of_groups));
        }
        let others_run = self.of_groups != self.running;
        match self.options.require {
            Require::Any if !found.is_empty() => Decision::Pairs,
            Require::All if found != self.of_groups => Decision::Apart,
            Require::Any | Require::All if others_run => Decision::Open,
            Require::Any => Decision::Apart,
            Require::All => Decision::Pairs,
        }
    }

    /// Counts, connects and hands on two documents if enough of the detectors find them.
    fn hand_on(
        &mut self,
        a: u32,
        b: u32,
        measured: MeasuredSets,
        decision: Decision,
    ) -> Result<()> {
        let signatures = self.grouped.signatures.compare(a, b);
        let found_by = measured.found_by.union(signatures.found_by);
        if !self.options.require.is_met(found_by, self.running) {
            return Ok(());
        }
        let pair = Pair {
            a: DocId::from(a.min(b)),
            b: DocId::from(a.max(b)),
            hamming: signatures.hamming,
            jaccard: measured.jaccard,
            weighted: measured.weighted,
            relation: self.relation(a, b, measured),
            found_by,
            agreeing: signatures.agreeing,
        };
        let is_connected = match &mut self.handlers.judge {
            Some(judge) => {
                if !judge.counts(self.grouped.documents, &pair) {
                    return Ok(());
                }
                false
            }
            // Such documents have been connected group by group.
            None => decision == Decision::Pairs,
        };
        self.counts.add(pair.relation, 1);
        if !is_connected && self.options.cluster_on.have(pair.relation) {
            self.forest.union(a, b);
        }
        if self.handlers.sink.is_some() {
            self.batch.push(pair);
            if self.batch.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn relation(&self, a: u32, b: u32, measured: MeasuredSets) -> Relation {
        let (a, b) = (
            &self.grouped.documents[a as usize],
            &self.grouped.documents[b as usize],
        );
        // While the shingle detector runs, a document without shingles is in no group.
        let rules = (self.running, self.options.shingle_unit);
        Relation::of(rules, a, b, measured.jaccard.zip(measured.weighted))
    }
}

/// What is known of two shingle sets. All are empty if the shingle detector is off.
#[derive(Debug, Clone, Copy, Default)]
struct MeasuredSets {
    jaccard: Option<Resemblance>,
    weighted: Option<Weighted>,
    found_by: Detectors,
}

/// What is known of all pairs of the documents of two groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// All of them are pairs.
    Pairs,
    /// None of them is a pair.
    Apart,
    /// Each pair must be looked at.
    Open,
}
