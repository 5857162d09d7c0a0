//! The parts of documents, those of earlier ones remembered in memory of a fixed size.
//!
//! A document is judged by its *parts*: its shingles. All parts go into a filter, which never forgets one that it holds. It
//! reports a few parts that it does not hold as known. With a window the parts of the oldest documents are forgotten.
//!
//! The filter is made for 1 % of false positives: then a part needs 1.24 bytes of it, and 5.4 bytes if it can be removed
//! again. Beside that a window needs six bytes for a part. So the memory alone decides how much is remembered.

use crate::stream::filter::{BLOCK_BYTES, Filter, HASHES, PART_BITS, Part};
use dupfind_engine::Options;
use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::text::cutter::Cutter;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use xxhash_rust::xxh3::xxh3_64;

/// The rate of false positives that the filter is made for: the share of a new document that seems seen.
pub(super) const RATE: f64 = 0.01;

/// How many bytes of a filter with counters a part needs at [`RATE`], in thousandths.
const COUNTED_PART: u64 = 5_424;

/// Returns the blocks of a filter and the size of a window that use all of the memory, in bytes.
pub(super) fn layout(memory: u64, window: Option<u64>) -> (u64, Option<Limits>) {
    let window = window.map(|documents| {
        let left = memory.saturating_sub(documents.saturating_mul(DOCUMENT_BYTES));
        let parts = left.saturating_mul(1000) / (COUNTED_PART + 1000 * PART_BYTES as u64);
        Limits {
            documents,
            parts: parts.max(1),
        }
    });
    let left = memory.saturating_sub(queued(window));
    ((left / BLOCK_BYTES).max(1), window)
}

/// Returns how many bytes a window needs, or the largest number if they are more.
fn queued(window: Option<Limits>) -> u64 {
    window.map_or(0, |Limits { documents, parts }| {
        let parts = parts.saturating_mul(PART_BYTES as u64);
        parts.saturating_add(documents.saturating_mul(DOCUMENT_BYTES))
    })
}

/// The parts of the documents so far, or of the last of them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) filter: Filter,
    pub(super) window: Option<Window>,
}

impl Seen {
    /// Returns an empty memory of such a layout.
    ///
    /// # Errors
    ///
    /// It needs more bytes than `memory`. The error has how many it needs.
    pub(super) fn new((blocks, window): (u64, Option<Limits>), memory: u64) -> Result<Self, u64> {
        let filter = blocks.saturating_mul(BLOCK_BYTES);
        let bytes = filter.saturating_add(queued(window));
        if bytes > memory {
            return Err(bytes);
        }
        Ok(Self {
            filter: Filter::new(blocks, if window.is_some() { 4 } else { 1 }),
            window: window.map(Window::new),
        })
    }

    /// Remembers the distinct parts of the next document, and returns how many were known before.
    pub(super) fn take(&mut self, parts: &[Part]) -> u32 {
        let known = parts.iter().filter(|&&part| self.filter.holds(part));
        let known = u32::try_from(known.count()).unwrap_or(u32::MAX);
        let mut kept = parts;
        if let Some(window) = &mut self.window {
            let room = window.make_room(parts.len(), |part| self.filter.remove(part));
            kept = &parts[..room];
            window.push(kept);
        }
        kept.iter().for_each(|&part| self.filter.insert(part));
        self.refresh();
        known
    }

    /// Fills the filter anew from the window when too many counters may have stuck.
    ///
    /// A full counter is not counted down, since it is not known how many parts it counts. Over an endless stream such
    /// counters would pile up, and with them the false positives. [`Filter::spared`] is how often a full counter was
    /// not counted down. A counter that stays full although all its parts have gone was spared fifteen times or more.
    /// So the number of wrong counters is at most a fifteenth of a limit: the counters that the parts in the window
    /// set, or the blocks, if these are more. The cost is at most one more insertion for each part that goes, and one
    /// block to be emptied for each counter that was spared: a small window does not empty a large filter again and
    /// again.
    fn refresh(&mut self) {
        let Some(window) = &self.window else {
            return;
        };
        let set = window.parts.len() as u64 * u64::from(HASHES);
        if self.filter.spared > set.max(self.filter.blocks()) {
            self.filter.clear();
            window.iter().for_each(|part| self.filter.insert(part));
        }
    }
}

/// The bytes of a part.
pub(super) const PART_BYTES: usize = (PART_BITS / 8) as usize;

/// The bytes that a document needs besides its parts.
pub(super) const DOCUMENT_BYTES: u64 = size_of::<u32>() as u64;

/// The largest size of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    /// How many documents are remembered.
    pub(super) documents: u64,
    /// How many parts they may have together. If they have more, fewer documents are remembered.
    pub(super) parts: u64,
}

/// The parts of the last documents, the oldest first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) limits: Limits,
    pub(super) parts: VecDeque<[u8; PART_BYTES]>,
    /// How many parts each document has.
    pub(super) sizes: VecDeque<u32>,
}

impl Window {
    /// Returns an empty window, which allocates all its memory at once.
    pub(super) fn new(limits: Limits) -> Self {
        let count = |limit: u64| usize::try_from(limit).expect("they fit into memory");
        Self {
            limits,
            parts: VecDeque::with_capacity(count(limits.parts)),
            sizes: VecDeque::with_capacity(count(limits.documents)),
        }
    }

    /// Forgets the oldest documents until there is room for another one of so many parts. Returns how many of these can
    /// be held: all, unless they are more than the whole window may hold.
    pub(super) fn make_room(&mut self, parts: usize, mut forget: impl FnMut(Part)) -> usize {
        let most = self.limits.parts.min(u64::from(u32::MAX));
        let kept = parts.min(usize::try_from(most).unwrap_or(usize::MAX));
        loop {
            let is_due = self.sizes.len() as u64 >= self.limits.documents;
            let is_full = (self.parts.len() + kept) as u64 > self.limits.parts;
            if !is_due && !is_full {
                return kept;
            }
            let Some(size) = self.sizes.pop_front() else {
                return kept;
            };
            let gone = self.parts.drain(..size as usize);
            gone.map(number).for_each(&mut forget);
        }
    }

    /// Adds the newest document.
    pub(super) fn push(&mut self, parts: &[Part]) {
        self.parts.extend(parts.iter().map(|&part| bytes(part)));
        let size = u32::try_from(parts.len()).expect("no more than there is room for");
        self.sizes.push_back(size);
    }

    /// Returns all parts, the oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = Part> {
        self.parts.iter().copied().map(number)
    }
}

fn bytes(part: Part) -> [u8; PART_BYTES] {
    let [a, b, c, d, e, f, ..] = part.to_le_bytes();
    [a, b, c, d, e, f]
}

fn number([a, b, c, d, e, f]: [u8; PART_BYTES]) -> Part {
    Part::from_le_bytes([a, b, c, d, e, f, 0, 0])
}

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

    #[test]
    fn all_of_the_memory_is_used_and_no_more() {
        for memory in [64 << 10, 1 << 20, (3 << 30) + 1] {
            for window in [None, Some(5_000)] {
                let (blocks, limits) = layout(memory, window);
                let bytes = blocks * BLOCK_BYTES + queued(limits);
                assert!(bytes <= memory, "{bytes} of {memory}");
                assert!(bytes + 2 * BLOCK_BYTES > memory, "{bytes} of {memory}");
            }
        }
        // A window without room for its documents.
        assert_eq!(queued(layout(1 << 20, Some(u64::MAX)).1), u64::MAX);
    }

    #[test]
    fn the_oldest_go_first() {
        let limits = Limits {
            documents: 2,
            parts: 5,
        };
        let mut window = Window::new(limits);
        let mut gone = Vec::new();
        for document in [&[1, 2][..], &[3], &[], &[(1 << 48) - 1, 5, 6, 7], &[8, 9]] {
            let kept = window.make_room(document.len(), |part| gone.push(part));
            assert_eq!(kept, document.len());
            window.push(document);
        }
        assert_eq!(gone, [1, 2, 3, (1 << 48) - 1, 5, 6, 7]);
        assert_eq!(window.iter().collect::<Vec<_>>(), [8, 9]);
        assert_eq!(window.sizes.len(), 1);
        assert_eq!(window.make_room(9, |_| {}), 5);
    }

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
            assert!(parts(text).iter().all(|part| part >> PART_BITS == 0));
        }
    }
}
