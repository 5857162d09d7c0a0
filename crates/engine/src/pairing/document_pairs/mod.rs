//! From groups of equal values to the pairs of their documents.

mod copies;

use std::borrow::Cow;
use std::ops::Range;

use crate::detect::options::Options;
use crate::detect::{Detector, Detectors, SignatureMeasures};
use crate::features::collection::Signatures;
use crate::features::document::{DocId, Document};
use crate::join::groups::Groups;
use crate::join::inverted::SetPair;
use crate::join::threshold::Threshold;
use crate::join::weighted::{Counted, Weighted};
use crate::pairing::closest::Closest;
use crate::pairing::cluster::Forest;
use crate::pairing::document_pairs::copies::any_pair;
use crate::pairing::sink::{Judge, PairSink};
use crate::run::{Error, Observer, Result};
use crate::verdict::pair::{Pair, pair};
use crate::verdict::rules::{Beside, rule_of_sets};
use crate::verdict::versions::Versions;
use crate::verdict::{Among, Counts, Relation, Relations, SetMeasures, Titles, found_by};

/// Pairs that are handed on together.
const BATCH: usize = 1 << 12;

/// Where pairs go. Without a judge all pairs count. Without a sink they are only counted.
pub struct PairHandlers<'s> {
    /// Decides which pairs count.
    pub judge: Option<&'s mut (dyn Judge + 's)>,
    /// Gets the pairs that count.
    pub sink: Option<&'s mut (dyn PairSink + 's)>,
}

impl PairHandlers<'_> {
    /// Returns the similarity from which on pairs are taken; `None` if all are, or are judged.
    pub(super) fn least(&self) -> Option<Threshold> {
        match &self.judge {
            Some(_) => None,
            None => self.sink.as_ref()?.least(),
        }
    }

    /// See [`PairSink::looks_for_similar`].
    pub(super) fn look_for_similar(&self) -> bool {
        let is_sink = |sink: &&mut (dyn PairSink + '_)| sink.looks_for_similar();
        self.judge.is_none() && self.sink.as_ref().is_some_and(is_sink)
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

/// The measures of two shingle sets, and [`crate::verdict::PairMeasures::closest`].
type Measured = (Option<SetMeasures>, Option<u16>);

/// Hands on the pairs of documents, and joins them into clusters.
pub(crate) struct DocumentPairs<'e, 's> {
    pub(super) options: &'e Options,
    observer: &'e dyn Observer,
    pub(super) grouped: GroupedDocuments<'e>,
    /// The detectors that run.
    running: Detectors,
    /// Those of them that find either all pairs of two groups or none.
    of_groups: Detectors,
    pub(super) handlers: PairHandlers<'s>,
    /// For each document whether the sink takes none of its pairs; empty if it takes those of all.
    left_out: Vec<bool>,
    /// Whether every pair of many copies is handed on.
    lists_copies: bool,
    pub(crate) forest: Forest,
    /// How many pairs there are of each relation.
    pub(crate) counts: Counts,
    /// How alike each group is to the one that is most like it.
    closest: Closest,
    versions: Versions<'e>,
    /// The pairs that may be duplicates. They wait until that is known.
    waiting: Vec<SetPair>,
    batch: Vec<Pair>,
}

impl<'e, 's> DocumentPairs<'e, 's> {
    pub(crate) fn new(
        options: &'e Options,
        observer: &'e dyn Observer,
        grouped: GroupedDocuments<'e>,
        mut handlers: PairHandlers<'s>,
    ) -> Self {
        let left_out = match (&handlers.judge, &mut handlers.sink) {
            (None, Some(sink)) => sink.begin(grouped.documents),
            _ => Vec::new(),
        };
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
            of_groups,
            lists_copies: handlers
                .sink
                .as_ref()
                .is_some_and(|sink| sink.lists_copies()),
            handlers,
            left_out,
            forest: Forest::new(grouped.documents.len()),
            counts: Counts::default(),
            closest: Closest::new(options, grouped.sizes.len()),
            versions: Versions::of(move |take| {
                let GroupedDocuments {
                    documents, groups, ..
                } = grouped;
                let members = (0..groups.count()).flat_map(|group| groups.members(group));
                members.for_each(|&member| take(&documents[member as usize].name));
            }),
            waiting: Vec::new(),
            batch: Vec::with_capacity(BATCH),
        }
    }

    /// Returns which of the groups count where their shingles are weighed; `None` if no document is a reference, and all do.
    pub(crate) fn counted(&self) -> Option<Counted> {
        let GroupedDocuments {
            documents, groups, ..
        } = self.grouped;
        let is_reference = |&document: &u32| documents[document as usize].is_reference;
        let has_any = documents.iter().any(|document| document.is_reference);
        has_any.then(|| Counted {
            is_reference: (0..groups.count())
                .map(|group| groups.members(group).iter().any(is_reference))
                .collect(),
        })
    }

    /// Hands on the pairs of some groups in a row: those within each group, and those with earlier groups. `found`
    /// has the similar pairs of these groups with earlier ones, ordered.
    ///
    /// # Errors
    ///
    /// [`Error::Sink`], and [`Error::Stopped`] if the observer asks for it.
    pub(crate) fn hand_on_groups(&mut self, groups: Range<u32>, found: &[SetPair]) -> Result<()> {
        let mut found = found.iter().peekable();
        for group in groups {
            if self.observer.is_stopped() {
                return Err(Error::Stopped);
            }
            self.pairs_within(group)?;
            while let Some(pair) = found.next_if(|pair| pair.x == group) {
                self.pairs_between(pair)?;
            }
        }
        debug_assert!(found.next().is_none());
        Ok(())
    }

    /// Hands on the pairs that are still held back. Returns how alike each group is to the one that is most like it.
    ///
    /// # Errors
    ///
    /// [`Error::Sink`], and [`Error::Stopped`] if the observer asks for it.
    pub(crate) fn finish(&mut self) -> Result<Closest> {
        let waiting = std::mem::take(&mut self.waiting);
        for pair in &waiting {
            self.make_kin(pair);
        }
        for pair in waiting {
            if self.observer.is_stopped() {
                return Err(Error::Stopped);
            }
            let decision = self.decide([pair.x, pair.y], self.sets(&pair));
            self.hand_on_between(&pair, self.closest.of(both(&pair)), decision)?;
        }
        self.flush()?;
        Ok(std::mem::take(&mut self.closest))
    }

    /// Returns how many pairs there are of each relation, and the documents that duplicates connect.
    pub(crate) fn into_counts_and_forest(self) -> (Counts, Forest) {
        (self.counts, self.forest)
    }

    /// Hands on the pairs of the batch.
    fn flush(&mut self) -> Result<()> {
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
        if members.len() < 2 {
            return Ok(());
        }
        let size = self.grouped.sizes.get(group as usize).copied();
        let sets = size.and_then(|size| SetMeasures::new(size, size, Weighted::EQUAL));
        let decision = self.decide([group; 2], sets);
        if decision == Decision::NoPairs {
            return Ok(());
        }
        if decision == Decision::Pairs && self.compares(members, members) {
            let similarity = Weighted::EQUAL.similarity;
            self.closest.note([group as usize; 2], similarity);
        }
        let members = self.taken(members);
        self.hand_on_members(&members, (sets, None), decision)
    }

    /// Hands on the pairs of documents of one group with those of another, unless they must wait.
    fn pairs_between(&mut self, pair: &SetPair) -> Result<()> {
        let [x, y] = [pair.x, pair.y].map(|group| self.grouped.groups.members(group));
        let sets = self.sets(pair);
        let decision = self.decide([pair.x, pair.y], sets);
        match (decision, sets) {
            (Decision::NoPairs, _) => return Ok(()),
            (Decision::Pairs, Some(sets)) if self.compares(x, y) => {
                self.closest.note(both(pair), sets.weighted.similarity);
            }
            _ => {}
        }
        match sets {
            Some(sets) if self.closest.matters() && self.may_be_duplicates(pair, sets) => {
                self.waiting.push(*pair);
                Ok(())
            }
            _ => self.hand_on_between(pair, None, decision),
        }
    }

    /// Returns whether any document of `x` is compared with another one of `y`.
    fn compares(&self, x: &[u32], y: &[u32]) -> bool {
        let Some(judge) = &self.handlers.judge else {
            return true;
        };
        // Two of a class stand for all of it.
        let [x, y] = [x, y].map(|some| self.two_of_each_class(some));
        let mut pairs = x.iter().flat_map(|&a| y.iter().map(move |&b| (a, b)));
        pairs.any(|(a, b)| a != b && judge.compares(a.into(), b.into()))
    }

    /// Returns whether documents of two groups can be duplicates. That depends on what else they are like.
    pub(super) fn may_be_duplicates(&self, pair: &SetPair, sets: SetMeasures) -> bool {
        let sizes = both(pair).map(|group| self.grouped.sizes[group]);
        let beside = Beside {
            titles: Titles::Versions,
            prose: None,
        };
        rule_of_sets(sets, sizes, beside, self.options.judging()).relation() <= Relation::Contains
    }

    /// Makes two groups kin if some of their documents are duplicates.
    fn make_kin(&mut self, pair: &SetPair) {
        let documents = self.grouped.documents;
        let [x, y] = [pair.x, pair.y].map(|group| self.grouped.groups.members(group));
        let sets = self.sets(pair);
        if let Some(sets) = sets
            && self.decide([pair.x, pair.y], Some(sets)) == Decision::Pairs
            && self.compares(x, y)
        {
            let are_duplicates = |a: u32, b: u32| {
                let signatures = SignatureMeasures::default();
                self.pair(a, b, (Some(sets), None), signatures).relation() <= Relation::Contains
            };
            if any_pair(self.options, documents, [x, y], are_duplicates) {
                let (options, versions) = (self.options, &self.versions);
                let are_versions = |a: u32, b: u32| {
                    let two = [a, b].map(|document| &documents[document as usize]);
                    Titles::of_two(two, Some(sets), versions).are_versions()
                };
                let have_versions = || any_pair(options, documents, [x, y], are_versions);
                let similarity = sets.weighted.similarity;
                self.closest.connect(both(pair), similarity, have_versions);
            }
        }
    }

    /// Returns the measures of the sets of two groups; `None` if groups have none.
    pub(super) fn sets(&self, pair: &SetPair) -> Option<SetMeasures> {
        let sets = SetMeasures::new(pair.overlap, pair.union, pair.weighted);
        sets.filter(|_| !self.grouped.sizes.is_empty())
    }

    /// Hands on the pairs of documents of two groups, as decided.
    fn hand_on_between(
        &mut self,
        pair: &SetPair,
        closest: Option<u16>,
        decision: Decision,
    ) -> Result<()> {
        let [x, y] = [pair.x, pair.y].map(|group| self.grouped.groups.members(group));
        let sets = self.sets(pair);
        let [x, y] = [x, y].map(|documents| self.taken(documents));
        self.hand_on_both(&x, &y, (sets, closest), decision)
    }

    /// Returns those of some documents whose pairs are taken.
    fn taken(&self, documents: &'e [u32]) -> Cow<'e, [u32]> {
        if self.left_out.is_empty() {
            return documents.into();
        }
        let is_taken = |&document: &u32| self.left_out.get(document as usize) != Some(&true);
        documents.iter().copied().filter(is_taken).collect()
    }

    /// Decides about all pairs of two groups, from the measures of their sets and the signatures of one document of each.
    fn decide(&self, groups: [u32; 2], sets: Option<SetMeasures>) -> Decision {
        // Signatures are compared only if their detectors find all pairs of two groups or none.
        let signatures = match self.of_groups.compare_signatures() {
            true => {
                let [a, b] = groups.map(|group| self.grouped.groups.members(group)[0]);
                self.grouped.signatures.compare(a, b)
            }
            false => SignatureMeasures::default(),
        };
        let size = |group: u32| self.grouped.sizes.get(group as usize).copied();
        let shingles = groups.map(|group| size(group).unwrap_or_default());
        let found = found_by(self.options, sets, shingles, signatures);
        let found = found.intersection(self.of_groups);
        let others_run = self.of_groups != self.running;
        match (found.is_empty(), others_run) {
            (false, _) => Decision::Pairs,
            (true, true) => Decision::Open,
            (true, false) => Decision::NoPairs,
        }
    }

    /// Counts, connects and hands on two documents if a detector finds them.
    fn hand_on(&mut self, a: u32, b: u32, measured: Measured) -> Result<()> {
        let pair = self.compared(a, b, measured);
        if !self.count(&pair, 1) {
            return Ok(());
        }
        if self.connects(&pair) {
            self.forest.union(a, b);
        }
        self.push(pair)
    }

    /// Returns the pair of two documents with the measures of their signatures.
    fn compared(&self, a: u32, b: u32, measured: Measured) -> Pair {
        let signatures = self.grouped.signatures.compare(a, b);
        self.pair(a.min(b), a.max(b), measured, signatures)
    }

    /// Counts a pair that stands for so many, if a detector finds it and the judge lets it count. Returns whether it counts.
    fn count(&mut self, pair: &Pair, times: u64) -> bool {
        let documents = self.grouped.documents;
        let judge = &mut self.handlers.judge;
        let counts = !pair.found_by.is_empty()
            && judge
                .as_mut()
                .is_none_or(|judge| judge.counts(documents, pair, times));
        if counts {
            self.counts.add(pair.relation(), times);
        }
        counts
    }

    /// Returns whether a pair that counts connects its documents.
    fn connects(&self, pair: &Pair) -> bool {
        let is_edge = Relations::DUPLICATES.have(pair.relation());
        is_edge && !pair.is_apart(self.grouped.documents)
    }

    /// Hands on a pair that counts.
    fn push(&mut self, pair: Pair) -> Result<()> {
        if self.handlers.sink.is_some() {
            self.batch.push(pair);
            if self.batch.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Returns the pair of two documents. `sets` are the measures of their shingle sets: while the shingle detector runs, a
    /// document without shingles is in no group.
    fn pair(&self, a: u32, b: u32, measured: Measured, signatures: SignatureMeasures) -> Pair {
        let documents = [a, b].map(|document| &self.grouped.documents[document as usize]);
        let ids = [a, b].map(DocId::from);
        let (sets, closest) = measured;
        let among = Among {
            closest,
            versions: &self.versions,
        };
        pair(self.options, ids, documents, (sets, among), signatures)
    }
}

/// Returns the groups of a pair.
pub(super) fn both(pair: &SetPair) -> [usize; 2] {
    [pair.x as usize, pair.y as usize]
}

/// The decision about all pairs of documents of two groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// All of them are pairs.
    Pairs,
    /// None of them is a pair.
    NoPairs,
    /// Each pair must be looked at.
    Open,
}
