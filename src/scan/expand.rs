//! From groups of equal values to the pairs of their documents.

use std::ops::Range;

use crate::cluster::Forest;
use crate::document::DocId;
use crate::error::{Error, Result};
use crate::join::groups::Groups;
use crate::join::index::SetPair;
use crate::scan::outcome::{Document, Pair, Resemblance};
use crate::scan::settings::Settings;
use crate::scan::sink::PairSink;

/// Pairs that are handed on together.
const BATCH: usize = 1 << 12;

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
    /// Who takes the pairs; if nobody does they are counted only.
    sink: Option<&'s mut (dyn PairSink + 's)>,
    pub(crate) forest: Forest,
    pub(crate) count: u64,
    batch: Vec<Pair>,
}

impl<'e, 's> Expansion<'e, 's> {
    pub(crate) fn new(
        settings: &'e Settings,
        documents: &'e [Document],
        groups: &'e Groups,
        sizes: &'e [u32],
        codes: Option<&'e [u64]>,
        sink: Option<&'s mut (dyn PairSink + 's)>,
    ) -> Self {
        Self {
            settings,
            documents,
            groups,
            sizes,
            codes,
            sink,
            forest: Forest::new(documents.len()),
            count: 0,
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
        if let Some(sink) = &mut self.sink
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
        for pair in members.windows(2) {
            self.forest.union(pair[0], pair[1]);
        }
        if self.sink.is_none() {
            let count = members.len() as u64;
            self.count += count * (count - 1) / 2;
            return Ok(());
        }
        let size = self.sizes.get(group as usize).copied();
        let jaccard = size.and_then(|size| Resemblance::new(size, size));
        for (at, &b) in members.iter().enumerate() {
            for &a in &members[..at] {
                self.push(a, b, jaccard, self.settings.detectors.shingle)?;
            }
        }
        Ok(())
    }

    /// The pairs of documents in one group with those in another.
    fn between(&mut self, pair: &SetPair) -> Result<()> {
        let (x, y) = (self.groups.members(pair.x), self.groups.members(pair.y));
        let jaccard = Resemblance::new(pair.overlap, pair.union);
        let is_by_sets = self.settings.detectors.shingle;
        let is_similar = is_by_sets && self.settings.min_jaccard.admits(pair.overlap, pair.union);
        if is_similar || !is_by_sets {
            self.forest.union(x[0], y[0]);
            if self.sink.is_none() {
                self.count += x.len() as u64 * y.len() as u64;
                return Ok(());
            }
        }
        for &a in x {
            for &b in y {
                self.push(a, b, jaccard, is_similar)?;
            }
        }
        Ok(())
    }

    /// Two documents, reported if their sets are similar or their fingerprints near.
    fn push(
        &mut self,
        a: u32,
        b: u32,
        jaccard: Option<Resemblance>,
        by_shingle: bool,
    ) -> Result<()> {
        let distance = |codes: &[u64]| (codes[a as usize] ^ codes[b as usize]).count_ones();
        let hamming = self.codes.map(distance);
        let is_near = hamming.is_some_and(|distance| distance <= self.settings.max_hamming);
        if !is_near && !by_shingle {
            return Ok(());
        }
        self.count += 1;
        if !by_shingle {
            self.forest.union(a, b);
        }
        if self.sink.is_some() {
            self.batch.push(Pair {
                a: DocId::from(a.min(b)),
                b: DocId::from(a.max(b)),
                hamming: hamming.map(|distance| u8::try_from(distance).expect("at most 64")),
                jaccard,
                by_simhash: is_near,
                by_shingle,
            });
            if self.batch.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }
}
