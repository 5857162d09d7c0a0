//! The inverted index of the Jaccard join: for every element of two or more sets, the list of sets
//! that have it, rarest element first; and for every set, where it stands in the lists of its
//! elements.
//!
//! Elements of one set only can never be shared and get no list: a third of all entries, and three
//! quarters of the distinct elements, of a folder of Chinese pages.

use std::ops::Range;

use rayon::prelude::*;

use crate::error::{Error, Result};

/// One element of a set, as its place in the index: the list of the sets that have the element, and
/// how many of those come before this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Entry {
    /// Where the element's list starts. No two elements share it, and rarer elements have smaller
    /// ones, so it serves as the element's rank too.
    pub(crate) list: u32,
    /// How many sets before this one have the element: they are the list's first ones.
    pub(crate) before: u32,
}

/// The index of a sequence of sets.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    /// All lists one after the other, by rising number of sets, each in ascending order.
    lists: Vec<u32>,
    /// The entries of all sets one after the other, each set's by rising rank.
    entries: Vec<Entry>,
    /// Where each set's entries start; one longer than the sets.
    starts: Vec<usize>,
}

/// An element goes to the part of the index that the top bits of its mixed value name: each part is
/// built by itself, small enough for the cache.
const PART_ENTRIES: usize = 1 << 15;

/// How many entries are ordered by part in one pass over the sets: 12 bytes each.
const PASS_ENTRIES: usize = 8 << 20;

impl Postings {
    /// Takes sets of distinct elements and returns their index.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyShingles`] if there are more entries than 32 bits can number.
    pub(crate) fn new(sets: &[&[u64]]) -> Result<Self> {
        let total: usize = sets.iter().map(|set| set.len()).sum();
        let limit = u32::MAX as usize;
        if total > limit || sets.len() > limit {
            return Err(Error::TooManyShingles { limit });
        }
        let bits = (total / PART_ENTRIES).next_power_of_two().ilog2().min(12);
        let count = 1_usize << bits;
        // In several passes over the sets, because a copy of them with their owners takes more
        // memory than everything else.
        let passes = (total / PASS_ENTRIES + 1).min(count);
        let mut parts: Vec<Part> = Vec::with_capacity(count);
        for pass in 0..passes {
            let wanted = pass * count / passes..(pass + 1) * count / passes;
            let chunks = scatter(sets, total, bits, wanted.clone());
            parts.par_extend(
                wanted
                    .clone()
                    .into_par_iter()
                    .map(|part| Part::new(&chunks, part - wanted.start)),
            );
        }
        let (lists, bounds) = by_rising_frequency(&parts);
        drop(parts);
        let (entries, starts) = forward(&lists, &bounds, sets.len());
        Ok(Self {
            lists,
            entries,
            starts,
        })
    }

    /// The entries of a set, by rising rank.
    #[inline]
    pub(crate) fn entries(&self, set: u32) -> &[Entry] {
        &self.entries[self.starts[set as usize]..self.starts[set as usize + 1]]
    }

    /// The sets before the entry's own that have its element, ascending.
    #[inline]
    pub(crate) fn before(&self, entry: Entry) -> &[u32] {
        &self.lists[entry.list as usize..][..entry.before as usize]
    }
}

/// The entries of a run of sets, ordered by part.
struct Chunk {
    elements: Vec<u64>,
    sets: Vec<u32>,
    /// Where each part starts; one longer than the parts.
    parts: Vec<usize>,
}

impl Chunk {
    fn part(&self, part: usize) -> impl Iterator<Item = (u64, u32)> {
        let range = self.parts[part]..self.parts[part + 1];
        let sets = self.sets[range.clone()].iter().copied();
        self.elements[range].iter().copied().zip(sets)
    }
}

/// Spreads an element over the whole range, so that its top bits tell elements apart (the golden
/// ratio multiplier of Knuth, vol. 3, section 6.4; packed characters differ in their low bits).
#[inline]
pub(crate) fn mix(element: u64) -> u64 {
    let mixed = (element ^ element >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The top bits of a mixed element.
#[inline]
fn top_bits(mixed: u64, bits: u32) -> usize {
    usize::try_from(mixed.checked_shr(64 - bits).unwrap_or(0)).expect("a few bits")
}

/// Orders the entries of the wanted parts by part, keeping the order of the sets, one chunk of sets
/// per task.
fn scatter(sets: &[&[u64]], total: usize, bits: u32, wanted: Range<usize>) -> Vec<Chunk> {
    let share = total / rayon::current_num_threads() / 2 + 1;
    let part_of = |element| top_bits(mix(element), bits).wrapping_sub(wanted.start);
    runs_of_about(sets, share)
        .into_par_iter()
        .map(|range| {
            let mut parts = vec![0_usize; wanted.len() + 1];
            for &element in sets[range.clone()].iter().copied().flatten() {
                if let Some(count) = parts[1..].get_mut(part_of(element)) {
                    *count += 1;
                }
            }
            for part in 1..parts.len() {
                parts[part] += parts[part - 1];
            }
            let mut next = parts[..wanted.len()].to_vec();
            let size = parts[wanted.len()];
            let (mut elements, mut owners) = (vec![0; size], vec![0; size]);
            for set in range {
                let owner = u32::try_from(set).expect("checked in Postings::new");
                for &element in sets[set] {
                    if let Some(at) = next.get_mut(part_of(element)) {
                        elements[*at] = element;
                        owners[*at] = owner;
                        *at += 1;
                    }
                }
            }
            Chunk {
                elements,
                sets: owners,
                parts,
            }
        })
        .collect()
}

/// Cuts the sets into runs of about `share` entries each.
fn runs_of_about(sets: &[&[u64]], share: usize) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let (mut from, mut size) = (0, 0);
    for (at, set) in sets.iter().enumerate() {
        size += set.len();
        if size >= share {
            runs.push(from..at + 1);
            (from, size) = (at + 1, 0);
        }
    }
    if from < sets.len() {
        runs.push(from..sets.len());
    }
    runs
}

/// The lists of one part, in the order in which their elements first occur.
struct Part {
    lists: Vec<u32>,
    lengths: Vec<u32>,
}

impl Part {
    fn new(chunks: &[Chunk], part: usize) -> Self {
        let size: usize = chunks
            .iter()
            .map(|chunk| chunk.parts[part + 1] - chunk.parts[part])
            .sum();
        // Open addressing: (element, its number plus one).
        let mut slots = vec![(0_u64, 0_u32); (size * 2).next_power_of_two()];
        let mask = slots.len() - 1;
        let mut lengths: Vec<u32> = Vec::new();
        let mut numbers = Vec::with_capacity(size);
        for (element, _) in chunks.iter().flat_map(|chunk| chunk.part(part)) {
            // The top bits chose the part; these are others.
            let mut slot = usize::try_from(mix(element) & mask as u64).expect("masked");
            let number = loop {
                match slots[slot] {
                    (_, 0) => {
                        lengths.push(0);
                        let count = u32::try_from(lengths.len()).expect("checked in new");
                        slots[slot] = (element, count);
                        break count - 1;
                    }
                    (found, number) if found == element => break number - 1,
                    _ => slot = (slot + 1) & mask,
                }
            };
            lengths[number as usize] += 1;
            numbers.push(number);
        }
        drop(slots);

        let mut at = 0;
        let mut next: Vec<u32> = lengths
            .iter()
            .map(|&length| {
                let start = at;
                at += if length > 1 { length } else { 0 };
                start
            })
            .collect();
        let mut lists = vec![0; at as usize];
        let entries = chunks.iter().flat_map(|chunk| chunk.part(part));
        for ((_, set), number) in entries.zip(numbers) {
            let number = number as usize;
            if lengths[number] > 1 {
                lists[next[number] as usize] = set;
                next[number] += 1;
            }
        }
        lengths.retain(|&length| length > 1);
        Self { lists, lengths }
    }
}

/// Brings the lists of all parts into one sequence by rising length (equal lengths in the order of
/// the parts); returns it with the bounds of the lists in it.
fn by_rising_frequency(parts: &[Part]) -> (Vec<u32>, Vec<u32>) {
    let longest = parts
        .iter()
        .flat_map(|part| &part.lengths)
        .max()
        .map_or(0, |&longest| longest as usize);
    // Where the next list of each length goes: in the sequence, and in the bounds.
    let mut count_of = vec![0_u32; longest + 1];
    for &length in parts.iter().flat_map(|part| &part.lengths) {
        count_of[length as usize] += 1;
    }
    let mut next = Vec::with_capacity(longest + 1);
    let (mut at, mut list) = (0_u32, 0_u32);
    for (length, &count) in (0_u32..).zip(&count_of) {
        next.push((at, list));
        at += length * count;
        list += count;
    }
    let mut sequence = vec![0; at as usize];
    let mut bounds = vec![at; list as usize + 1];
    for part in parts {
        let mut from = 0;
        for &length in &part.lengths {
            let to = from + length as usize;
            let (at, list) = &mut next[length as usize];
            sequence[*at as usize..][..length as usize].copy_from_slice(&part.lists[from..to]);
            bounds[*list as usize] = *at;
            *at += length;
            *list += 1;
            from = to;
        }
    }
    (sequence, bounds)
}

/// Turns the lists round: every set's entries by rising rank, and where they start. Each task takes
/// a run of sets and reads all lists, which is sequential and costs little next to the writing.
fn forward(lists: &[u32], bounds: &[u32], sets: usize) -> (Vec<Entry>, Vec<usize>) {
    let mut starts = vec![0_usize; sets + 1];
    for &set in lists {
        starts[set as usize + 1] += 1;
    }
    for set in 0..sets {
        starts[set + 1] += starts[set];
    }
    let mut entries = vec![Entry::default(); lists.len()];

    let tasks = rayon::current_num_threads().min(8);
    let mut runs = Vec::with_capacity(tasks);
    let (mut rest, mut from) = (entries.as_mut_slice(), 0);
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
        runs.push((from, to, own));
        (rest, from) = (others, to);
    }
    runs.into_par_iter().for_each(|(from, to, own)| {
        let mut next: Vec<usize> = starts[from..to]
            .iter()
            .map(|start| start - starts[from])
            .collect();
        for bound in bounds.windows(2) {
            let list = &lists[bound[0] as usize..bound[1] as usize];
            let first = list.partition_point(|&set| (set as usize) < from);
            for (before, &set) in (0..).zip(list).skip(first) {
                if set as usize >= to {
                    break;
                }
                let at = &mut next[set as usize - from];
                own[*at] = Entry {
                    list: bound[0],
                    before,
                };
                *at += 1;
            }
        }
    });
    (entries, starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn check(sets: &[Vec<u64>]) {
        let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
        let index = Postings::new(&slices).unwrap();
        let mut holders: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for (set, elements) in (0..).zip(sets) {
            for &element in elements {
                holders.entry(element).or_default().push(set);
            }
        }
        holders.retain(|_, list| list.len() > 1);
        for (set, elements) in (0..).zip(sets) {
            let entries = index.entries(set);
            assert!(entries.is_sorted_by(|a, b| a.list < b.list));
            let mut found: Vec<&[u32]> = entries.iter().map(|&e| index.before(e)).collect();
            let mut expected: Vec<&[u32]> = elements
                .iter()
                .filter_map(|element| holders.get(element))
                .map(|list| &list[..list.partition_point(|&other| other < set)])
                .collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
        let lengths: Vec<usize> = {
            let mut starts: BTreeSet<usize> =
                index.entries.iter().map(|e| e.list as usize).collect();
            starts.insert(index.lists.len());
            let starts: Vec<usize> = starts.into_iter().collect();
            starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
        };
        assert!(lengths.is_sorted(), "rarest first");
        let expected: usize = holders.values().map(Vec::len).sum();
        assert_eq!(index.lists.len(), expected);
        assert_eq!(lengths.len(), holders.len());
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
