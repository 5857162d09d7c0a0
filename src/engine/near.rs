//! Groups of documents that a detector of signatures asks for.

use rayon::prelude::*;

use crate::join::groups::{Groups, NONE};

/// Takes the groups of equal signatures, pairs of them that agree well enough, and another group of every
/// document. Returns the pairs (later, earlier) of different ones of these that have documents with equal
/// or agreeing signatures, ordered.
pub(crate) fn near_groups(
    signatures: &Groups,
    agreeing: &[(u32, u32)],
    group_of: &[u32],
) -> Vec<(u32, u32)> {
    // The groups of the documents that have each signature.
    let groups: Vec<Vec<u32>> = (0..signatures.count())
        .map(|signature| {
            let members = signatures.members(signature).iter();
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
    for &(signature, other) in agreeing {
        for &x in &groups[signature as usize] {
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
    use crate::join::hamming::Collapsed;
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
            let collapsed = Collapsed::new(&codes);
            let near = collapsed.near(distance);
            prop_assert_eq!(near_groups(&collapsed.groups, &near, &group_of), expected);
        }
    }
}
