//! Judges decide which pairs count, and sinks receive them as they are found.

use crate::features::document::{DocId, Document};
use crate::join::threshold::Threshold;
use crate::verdict::pair::{Pair, Resemblance};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::io;

/// Up to so many copies of one text, every two of them are a pair for everybody; see [`PairSink::lists_copies`].
pub const MOST_PAIRED: usize = 20;

/// Receives pairs while a run goes on.
pub trait PairSink: Send {
    /// Whether it takes every pair of the copies of one text. If not, and there are more than [`MOST_PAIRED`], it takes a pair
    /// of each with the first one that this counts with, and with the first one that it is set apart from: a thousand copies are
    /// half a million pairs. All are counted in both cases.
    fn lists_copies(&self) -> bool {
        true
    }

    /// Returns whether it looks itself for what is similar, once all sets are in memory
    /// ([`Joined::beside`](crate::pairing::joined::Joined::beside)). Then it gets the pairs of equal sets alone.
    fn looks_for_similar(&self) -> bool {
        false
    }

    /// The Jaccard similarity from which on it takes pairs; `None` if it takes all. Less similar pairs are then looked for only
    /// where the relation of one that it takes depends on them, and not all of them are counted.
    fn least(&self) -> Option<Threshold> {
        None
    }

    /// Hears of all documents before the first pair comes. Returns for each document whether its pairs are left out, as
    /// another document of the same text stands for it; an empty list if none are.
    fn begin(&mut self, _documents: &[Document]) -> Vec<bool> {
        Vec::new()
    }

    /// Takes some pairs. `documents` are all documents, the same at every call. The order of the pairs of a run
    /// depends only on its documents and options.
    ///
    /// # Errors
    ///
    /// If it fails, the run ends with [`crate::run::Error::Sink`].
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()>;
}

/// More pairs were found than there is memory for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {most} pairs were found, and there is no memory for more")]
pub struct TooManyPairs {
    /// How many pairs there is memory for.
    pub most: usize,
}

impl TooManyPairs {
    /// Returns this error, if it is the cause of an error of a sink.
    pub fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

/// Keeps the first pairs in the order of reports: copies, then the most similar ones.
#[derive(Debug)]
pub struct TopPairs {
    pairs: Vec<Pair>,
    most: usize,
    /// Whether a pair more than `most` is an error. If not, the last ones in the order of reports are dropped.
    needs_all: bool,
    /// See [`PairSink::lists_copies`].
    lists_copies: bool,
    /// How many pairs came.
    taken: u64,
    /// The first pair that was dropped; none that comes after it in the order of reports is kept.
    dropped: Option<Pair>,
}

impl TopPairs {
    /// How many pairs there is room for in any case: 32 MiB.
    pub const LEAST_ROOM: usize = 1 << 20;

    /// Returns a sink that keeps at most this many pairs.
    pub fn new(most: usize) -> Self {
        Self {
            pairs: Vec::new(),
            most,
            needs_all: false,
            lists_copies: true,
            taken: 0,
            dropped: None,
        }
    }

    /// Returns a sink that keeps all pairs.
    pub fn all() -> Self {
        Self::all_of(usize::MAX)
    }

    /// Returns a sink that keeps all pairs, and fails with [`TooManyPairs`] if there are more than this many.
    pub fn all_of(most: usize) -> Self {
        Self {
            needs_all: true,
            ..Self::new(most)
        }
    }

    /// Returns a sink that keeps all pairs, and fails with [`TooManyPairs`] if half of a memory limit, in bytes, has no room for
    /// them.
    pub fn within(limit: Option<u64>) -> Self {
        Self::all_of(Self::room(limit))
    }

    /// Returns how many pairs half of a memory limit has room for, in bytes, and at least [`Self::LEAST_ROOM`].
    pub fn room(limit: Option<u64>) -> usize {
        let pairs =
            |limit: u64| usize::try_from(limit / 2).unwrap_or(usize::MAX) / size_of::<Pair>();
        limit.map_or(usize::MAX, pairs).max(Self::LEAST_ROOM)
    }

    /// Returns the sink, with one pair for each of many copies of a text; see [`PairSink::lists_copies`].
    #[must_use]
    pub fn of_first_copies(self) -> Self {
        Self {
            lists_copies: false,
            ..self
        }
    }

    /// Returns how many of the pairs that came are not kept.
    pub fn left_out(&self) -> u64 {
        let kept = self.pairs.len().min(self.most);
        self.taken.saturating_sub(kept as u64)
    }

    /// Makes room for more pairs. A growing list usually doubles, which may be more memory than there is.
    fn reserve(&mut self, more: usize) -> io::Result<()> {
        if self.pairs.capacity() - self.pairs.len() >= more {
            return Ok(());
        }
        let room = more.max(self.pairs.len() / 8);
        let most = self.pairs.len();
        let reserved = self.pairs.try_reserve_exact(room);
        reserved.map_err(|_| too_many(most))
    }

    /// Returns the pairs by relation, copies first. Pairs of one relation are ordered by similarity, the highest first,
    /// then by distance, then by name.
    pub fn into_pairs(mut self) -> Vec<Pair> {
        self.pairs.par_sort_unstable_by_key(order);
        self.pairs.truncate(self.most);
        self.pairs
    }
}

impl PairSink for TopPairs {
    fn lists_copies(&self) -> bool {
        self.lists_copies
    }

    fn take(&mut self, _documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        if self.needs_all && self.pairs.len().saturating_add(pairs.len()) > self.most {
            return Err(too_many(self.most));
        }
        self.taken += pairs.len() as u64;
        self.reserve(pairs.len())?;
        match &self.dropped {
            None => self.pairs.extend_from_slice(pairs),
            Some(dropped) => {
                let is_kept = |pair: &&Pair| order(pair) < order(dropped);
                self.pairs.extend(pairs.iter().filter(is_kept));
            }
        }
        // Pairs are dropped only when there are many, so that it costs little.
        let many = self.most.saturating_add(self.most.min(1 << 22) + (1 << 12));
        if self.pairs.len() > many {
            let (_, dropped, _) = self.pairs.select_nth_unstable_by_key(self.most, order);
            self.dropped = Some(*dropped);
            self.pairs.truncate(self.most);
        }
        Ok(())
    }
}

fn too_many(most: usize) -> io::Error {
    io::Error::other(TooManyPairs { most })
}

/// Passes pairs on to another sink: sorted if there are few, as they come if there are many. People read short
/// reports, and want the most similar pairs first. A long report is a stream.
#[derive(Debug)]
pub struct SortingSink<S> {
    sink: S,
    /// The pairs that are held back; `None` once there are too many to be sorted.
    held: Option<TopPairs>,
}

impl<S: PairSink> SortingSink<S> {
    /// The most pairs that are sorted.
    pub const MAX_SORTED: usize = 10_000;

    /// Returns a sink that passes pairs on to this one.
    pub fn new(sink: S) -> Self {
        Self {
            sink,
            held: Some(TopPairs::all()),
        }
    }

    /// Passes on the pairs that are held back, sorted. Returns the sink that got the pairs.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    pub fn finish(mut self, documents: &[Document]) -> io::Result<S> {
        if let Some(best) = self.held {
            self.sink.take(documents, &best.into_pairs())?;
        }
        Ok(self.sink)
    }
}

impl<S: PairSink> PairSink for SortingSink<S> {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        match &mut self.held {
            Some(best) if best.pairs.len() + pairs.len() <= Self::MAX_SORTED => {
                return best.take(documents, pairs);
            }
            held => {
                if let Some(best) = held.take() {
                    self.sink.take(documents, &best.pairs)?;
                }
            }
        }
        self.sink.take(documents, pairs)
    }
}

/// Returns the key that pairs are sorted by.
fn order(pair: &Pair) -> impl Ord + use<> {
    (
        pair.relation(),
        Reverse(pair.jaccard().map(Resemblance::steps)),
        pair.hamming,
        pair.a,
        pair.b,
    )
}

/// Decides about every pair that the detectors find.
///
/// A pair that does not count is in no report, no number and no cluster.
pub trait Judge: Send {
    /// Returns whether two documents are compared: all are, unless they must come from two sides or from one. Two that
    /// are not compared are no pair, and do not count as the document that either is most like.
    fn compares(&self, _a: DocId, _b: DocId) -> bool {
        true
    }

    /// Returns the class of a document. Those of one class are judged alike: whether two copies of a text count depends on
    /// their classes alone. Of many copies, one of the lowest class stands for all.
    fn class(&self, id: DocId) -> usize {
        id.index()
    }

    /// Returns whether a pair counts. `documents` are all documents, the same at every call. The pair stands for so many of
    /// the same classes.
    fn counts(&mut self, documents: &[Document], pair: &Pair, times: u64) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::{Agreeing, Detector};
    use crate::features::document::DocId;
    use crate::join::weighted::Weighted;
    use crate::verdict::{Rule, SetMeasures};

    fn pair(a: u32, overlap: u32) -> Pair {
        Pair {
            a: DocId::from(a),
            b: DocId::from(a + 1),
            hamming: None,
            sets: SetMeasures::new(overlap, 100_000, Weighted::EQUAL),
            rule: if a.is_multiple_of(3) {
                Rule::SameText
            } else {
                Rule::Related
            },
            found_by: Detector::Shingle.into(),
            agreeing: Agreeing::default(),
        }
    }

    #[test]
    fn few_are_sorted_and_many_come_as_they_are() {
        let few = SortingSink::<TopPairs>::MAX_SORTED;
        for count in [0, 1, 1000, few, few + 1, 2 * few] {
            let count = u32::try_from(count).unwrap();
            let pairs: Vec<Pair> = (0..count).map(|a| pair(a, a * 7919 % 65_537)).collect();
            let mut sink = SortingSink::new(TopPairs::all());
            for some in pairs.chunks(700) {
                sink.take(&[], some).unwrap();
            }
            let passed = sink.finish(&[]).unwrap();
            let sorted = TopPairs {
                pairs: pairs.clone(),
                ..TopPairs::all()
            };
            if pairs.len() <= few {
                assert_eq!(passed.pairs, sorted.into_pairs());
            } else {
                assert_eq!(passed.pairs, pairs);
            }
        }
    }

    #[test]
    fn more_pairs_than_there_is_memory_for_are_an_error() {
        let pairs: Vec<Pair> = (0..10).map(|a| pair(a, a)).collect();
        let mut sink = TopPairs::all_of(15);
        sink.take(&[], &pairs).unwrap();
        let error = sink.take(&[], &pairs).unwrap_err();
        assert_eq!(TooManyPairs::of(&error), Some(TooManyPairs { most: 15 }));
        assert_eq!(TooManyPairs::of(&io::Error::other("full")), None);
        assert_eq!(sink.into_pairs().len(), 10);
    }

    #[test]
    fn half_of_the_memory_is_for_pairs() {
        assert_eq!(TopPairs::room(Some(16 << 20)), 1 << 20);
        assert_eq!(TopPairs::room(Some(1 << 30)), (1 << 29) / 28);
        assert_eq!(TopPairs::room(None), usize::MAX);
    }

    #[test]
    fn the_best_of_many_are_those_of_all() {
        let pairs: Vec<Pair> = (0..30_000).map(|a| pair(a, a * 7919 % 65_537)).collect();
        let best = |most: Option<usize>| {
            let mut best = most.map_or_else(TopPairs::all, TopPairs::new);
            for some in pairs.chunks(997) {
                best.take(&[], some).unwrap();
            }
            best.into_pairs()
        };
        let all = best(None);
        assert_eq!(all.len(), pairs.len());
        for most in [0, 1, 100, 29_999, 40_000] {
            assert_eq!(best(Some(most)), all[..most.min(all.len())]);
        }
    }
}
