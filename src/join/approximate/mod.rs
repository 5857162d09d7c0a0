//! The approximate Jaccard self-join: similarity sketches in bands (Broder 1997; Indyk and Motwani 1998; the
//! bands are those of Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", chapter 3). For
//! collections that are too large for [`crate::join::jaccard`], whose time grows with the square.
//!
//! Two sets of similarity J agree in all of r slots with probability J^r, and in at least one of b such bands
//! with 1 - (1 - J^r)^b. [`Plan`] chooses r and b so that a pair at the threshold is found with the recall
//! asked for, and every other pair with a higher one. What agrees in a band is compared by a second sketch,
//! of bytes, which passes nearly all that are similar enough; what passes is a candidate, and every candidate
//! is verified exactly: no pair is reported that is not similar enough.
//!
//! Elements that no other set has are left out of the sketches, as they are out of the index. That makes two
//! sets only more alike, so the recall is not less.
//!
//! Slots are those of fast similarity sketching, not classic min-hashes, which take twice as long for 116
//! bands of two of 95 elements, and four times as long of 300 or 650. With these, and without sketches of
//! bytes, 64,000 documents took four times as long at a threshold of .2. The bins of one permutation would be
//! as fast, but of these a band agrees with probability J^r only while each set has many times as many
//! elements as bins, which short texts have not.
//!
//! Memory besides the index: for every set 128 bytes for the keys of 32 bands and 128 to 512 bytes for the
//! sketch; 12 bytes for each pair that was found; and for each thread up to 264 bytes for every set that has one
//! key with the others, of which there are rarely many.

mod bands;
mod batch;
mod plan;
mod recall;
mod sketches;

use std::convert::Infallible;
use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

pub use self::plan::Plan;
pub use self::recall::{Measured, Recall};

use crate::error::Result;
use crate::join::JaccardPair;
use crate::join::approximate::bands::Bands;
use crate::join::approximate::sketches::Sketches;
use crate::join::cost::{Estimate, Strategy};
use crate::join::distinct::Distinct;
use crate::join::index::{Found, Index, Prepared, SetPair};
use crate::join::jaccard::take_part;
use crate::join::postings::Postings;
use crate::join::rarity::Weighing;
use crate::join::rounds::in_rounds;
use crate::join::threshold::Threshold;

/// The part of what may be missed that sketches may miss; bands miss the rest.
const MISSED_BY_SKETCH: f64 = 0.1;

/// What an approximate join found, and what it and the exact one were expected to cost.
#[derive(Debug)]
pub struct Approximated {
    /// The pairs, ordered by position.
    pub pairs: Vec<JaccardPair>,
    /// The bands that were used; none if the join was exact, because there is nothing to plan for.
    pub plan: Option<Plan>,
    /// The cost of the exact join.
    pub exact: Estimate,
    /// How many of the pairs of some random sets were found.
    pub measured: Measured,
}

/// Takes sets (of distinct elements, in any order), the threshold, the recall at the threshold and of how
/// many random sets it is to be measured. Returns pairs of positions with Jaccard similarity of at least
/// the threshold, each found with at least that probability. Equal sets are always found.
///
/// # Errors
///
/// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
///
/// # Examples
///
/// ```
/// use dupfind::join::approximate::self_join;
///
/// let sets: Vec<Vec<u64>> = (0..100).map(|own| (own..own + 50).collect()).collect();
/// let joined = self_join(&sets, "0.5".parse()?, "0.99".parse()?, 20)?;
/// assert!(joined.pairs.iter().all(|pair| 2 * pair.overlap >= pair.union));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn self_join<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    threshold: Threshold,
    recall: Recall,
    sample: usize,
) -> Result<Approximated> {
    let (distinct, firsts) = Distinct::of(sets);
    let count = distinct.groups.count();
    let index = Prepared::new(&firsts, count, Strategy::Counting, Weighing::None)?.index();
    let exact = index.estimate(0..count, threshold);
    let approximation = Approximation::new(&index, 0..count, threshold, recall);
    let plan = approximation
        .as_ref()
        .map(|approximation| approximation.plan);
    let found = approximation.map(|approximation| approximation.pairs());
    let mut pairs = Vec::new();
    let mut take = |pair| pairs.push(pair);
    let Ok(()) = in_rounds(
        0..count,
        |part| match &found {
            Some(found) => index.found(part, found, &[]),
            None => index.pairs(part, threshold, &[]),
        },
        |part, found| {
            take_part(&distinct, part, &found, &mut take);
            Ok::<_, Infallible>(())
        },
    );
    pairs.par_sort_unstable();
    let measured = match &found {
        Some(found) => measure(&index, 0..count, threshold, found, sample),
        None => Measured { found: 0, all: 0 },
    };
    Ok(Approximated {
        pairs,
        plan,
        exact,
        measured,
    })
}

/// The sets that may be in a pair: others share nothing with any set.
fn may_be_paired(postings: &Postings, indexed: u32, probing: &Range<u32>) -> Vec<u32> {
    let found = 0..indexed.min(probing.end);
    let others = probing.start.max(found.end)..probing.end;
    let all = found.chain(others);
    all.filter(|&set| !postings.ranks(set).is_empty()).collect()
}

/// An approximate join that is planned.
#[derive(Debug)]
pub(crate) struct Approximation<'i> {
    bands: Bands<'i>,
    /// How it is done, and what it is expected to cost.
    pub(crate) plan: Plan,
}

impl<'i> Approximation<'i> {
    /// Takes the index, the sets that are to look for others, the threshold and the recall. None if there is
    /// no plan: two sets are compared outright, and at a threshold near 0 no number of bands is enough.
    pub(crate) fn new(
        index: &'i Index,
        probing: Range<u32>,
        threshold: Threshold,
        recall: Recall,
    ) -> Option<Self> {
        let postings = index.postings()?;
        let indexed = index.indexed();
        let sets = may_be_paired(postings, indexed, &probing);
        let by_sketch = recall.missed() * MISSED_BY_SKETCH;
        let bands = Bands {
            sketches: Sketches::new(postings, &sets, threshold, by_sketch),
            postings,
            sizes: index.sizes(),
            indexed,
            probing,
            threshold,
            sets,
        };
        let plan = Plan::cheapest(&bands, recall)?;
        Some(Self { bands, plan })
    }

    /// Returns the pairs that were found, of sets that look for others with sets to be found before them,
    /// ordered. All are similar enough.
    pub(crate) fn pairs(&self) -> Vec<Found> {
        self.bands.pairs(&self.plan)
    }
}

/// Takes the index, the sets that looked for others, the threshold, the pairs that were found, ordered, and
/// a number of sets. Looks for the pairs of so many random sets, always the same ones, with sets before
/// them by counting, and returns how many of these had been found.
pub(crate) fn measure(
    index: &Index,
    probing: Range<u32>,
    threshold: Threshold,
    found: &[Found],
    sample: usize,
) -> Measured {
    let mut sets: Vec<u32> = probing.collect();
    let random = |set: &u32| (xxh3_64(&set.to_le_bytes()), *set);
    if sample < sets.len() {
        sets.select_nth_unstable_by_key(sample, random);
        sets.truncate(sample);
    }
    let of_one = |set: u32| {
        let (_, pairs) = index.pairs(set..set + 1, threshold, &[]);
        let is_found = |pair: &&SetPair| {
            let sought = (pair.x, pair.y);
            found
                .binary_search_by_key(&sought, |found| (found.x, found.y))
                .is_ok()
        };
        Measured {
            found: pairs.iter().filter(is_found).count() as u64,
            all: pairs.len() as u64,
        }
    };
    sets.into_par_iter().map(of_one).sum()
}

#[cfg(test)]
mod tests;
