//! The exact Jaccard self-join: all pairs of sets with similarity of at least t, however low t is.
//!
//! Methods that look for *one* shared rare element (AllPairs, Bayardo et al. 2007; PPJoin, Xiao et
//! al. 2008) verify a tenth of all pairs at t = 0.2. This one counts instead (ScanCount with a
//! prefix filter): for each set, go through the lists of its elements, rarest first, and count for
//! every smaller set how many elements it shares.
//!
//! 1. Equal sets are joined once for all of their positions.
//! 2. Sets are ordered by size, so a set is compared only with the smaller ones before it, and with
//!    those only down to the least size that can still be similar enough.
//! 3. The most frequent elements have by far the longest lists. Each set leaves out its `d` most
//!    frequent ones (its *tail*), where d is less than the overlap any pair of it needs. What a pair
//!    shares is then its count plus at most d, so only pairs with count >= need - d are candidates:
//!    at t = 0.2 little more than the answers remain.
//! 4. A candidate is verified by merging the tail with the other set's part of the same ranks; all
//!    before it has been counted exactly.
//!
//! Time grows with the square of the number of sets, at a fraction of an addition for each pair.
//! Memory: 12 bytes for each element of each set that another set shares; while the index is made, 12
//! bytes more for some millions of elements at a time.

use rayon::prelude::*;

use crate::error::Result;
use crate::join::JaccardPair;
use crate::join::equal::Distinct;
use crate::join::parts::{Part, parts};
use crate::join::postings::Postings;
use crate::join::probe::{Counters, Probe, overlap_from};
use crate::join::threshold::Threshold;

/// Takes sets (of distinct elements, in any order) and returns all pairs of positions with Jaccard
/// similarity of at least the threshold, ordered by position. Two empty sets are no pair.
///
/// # Errors
///
/// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
///
/// # Examples
///
/// ```
/// use dupfind::join::jaccard::self_join;
///
/// let sets = [vec![1, 2, 3, 4], vec![10, 11], vec![2, 3, 4, 5]];
/// let pairs = self_join(&sets, "0.5".parse().unwrap()).unwrap();
/// assert_eq!((pairs[0].a, pairs[0].b), (0, 2));
/// assert_eq!((pairs[0].overlap, pairs[0].union), (3, 5));
/// ```
pub fn self_join<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    threshold: Threshold,
) -> Result<Vec<JaccardPair>> {
    Ok(Index::new(sets)?.self_join(threshold))
}

/// What is needed of some sets to make their [`Index`]. The sets can be dropped before the index is
/// made, which together would take twice the memory.
#[derive(Debug)]
pub struct Prepared {
    distinct: Distinct,
    parts: Vec<Part>,
}

impl Prepared {
    /// Takes sets (of distinct elements, in any order) and takes from them what is needed.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
    pub fn new<S: AsRef<[u64]> + Sync>(sets: &[S]) -> Result<Self> {
        let (distinct, firsts) = Distinct::new(sets);
        let parts = parts(&firsts)?;
        Ok(Self { distinct, parts })
    }

    /// Makes the index.
    #[must_use]
    pub fn index(self) -> Index {
        let postings = Postings::new(self.parts, self.distinct.sizes.len());
        Index {
            distinct: self.distinct,
            postings,
        }
    }
}

/// Sets prepared for joining and for measuring single pairs.
#[derive(Debug)]
pub struct Index {
    distinct: Distinct,
    postings: Postings,
}

impl Index {
    /// Takes sets (of distinct elements, in any order) and prepares them. The sets themselves are not
    /// needed any more afterwards.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
    pub fn new<S: AsRef<[u64]> + Sync>(sets: &[S]) -> Result<Self> {
        Ok(Prepared::new(sets)?.index())
    }

    /// Takes two positions and returns the sizes of the intersection and the union of their sets.
    #[must_use]
    pub fn measure(&self, a: u32, b: u32) -> (u32, u32) {
        let (x, y) = (self.distinct.at(a), self.distinct.at(b));
        let size = |set: Option<u32>| set.map_or(0, |set| self.distinct.sizes[set as usize]);
        let overlap = match (x, y) {
            _ if x == y => size(x),
            (Some(x), Some(y)) => overlap_from(&self.postings, x, 0, y),
            _ => 0,
        };
        (overlap, size(x) + size(y) - overlap)
    }

    /// Returns all pairs with similarity of at least the threshold, ordered by position.
    #[must_use]
    pub fn self_join(&self, threshold: Threshold) -> Vec<JaccardPair> {
        let sizes = &self.distinct.sizes;
        let count = u32::try_from(sizes.len()).expect("positions are 32 bits wide");
        let mut pairs: Vec<JaccardPair> = (0..count)
            .into_par_iter()
            .with_min_len(64)
            .fold(
                || (Counters::default(), Vec::new()),
                |(mut counters, mut pairs), set| {
                    self.distinct.equal_pairs(set, &mut pairs);
                    let probe = Probe::new(sizes, &self.postings, threshold, set);
                    probe.run(&mut counters, |other, overlap, union| {
                        self.distinct
                            .cross_pairs((set, other), (overlap, union), &mut pairs);
                    });
                    (counters, pairs)
                },
            )
            .map(|(_, pairs)| pairs)
            .flatten()
            .collect();
        pairs.par_sort_unstable();
        pairs
    }
}
