//! The parts of a document: its shingles.

use std::num::NonZeroUsize;

use dupfind_engine::Options;
use xxhash_rust::xxh3::xxh3_64;

use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::text::cutter::Cutter;

/// A part of a document as a number below 2^48. Two different ones are the same number once in 2^48, which
/// is nothing beside the false positives of a filter.
pub type Part = u64;

/// The bits of a [`Part`]: it needs six bytes in a window.
pub(super) const PART_BITS: u32 = 48;

/// Cuts one document after the other into parts, and uses its memory again.
#[derive(Debug)]
pub(super) struct PartCutter {
    size: NonZeroUsize,
    cutter: Cutter,
    shingler: Shingler,
}

impl PartCutter {
    /// Returns a cutter without memory of its own yet.
    pub(super) fn new(options: &Options) -> Self {
        Self {
            size: options.shingle_size,
            cutter: Cutter::new(options.shingle_unit),
            shingler: Shingler::default(),
        }
    }

    /// Returns the distinct parts of a document; none if its text has no units.
    pub(super) fn parts(&mut self, text: &str) -> Vec<Part> {
        self.cutter.read(text);
        let units = self.cutter.units();
        let shingles = self.shingler.set(units, self.size);
        shingles.iter().copied().map(part).collect()
    }
}

/// Returns a shingle as a number that looks random. Most shingles are the code points of their characters, which are
/// alike.
fn part(shingle: u64) -> Part {
    xxh3_64(&shingle.to_le_bytes()) >> (u64::BITS - PART_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<Part> {
        let mut parts = PartCutter::new(&Options::default()).parts(text);
        parts.sort_unstable();
        parts
    }

    #[test]
    fn shingles_are_those_of_a_scan() {
        assert_eq!(parts("老公园 开放，老公园").len(), 5);
        assert_eq!(parts("a b c a b c").len(), 3);
        assert_eq!(parts("One, two"), parts("one TWO!"));
        assert!(parts("... --\n").is_empty());
        for text in ["老公园开放", "a b c d e f"] {
            let all = parts(text);
            assert!(all.iter().all(|part| part >> PART_BITS == 0));
        }
    }
}
