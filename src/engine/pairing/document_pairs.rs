//! From groups of equal values to the pairs of their documents.

use std::ops::Range;

use crate::detect::{Detector, Detectors, Require};
use crate::document::DocId;
use crate::engine::cluster::Forest;
use crate::engine::collection::signatures::Signatures;
use crate::engine::document::Document;
use crate::engine::observer::Observer;
use crate::engine::options::Options;
use crate::engine::pair::relation::{Counts, JUDGEABLE, Relation};
use crate::engine::pair::{Pair, Resemblance};
use crate::engine::pairing::judge::Judge;
use crate::engine::pairing::sink::PairSink;
use crate::error::{Error, Result};
use crate::join::groups::Groups;
use crate::join::index::SetPair;
use crate::join::weighted::Weighted;

/// Pairs that are handed on together.
const BATCH: usize = 1 << 12;

/// Who is asked about pairs, and who takes them. Without a judge all of them count; without a sink they are
/// only counted.
pub(crate) struct Takers<'s> {
    pub(crate) judge: Option<&'s mut (dyn Judge + 's)>,
    pub(crate) sink: Option<&'s mut (dyn PairSink + 's)>,
}

impl Takers<'_> {
    /// Whether somebody wants to see every pair.
    fn want_each(&self) -> bool {
        self.judge.is_some() || self.sink.is_some()
    }
}

/// Hands on the pairs of documents, and joins them into clusters.
///
/// Groups are of equal shingle sets, or of equal signatures if the shingle detector is off.
pub(crate) struct DocumentPairs<'e, 's> {
    settings: &'e Options,
    observer: &'e dyn Observer,
    documents: &'e [Document],
    groups: &'e Groups,
    /// The size of each group's set; empty if the shingle detector is off.
    sizes: &'e [u32],
    signatures: &'e Signatures,
    /// The detectors that run, and those of them that find all pairs of two groups or none.
    running: Detectors,
    by_group: Detectors,
    takers: Takers<'s>,
    pub(crate) forest: Forest,
    /// How many pairs there are of each relation.
    pub(crate) counts: Counts,
    batch: Vec<Pair>,
}

impl<'e, 's> DocumentPairs<'e, 's> {
    pub(crate) fn new(
        settings: &'e Options,
        observer: &'e dyn Observer,
        documents: &'e [Document],
        groups: &'e Groups,
        sizes: &'e [u32],
        signatures: &'e Signatures,
        takers: Takers<'s>,
    ) -> Self {
        let running = settings.running();
        let by_group = if running.have(Detector::Shingle) {
            running.among(Detectors::OF_SETS)
        } else {
            running
        };
        Self {
            settings,
            observer,
            documents,
            groups,
            sizes,
            signatures,
            running,
            by_group,
            takers,
            forest: Forest::new(documents.len()),
            counts: Counts::default(),
            batch: Vec::with_capacity(BATCH),
        }
    }

    /// Hands on the pairs of some groups in a row. `found` has the pairs of which these are the later ones, ordered.
    ///
    /// # Errors
    ///
    /// [`Error::Sink`], and [`Error::Stopped`] if the observer asks for it.
    pub(crate) fn part(&mut self, groups: Range<u32>, found: &[SetPair]) -> Result<()> {
        if self.observer.is_stopped() {
            return Err(Error::Stopped);
        }
        let mut found = found.iter().peekable();
        for group in groups {
            self.within(group)?;
            while let Some(pair) = found.next_if(|pair| pair.x == group) {
                self.between(pair)?;
            }
        }
        debug_assert!(found.next().is_none());
        Ok(())
    }

    /// Hands on what is left.
    ///
    /// # Errors
    ///
    /// [`Error::Sink`].
    pub(crate) fn flush(&mut self) -> Result<()> {
        if let Some(sink) = &mut self.takers.sink
            && !self.batch.is_empty()
        {
            let taken = sink.take(self.documents, &self.batch);
            taken.map_err(Error::Sink)?;
        }
        self.batch.clear();
        Ok(())
    }

    /// The pairs in a group.
    fn within(&mut self, group: u32) -> Result<()> {
        let members = self.groups.members(group);
        if members.len() == 1 {
            return Ok(());
        }
        let size = self.sizes.get(group as usize).copied();
        let measured = self.measured(
            size.and_then(|size| Resemblance::new(size, size)),
            size.map(|_| Weighted::EQUAL),
            size.map(|size| (size, size)),
        );
        let decided = self.decided(members[0], members[0], measured);
        if decided == Decided::Apart {
            return Ok(());
        }
        if decided == Decided::Pairs && self.takers.judge.is_none() {
            self.connect_equal(members);
            if !self.takers.want_each() {
                self.count_equal(members);
                return Ok(());
            }
        }
        for (at, &b) in members.iter().enumerate() {
            for &a in &members[..at] {
                self.push(a, b, measured, decided)?;
            }
        }
        Ok(())
    }

    /// Connects the members of a group as their relations say, without a look at every pair: two of
    /// the same text are exact; of others, two that are long enough are near, and the rest are short.
    /// If there are two texts, each member has an edge to one of another text, or none has.
    fn connect_equal(&mut self, members: &[u32]) {
        let edges = self.settings.cluster_on;
        let by_text = self.by_text(members);
        if edges.have(Relation::Exact) {
            for same in by_text.chunk_by(|x, y| x.0 == y.0) {
                self.connect_all(same);
            }
        }
        let differ = |some: &[(u64, u32)]| some.first().map(|x| x.0) != some.last().map(|x| x.0);
        let (long, short): (Vec<_>, Vec<_>) = by_text
            .iter()
            .partition(|&&(_, document)| self.is_judgeable(document));
        if edges.have(Relation::Near) && differ(&long) {
            self.connect_all(&long);
        }
        if edges.have(Relation::Short) && !short.is_empty() && differ(&by_text) {
            self.connect_all(&by_text);
        }
    }

    fn connect_all(&mut self, documents: &[(u64, u32)]) {
        for pair in documents.windows(2) {
            self.forest.union(pair[0].1, pair[1].1);
        }
    }

    /// Counts the pairs in a group by their relations, without a look at every pair.
    fn count_equal(&mut self, members: &[u32]) {
        let pairs = |count: usize| count as u64 * (count as u64).saturating_sub(1) / 2;
        let (mut exact, mut long_exact) = (0, 0);
        for same in self.by_text(members).chunk_by(|x, y| x.0 == y.0) {
            exact += pairs(same.len());
            // The same text is as long.
            if self.is_judgeable(same[0].1) {
                long_exact += pairs(same.len());
            }
        }
        let long = members
            .iter()
            .filter(|&&document| self.is_judgeable(document));
        let near = pairs(long.count()) - long_exact;
        self.counts.add(Relation::Exact, exact);
        self.counts.add(Relation::Near, near);
        self.counts
            .add(Relation::Short, pairs(members.len()) - exact - near);
    }

    /// Documents with the hashes of their texts, those of the same text together.
    fn by_text(&self, members: &[u32]) -> Vec<(u64, u32)> {
        let text = |&document: &u32| (self.documents[document as usize].text_hash, document);
        let mut by_text: Vec<(u64, u32)> = members.iter().map(text).collect();
        by_text.sort_unstable();
        by_text
    }

    fn is_judgeable(&self, document: u32) -> bool {
        self.documents[document as usize].size(self.running) >= JUDGEABLE
    }

    /// The pairs of documents in one group with those in another.
    fn between(&mut self, pair: &SetPair) -> Result<()> {
        let (x, y) = (self.groups.members(pair.x), self.groups.members(pair.y));
        let size = |group: u32| self.sizes.get(group as usize).copied();
        let sizes = size(pair.x).zip(size(pair.y));
        let measured = self.measured(
            sizes.and_then(|_| Resemblance::new(pair.overlap, pair.union)),
            sizes.map(|_| pair.weighted),
            sizes,
        );
        let decided = self.decided(x[0], y[0], measured);
        if decided == Decided::Apart {
            return Ok(());
        }
        if decided == Decided::Pairs {
            let counts = if sizes.is_some() {
                // Documents with different sets have different texts, so all pairs have one relation.
                self.connect_sets(x, y, measured)
            } else {
                self.connect_signatures(x, y)
            };
            if !self.takers.want_each() {
                self.counts.add_all(counts);
                return Ok(());
            }
        }
        for &a in x {
            for &b in y {
                self.push(a, b, measured, decided)?;
            }
        }
        Ok(())
    }

    /// Connects the documents that have two sets; returns their pairs.
    fn connect_sets(&mut self, x: &[u32], y: &[u32], measured: Measured) -> Counts {
        let relation = self.relation(x[0], y[0], measured);
        if self.takers.judge.is_none() && self.settings.cluster_on.have(relation) {
            self.connect(x, y);
        }
        let mut counts = Counts::default();
        counts.add(relation, x.len() as u64 * y.len() as u64);
        counts
    }

    /// Connects the documents that have two combinations of signatures; returns their pairs.
    fn connect_signatures(&mut self, x: &[u32], y: &[u32]) -> Counts {
        // Equal texts have equal signatures, so none of these are exact: they are near if both are
        // long enough.
        let (x_long, x_short) = self.by_length(x);
        let (y_long, y_short) = self.by_length(y);
        let edges = self.settings.cluster_on;
        if self.takers.judge.is_none() {
            if edges.have(Relation::Near) {
                self.connect(&x_long, &y_long);
            }
            if edges.have(Relation::Short) {
                self.connect(x, &y_short);
                self.connect(&x_short, y);
            }
        }
        let near = x_long.len() as u64 * y_long.len() as u64;
        let all = x.len() as u64 * y.len() as u64;
        let mut counts = Counts::default();
        counts.add(Relation::Near, near);
        counts.add(Relation::Short, all - near);
        counts
    }

    /// Documents that are long enough to be judged, and others.
    fn by_length(&self, documents: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let documents = documents.iter().copied();
        documents.partition(|&document| self.is_judgeable(document))
    }

    /// Connects every document on one side with every one on the other.
    fn connect(&mut self, x: &[u32], y: &[u32]) {
        if let (Some(&first_x), Some(&first_y)) = (x.first(), y.first()) {
            x.iter().for_each(|&x| self.forest.union(x, first_y));
            y.iter().for_each(|&y| self.forest.union(first_x, y));
        }
    }

    /// What is known of two sets, of these sizes.
    fn measured(
        &self,
        jaccard: Option<Resemblance>,
        weighted: Option<Weighted>,
        sizes: Option<(u32, u32)>,
    ) -> Measured {
        let admitted = |jaccard: Resemblance| {
            let (overlap, union) = (jaccard.overlap, jaccard.union.get());
            self.settings.min_jaccard.admits(overlap, union)
        };
        let contained = || {
            let ((x, y), containment) = (sizes?, self.settings.containment?);
            Some(containment.admits(jaccard?.overlap, x, y))
        };
        Measured {
            jaccard,
            weighted,
            found_by: Detectors::NONE
                .with(Detector::Shingle, jaccard.is_some_and(admitted))
                .with(Detector::Containment, contained().unwrap_or(false)),
        }
    }

    /// Takes two documents and what is known of their sets, and decides what can be decided about all pairs
    /// of their groups.
    fn decided(&self, a: u32, b: u32, measured: Measured) -> Decided {
        let mut found = measured.found_by;
        // Not for every pair of sets if nothing follows from it for all of their documents.
        if self.by_group.compare_signatures() {
            let signatures = self.signatures.compare(a, b);
            found = found.and(signatures.found_by.among(self.by_group));
        }
        let is_all = self.by_group == self.running;
        match self.settings.require {
            Require::Any if !found.are_none() => Decided::Pairs,
            Require::All if found != self.by_group => Decided::Apart,
            Require::Any | Require::All if !is_all => Decided::Open,
            Require::Any => Decided::Apart,
            Require::All => Decided::Pairs,
        }
    }

    /// Two documents, reported if enough of the detectors find them.
    fn push(&mut self, a: u32, b: u32, measured: Measured, decided: Decided) -> Result<()> {
        let signatures = self.signatures.compare(a, b);
        let found_by = measured.found_by.and(signatures.found_by);
        if !self.settings.require.is_met(found_by, self.running) {
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
        let is_connected = match &mut self.takers.judge {
            Some(judge) => {
                if !judge.counts(self.documents, &pair) {
                    return Ok(());
                }
                false
            }
            // They have been connected group by group.
            None => decided == Decided::Pairs,
        };
        self.counts.add(pair.relation, 1);
        if !is_connected && self.settings.cluster_on.have(pair.relation) {
            self.forest.union(a, b);
        }
        if self.takers.sink.is_some() {
            self.batch.push(pair);
            if self.batch.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn relation(&self, a: u32, b: u32, measured: Measured) -> Relation {
        let (a, b) = (&self.documents[a as usize], &self.documents[b as usize]);
        // Without a shingle a document is in no group while the shingle detector runs.
        Relation::of(self.running, a, b, measured.jaccard.zip(measured.weighted))
    }
}

/// What is known of two shingle sets; nothing if the shingle detector is off.
#[derive(Debug, Clone, Copy, Default)]
struct Measured {
    jaccard: Option<Resemblance>,
    weighted: Option<Weighted>,
    found_by: Detectors,
}

/// What two groups say about the pairs of their documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decided {
    /// All are pairs.
    Pairs,
    /// None is.
    Apart,
    /// It depends on the documents.
    Open,
}
