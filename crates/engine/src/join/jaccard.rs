//! The exact Jaccard self-join: all pairs of sets with similarity of at least t, however low t is.
//!
//! Methods that look for *one* shared rare element (AllPairs, Bayardo et al. 2007; PPJoin, Xiao et
//! al. 2008) verify a tenth of all pairs at t = 0.2. This one counts instead (ScanCount with a
//! prefix filter): for each set, go through the lists of its elements, rarest first, and count for
//! every set before it how many elements it shares.
//!
//! 1. Equal sets are joined once for all of their positions.
//! 2. Sets are ordered by class of size, so a set is compared only with those of its own class and
//!    smaller ones, down to the least size that can still be similar enough. It goes through them in
//!    tiles of similar size, whose counters fit the fastest cache.
//! 3. The most frequent elements have by far the longest lists. For each tile a set leaves out its `d`
//!    most frequent ones (its *tail*), where d is less than the overlap any pair there needs. What a
//!    pair shares is then its count plus at most d, so only pairs with count >= need - d are
//!    candidates: at t = 0.2 little more than the answers remain.
//! 4. A candidate is verified by counting which of the other set's most frequent elements are in the
//!    tail; all others have been counted exactly.
//!
//! Time grows with the square of the number of sets, at a fraction of an addition for each pair.
//! Memory: some 9 bytes for each element of each set that another set shares; while the index is made,
//! 4 bytes for each and 12 more for a quarter of them, or for 12 million, at a time. Pairs are found in
//! the order of the later set, and can be taken one by one without being collected.

use std::convert::Infallible;
use std::ops::Range;

use crate::join::JaccardPair;
use crate::join::inverted::distinct::Distinct;
use crate::join::inverted::prepared::in_rounds;
use crate::join::inverted::rarity::Weighing;
use crate::join::inverted::{Prepared, SetPair};
use crate::join::threshold::Threshold;
use crate::run::Result;

/// Calls `take` with every pair of sets that are similar enough, as positions in `sets`, in an order that depends on the
/// sets alone. The elements of a set are distinct; their order does not matter. The pairs are not collected: there may be
/// more than memory holds.
///
/// # Errors
///
/// [`crate::run::Error::TooMuch`] if all sets together have more than 2^32 elements.
///
/// # Examples
///
/// ```
/// use dupfind_engine::join::jaccard::for_each_pair;
///
/// let sets = vec![[1, 2, 3]; 1000];
/// let mut count = 0;
/// for_each_pair(&sets, "0.9".parse().unwrap(), |_| count += 1).unwrap();
/// assert_eq!(count, 1000 * 999 / 2);
/// ```
pub fn for_each_pair<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    threshold: Threshold,
    mut take: impl FnMut(JaccardPair) + Send,
) -> Result<()> {
    let (distinct, firsts) = Distinct::of(sets);
    let count = distinct.groups.count();
    let index = Prepared::new(&firsts, count, Weighing::None)?.index();
    let Ok(()) = in_rounds(
        0..count,
        |part| index.pairs(part, threshold.into(), &[]),
        |part, found| {
            take_part(&distinct, part, &found, &mut take);
            Ok::<_, Infallible>(())
        },
    );
    Ok(())
}

/// Calls `take` with the pairs of positions whose later set is in a range. `found` has the pairs of distinct
/// sets, in order.
fn take_part(
    distinct: &Distinct,
    sets: Range<u32>,
    found: &[SetPair],
    take: &mut impl FnMut(JaccardPair),
) {
    let groups = &distinct.groups;
    let mut take = |(a, b), overlap, union| {
        take(JaccardPair {
            a,
            b,
            overlap,
            union,
        });
    };
    let mut found = found.iter().peekable();
    for set in sets {
        let size = distinct.sizes[set as usize];
        groups
            .pairs_within(set)
            .for_each(|pair| take(pair, size, size));
        while let Some(near) = found.next_if(|pair| pair.x == set) {
            groups
                .pairs_between(near.x, near.y)
                .for_each(|pair| take(pair, near.overlap, near.union));
        }
    }
}
