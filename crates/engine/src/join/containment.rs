//! The exact containment self-join: all pairs of sets of which one has at least the share t of the
//! other, however different their sizes are.
//!
//! A short text inside a long one has a low Jaccard similarity, and the bounds by size that make that
//! join fast do not hold for it. What holds is that the *smaller* set y must share ceil(t |y|) elements
//! with the larger one, whatever that is. So every set looks for larger ones, in the lists of its rarest
//! elements (prefix filter, Chaudhuri et al. 2006): if d elements are left out, whoever shares enough is
//! in at least ceil(t |y|) - d of the other lists. The most frequent elements, with by far the longest
//! lists, are those left out. Candidates are verified exactly.

use rayon::prelude::*;

use crate::error::Result;
use crate::join::JaccardPair;
use crate::join::inverted::Prepared;
use crate::join::inverted::distinct::Distinct;
use crate::join::inverted::rarity::Weighing;
use crate::join::threshold::Containment;

/// Returns all pairs of sets of which one contains enough of the other, as positions in `sets`, ordered by
/// position. The elements of a set are distinct; their order does not matter.
///
/// # Errors
///
/// [`crate::error::Error::TooManyShingles`] if all sets together have more than 2^32 elements.
///
/// # Examples
///
/// ```
/// use dupfind_engine::join::containment::self_join;
/// use dupfind_engine::join::threshold::Containment;
///
/// let sets = [(0..100).collect::<Vec<u64>>(), vec![5, 6, 7, 8, 1000], vec![2000, 2001]];
/// let containment = Containment { least: "0.8".parse().unwrap(), min_size: 5 };
/// let pairs = self_join(&sets, containment).unwrap();
/// assert_eq!((pairs[0].a, pairs[0].b, pairs[0].overlap), (0, 1, 4));
/// assert_eq!(pairs.len(), 1);
/// ```
pub fn self_join<S: AsRef<[u64]> + Sync>(
    sets: &[S],
    containment: Containment,
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
    for (x, y) in index.contained(0..count, containment, None) {
        let (overlap, union) = index.shared(x, y);
        pairs.extend(
            distinct
                .groups
                .pairs_between(x, y)
                .map(pair(overlap, union)),
        );
    }
    for (group, &size) in (0..).zip(&distinct.sizes) {
        if containment.admits(size, size, size) {
            pairs.extend(distinct.groups.pairs_within(group).map(pair(size, size)));
        }
    }
    pairs.par_sort_unstable();
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::exhaustive;
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
            let containment = Containment {
                least: Threshold::new(thousandths, 1000).unwrap(),
                min_size,
            };
            prop_assert_eq!(
                self_join(&sets, containment).unwrap(),
                exhaustive::containment(&sets, containment)
            );
        }
    }

    #[test]
    fn a_part_is_found_however_long_the_whole_is() {
        let whole: Vec<u64> = (0..10_000).collect();
        let part: Vec<u64> = (500..540).chain(20_000..20_010).collect();
        let sets = [whole, part, (500..505).collect()];
        let containment = |least: &str| Containment {
            least: least.parse().unwrap(),
            min_size: 10,
        };
        assert_eq!(self_join(&sets, containment("0.8")).unwrap().len(), 1);
        assert!(self_join(&sets, containment("0.81")).unwrap().is_empty());
    }
}
