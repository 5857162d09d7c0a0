//! Counts what two signatures or two sets share.

use crate::fingerprint::ABSENT;

/// Returns in how many places two signatures have the same value. [`ABSENT`] is no value.
pub(crate) fn agreeing(x: &[u64], y: &[u64]) -> u32 {
    let agreeing = |(x, y): (&u64, &u64)| u32::from(x == y && *x != ABSENT);
    x.iter().zip(y).map(agreeing).sum()
}

/// Returns the elements of a set in ascending order.
pub fn sorted(set: &[u64]) -> Vec<u64> {
    let mut set = set.to_vec();
    set.sort_unstable();
    set
}

/// Returns how many elements two strictly ascending slices share.
pub fn overlap<T: Ord + Copy>(x: &[T], y: &[T]) -> u32 {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        let (a, b) = (x[i], y[j]);
        shared += u32::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    shared
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn overlap_is_the_size_of_the_intersection(
            x in prop::collection::btree_set(0_u64..60, 0..40),
            y in prop::collection::btree_set(0_u64..60, 0..40),
        ) {
            let list = |set: &BTreeSet<u64>| set.iter().copied().collect::<Vec<_>>();
            let expected = x.intersection(&y).count();
            prop_assert_eq!(overlap(&list(&x), &list(&y)) as usize, expected);
            prop_assert_eq!(overlap(&list(&y), &list(&x)) as usize, expected);
        }
    }
}
