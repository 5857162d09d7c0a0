//! The exact join of signatures: all pairs that agree in enough places. A signature is a few hashes, and two agree in a
//! place if both have the same hash there.
//!
//! Signatures that agree in one place are brought together by sorting, place by place. A group that is
//! large is taken apart further by the places that follow, until it agrees in as many places as are
//! asked for, so that every pair in it is an answer; a small one is compared outright. As in
//! [`crate::join::hamming`] a pair is reported for the first places in which it agrees and for no
//! others, and equal signatures are joined once for all of their positions.
//!
//! A count of the places in which each pair meets would need no choices of places, but
//! pages of one template meet in one place by the million, and only two are requested.
//!
//! Cost: (width - least + 1) sorts, and at worst one look at a pair for every choice of `least` of the
//! places in which it agrees.

use rayon::prelude::*;

use crate::fingerprint::ABSENT;
use crate::join::groups::Groups;
use crate::join::jaccard::agreeing;

/// A group of up to this many signatures is compared outright.
const SMALL_GROUP: usize = 32;

/// The distinct signatures among some, without those that can agree with nothing.
#[derive(Debug)]
pub(crate) struct Collapsed {
    /// The positions that have each.
    pub groups: Groups,
    /// The signature of each group.
    distinct: Vec<u64>,
    width: usize,
    least: usize,
}

impl Collapsed {
    /// Returns the distinct signatures among some of `width` values each, one after the other. A signature with
    /// fewer than `least` values is in no group.
    ///
    /// # Panics
    ///
    /// If there are 2^32 signatures or more, values of a part of one, or unless 1 <= `least` <= `width`.
    pub(crate) fn new(signatures: &[u64], width: usize, least: usize) -> Self {
        assert!((1..=width).contains(&least), "1 <= least <= width");
        assert!(signatures.len().is_multiple_of(width), "whole signatures");
        let count = u32::try_from(signatures.len() / width).expect("positions are 32 bits wide");
        let signature = |position: u32| &signatures[position as usize * width..][..width];
        let mut order: Vec<u32> = (0..count)
            .filter(|&position| {
                let signature = signature(position);
                agreeing(signature, signature) as usize >= least
            })
            .collect();
        order.par_sort_unstable_by_key(|&position| (signature(position), position));
        let groups = Groups::of(order, |a, b| signature(a) == signature(b));
        let distinct = groups.firsts().flat_map(signature).copied().collect();
        Self {
            groups,
            distinct,
            width,
            least,
        }
    }

    fn signature(&self, group: u32) -> &[u64] {
        &self.distinct[group as usize * self.width..][..self.width]
    }

    /// A value of a group's signature.
    fn value(&self, group: u32, place: usize) -> u64 {
        self.distinct[group as usize * self.width + place]
    }

    /// All pairs of groups whose signatures agree in enough places, in no order, each as (larger,
    /// smaller).
    pub(crate) fn near(&self) -> Vec<(u32, u32)> {
        let firsts = (0..=self.width - self.least).into_par_iter();
        let per_place: Vec<Vec<(u32, u32)>> = firsts
            .map(|first| {
                let mut search = Search {
                    signatures: self,
                    chosen: Vec::with_capacity(self.least),
                    found: Vec::new(),
                };
                let groups: Vec<u32> = (0..self.groups.count()).collect();
                search.choose(first, &groups);
                search.found
            })
            .collect();
        per_place.into_iter().flatten().collect()
    }
}

/// The search for pairs whose first agreeing places are those chosen.
struct Search<'c> {
    signatures: &'c Collapsed,
    /// Ascending.
    chosen: Vec<usize>,
    found: Vec<(u32, u32)>,
}

impl Search<'_> {
    /// Chooses one more place, for groups that agree in all places chosen so far.
    fn choose(&mut self, place: usize, groups: &[u32]) {
        let value = |&group: &u32| (self.signatures.value(group, place), group);
        // Values beside their groups: to fetch them while sorting is slower than the sorting.
        let mut keyed: Vec<(u64, u32)> = groups.iter().map(value).collect();
        keyed.sort_unstable();
        self.chosen.push(place);
        let mut same = Vec::new();
        for keyed in keyed.chunk_by(|a, b| a.0 == b.0) {
            if keyed.len() < 2 || keyed[0].0 == ABSENT {
                continue;
            }
            same.clear();
            same.extend(keyed.iter().map(|&(_, group)| group));
            if self.agree_before(&same) {
                continue;
            }
            let missing = self.signatures.least - self.chosen.len();
            if missing == 0 || same.len() <= SMALL_GROUP {
                self.compare(&same);
            } else {
                for next in place + 1..=self.signatures.width - missing {
                    self.choose(next, &same);
                }
            }
        }
        self.chosen.pop();
    }

    /// The places before the last chosen one that were passed over.
    fn passed_over(&self) -> impl Iterator<Item = usize> {
        let last = self.chosen.last().copied().unwrap_or_default();
        (0..last).filter(|place| !self.chosen.contains(place))
    }

    /// Whether all of some groups agree in a place that was passed over: then their pairs are found by a choice with
    /// this place.
    fn agree_before(&self, groups: &[u32]) -> bool {
        self.passed_over().any(|place| {
            let value = self.signatures.value(groups[0], place);
            let is_same = |&group: &u32| self.signatures.value(group, place) == value;
            value != ABSENT && groups.iter().all(is_same)
        })
    }

    /// Compares all of some groups with each other.
    fn compare(&mut self, groups: &[u32]) {
        let passed_over: Vec<usize> = self.passed_over().collect();
        for (at, &x) in groups.iter().enumerate() {
            let one = self.signatures.signature(x);
            for &y in &groups[at + 1..] {
                let other = self.signatures.signature(y);
                let agrees = |&place: &usize| one[place] == other[place] && one[place] != ABSENT;
                if !passed_over.iter().any(agrees)
                    && agreeing(one, other) as usize >= self.signatures.least
                {
                    self.found.push((x.max(y), x.min(y)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::oracle::joined::agreement as self_join;
    use crate::join::oracle::{self, AgreementPair};
    use proptest::prelude::*;

    #[test]
    fn table_of_cases() {
        let cases: [(&str, &[u64], usize, usize, usize); 8] = [
            ("none", &[], 3, 2, 0),
            ("one", &[1, 2, 3], 3, 1, 0),
            ("equal", &[1, 2, 1, 2, 1, 2], 2, 2, 3),
            ("just enough", &[1, 2, 3, 1, 9, 3], 3, 2, 1),
            ("just too little", &[1, 2, 3, 1, 9, 8], 3, 2, 0),
            ("other places", &[1, 2, 2, 1], 2, 1, 0),
            ("equal without enough values", &[0, 2, 0, 0, 2, 0], 3, 2, 0),
            ("no value in common", &[0, 2, 3, 0, 2, 4], 3, 2, 0),
        ];
        for (name, signatures, width, least, expected) in cases {
            assert_eq!(
                self_join(signatures, width, least).len(),
                expected,
                "{name}"
            );
        }
    }

    #[test]
    fn groups_are_pairs_of_positions() {
        let collapsed = Collapsed::new(&[5, 6, 5, 7, 0, 0, 5, 6], 2, 1);
        assert_eq!(collapsed.groups.members(0), [0, 3]);
        assert_eq!(collapsed.groups.members(1), [1]);
        assert_eq!(collapsed.near(), [(1, 0)]);
    }

    #[test]
    fn a_template_that_all_share_costs_no_comparisons() {
        // 200,000 signatures that agree in one place: 20 billion pairs, one of which agrees in two.
        let count = 200_000;
        let signatures: Vec<u64> = (1..=count)
            .flat_map(|own| [7, own, count + own.max(2)])
            .collect();
        let found = self_join(&signatures, 3, 2);
        assert_eq!(
            found,
            [AgreementPair {
                a: 0,
                b: 1,
                agreeing: 2
            }]
        );
    }

    #[test]
    fn a_large_cluster_is_found_once() {
        // Each differs from the others in one place or two.
        let signatures: Vec<u64> = (0..300_u64)
            .flat_map(|own| (0..6).map(move |place| if place == own % 6 { 10 + own } else { 1 }))
            .collect();
        assert_eq!(
            self_join(&signatures, 6, 2),
            oracle::agreement(&signatures, 6, 2)
        );
    }

    proptest! {
        #[test]
        fn equals_the_exhaustive_join(
            width in 1_usize..8,
            least in 1_usize..8,
            // Few values, so that many agree; 0 is none.
            values in prop::collection::vec(0_u64..6, 0..1200),
            rare in 1_u64..5,
        ) {
            let least = least.min(width);
            let whole = values.len() / width * width;
            let spread = |(at, &value): (usize, &u64)| match value {
                0 => 0,
                value => value + (at as u64 % rare) * 10,
            };
            let signatures: Vec<u64> = values[..whole].iter().enumerate().map(spread).collect();
            let found = self_join(&signatures, width, least);
            prop_assert_eq!(found, oracle::agreement(&signatures, width, least));
        }
    }
}
