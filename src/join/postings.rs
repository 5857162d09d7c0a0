//! The inverted index of the Jaccard join: for every element of two or more sets, the list of sets
//! that have it, rarest element first; and for every set, where it stands in the lists of its
//! elements.
//!
//! Elements of one set only can never be shared and get no list: a third of all entries, and three
//! quarters of the distinct elements, of a folder of Chinese pages.

use std::ops::Range;

use rayon::prelude::*;

use crate::join::parts::{CLASSES, Part};

/// The index of a sequence of sets.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    /// All lists one after the other, by rising class of frequency, each in ascending order.
    lists: Vec<u32>,
    /// The elements of all sets one after the other, each set's rarest first. An element is known by
    /// its rank: where its list starts. No two share it, and rarer ones have smaller ones.
    ranks: Vec<u32>,
    /// For each of them, how many of the sets that this one is compared with have it: they are the
    /// list's first ones.
    befores: Vec<u32>,
    /// Where each set's elements start; one longer than the sets.
    starts: Vec<usize>,
}

impl Postings {
    /// Takes the lists of the elements of some sets, in parts, the number of sets and how many of
    /// them, from the first, are to be found; returns their index. A set is compared with those to be
    /// found that come before it. The parts are used up on the way.
    pub(crate) fn new(parts: Vec<Part>, sets: usize, indexed: u32) -> Self {
        let (lists, bounds) = assemble(&parts);
        drop(parts);
        let (ranks, befores, starts) = forward(&lists, &bounds, sets, indexed);
        Self {
            lists,
            ranks,
            befores,
            starts,
        }
    }

    fn range(&self, set: u32) -> Range<usize> {
        self.starts[set as usize]..self.starts[set as usize + 1]
    }

    /// The ranks of a set's elements, ascending. Elements that no other set has are left out.
    #[inline]
    pub(crate) fn ranks(&self, set: u32) -> &[u32] {
        &self.ranks[self.range(set)]
    }

    /// For each of [`Self::ranks`], how many of the sets that this one is compared with have the
    /// element.
    #[inline]
    pub(crate) fn befores(&self, set: u32) -> &[u32] {
        &self.befores[self.range(set)]
    }

    /// All lists one after the other. A rank is where a list starts.
    #[inline]
    pub(crate) fn all_lists(&self) -> &[u32] {
        &self.lists
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

/// Turns the lists round: ranks and numbers of sets to compare with for every set's elements, and where
/// they start. Each task takes a run of sets and reads all lists, which is sequential and costs little
/// next to the writing.
fn forward(
    lists: &[u32],
    bounds: &[u32],
    sets: usize,
    indexed: u32,
) -> (Vec<u32>, Vec<u32>, Vec<usize>) {
    let mut starts = vec![0_usize; sets + 1];
    for &set in lists {
        starts[set as usize + 1] += 1;
    }
    for set in 0..sets {
        starts[set + 1] += starts[set];
    }
    let mut ranks = vec![0; lists.len()];
    let mut befores = vec![0; lists.len()];

    let tasks = rayon::current_num_threads().min(8);
    let mut runs = Vec::with_capacity(tasks);
    let (mut rest, mut from) = ((ranks.as_mut_slice(), befores.as_mut_slice()), 0);
    for task in 1..=tasks {
        let bound = lists.len() / tasks * task;
        let to = if task == tasks {
            sets
        } else {
            starts
                .partition_point(|&start| start < bound)
                .clamp(from, sets)
        };
        let size = starts[to] - starts[from];
        let (own_ranks, ranks) = rest.0.split_at_mut(size);
        let (own_befores, befores) = rest.1.split_at_mut(size);
        runs.push((from..to, own_ranks, own_befores));
        (rest, from) = ((ranks, befores), to);
    }
    runs.into_par_iter().for_each(|(run, ranks, befores)| {
        let first = starts[run.start];
        let mut next: Vec<usize> = starts[run.clone()]
            .iter()
            .map(|start| start - first)
            .collect();
        for bound in bounds.windows(2) {
            let list = &lists[bound[0] as usize..bound[1] as usize];
            let skipped = list.partition_point(|&set| (set as usize) < run.start);
            let most = if (indexed as usize) < sets {
                list.partition_point(|&set| set < indexed)
            } else {
                list.len()
            };
            let most = u32::try_from(most).expect("checked in `parts`");
            for (before, &set) in (0..).zip(list).skip(skipped) {
                if set as usize >= run.end {
                    break;
                }
                let at = &mut next[set as usize - run.start];
                ranks[*at] = bound[0];
                befores[*at] = most.min(before);
                *at += 1;
            }
        }
    });
    (ranks, befores, starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::parts::{frequency_class, parts};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn check(sets: &[Vec<u64>]) {
        let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
        let count = u32::try_from(sets.len()).unwrap();
        for indexed in [count, count / 2] {
            check_indexed(sets, &slices, indexed);
        }
    }

    fn check_indexed(sets: &[Vec<u64>], slices: &[&[u64]], indexed: u32) {
        let index = Postings::new(parts(slices).unwrap(), sets.len(), indexed);
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
            let lists = ranks.iter().zip(index.befores(set));
            let list = |(&rank, &before): (&u32, &u32)| {
                &index.all_lists()[rank as usize..][..before as usize]
            };
            let mut found: Vec<&[u32]> = lists.map(list).collect();
            let mut expected: Vec<&[u32]> = elements
                .iter()
                .filter_map(|element| holders.get(element))
                .map(|list| &list[..list.partition_point(|&other| other < set.min(indexed))])
                .collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
        let mut starts: BTreeSet<usize> = index.ranks.iter().map(|&rank| rank as usize).collect();
        let list_count = starts.len();
        starts.insert(index.lists.len());
        let starts: Vec<usize> = starts.into_iter().collect();
        let lengths = starts
            .windows(2)
            .map(|pair| u32::try_from(pair[1] - pair[0]).unwrap());
        assert!(lengths.map(frequency_class).is_sorted(), "rarest first");
        let expected: usize = holders.values().map(Vec::len).sum();
        assert_eq!(index.lists.len(), expected);
        assert_eq!(list_count, holders.len());
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
        let sets: Vec<Vec<u64>> = (0..400_u64)
            .map(|set| {
                (0..500)
                    .map(|i| (i * i + set * 31) % 7001)
                    .collect::<BTreeSet<_>>()
            })
            .map(|set| set.into_iter().collect())
            .collect();
        check(&sets);
    }
}
