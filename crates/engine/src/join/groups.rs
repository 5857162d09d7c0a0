//! Groups of positions with equal values. A join handles each group once, for all of its positions.

use rayon::prelude::*;

/// Groups of positions, numbered from 0.
#[derive(Debug)]
pub struct Groups {
    /// All positions, those of a group together and ascending.
    positions: Vec<u32>,
    /// Where each group starts among them; one longer than the groups.
    starts: Vec<u32>,
}

/// Marks a position that is in no group.
pub const NONE: u32 = u32::MAX;

impl Groups {
    /// Returns the groups of positions that are ordered so that equal ones are adjacent. `equals_last` returns
    /// whether the position at a place of that order, never the first, equals the one before it.
    ///
    /// # Panics
    ///
    /// If there are 2^32 positions or more.
    pub(crate) fn new(positions: Vec<u32>, equals_last: impl Fn(usize) -> bool) -> Self {
        let count = u32::try_from(positions.len()).expect("positions are 32 bits wide");
        let is_start = |&at: &u32| at == 0 || !equals_last(at as usize);
        let mut starts: Vec<u32> = (0..count).filter(is_start).collect();
        starts.push(count);
        Self { positions, starts }
    }

    /// Returns the groups of positions that are ordered so that those with equal values are adjacent.
    pub(crate) fn of(positions: Vec<u32>, are_equal: impl Fn(u32, u32) -> bool) -> Self {
        let pairs = positions.windows(2);
        let equals_last: Vec<bool> = pairs.map(|pair| are_equal(pair[0], pair[1])).collect();
        Self::new(positions, |at| equals_last[at - 1])
    }

    /// Returns these groups of positions without those that are gone. Groups can be empty.
    pub(crate) fn without(group_of: &[u32], count: u32, gone: &[bool]) -> Self {
        let is_left = |at: &u32| group_of[*at as usize] != NONE && !gone[*at as usize];
        let mut positions: Vec<u32> = (0..).take(group_of.len()).filter(is_left).collect();
        positions.sort_by_key(|&at| group_of[at as usize]);
        let before = |group: u32| positions.partition_point(|&at| group_of[at as usize] < group);
        let starts = (0..=count).map(|group| u32::try_from(before(group)).expect("32 bits"));
        let starts = starts.collect();
        Self { positions, starts }
    }

    /// How many groups there are.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.starts.len() - 1).expect("not more groups than positions")
    }

    /// The positions in a group, ascending; there is at least one, unless some are gone.
    pub fn members(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.positions[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The first position of every group.
    pub fn firsts(&self) -> impl Iterator<Item = u32> {
        (0..self.count()).map(|group| self.members(group)[0])
    }

    /// The pairs of positions in a group, the smaller one first.
    pub(crate) fn pairs_within(&self, group: u32) -> impl Iterator<Item = (u32, u32)> {
        let members = self.members(group);
        let with_earlier =
            move |(at, &b): (usize, &u32)| members[..at].iter().map(move |&a| (a, b));
        members.iter().enumerate().flat_map(with_earlier)
    }

    /// The pairs of a position in one group and a position in another, the smaller one first.
    pub(crate) fn pairs_between(&self, x: u32, y: u32) -> impl Iterator<Item = (u32, u32)> {
        let others = self.members(y);
        let with_others = move |&a: &u32| others.iter().map(move |&b| (a.min(b), a.max(b)));
        self.members(x).iter().flat_map(with_others)
    }

    /// Returns the group of each of `count` positions, or [`NONE`].
    pub(crate) fn by_position(&self, count: usize) -> Vec<u32> {
        let mut groups = vec![NONE; count];
        for group in 0..self.count() {
            for &position in self.members(group) {
                groups[position as usize] = group;
            }
        }
        groups
    }
}

/// Groups of equal values, and which of these are similar.
#[derive(Debug)]
pub struct Similar {
    /// The positions that have each value.
    pub groups: Groups,
    /// The pairs of groups, each as (larger, smaller), in no order.
    pub pairs: Vec<(u32, u32)>,
}

impl Similar {
    /// Returns the pairs `(later, earlier)` of other groups of the positions, ordered, that have positions with equal or similar
    /// values. `group_of` has the other group of each position, or [`NONE`].
    pub(crate) fn of_groups(&self, group_of: &[u32]) -> Vec<(u32, u32)> {
        // The other groups of the positions that have each value.
        let groups: Vec<Vec<u32>> = (0..self.groups.count())
            .map(|value| {
                let members = self.groups.members(value).iter();
                let mut groups: Vec<u32> = members
                    .map(|&position| group_of[position as usize])
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
        for &(value, other) in &self.pairs {
            for &x in &groups[value as usize] {
                let others = groups[other as usize].iter().filter(|&&y| y != x);
                pairs.extend(others.map(|&y| (x.max(y), x.min(y))));
            }
        }
        pairs.par_sort_unstable();
        pairs.dedup();
        pairs
    }
}
