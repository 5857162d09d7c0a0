//! The inverted index of the Jaccard join: for every element of two or more sets, the list of sets
//! that have it, rarest element first; and for every set, the lists of its elements.
//!
//! Elements of one set only can never be shared and get no list: a third of all entries, and three
//! quarters of the distinct elements, of a folder of Chinese pages.

pub mod frequencies;
pub(super) mod parts;

use std::ops::Range;

use rayon::prelude::*;

use crate::join::inverted::postings::parts::{CLASSES, Part, frequency_class};

/// The index of a sequence of sets.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    /// All lists one after the other, by rising class of frequency, each in ascending order.
    lists: Vec<u32>,
    /// Where each list starts; one longer than the lists.
    bounds: Vec<u32>,
    /// The elements of all sets one after the other, each set's rarest first. An element is known by
    /// its rank, the number of its list: rarer ones have smaller ones.
    ranks: Vec<u32>,
    /// Where each set's elements start; one longer than the sets.
    starts: Vec<usize>,
}

impl Postings {
    /// Returns the index of `sets` sets from the lists of their elements.
    pub(crate) fn new(parts: Vec<Part>, sets: usize) -> Self {
        let (lists, bounds) = assemble(&parts);
        drop(parts);
        let (ranks, starts) = forward(&lists, &bounds, sets);
        Self {
            lists,
            bounds,
            ranks,
            starts,
        }
    }

    /// The ranks of a set's elements, ascending. Elements that no other set has are left out.
    #[inline]
    pub(crate) fn ranks(&self, set: u32) -> &[u32] {
        &self.ranks[self.starts[set as usize]..self.starts[set as usize + 1]]
    }

    /// All lists one after the other.
    #[inline]
    pub(crate) fn all_lists(&self) -> &[u32] {
        &self.lists
    }

    /// Where the list of a rank is in [`Self::all_lists`]: the sets that have the element, ascending.
    #[inline]
    pub(crate) fn list(&self, rank: u32) -> Range<u32> {
        self.bounds[rank as usize]..self.bounds[rank as usize + 1]
    }

    /// How many lists there are.
    pub(crate) fn list_count(&self) -> u32 {
        u32::try_from(self.bounds.len().saturating_sub(1)).expect("fewer than entries")
    }

    /// The lowest rank of a list of about `length` sets, and of all longer ones.
    pub(crate) fn first_of(&self, length: u32) -> u32 {
        let class = frequency_class(length);
        let (mut low, mut high) = (0, self.list_count());
        while low < high {
            let middle = low + (high - low) / 2;
            let list = self.list(middle);
            if frequency_class(list.end - list.start) < class {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Brings the lists of all parts into one sequence by rising class of frequency; returns it with the
/// bounds of the lists in it. One task copies one class.
fn assemble(parts: &[Part]) -> (Vec<u32>, Vec<u32>) {
    let total = |class: usize| {
        let ends = parts.iter().map(|part| part.starts[class]);
        ends.fold((0, 0), |sum, end| (sum.0 + end.0, sum.1 + end.1))
    };
    let (entry_count, list_count) = total(CLASSES);
    let mut sequence = vec![0; entry_count];
    let mut bounds = vec![0; list_count + 1];
    bounds[list_count] = u32::try_from(entry_count).expect("checked in `parts`");

    let mut tasks = Vec::with_capacity(CLASSES);
    let (mut rest, mut rest_bounds) = (sequence.as_mut_slice(), bounds.as_mut_slice());
    for class in 0..CLASSES {
        let (from, to) = (total(class), total(class + 1));
        let (own, others) = rest.split_at_mut(to.0 - from.0);
        let (own_bounds, other_bounds) = rest_bounds.split_at_mut(to.1 - from.1);
        tasks.push((class, from.0, own, own_bounds));
        (rest, rest_bounds) = (others, other_bounds);
    }
    tasks
        .into_par_iter()
        .for_each(|(class, first, own, bounds)| {
            let (mut at, mut list) = (0, 0);
            for part in parts {
                let (from, to) = (part.starts[class], part.starts[class + 1]);
                let mut start = first + at;
                for &length in &part.lengths[from.1..to.1] {
                    bounds[list] = u32::try_from(start).expect("checked in `parts`");
                    start += length as usize;
                    list += 1;
                }
                let lists = &part.lists[from.0..to.0];
                own[at..at + lists.len()].copy_from_slice(lists);
                at += lists.len();
            }
        });
    (sequence, bounds)
}

/// Turns the lists round: ranks of every set's elements, and where they start. Each task takes a run of
/// sets and reads all lists, which is sequential and costs little next to the writing.
fn forward(lists: &[u32], bounds: &[u32], sets: usize) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0_usize; sets + 1];
    for &set in lists {
        starts[set as usize + 1] += 1;
    }
    for set in 0..sets {
        starts[set + 1] += starts[set];
    }
    let mut ranks = vec![0; lists.len()];

    let tasks = rayon::current_num_threads().min(8);
    let mut runs = Vec::with_capacity(tasks);
    let (mut rest, mut from) = (ranks.as_mut_slice(), 0);
    for task in 1..=tasks {
        let bound = lists.len() / tasks * task;
        let to = if task == tasks {
            sets
        } else {
            starts
                .partition_point(|&start| start < bound)
                .clamp(from, sets)
        };
        let (own, others) = rest.split_at_mut(starts[to] - starts[from]);
        runs.push((from..to, own));
        (rest, from) = (others, to);
    }
    runs.into_par_iter().for_each(|(run, own)| {
        let first = starts[run.start];
        let mut next: Vec<usize> = starts[run.clone()]
            .iter()
            .map(|start| start - first)
            .collect();
        for (rank, bound) in (0..).zip(bounds.windows(2)) {
            let list = &lists[bound[0] as usize..bound[1] as usize];
            let skipped = list.partition_point(|&set| (set as usize) < run.start);
            for &set in &list[skipped..] {
                if set as usize >= run.end {
                    break;
                }
                let at = &mut next[set as usize - run.start];
                own[*at] = rank;
                *at += 1;
            }
        }
    });
    (ranks, starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::inverted::postings::parts::parts;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn check(sets: &[Vec<u64>]) {
        let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
        let index = Postings::new(parts(&slices, None).unwrap(), sets.len());
        let mut holders: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for (set, elements) in (0..).zip(sets) {
            for &element in elements {
                holders.entry(element).or_default().push(set);
            }
        }
        holders.retain(|_, list| list.len() > 1);
        for (set, elements) in (0..).zip(sets) {
            let ranks = index.ranks(set);
            assert!(ranks.is_sorted_by(|a, b| a < b));
            let list = |&rank: &u32| {
                let list = index.list(rank);
                &index.all_lists()[list.start as usize..list.end as usize]
            };
            let mut found: Vec<&[u32]> = ranks.iter().map(list).collect();
            let expected = elements.iter().filter_map(|element| holders.get(element));
            let mut expected: Vec<&[u32]> = expected.map(Vec::as_slice).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
        let lengths = index.bounds.windows(2).map(|pair| pair[1] - pair[0]);
        let lengths: Vec<u32> = lengths.collect();
        let class = |&length: &u32| frequency_class(length);
        assert!(lengths.iter().map(class).is_sorted(), "rarest first");
        assert_eq!(lengths.len(), holders.len());
        for wanted in [0, 2, 3, 8, 100] {
            let fewer = lengths.iter();
            let fewer = fewer.filter(|length| class(length) < frequency_class(wanted));
            assert_eq!(index.first_of(wanted) as usize, fewer.count());
        }
    }

    #[test]
    fn small_and_empty_indexes() {
        check(&[]);
        check(&[vec![], vec![]]);
        check(&[vec![0, u64::MAX], vec![1], vec![0, 1, u64::MAX]]);
    }

    proptest! {
        #[test]
        fn equals_a_map_of_lists(
            sets in prop::collection::vec(prop::collection::btree_set(0_u64..90, 0..40), 0..40)
        ) {
            let sets: Vec<Vec<u64>> = sets
                .into_iter()
                .map(|set| set.into_iter().map(|element| element << 42 | element).collect())
                .collect();
            check(&sets);
        }
    }

    #[test]
    fn many_parts_give_the_same_index() {
        let sets = (0..400_u64).map(|set| {
            (0..500)
                .map(|i| (i * i + set * 31) % 7001)
                .collect::<BTreeSet<_>>()
        });
        let sets: Vec<Vec<u64>> = sets.map(|set| set.into_iter().collect()).collect();
        check(&sets);
    }
}
