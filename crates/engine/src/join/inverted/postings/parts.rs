//! Makes the lists of the inverted index, part by part: an element goes to the part that the top bits
//! of its hash name, so that each part is made by itself, in parallel, in memory that fits the cache.

use std::ops::Range;

use rayon::prelude::*;

use crate::join::inverted::postings::{Frequencies, PartFrequencies};
use crate::join::inverted::{mix, top_bits};
use crate::run::{Error, Result};

/// About how many entries a part has.
const PART_ENTRIES: usize = 1 << 13;

/// How many entries are ordered by part in one pass over the sets: 12 bytes each.
const PASS_ENTRIES: usize = 12 << 20;

/// How many passes there are at least, unless there is little to do: so the ordered entries need less memory than the
/// sets.
const PASSES: usize = 4;

/// Returns the lists of the elements that two or more sets have, in parts. A list has the positions of its
/// sets, ascending. If these are some of more sets, `frequencies` counts the elements among all of them, and
/// every list gets its weight.
///
/// # Errors
///
/// [`Error::TooMuch`] if there are more entries than 32 bits can number.
pub(crate) fn parts(sets: &[&[u64]], frequencies: Option<&Frequencies>) -> Result<Vec<Part>> {
    let total: usize = sets.iter().map(|set| set.len()).sum();
    let limit = u32::MAX as usize;
    if total > limit || sets.len() > limit {
        return Err(Error::TooMuch(format!(
            "too many shingles: at most {limit} occurrences can be joined in one run"
        )));
    }
    let bits = (total / PART_ENTRIES).next_power_of_two().ilog2().min(12);
    let count = 1_usize << bits;
    // In several passes over the sets, because a copy of them with their owners needs more memory
    // than everything else.
    let least = if total < PASS_ENTRIES / 3 { 1 } else { PASSES };
    let passes = (total / PASS_ENTRIES + 1).max(least).min(count);
    let share = total / rayon::current_num_threads() / 2 + 1;
    let stretches: Vec<Stretch> = runs_of_about(sets, share)
        .into_par_iter()
        .map(|range| Stretch::new(sets, range, bits))
        .collect();
    let mut parts: Vec<Part> = Vec::with_capacity(count);
    for pass in 0..passes {
        let wanted = pass * count / passes..(pass + 1) * count / passes;
        let chunks: Vec<Chunk> = stretches
            .par_iter()
            .map(|stretch| stretch.chunk(sets, bits, wanted.clone()))
            .collect();
        let here = (0..wanted.len()).into_par_iter();
        parts.par_extend(here.map_init(Scratch::default, |scratch, part| {
            let number = wanted.start + part;
            let frequencies = frequencies.map(|all| all.part(number, bits));
            Part::new(scratch, &chunks, part, bits, frequencies)
        }));
    }
    Ok(parts)
}

/// The entries of a run of sets, ordered by part.
struct Chunk {
    elements: Vec<u64>,
    sets: Vec<u32>,
    /// Where each part starts; one longer than the parts.
    parts: Vec<usize>,
}

impl Chunk {
    /// The elements of a part, and the set of each.
    fn part(&self, part: usize) -> (&[u64], &[u32]) {
        let range = self.parts[part]..self.parts[part + 1];
        (&self.elements[range.clone()], &self.sets[range])
    }
}

/// Some sets in a row, the share of one task, and how many entries they have in each part.
struct Stretch {
    sets: Range<usize>,
    counts: Vec<u32>,
}

impl Stretch {
    fn new(sets: &[&[u64]], range: Range<usize>, bits: u32) -> Self {
        let mut counts = vec![0; 1 << bits];
        for &element in sets[range.clone()].iter().copied().flatten() {
            counts[top_bits(mix(element), bits)] += 1;
        }
        Self {
            sets: range,
            counts,
        }
    }

    /// Orders the entries of the wanted parts by part, keeping the order of the sets.
    fn chunk(&self, sets: &[&[u64]], bits: u32, wanted: Range<usize>) -> Chunk {
        let mut parts = Vec::with_capacity(wanted.len() + 1);
        let mut size = 0;
        for &count in &self.counts[wanted.clone()] {
            parts.push(size);
            size += count as usize;
        }
        let mut next = parts.clone();
        parts.push(size);
        let (mut elements, mut owners) = (vec![0; size], vec![0; size]);
        for set in self.sets.clone() {
            let owner = u32::try_from(set).expect("checked in `parts`");
            for &element in sets[set] {
                let part = top_bits(mix(element), bits).wrapping_sub(wanted.start);
                if let Some(at) = next.get_mut(part) {
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
    }
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
pub(crate) const CLASSES: usize = 168;

/// Lists are ordered by the class of their length: lengths below 64 have one each, longer ones four
/// for each power of two. Any order is exact; this one is near enough to the rarest first, and puts
/// the lists of a class side by side by copying.
pub(crate) fn frequency_class(length: u32) -> usize {
    if length < 64 {
        length as usize
    } else {
        let power = length.ilog2();
        64 + (power - 6) as usize * 4 + (length >> (power - 2) & 3) as usize
    }
}

/// The lists of one part, by rising class of frequency.
#[derive(Debug)]
pub(crate) struct Part {
    /// The lists, one after the other.
    pub(crate) lists: Vec<u32>,
    /// How long each is.
    pub(crate) lengths: Vec<u32>,
    /// The weight of the element of each; empty if that follows from the length.
    pub(crate) weights: Vec<u32>,
    /// Where each class starts, in `lists` and in `lengths`.
    pub(crate) starts: Vec<(usize, usize)>,
}

/// Memory for making a part, used again for the next one.
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
                        self.slots[slot] = u32::try_from(count).expect("checked in `parts`");
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
                .push(u32::try_from(number).expect("checked in `parts`"));
        }
    }
}

impl Part {
    fn new(
        scratch: &mut Scratch,
        chunks: &[Chunk],
        part: usize,
        bits: u32,
        frequencies: Option<PartFrequencies<'_>>,
    ) -> Self {
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
        let mut weights = vec![0; frequencies.map_or(0, |_| list_count)];
        let mut places = vec![usize::MAX; scratch.lengths.len()];
        let elements = scratch.lengths.iter().zip(&scratch.elements);
        for (place, (&length, &element)) in places.iter_mut().zip(elements) {
            if length > 1 {
                let (at, list) = &mut next[frequency_class(length)];
                *place = *at;
                lengths[*list] = length;
                if let Some(frequencies) = frequencies {
                    weights[*list] = frequencies.weight(element);
                }
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
            weights,
            starts,
        }
    }
}

/// The weights of the lists of all parts in the order of their ranks, see [`Part::weights`].
pub(crate) fn weights(parts: &[Part]) -> Vec<u32> {
    let mut weights = Vec::with_capacity(parts.iter().map(|part| part.weights.len()).sum());
    for class in 0..CLASSES {
        for part in parts {
            let lists = part.starts[class].1..part.starts[class + 1].1;
            weights.extend_from_slice(&part.weights[lists]);
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_rise_with_frequency() {
        assert!((0..100_000).map(frequency_class).is_sorted());
        assert!(frequency_class(u32::MAX) < CLASSES);
    }

    #[test]
    fn runs_cover_all_sets_in_order() {
        let sets: Vec<Vec<u64>> = (0..50).map(|size| (0..size % 7).collect()).collect();
        let runs = runs_of_about(&sets.iter().map(Vec::as_slice).collect::<Vec<&[u64]>>(), 20);
        assert!(runs.len() > 3);
        let covered: Vec<usize> = runs.into_iter().flatten().collect();
        assert!(covered.into_iter().eq(0..50));
    }
}
