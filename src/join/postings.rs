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
    /// All lists one after the other, by rising class of frequency, each in ascending order.
    lists: Vec<u32>,
    /// The entries of all sets one after the other, each set's by rising rank.
    entries: Vec<Entry>,
    /// Where each set's entries start; one longer than the sets.
    starts: Vec<usize>,
}

/// An element goes to the part of the index that the top bits of its mixed value name: each part is
/// built by itself, small enough for the cache.
const PART_ENTRIES: usize = 1 << 13;

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
                (0..wanted.len())
                    .into_par_iter()
                    .map_init(Scratch::default, |scratch, part| {
                        Part::new(scratch, &chunks, part, bits)
                    }),
            );
        }
        let (lists, bounds) = assemble(&parts);
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
    /// The elements of a part, and the sets they are of.
    fn part(&self, part: usize) -> (&[u64], &[u32]) {
        let range = self.parts[part]..self.parts[part + 1];
        (&self.elements[range.clone()], &self.sets[range])
    }
}

/// Spreads an element over the whole range, so that its top bits tell elements apart: Fibonacci
/// hashing (Knuth, vol. 3, section 6.4), after folding, because packed characters differ in their
/// low bits.
#[inline]
pub(crate) fn mix(element: u64) -> u64 {
    (element ^ element >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
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

/// How many classes of frequency there are; see [`frequency_class`].
const CLASSES: usize = 168;

/// Lists are ordered by the class of their length: lengths below 64 have one each, longer ones four
/// for each power of two. Any order is exact; this one is near enough to the rarest first, and puts
/// the lists of a class side by side by copying.
fn frequency_class(length: u32) -> usize {
    if length < 64 {
        length as usize
    } else {
        let power = length.ilog2();
        64 + (power - 6) as usize * 4 + (length >> (power - 2) & 3) as usize
    }
}

/// The lists of one part, by rising class of frequency.
struct Part {
    lists: Vec<u32>,
    lengths: Vec<u32>,
    /// Where each class starts, in `lists` and in `lengths`.
    starts: Vec<(usize, usize)>,
}

/// What making a part needs, used for the next one.
#[derive(Default)]
struct Scratch {
    /// Open addressing: the number of the element plus one, or 0 for a free slot.
    slots: Vec<u32>,
    /// The elements by number, in the order of first occurrence.
    elements: Vec<u64>,
    /// How many sets have each.
    lengths: Vec<u32>,
    /// The number of each entry's element.
    numbers: Vec<u32>,
}

impl Scratch {
    /// Numbers the elements of a part and counts them.
    fn number(&mut self, chunks: &[Chunk], part: usize, bits: u32) {
        let slices = || chunks.iter().map(|chunk| chunk.part(part).0);
        let size: usize = slices().map(<[u64]>::len).sum();
        let slot_bits = (size * 2).next_power_of_two().ilog2();
        self.slots.clear();
        self.slots.resize(1 << slot_bits, 0);
        self.elements.clear();
        self.lengths.clear();
        self.numbers.clear();
        let mask = self.slots.len() - 1;
        for &element in slices().flatten() {
            // The top bits chose the part; the next ones choose the slot.
            let mut slot = top_bits(mix(element) << bits, slot_bits);
            let number = loop {
                match self.slots[slot] {
                    0 => {
                        self.elements.push(element);
                        self.lengths.push(0);
                        let count = self.elements.len();
                        self.slots[slot] = u32::try_from(count).expect("checked in new");
                        break count - 1;
                    }
                    taken if self.elements[taken as usize - 1] == element => {
                        break taken as usize - 1;
                    }
                    _ => slot = (slot + 1) & mask,
                }
            };
            self.lengths[number] += 1;
            self.numbers
                .push(u32::try_from(number).expect("checked in new"));
        }
    }
}

impl Part {
    fn new(scratch: &mut Scratch, chunks: &[Chunk], part: usize, bits: u32) -> Self {
        scratch.number(chunks, part, bits);

        // Where each class and then each element of two or more sets goes.
        let mut starts = vec![(0, 0); CLASSES + 1];
        for &length in scratch.lengths.iter().filter(|&&length| length > 1) {
            let next = &mut starts[frequency_class(length) + 1];
            *next = (next.0 + length as usize, next.1 + 1);
        }
        for class in 0..CLASSES {
            let (entries, count) = starts[class];
            let next = &mut starts[class + 1];
            *next = (next.0 + entries, next.1 + count);
        }
        let mut next = starts.clone();
        let (entry_count, list_count) = starts[CLASSES];
        let mut lengths = vec![0; list_count];
        let mut places = vec![usize::MAX; scratch.lengths.len()];
        for (place, &length) in places.iter_mut().zip(&scratch.lengths) {
            if length > 1 {
                let (at, list) = &mut next[frequency_class(length)];
                *place = *at;
                lengths[*list] = length;
                *at += length as usize;
                *list += 1;
            }
        }
        let mut lists = vec![0; entry_count];
        let sets = chunks.iter().flat_map(|chunk| chunk.part(part).1);
        for (&set, &number) in sets.zip(&scratch.numbers) {
            let place = &mut places[number as usize];
            if *place != usize::MAX {
                lists[*place] = set;
                *place += 1;
            }
        }
        Self {
            lists,
            lengths,
            starts,
        }
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
    bounds[list_count] = u32::try_from(entry_count).expect("checked in new");

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
                    bounds[list] = u32::try_from(start).expect("checked in new");
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
        let mut starts: BTreeSet<usize> = index.entries.iter().map(|e| e.list as usize).collect();
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
    fn classes_rise_with_frequency() {
        assert!((0..100_000).map(frequency_class).is_sorted());
        assert!(frequency_class(u32::MAX) < CLASSES);
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
