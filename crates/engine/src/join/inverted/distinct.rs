//! The distinct sets among some: equal ones are brought together, and ordered by size.

use std::convert::Infallible;

use rayon::prelude::*;

use crate::join::groups::Groups;
use crate::join::inverted::{floor, mix};
use crate::join::shared::sorted;

/// A key of a set: equal sets have equal keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SetKey {
    /// How many elements the set has.
    pub size: u32,
    /// The least hash of an element (min-hash, Broder 1997). Two sets have the same with a probability
    /// that is their Jaccard similarity, so sets that share much tend to be adjacent.
    pub least: u64,
    /// A hash by which equal sets come together whatever the order of their elements.
    pub hash: u64,
}

impl SetKey {
    /// Returns the key of a set.
    ///
    /// # Panics
    ///
    /// If the set has 2^32 elements or more.
    pub fn of(set: &[u64]) -> Self {
        let mixed = set.iter().map(|&element| mix(element));
        let (least, hash) = mixed.fold((u64::MAX, 0_u64), |(least, hash), mixed| {
            (least.min(mixed), hash.wrapping_add(mixed))
        });
        Self {
            size: u32::try_from(set.len()).expect("sizes are 32 bits wide"),
            least,
            hash,
        }
    }
}

/// The distinct sets, by rank: those of a smaller size class first. Empty sets are left out: they are
/// similar to nothing.
#[derive(Debug)]
pub struct Distinct {
    /// The positions that have each set.
    pub groups: Groups,
    /// The size of each set; their classes ascend.
    pub sizes: Vec<u32>,
}

impl Distinct {
    /// Returns the distinct sets among those with these keys. `are_equal` compares two sets with the same
    /// key: a hash alone would not be exact.
    ///
    /// # Errors
    ///
    /// The first error of `are_equal`.
    ///
    /// # Panics
    ///
    /// If there are 2^32 sets or more.
    pub fn new<E: Send>(
        keys: &[SetKey],
        are_equal: impl Fn(u32, u32) -> Result<bool, E> + Sync,
    ) -> Result<Self, E> {
        let key = |position: u32| keys[position as usize];
        let order = ordered(keys);
        let equals_last: Vec<bool> = order
            .par_windows(2)
            .map(|pair| Ok(key(pair[0]) == key(pair[1]) && are_equal(pair[0], pair[1])?))
            .collect::<Result<_, E>>()?;
        let groups = Groups::new(order, |at| equals_last[at - 1]);
        let sizes = groups.firsts().map(|first| key(first).size).collect();
        Ok(Self { groups, sizes })
    }

    /// Returns the distinct sets among some, and the first set of each group.
    ///
    /// # Panics
    ///
    /// If there are 2^32 sets or more, or a set has as many elements.
    pub(crate) fn of<S: AsRef<[u64]> + Sync>(sets: &[S]) -> (Self, Vec<&[u64]>) {
        let set = |position: u32| sets[position as usize].as_ref();
        let keys: Vec<SetKey> = sets
            .par_iter()
            .map(|set| SetKey::of(set.as_ref()))
            .collect();
        let equal = |a, b| Ok::<_, Infallible>(are_equal(set(a), set(b)));
        let Ok(distinct) = Self::new(&keys, equal);
        let firsts = distinct.groups.firsts().map(set).collect();
        (distinct, firsts)
    }
}

/// Returns the positions of the sets that are not empty: by size class, equal keys side by side.
fn ordered(keys: &[SetKey]) -> Vec<u32> {
    let count = u32::try_from(keys.len()).expect("positions are 32 bits wide");
    let key = |position: u32| keys[position as usize];
    let mut order: Vec<u32> = (0..count)
        .into_par_iter()
        .filter(|&position| key(position).size > 0)
        .collect();
    order.par_sort_unstable_by_key(|&position| {
        let SetKey { size, least, hash } = key(position);
        (floor(size), least, size, hash, position)
    });
    order
}

/// Whether two sets of the same size are equal, whatever the order of their elements.
pub fn are_equal(x: &[u64], y: &[u64]) -> bool {
    x == y || sorted(x) == sorted(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_not_enough() {
        let key = SetKey {
            size: 2,
            least: 1,
            hash: 9,
        };
        let Ok(distinct) = Distinct::new(&[key; 3], |a, b| Ok::<_, Infallible>(a + b == 1));
        assert_eq!(distinct.groups.members(0), [0, 1]);
        assert_eq!(distinct.groups.members(1), [2]);
        assert!(are_equal(&[1, 2], &[2, 1]));
        assert!(!are_equal(&[1, 2], &[2, 3]));
    }
}
