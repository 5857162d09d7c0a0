//! The exact joins over whole slices, by positions. Tests compare them with those of [`oracle`](super), and benches
//! measure them. The program joins a part at a time.

use rayon::prelude::*;

use crate::join::groups::Similar;
use crate::join::inverted::distinct::Distinct;
use crate::join::inverted::rarity::Weighing;
use crate::join::inverted::{Alike, Prepared};
use crate::join::jaccard::for_each_pair;
use crate::join::oracle::{AgreementPair, HammingPair, WeightedPair};
use crate::join::shared::agreeing;
use crate::join::threshold::{Containment, Threshold, WeightedThreshold};
use crate::join::weighted::Weighted;
use crate::join::{JaccardPair, agreement, hamming};
use crate::run::Result;

/// Returns all pairs of codes that differ in at most `max_distance` bits, as positions in `codes`, ordered by
/// position.
///
/// # Panics
///
/// If there are 2^32 codes or more.
///
/// # Examples
///
/// ```
/// use dupfind_engine::join::oracle::joined::hamming;
///
/// let pairs = hamming(&[0b0000, 0b0111, u64::MAX, 0b0011], 2);
/// let found: Vec<_> = pairs.iter().map(|pair| (pair.a, pair.b, pair.distance)).collect();
/// assert_eq!(found, [(0, 3, 2), (1, 3, 1)]);
/// ```
pub fn hamming(codes: &[u64], max_distance: u32) -> Vec<HammingPair> {
    let Similar {
        groups,
        pairs: near,
    } = hamming::similar(codes, max_distance);
    let pair = |distance| move |(a, b)| HammingPair { a, b, distance };
    let mut pairs = Vec::new();
    for group in 0..groups.count() {
        pairs.extend(groups.pairs_within(group).map(pair(0)));
    }
    for (x, y) in near {
        for (a, b) in groups.pairs_between(x, y) {
            let distance = (codes[a as usize] ^ codes[b as usize]).count_ones();
            pairs.push(HammingPair { a, b, distance });
        }
    }
    pairs.par_sort_unstable();
    pairs
}

/// Returns all pairs of signatures that agree in at least `least` places, ordered by position. Signatures have
/// `width` values each, and there is nothing between them. A place where a document has no value
/// ([`ABSENT`](crate::fingerprint::ABSENT)) agrees with nothing.
///
/// # Panics
///
/// If there are 2^32 signatures or more, values of a part of one, or unless 1 <= `least` <= `width`.
///
/// # Examples
///
/// ```
/// use dupfind_engine::join::oracle::joined::agreement;
///
/// let pairs = agreement(&[1, 2, 3, 4, 5, 6, 1, 9, 3], 3, 2);
/// let found: Vec<_> = pairs.iter().map(|pair| (pair.a, pair.b, pair.agreeing)).collect();
/// assert_eq!(found, [(0, 2, 2)]);
/// ```
pub fn agreement(signatures: &[u64], width: usize, least: usize) -> Vec<AgreementPair> {
    let Similar {
        groups,
        pairs: near,
    } = agreement::similar(signatures, width, least);
    let signature = |position: u32| &signatures[position as usize * width..][..width];
    let pair = |(a, b)| AgreementPair {
        a,
        b,
        agreeing: agreeing(signature(a), signature(b)),
    };
    let mut pairs = Vec::new();
    for group in 0..groups.count() {
        pairs.extend(groups.pairs_within(group).map(pair));
    }
    for (x, y) in near {
        pairs.extend(groups.pairs_between(x, y).map(pair));
    }
    pairs.par_sort_unstable();
    pairs
}

/// Returns all pairs of sets with a Jaccard similarity of at least the threshold, as positions in `sets`,
/// ordered by position. The elements of a set are distinct; their order does not matter. An empty set is in
/// no pair.
///
/// # Errors
///
/// [`crate::run::Error::TooMuch`] if all sets together have more than 2^32 elements.
///
/// # Examples
///
/// ```
/// use dupfind_engine::join::oracle::joined::jaccard;
///
/// let sets = [vec![1, 2, 3, 4], vec![10, 11], vec![2, 3, 4, 5]];
/// let pairs = jaccard(&sets, "0.5".parse().unwrap()).unwrap();
/// assert_eq!((pairs[0].a, pairs[0].b), (0, 2));
/// assert_eq!((pairs[0].overlap, pairs[0].union), (3, 5));
/// ```
pub fn jaccard<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    threshold: Threshold,
) -> Result<Vec<JaccardPair>> {
    let mut pairs = Vec::new();
    for_each_pair(sets, threshold, |pair| pairs.push(pair))?;
    pairs.par_sort_unstable();
    Ok(pairs)
}

/// Returns all pairs of sets where one contains enough of the other, as positions in `sets`, ordered by position. The
/// elements of a set are distinct; their order does not matter.
///
/// # Errors
///
/// [`crate::run::Error::TooMuch`] if all sets together have more than 2^32 elements.
///
/// # Examples
///
/// ```
/// use dupfind_engine::join::oracle::joined::containment;
/// use dupfind_engine::join::threshold::Containment;
///
/// let sets = [(0..100).collect::<Vec<u64>>(), vec![5, 6, 7, 8, 1000], vec![2000, 2001]];
/// let wanted = Containment { least: "0.8".parse().unwrap(), min_size: 5 };
/// let pairs = containment(&sets, wanted).unwrap();
/// assert_eq!((pairs[0].a, pairs[0].b, pairs[0].overlap), (0, 1, 4));
/// assert_eq!(pairs.len(), 1);
/// ```
pub fn containment<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    wanted: Containment,
) -> Result<Vec<JaccardPair>> {
    let (distinct, firsts) = Distinct::of(sets);
    let count = distinct.groups.count();
    let index = Prepared::new(&firsts, count, Weighing::None)?.index();
    let pair = |overlap, union| {
        move |(a, b)| JaccardPair {
            a,
            b,
            overlap,
            union,
        }
    };
    let mut pairs = Vec::new();
    for (x, y) in index.contained(0..count, wanted, None) {
        let (overlap, union) = index.shared(x, y);
        pairs.extend(
            distinct
                .groups
                .pairs_between(x, y)
                .map(pair(overlap, union)),
        );
    }
    for (group, &size) in (0..).zip(&distinct.sizes) {
        if wanted.admits(size, size, size) {
            pairs.extend(distinct.groups.pairs_within(group).map(pair(size, size)));
        }
    }
    pairs.par_sort_unstable();
    Ok(pairs)
}

/// Returns all pairs of sets that share enough weight, as positions in `sets`, ordered by position. The weights are
/// those among these sets, where equal ones count once. The elements of a set are distinct; their order does not
/// matter. Two equal sets are a pair if they are large enough.
///
/// # Errors
///
/// [`crate::run::Error::TooMuch`] if all sets together have more than 2^32 elements.
///
/// # Examples
///
/// ```
/// use dupfind_engine::join::threshold::WeightedThreshold;
/// use dupfind_engine::join::oracle::joined::weighted;
///
/// // The first two share 1 and 2, which no other set has. All share 9.
/// let sets = [vec![1, 2, 3, 9], vec![1, 2, 4, 9], vec![5, 9], vec![6, 9]];
/// let threshold = WeightedThreshold { least: 3_000, min_size: 2 };
/// let pairs = weighted(&sets, threshold).unwrap();
/// assert_eq!((pairs[0].a, pairs[0].b), (0, 1));
/// assert_eq!((pairs.len(), pairs[0].weighted.similarity), (1, 5_555));
/// ```
pub fn weighted<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    threshold: WeightedThreshold,
) -> Result<Vec<WeightedPair>> {
    let (distinct, firsts) = Distinct::of(sets);
    let count = distinct.groups.count();
    let index = Prepared::new(&firsts, count, Weighing::Own(None))?.index();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::oracle;
    use crate::join::threshold::Threshold;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_comparing_all(
            sets in prop::collection::vec(
                (
                    prop::collection::btree_set(0_u64..14, 0..12),
                    prop::collection::btree_set(100_u64..200, 0..40),
                ),
                0..40,
            ),
            parts in prop::collection::vec((0_usize..40, 1_usize..20), 0..10),
            thousandths in 1_u64..=1000,
            min_size in 0_u32..12,
        ) {
            let mut sets: Vec<Vec<u64>> = sets
                .into_iter()
                .map(|(many, few)| many.into_iter().chain(few).collect())
                .collect();
            // Parts of others, which random sets hardly ever are.
            for (of, length) in parts {
                if let Some(set) = sets.get(of) {
                    let part = set.iter().rev().take(length).copied().collect();
                    sets.push(part);
                }
            }
            let wanted = Containment {
                least: Threshold::new(thousandths, 1000).unwrap(),
                min_size,
            };
            prop_assert_eq!(
                containment(&sets, wanted).unwrap(),
                oracle::containment(&sets, wanted)
            );
        }
    }

    #[test]
    fn a_part_is_found_however_long_the_whole_is() {
        let whole: Vec<u64> = (0..10_000).collect();
        let part: Vec<u64> = (500..540).chain(20_000..20_010).collect();
        let sets = [whole, part, (500..505).collect()];
        let wanted = |least: &str| Containment {
            least: least.parse().unwrap(),
            min_size: 10,
        };
        assert_eq!(containment(&sets, wanted("0.8")).unwrap().len(), 1);
        assert!(containment(&sets, wanted("0.81")).unwrap().is_empty());
    }
}
