//! Which few sets have the elements of another set together.
//!
//! The set that has most of the elements comes first, then the one that has most of those that the first one does not
//! have, and so on (greedy cover, Chvatal 1979).

use crate::Result;

/// A set that covers a part of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// Its number.
    pub set: usize,
    /// The positions of the elements that it has and no set before it, ascending.
    pub adds: Vec<usize>,
    /// How many of the elements it has.
    pub shared: usize,
}

/// Returns at most `most` of `sets` sets that cover a set, the one that covers most first. `owners` has for each element
/// the numbers of the sets that have it, ascending. A set adds at least `least` elements, and `may_cover` allows it.
///
/// # Errors
///
/// Those of `may_cover`.
pub fn cover(
    owners: &[Vec<usize>],
    sets: usize,
    least: usize,
    most: usize,
    mut may_cover: impl FnMut(usize) -> Result<bool>,
) -> Result<Vec<Cover>> {
    // How many of the elements that are left each set has.
    let mut counts = vec![0_u32; sets];
    for &set in owners.iter().flatten() {
        counts[set] += 1;
    }
    let shared = counts.clone();
    let mut is_left = vec![true; owners.len()];
    let mut covers = Vec::new();
    while covers.len() < most {
        // Of two that add as many, the one that shares more, then the first one.
        let (mut best, mut found) = ((0, 0), None);
        for (set, measures) in counts.iter().zip(&shared).enumerate() {
            if measures > (&best.0, &best.1) {
                (best, found) = ((*measures.0, *measures.1), Some(set));
            }
        }
        let Some(set) = found.filter(|_| best.0 as usize >= least) else {
            break;
        };
        if !may_cover(set)? {
            counts[set] = 0;
            continue;
        }
        let mut adds = Vec::new();
        for (at, owners) in owners.iter().enumerate() {
            if is_left[at] && owners.binary_search(&set).is_ok() {
                is_left[at] = false;
                adds.push(at);
                for &owner in owners {
                    counts[owner] = counts[owner].saturating_sub(1);
                }
            }
        }
        covers.push(Cover {
            set,
            adds,
            shared: shared[set] as usize,
        });
    }
    Ok(covers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_adds_what_those_before_it_do_not_have() {
        // Set 1 has the first four elements, set 0 the last three, set 2 the middle, set 3 all.
        let owners = [
            vec![1, 3],
            vec![1, 3],
            vec![1, 2, 3],
            vec![0, 1, 2, 3],
            vec![0, 3],
            vec![0, 3],
        ];
        let found = cover(&owners, 4, 1, 9, |set| Ok(set != 3)).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|cover| (cover.set, cover.adds.as_slice(), cover.shared))
            .collect();
        assert_eq!(found, [(1, &[0, 1, 2, 3][..], 4), (0, &[4, 5][..], 3)]);
        let one = |least, most| {
            cover(&owners, 4, least, most, |set| Ok(set != 3))
                .unwrap()
                .len()
        };
        assert_eq!((one(3, 9), one(1, 1), one(5, 9)), (1, 1, 0));
        assert_eq!(cover(&owners, 4, 1, 9, |_| Ok(true)).unwrap()[0].set, 3);
    }
}
