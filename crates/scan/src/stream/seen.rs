//! The parts of earlier documents, remembered in memory of a fixed size.
//!
//! A document is judged by its *parts*: its shingles. All parts go into a filter, which never forgets one that it holds. It
//! reports a few parts that it does not hold as known. With a window the parts of the oldest documents are forgotten.
//!
//! The filter is made for 1 % of false positives: then a part needs 1.24 bytes of it, and 5.4 bytes if it can be removed
//! again. Beside that a window needs six bytes for a part. So the memory alone decides how much is remembered.

use crate::stream::filter::{BLOCK_BYTES, Cell, Filter, HASHES};
use crate::stream::parts::Part;
use crate::stream::window::{DOCUMENT_BYTES, Limits, PART_BYTES, Window};

/// The rate of false positives that the filter is made for: the share of a new document that seems seen.
pub(super) const RATE: f64 = 0.01;

/// How many bytes of a filter with counters a part needs at [`RATE`], in thousandths.
const COUNTED_PART: u64 = 5_424;

/// The most bytes that can be requested. With more of them sums would overflow.
const MAX_MEMORY: u64 = 1 << 50;

/// How large everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// The blocks of the filter.
    pub(super) blocks: u64,
    /// How large the window is, if there is one.
    pub(super) window: Option<Limits>,
}

impl Layout {
    /// Returns the sizes that use all of the memory, in bytes. With a window so many of the last documents are remembered.
    #[must_use]
    pub(super) fn of(memory: u64, window: Option<u64>) -> Self {
        let memory = memory.min(MAX_MEMORY);
        let window = window.map(|documents| {
            let left = memory.saturating_sub(documents.saturating_mul(DOCUMENT_BYTES));
            let parts = left * 1000 / (COUNTED_PART + 1000 * PART_BYTES as u64);
            Limits {
                documents,
                parts: parts.max(1),
            }
        });
        let queued = window.map_or(0, Limits::bytes);
        Self {
            blocks: (memory.saturating_sub(queued) / BLOCK_BYTES).max(1),
            window,
        }
    }

    /// Returns how many bytes it needs, or the largest number if they are more.
    pub(super) fn bytes(&self) -> u64 {
        let window = self.window.map_or(0, Limits::bytes);
        self.blocks
            .saturating_mul(BLOCK_BYTES)
            .saturating_add(window)
    }
}

/// The parts of the documents so far, or of the last of them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) filter: Filter,
    pub(super) window: Option<Window>,
}

/// There is not enough memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the shingles to remember need {0} bytes of memory, and there are not so many")]
pub(super) struct NoRoom(pub(super) u64);

impl Seen {
    /// Returns an empty memory. The system might not fail, as it may promise more memory than it has.
    ///
    /// # Errors
    ///
    /// It needs more bytes than `memory`, or the system does not give them.
    pub(super) fn new(layout: &Layout, memory: u64) -> Result<Self, NoRoom> {
        let bytes = layout.bytes();
        if bytes > memory {
            return Err(NoRoom(bytes));
        }
        let cell = match layout.window {
            Some(_) => Cell::Counter,
            None => Cell::Bit,
        };
        let refused = |_| NoRoom(bytes);
        let window = layout.window.map(Window::new).transpose();
        let filter = Filter::new(layout.blocks, cell);
        Ok(Self {
            filter: filter.map_err(refused)?,
            window: window.map_err(refused)?,
        })
    }

    /// Remembers the distinct parts of the next document, and returns how many were known before.
    pub(super) fn take(&mut self, parts: &[Part]) -> u32 {
        let known = parts.iter().filter(|&&part| self.filter.holds(part));
        let known = u32::try_from(known.count()).unwrap_or(u32::MAX);
        let Some(window) = &mut self.window else {
            self.filter.insert_all(parts);
            return known;
        };
        let filter = &mut self.filter;
        let room = window.make_room(parts.len(), |part| filter.remove(part));
        let kept = &parts[..room];
        filter.insert_all(kept);
        window.push(kept);
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
        let set = window.parts().saturating_mul(u64::from(HASHES));
        if self.filter.spared() > set.max(self.filter.blocks()) {
            self.filter.clear();
            for part in window.iter() {
                self.filter.insert(part);
            }
        }
    }

    /// Returns the rate of false positives now.
    #[must_use]
    pub(super) fn rate(&self) -> f64 {
        self.filter.rate()
    }

    /// Returns how many documents the window holds, and how many it was made for.
    #[must_use]
    pub(super) fn window(&self) -> Option<(u64, u64)> {
        let window = self.window.as_ref()?;
        Some((window.documents(), window.limits().documents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_memory_is_used_and_no_more() {
        for memory in [64 << 10, 1 << 20, (3 << 30) + 1] {
            for window in [None, Some(5_000)] {
                let bytes = Layout::of(memory, window).bytes();
                assert!(
                    bytes <= memory && bytes + 2 * BLOCK_BYTES > memory,
                    "{bytes} of {memory}"
                );
            }
        }
        // A window without room for its documents.
        assert_eq!(Layout::of(1 << 20, Some(u64::MAX)).bytes(), u64::MAX);
    }
}
