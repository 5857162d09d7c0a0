//! The exact weighted Jaccard self-join: all pairs of sets of a weighted similarity t; see [`crate::join::weighted`].
//!
//! A pair shares at least the share t of the weight of each of its sets. So for each set the weights of what it shares
//! with each set before it are added up, in the lists of its elements, rarest first. The most frequent elements, with
//! the longest lists, are left out as long as they weigh less than that together (prefix filter, Chaudhuri et al. 2006).
//! What comes near enough is verified exactly.
//!
//! A rewritten text is found in this way that has a low Jaccard similarity: what it still has of the original is rare. A
//! Jaccard join at a threshold as low would propose all pages of each template.

use rayon::prelude::*;

use crate::error::Result;
use crate::join::WeightedPair;
use crate::join::inverted::distinct::Distinct;
use crate::join::inverted::rarity::Weighing;
use crate::join::inverted::{Alike, Prepared};
use crate::join::threshold::{Threshold, WeightedThreshold};
use crate::join::weighted::Weighted;

/// Returns all pairs of sets that share enough weight, as positions in `sets`, ordered by position. The weights are
/// those among these sets, of which equal ones count once. The elements of a set are distinct; their order does not
/// matter. Two equal sets are a pair if they are large enough.
///
/// # Errors
///
/// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
///
/// # Examples
///
/// ```
/// use dupfind_engine::join::threshold::WeightedThreshold;
/// use dupfind_engine::join::weighted_jaccard::self_join;
///
/// // The first two share 1 and 2, which no other set has. All share 9.
/// let sets = [vec![1, 2, 3, 9], vec![1, 2, 4, 9], vec![5, 9], vec![6, 9]];
/// let threshold = WeightedThreshold { least: 3_000, min_size: 2 };
/// let pairs = self_join(&sets, threshold).unwrap();
/// assert_eq!((pairs[0].a, pairs[0].b), (0, 1));
/// assert_eq!((pairs.len(), pairs[0].weighted.similarity), (1, 5_555));
/// ```
pub fn self_join<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    threshold: WeightedThreshold,
) -> Result<Vec<WeightedPair>> {
    let (distinct, firsts) = Distinct::of(sets);
    let count = distinct.groups.count();
    let index = Prepared::new(&firsts, count, Weighing::Own)?.index();
    let alike = Alike {
        // No two of them are equal.
        jaccard: Threshold::ONE,
        weighted: Some(threshold),
    };
    let mut pairs = Vec::new();
    let mut start = 0;
    while start < count {
        let (end, found) = index.pairs(start..count, alike, &[]);
        for pair in found {
            let weighted = pair.weighted;
            let positions = distinct.groups.pairs_between(pair.x, pair.y);
            pairs.extend(positions.map(|(a, b)| WeightedPair { a, b, weighted }));
        }
        start = end;
    }
    let weighted = Weighted::EQUAL;
    for (group, &size) in (0..).zip(&distinct.sizes) {
        if threshold.admits(weighted, size) {
            let positions = distinct.groups.pairs_within(group);
            pairs.extend(positions.map(|(a, b)| WeightedPair { a, b, weighted }));
        }
    }
    pairs.par_sort_unstable();
    Ok(pairs)
}
