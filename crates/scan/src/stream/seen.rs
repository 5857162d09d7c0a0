//! The parts of earlier documents, remembered in memory of a fixed size.
//!
//! A document is judged by its *parts*: its shingles. All parts go into a filter, which never forgets one that it holds. It
//! reports a few parts that it does not hold as known. With a window the parts of the oldest documents are forgotten.
//!
//! The filter is made for 1 % of false positives: then a part needs 1.24 bytes of it, and 5.4 bytes if it can be removed
//! again. Beside that a window needs six bytes for a part. So the memory alone decides how much is remembered.

use crate::stream::filter::{BLOCK_BYTES, Filter, HASHES};
use crate::stream::parts::Part;
use crate::stream::window::{DOCUMENT_BYTES, Limits, PART_BYTES, Window};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_memory_is_used_and_no_more() {
        for memory in [64 << 10, 1 << 20, (3 << 30) + 1] {
            for window in [None, Some(5_000)] {
                let (blocks, limits) = layout(memory, window);
                let bytes = blocks * BLOCK_BYTES + queued(limits);
                assert!(
                    bytes <= memory && bytes + 2 * BLOCK_BYTES > memory,
                    "{bytes} of {memory}"
                );
            }
        }
        // A window without room for its documents.
        assert_eq!(queued(layout(1 << 20, Some(u64::MAX)).1), u64::MAX);
    }
}
