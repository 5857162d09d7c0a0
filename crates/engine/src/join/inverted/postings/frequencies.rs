//! How many of all sets have each element, for joins that see only some of the sets at a time.

use crate::join::inverted::counted::Counted;
use crate::join::inverted::mix;
use crate::join::weighted::weight;

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
    use super::*;

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
