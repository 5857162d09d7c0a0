//! Equal sets, brought together: they are joined once for all of their positions.

use rayon::prelude::*;

use crate::join::JaccardPair;
use crate::join::parts::mix;

/// The distinct ones among some sets, ordered by size, and the positions of each.
#[derive(Debug)]
pub(crate) struct Distinct {
    /// The sizes of the distinct sets, ascending.
    pub(crate) sizes: Vec<u32>,
    /// All positions, those of equal sets together, in the order of `sizes`; empty sets left out.
    positions: Vec<u32>,
    /// Where each distinct set's positions start; one longer than `sizes`.
    starts: Vec<usize>,
    /// For every position its distinct set, or [`EMPTY`].
    of: Vec<u32>,
}

/// Stands for the empty set, which is similar to nothing.
const EMPTY: u32 = u32::MAX;

impl Distinct {
    /// Takes sets of distinct elements in any order and groups the equal ones; returns the groups,
    /// and the first set of each.
    ///
    /// # Panics
    ///
    /// If there are 2^32 sets or more, or a set has as many elements.
    pub(crate) fn new<S: AsRef<[u64]> + Sync>(sets: &[S]) -> (Self, Vec<&[u64]>) {
        let set = |position: u32| sets[position as usize].as_ref();
        let count = u32::try_from(sets.len()).expect("positions are 32 bits wide");
        let mut keyed: Vec<(usize, u64, u32)> = (0..count)
            .into_par_iter()
            .filter(|&position| !set(position).is_empty())
            .map(|position| (set(position).len(), set_hash(set(position)), position))
            .collect();
        keyed.par_sort_unstable();

        let mut distinct = Self {
            sizes: Vec::new(),
            positions: keyed.iter().map(|&(_, _, position)| position).collect(),
            starts: Vec::new(),
            of: vec![EMPTY; sets.len()],
        };
        let mut firsts: Vec<&[u64]> = Vec::new();
        for (at, &(size, hash, position)) in keyed.iter().enumerate() {
            let is_new = at == 0
                || (size, hash) != (keyed[at - 1].0, keyed[at - 1].1)
                || !are_equal(firsts[firsts.len() - 1], set(position));
            if is_new {
                distinct.starts.push(at);
                distinct
                    .sizes
                    .push(u32::try_from(size).expect("sizes are 32 bits wide"));
                firsts.push(set(position));
            }
            distinct.of[position as usize] =
                u32::try_from(firsts.len() - 1).expect("not more than positions");
        }
        distinct.starts.push(keyed.len());
        (distinct, firsts)
    }

    /// The distinct set at a position, or `None` for an empty one.
    pub(crate) fn at(&self, position: u32) -> Option<u32> {
        Some(self.of[position as usize]).filter(|&set| set != EMPTY)
    }

    /// The positions of a distinct set, ascending.
    fn members(&self, set: u32) -> &[u32] {
        &self.positions[self.starts[set as usize]..self.starts[set as usize + 1]]
    }

    /// Appends the pairs of positions that have this very set.
    pub(crate) fn equal_pairs(&self, set: u32, pairs: &mut Vec<JaccardPair>) {
        let (members, size) = (self.members(set), self.sizes[set as usize]);
        for (at, &a) in members.iter().enumerate() {
            pairs.extend(members[at + 1..].iter().map(|&b| JaccardPair {
                a,
                b,
                overlap: size,
                union: size,
            }));
        }
    }

    /// Appends the pairs of a position of one distinct set and one of another.
    pub(crate) fn cross_pairs(
        &self,
        (x, y): (u32, u32),
        (overlap, union): (u32, u32),
        pairs: &mut Vec<JaccardPair>,
    ) {
        for &a in self.members(x) {
            pairs.extend(self.members(y).iter().map(|&b| JaccardPair {
                a: a.min(b),
                b: a.max(b),
                overlap,
                union,
            }));
        }
    }
}

/// A hash by which equal sets come together whatever the order of their elements; what it brings
/// together is compared.
fn set_hash(set: &[u64]) -> u64 {
    set.iter()
        .fold(0, |hash, element| hash.wrapping_add(mix(*element)))
}

/// Whether two sets of the same size are equal.
fn are_equal(x: &[u64], y: &[u64]) -> bool {
    let sorted = |set: &[u64]| {
        let mut set = set.to_vec();
        set.sort_unstable();
        set
    };
    x == y || sorted(x) == sorted(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_grouped_whatever_their_order() {
        let sets: [&[u64]; 6] = [&[3, 1, 2], &[], &[7], &[1, 2, 3], &[1, 2, 4], &[2, 3, 1]];
        let (distinct, firsts) = Distinct::new(&sets);
        assert_eq!(distinct.sizes, [1, 3, 3]);
        assert_eq!(firsts.len(), 3);
        assert_eq!(distinct.at(1), None);
        let group = distinct.at(0).unwrap();
        assert_eq!(distinct.members(group), [0, 3, 5]);
        assert_ne!(distinct.at(4), Some(group));
        let mut pairs = Vec::new();
        distinct.equal_pairs(group, &mut pairs);
        assert_eq!(pairs.len(), 3);
    }

    #[test]
    fn sets_are_compared_by_their_elements() {
        assert!(are_equal(&[1, 2], &[2, 1]));
        assert!(!are_equal(&[1, 2], &[2, 3]));
    }
}
