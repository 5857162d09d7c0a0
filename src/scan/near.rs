//! Groups of equal shingle sets that the SimHash detector asks for.

use rayon::prelude::*;

use crate::join::groups::NONE;
use crate::join::hamming::Collapsed;

/// Takes all fingerprints, the group of every document and the largest distance. Returns the pairs
/// (later, earlier) of different groups that have documents within that distance, ordered.
pub(crate) fn near_groups(codes: &[u64], group_of: &[u32], max_hamming: u32) -> Vec<(u32, u32)> {
    let collapsed = Collapsed::new(codes);
    // The groups of the documents that have each fingerprint.
    let groups: Vec<Vec<u32>> = (0..collapsed.groups.count())
        .map(|code| {
            let members = collapsed.groups.members(code).iter();
            let mut groups: Vec<u32> = members
                .map(|&document| group_of[document as usize])
                .filter(|&group| group != NONE)
                .collect();
            groups.sort_unstable();
            groups.dedup();
            groups
        })
        .collect();
    let mut pairs = Vec::new();
    for same in &groups {
        for (at, &y) in same.iter().enumerate() {
            pairs.extend(same[at + 1..].iter().map(|&x| (x, y)));
        }
    }
    for (code, other) in collapsed.near(max_hamming) {
        for &x in &groups[code as usize] {
            let others = groups[other as usize].iter().filter(|&&y| y != x);
            pairs.extend(others.map(|&y| (x.max(y), x.min(y))));
        }
    }
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_comparing_all(
            documents in prop::collection::vec((0_u64..300, 0_u32..9), 0..60), distance in 0_u32..4,
        ) {
            let codes: Vec<u64> = documents.iter().map(|&(code, _)| code).collect();
            let group = |&(_, group): &(u64, u32)| if group == 8 { NONE } else { group };
            let group_of: Vec<u32> = documents.iter().map(group).collect();
            let mut expected = BTreeSet::new();
            for (a, x) in codes.iter().zip(&group_of) {
                for (b, y) in codes.iter().zip(&group_of) {
                    if (a ^ b).count_ones() <= distance && y < x && *x != NONE {
                        expected.insert((*x, *y));
                    }
                }
            }
            let expected: Vec<(u32, u32)> = expected.into_iter().collect();
            prop_assert_eq!(near_groups(&codes, &group_of, distance), expected);
        }
    }
}
