//! From groups of equal values to the pairs of their documents.

use std::ops::Range;

use crate::cluster::Forest;
use crate::document::DocId;
use crate::error::{Error, Result};
use crate::join::groups::Groups;
use crate::join::index::SetPair;
use crate::join::rarity::Weighted;
use crate::scan::judge::Judge;
use crate::scan::outcome::{Document, Pair, Resemblance};
use crate::scan::relation::{Counts, JUDGEABLE, Relation};
use crate::scan::settings::Settings;
use crate::scan::sink::PairSink;

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
/// Groups are of equal shingle sets, or of equal fingerprints if the shingle detector is off; then
/// only pairs near enough may come.
pub(crate) struct Expansion<'e, 's> {
    settings: &'e Settings,
    documents: &'e [Document],
    groups: &'e Groups,
    /// The size of each group's set; empty if the shingle detector is off.
    sizes: &'e [u32],
    /// All fingerprints, if the SimHash detector is on.
    codes: Option<&'e [u64]>,
    takers: Takers<'s>,
    pub(crate) forest: Forest,
    /// How many pairs there are of each relation.
    pub(crate) counts: Counts,
    batch: Vec<Pair>,
}

impl<'e, 's> Expansion<'e, 's> {
    pub(crate) fn new(
        settings: &'e Settings,
        documents: &'e [Document],
        groups: &'e Groups,
        sizes: &'e [u32],
        codes: Option<&'e [u64]>,
        takers: Takers<'s>,
    ) -> Self {
        Self {
            settings,
            documents,
            groups,
            sizes,
            codes,
            takers,
            forest: Forest::new(documents.len()),
            counts: Counts::default(),
            batch: Vec::with_capacity(BATCH),
        }
    }

    /// Takes some groups in a row and the pairs of which these are the later ones, ordered.
    ///
    /// # Errors
    ///
    /// [`Error::Sink`].
    pub(crate) fn part(&mut self, groups: Range<u32>, found: &[SetPair]) -> Result<()> {
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

    /// The pairs in a group: all of them are reported.
    fn within(&mut self, group: u32) -> Result<()> {
        let members = self.groups.members(group);
        if members.len() == 1 {
            return Ok(());
        }
        if self.takers.judge.is_none() {
            self.connect_equal(members);
        }
        if !self.takers.want_each() {
            self.count_equal(members);
            return Ok(());
        }
        let size = self.sizes.get(group as usize).copied();
        let measured = Measured {
            jaccard: size.and_then(|size| Resemblance::new(size, size)),
            weighted: size.map(|_| Weighted::EQUAL),
            by_shingle: self.settings.detectors.shingle,
            by_containment: size.is_some_and(|size| self.is_contained(size, size, size)),
        };
        for (at, &b) in members.iter().enumerate() {
            for &a in &members[..at] {
                self.push(a, b, measured)?;
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
        let document = &self.documents[document as usize];
        let size = if self.settings.detectors.shingle {
            document.shingles
        } else {
            document.terms
        };
        size >= JUDGEABLE
    }

    /// The pairs of documents in one group with those in another.
    fn between(&mut self, pair: &SetPair) -> Result<()> {
        let (x, y) = (self.groups.members(pair.x), self.groups.members(pair.y));
        if !self.settings.detectors.shingle {
            return self.between_codes(x, y);
        }
        let size = |group: u32| self.sizes[group as usize];
        let measured = Measured {
            jaccard: Resemblance::new(pair.overlap, pair.union),
            weighted: Some(pair.weighted),
            by_shingle: self.settings.min_jaccard.admits(pair.overlap, pair.union),
            by_containment: self.is_contained(pair.overlap, size(pair.x), size(pair.y)),
        };
        if measured.is_pair() {
            // Documents with different sets have different texts, so all pairs have one relation.
            let relation = self.relation(x[0], y[0], measured);
            if self.takers.judge.is_none() && self.settings.cluster_on.have(relation) {
                self.connect(x, y);
            }
            if !self.takers.want_each() {
                self.counts.add(relation, x.len() as u64 * y.len() as u64);
                return Ok(());
            }
        }
        for &a in x {
            for &b in y {
                self.push(a, b, measured)?;
            }
        }
        Ok(())
    }

    /// The pairs of documents with one fingerprint and with another one near it.
    fn between_codes(&mut self, x: &[u32], y: &[u32]) -> Result<()> {
        // Equal texts have equal fingerprints, so none of these are exact: they are near if both are
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
        if !self.takers.want_each() {
            let near = x_long.len() as u64 * y_long.len() as u64;
            self.counts.add(Relation::Near, near);
            let all = x.len() as u64 * y.len() as u64;
            self.counts.add(Relation::Short, all - near);
            return Ok(());
        }
        for &a in x {
            for &b in y {
                self.push(a, b, Measured::default())?;
            }
        }
        Ok(())
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

    /// Two documents, reported if one of the detectors finds them.
    fn push(&mut self, a: u32, b: u32, measured: Measured) -> Result<()> {
        let distance = |codes: &[u64]| (codes[a as usize] ^ codes[b as usize]).count_ones();
        let hamming = self.codes.map(distance);
        let is_near = hamming.is_some_and(|distance| distance <= self.settings.max_hamming);
        if !is_near && !measured.is_pair() {
            return Ok(());
        }
        let pair = Pair {
            a: DocId::from(a.min(b)),
            b: DocId::from(a.max(b)),
            hamming: hamming.map(|distance| u8::try_from(distance).expect("at most 64")),
            jaccard: measured.jaccard,
            weighted: measured.weighted,
            relation: self.relation(a, b, measured),
            by_simhash: is_near,
            by_shingle: measured.by_shingle,
            by_containment: measured.by_containment,
        };
        // Without a judge, documents with similar sets have been connected group by group.
        let is_connected = match &mut self.takers.judge {
            Some(judge) => {
                if !judge.counts(self.documents, &pair) {
                    return Ok(());
                }
                false
            }
            None => measured.is_pair(),
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
        if a.text_hash == b.text_hash {
            return Relation::Exact;
        }
        match (measured.jaccard, measured.weighted) {
            (Some(jaccard), Some(weighted)) => {
                Relation::of_sets(jaccard, weighted, a.shingles, b.shingles)
            }
            // The shingle detector is off: otherwise documents without a shingle are in no group.
            _ => Relation::of_terms(a.terms, b.terms),
        }
    }

    /// Whether the containment detector runs and finds two sets.
    fn is_contained(&self, overlap: u32, x: u32, y: u32) -> bool {
        let containment = self.settings.containment;
        containment.is_some_and(|containment| containment.admits(overlap, x, y))
    }
}

/// What is known of two shingle sets; nothing if the shingle detector is off.
#[derive(Debug, Clone, Copy, Default)]
struct Measured {
    jaccard: Option<Resemblance>,
    weighted: Option<Weighted>,
    by_shingle: bool,
    by_containment: bool,
}

impl Measured {
    /// Whether the sets make a pair, whatever the fingerprints are.
    fn is_pair(self) -> bool {
        self.by_shingle || self.by_containment
    }
}
