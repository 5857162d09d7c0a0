//! The inverted index of the Jaccard join: for every element of two or more sets, the list of sets
//! that have it, rarest element first; and for every set, the lists of its elements.
//!
//! Elements of one set only can never be shared and get no list: a third of all entries, and three
//! quarters of the distinct elements, of a folder of Chinese pages.

pub(super) mod parts;

use std::ops::Range;

use crate::join::inverted::mix;
use crate::join::inverted::postings::parts::{CLASSES, Part, frequency_class};
use crate::join::weighted::{Counted, weight};

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
/// bounds of the lists in it.
fn assemble(parts: &[Part]) -> (Vec<u32>, Vec<u32>) {
    let entry_count = parts.iter().map(|part| part.lists.len()).sum();
    let list_count: usize = parts.iter().map(|part| part.lengths.len()).sum();
    let mut sequence = Vec::with_capacity(entry_count);
    let mut bounds = Vec::with_capacity(list_count + 1);
    let mut start = 0;
    for class in 0..CLASSES {
        for part in parts {
            let (from, to) = (part.starts[class], part.starts[class + 1]);
            for &length in &part.lengths[from.1..to.1] {
                bounds.push(start);
                start += length;
            }
            sequence.extend_from_slice(&part.lists[from.0..to.0]);
        }
    }
    bounds.push(start);
    (sequence, bounds)
}

/// Turns the lists round: ranks of every set's elements, and where they start.
fn forward(lists: &[u32], bounds: &[u32], sets: usize) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0_usize; sets + 1];
    for &set in lists {
        starts[set as usize + 1] += 1;
    }
    for set in 0..sets {
        starts[set + 1] += starts[set];
    }
    let mut ranks = vec![0; lists.len()];
    let mut next = starts.clone();
    for (rank, bound) in (0..).zip(bounds.windows(2)) {
        for &set in &lists[bound[0] as usize..bound[1] as usize] {
            let at = &mut next[set as usize];
            ranks[*at] = rank;
            *at += 1;
        }
    }
    (ranks, starts)
}

/// Frequencies of elements. Only those of three or more sets are kept: one and two weigh the same, see
/// [`crate::join::weighted`], and most elements have no more.
#[derive(Debug, Default)]
pub struct Frequencies {
    /// The mixed elements, ascending, so that those of one part of an index are adjacent.
    mixed: Vec<u64>,
    /// How many sets have each; 0 if there are too many for a byte. An element as common as that weighs nothing.
    counts: Vec<u8>,
}

impl Frequencies {
    /// The least frequency that is kept.
    pub const LEAST: u32 = 3;

    /// Adds elements of all sets, as (mixed element, set) in ascending order. They must lie beyond those added
    /// before. The weight of every element is added to that of its set.
    pub(crate) fn extend(
        &mut self,
        entries: &[(u64, u32)],
        counted: Option<&Counted>,
        weights: &mut [u64],
    ) {
        for entries in entries.chunk_by(|x, y| x.0 == y.0) {
            let count = match counted {
                Some(counted) => counted.frequency(entries.iter().map(|&(_, set)| set)),
                None => u32::try_from(entries.len()).expect("an element once in each set"),
            };
            for &(_, set) in entries {
                weights[set as usize] += u64::from(weight(count));
            }
            if count >= Self::LEAST {
                debug_assert!(self.mixed.last().is_none_or(|&last| last < entries[0].0));
                self.mixed.push(entries[0].0);
                self.counts.push(u8::try_from(count).unwrap_or(0));
            }
        }
    }

    /// Makes frequencies of mixed elements, ascending, and how many sets have each, 0 if these are too many for a byte;
    /// `None` if they cannot be such.
    pub fn of_parts(mixed: Vec<u64>, counts: Vec<u8>) -> Option<Self> {
        let is_whole = mixed.len() == counts.len() && mixed.is_sorted_by(|x, y| x < y);
        is_whole.then_some(Self { mixed, counts })
    }

    /// Frees memory that was reserved for more.
    pub(crate) fn shrink(&mut self) {
        self.mixed.shrink_to_fit();
        self.counts.shrink_to_fit();
    }

    /// Returns the frequencies of the elements of one part of an index: their top bits, when mixed, are the
    /// number of the part.
    pub(crate) fn part(&self, part: usize, bits: u32) -> PartFrequencies<'_> {
        let first = |part: usize| match (part as u64).checked_shl(64 - bits) {
            Some(least) if part >> bits == 0 => self.mixed.partition_point(|&mixed| mixed < least),
            // The end of the last part; with one part only, the beginning of the first.
            _ if part == 0 => 0,
            _ => self.mixed.len(),
        };
        let range = first(part)..first(part + 1);
        PartFrequencies {
            mixed: &self.mixed[range.clone()],
            counts: &self.counts[range],
        }
    }
}

/// The frequencies of elements that are in one part of an index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartFrequencies<'f> {
    mixed: &'f [u64],
    counts: &'f [u8],
}

impl PartFrequencies<'_> {
    /// Returns the weight of an element of the part.
    pub(crate) fn weight(&self, element: u64) -> u32 {
        let found = self.mixed.binary_search(&mix(element));
        match found.map(|at| self.counts[at]) {
            Err(_) => weight(1),
            Ok(0) => weight(u32::MAX),
            Ok(count) => weight(count.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::join::inverted::postings::parts::parts;

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

    #[test]
    fn every_element_is_found_in_its_part() {
        let entries = (0..500_u64).flat_map(|element| {
            (0..u32::try_from(element % 7).unwrap()).map(move |set| (mix(element), set))
        });
        let mut entries: Vec<(u64, u32)> = entries.collect();
        entries.sort_unstable();
        for bits in [0, 1, 5] {
            let mut frequencies = Frequencies::default();
            let mut weights = vec![0; 7];
            let middle = entries.partition_point(|&(mixed, _)| mixed < 1 << 63);
            frequencies.extend(&entries[..middle], None, &mut weights);
            frequencies.extend(&entries[middle..], None, &mut weights);
            frequencies.shrink();
            for element in 0..500_u64 {
                let part = mix(element).checked_shr(64 - bits).unwrap_or(0);
                let part = frequencies.part(usize::try_from(part).unwrap(), bits);
                let count = u32::try_from(element % 7).unwrap();
                assert_eq!(part.weight(element), weight(count), "{element} {bits}");
            }
            let expected = (0..500_u64).map(|element| u32::try_from(element % 7).unwrap());
            let expected = expected.filter(|&n| n > 0).map(|n| u64::from(weight(n)));
            let expected: u64 = expected.sum();
            assert_eq!(weights[0], expected);
        }
    }
}
