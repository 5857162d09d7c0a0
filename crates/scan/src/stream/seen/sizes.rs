//! The sizes of the filter and the window.
//!
//! The filter is made for 1 % of false positives: then a part needs 1.24 bytes of it, and 5.4 bytes if it can be
//! removed again. Beside that a window needs six bytes for a part. So the memory alone decides how much is remembered.

use crate::stream::seen::cell::BLOCK_BYTES;
use crate::stream::seen::window::{DOCUMENT_BYTES, Limits, PART_BYTES};

/// The memory in bytes by default.
pub const DEFAULT_MEMORY: u64 = 256 << 20;

/// The fewest bytes that can be requested.
pub const MIN_MEMORY: u64 = 64 << 10;

/// The most bytes that can be requested. With more of them sums would overflow.
const MAX_MEMORY: u64 = 1 << 50;

/// The rate of false positives that the filter is made for: the share of a new document that seems seen.
pub const RATE: f64 = 0.01;

/// How many cells a part sets. With six of them a block holds the most parts at [`RATE`].
pub(crate) const HASHES: u32 = 6;

/// How many bytes of a filter with counters a part needs at [`RATE`], in thousandths.
const COUNTED_PART: u64 = 5_424;

/// The requested sizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The memory in bytes: for the filter, and the window if there is one.
    pub memory: Option<u64>,
    /// How many of the last documents are to be remembered, if not all.
    pub window: Option<u64>,
}

/// How large everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The blocks of the filter.
    pub(crate) blocks: u64,
    /// How large the window is, if there is one.
    pub(crate) window: Option<Limits>,
}

impl Layout {
    /// Returns the sizes that use all of the memory.
    #[must_use]
    pub fn of(sizes: Sizes) -> Self {
        let memory = sizes.memory.unwrap_or(DEFAULT_MEMORY).min(MAX_MEMORY);
        let window = sizes.window.map(|documents| {
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
    pub(crate) fn bytes(&self) -> u64 {
        let window = self.window.map_or(0, Limits::bytes);
        self.blocks
            .saturating_mul(BLOCK_BYTES)
            .saturating_add(window)
    }
}

/// Returns a number of bytes as it is written in options: in the largest unit that divides it.
pub(crate) fn size(bytes: u64) -> String {
    let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")];
    let mut units = units.iter().filter(|_| bytes > 0);
    match units.find(|(unit, _)| bytes.is_multiple_of(*unit)) {
        Some((unit, letter)) => format!("{}{letter}", bytes / unit),
        None => bytes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_memory_is_used_and_no_more() {
        for memory in [None, Some(MIN_MEMORY), Some(1 << 20), Some((3 << 30) + 1)] {
            for window in [None, Some(5_000)] {
                let bytes = Layout::of(Sizes { memory, window }).bytes();
                let most = memory.unwrap_or(DEFAULT_MEMORY);
                assert!(
                    bytes <= most && bytes + 2 * BLOCK_BYTES > most,
                    "{bytes} of {most}"
                );
            }
        }
        // A window without room for its documents.
        let endless = Layout::of(Sizes {
            window: Some(u64::MAX),
            ..Sizes::default()
        });
        assert_eq!(endless.bytes(), u64::MAX);
    }

    #[test]
    fn sizes_are_as_in_options() {
        for (bytes, text) in [
            (0, "0"),
            (700, "700"),
            (1 << 16, "64K"),
            (20_000 << 10, "20000K"),
            ((10 << 20) + 1, "10485761"),
            (3 << 30, "3G"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
