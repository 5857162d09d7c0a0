//! Where pairs go as they are found.

use std::cmp::Reverse;
use std::io;

use rayon::prelude::*;

use crate::engine::document::Document;
use crate::engine::pair::{Pair, Resemblance};

/// Takes pairs while a run goes on.
pub trait PairSink: Send {
    /// Takes all documents, which are the same at every call, and some pairs. The order of the pairs
    /// of a run depends on its documents and settings alone.
    ///
    /// # Errors
    ///
    /// Whatever makes it useless to go on; the run ends with [`crate::error::Error::Sink`].
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()>;
}

/// Keeps the pairs that come first: copies, and the most similar ones.
#[derive(Debug)]
pub struct TopPairs {
    pairs: Vec<Pair>,
    most: usize,
}

impl TopPairs {
    /// Takes how many pairs to keep at most.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            pairs: Vec::new(),
            most,
        }
    }

    /// Keeps all pairs.
    #[must_use]
    pub fn all() -> Self {
        Self::new(usize::MAX)
    }

    /// The pairs by relation, copies first, then the most similar first, then the nearest, then by name.
    #[must_use]
    pub fn into_pairs(mut self) -> Vec<Pair> {
        self.pairs.par_sort_unstable_by_key(order);
        self.pairs.truncate(self.most);
        self.pairs
    }
}

impl PairSink for TopPairs {
    fn take(&mut self, _documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        self.pairs.extend_from_slice(pairs);
        // Seldom, so that it costs little next to finding them.
        let many = self.most.saturating_mul(2).saturating_add(1 << 12);
        if self.pairs.len() > many {
            self.pairs.select_nth_unstable_by_key(self.most, order);
            self.pairs.truncate(self.most);
        }
        Ok(())
    }
}

/// Passes pairs on sorted if they are few, and as they come if they are many: a short report is read by
/// people, who want the most similar pairs first; a long one is a stream.
#[derive(Debug)]
pub struct SortingSink<S> {
    sink: S,
    /// What is held back; none any more once there are too many.
    held: Option<TopPairs>,
}

impl<S: PairSink> SortingSink<S> {
    /// How many pairs are few.
    pub const MOST_SORTED: usize = 10_000;

    /// Takes who gets the pairs.
    pub fn new(sink: S) -> Self {
        Self {
            sink,
            held: Some(TopPairs::all()),
        }
    }

    /// Takes all documents, passes on what is held back, sorted, and returns who got the pairs.
    ///
    /// # Errors
    ///
    /// What the sink says.
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
            Some(best) if best.pairs.len() + pairs.len() <= Self::MOST_SORTED => {
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

/// What pairs are sorted by: copies first, then the most similar.
fn order(pair: &Pair) -> impl Ord + use<> {
    (
        pair.relation,
        Reverse(pair.jaccard.map(Resemblance::steps)),
        pair.hamming,
        pair.a,
        pair.b,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Detector;
    use crate::document::DocId;
    use crate::engine::pair::Agreeing;
    use crate::engine::pair::relation::Relation;

    fn pair(a: u32, overlap: u32) -> Pair {
        Pair {
            a: DocId::from(a),
            b: DocId::from(a + 1),
            hamming: None,
            jaccard: Resemblance::new(overlap, 100_000),
            weighted: None,
            relation: if a.is_multiple_of(3) {
                Relation::Exact
            } else {
                Relation::Related
            },
            found_by: Detector::Shingle.into(),
            agreeing: Agreeing::default(),
        }
    }

    #[test]
    fn few_are_sorted_and_many_come_as_they_are() {
        let few = SortingSink::<TopPairs>::MOST_SORTED;
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
                most: usize::MAX,
            };
            if pairs.len() <= few {
                assert_eq!(passed.pairs, sorted.into_pairs());
            } else {
                assert_eq!(passed.pairs, pairs);
            }
        }
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
