//! Plans the sizes of the filter and the window from the request, or returns why it cannot be met.

use crate::stream::seen::asked::{Asked, LEAST_MEMORY, Rate, about, size};
use crate::stream::seen::cell::{BLOCK_BYTES, Cell};
use crate::stream::seen::parts::By;
use crate::stream::seen::rate::best;
use crate::stream::seen::window::{DOCUMENT_BYTES, Limits, PART_BYTES};

/// How large everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The blocks of the filter.
    pub(crate) blocks: u64,
    /// How many cells a part sets.
    pub(crate) hashes: u32,
    /// How large the window is, if there is one.
    pub(crate) window: Option<Limits>,
}

/// The memory in bytes by default.
pub(crate) const DEFAULT_MEMORY: u64 = 256 << 20;

/// The most bytes that can be requested. With more of them sums would overflow.
const MAX_MEMORY: u64 = 1 << 50;

/// Why a request cannot be met.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Impossible {
    /// How many documents are remembered is said twice.
    #[error(
        "a window of {window} documents remembers so many, whatever number is expected ({documents}): \
         leave one of them out"
    )]
    Twice {
        /// How many documents the window has.
        window: u64,
        /// How many documents are expected.
        documents: u64,
    },
    /// The memory is too small for so many documents at that rate.
    #[error(
        "a memory of {} is too small: {documents} documents of {parts} {by}s each at a false-positive rate of {rate} \
         take {}", size(*memory), about(*needed)
    )]
    TooSmall {
        /// The memory that was given, in bytes.
        memory: u64,
        /// How many documents are expected.
        documents: u64,
        /// How many parts each has.
        parts: u64,
        /// What a part is called.
        by: &'static str,
        /// The highest rate of false positives, from 0 to 1.
        rate: f64,
        /// How many bytes would do.
        needed: u64,
    },
    /// Nothing has so much memory.
    #[error("{documents} documents of {parts} {by}s each take more memory than there is anywhere")]
    TooLarge {
        /// How many documents are expected.
        documents: u64,
        /// How many parts each has.
        parts: u64,
        /// What a part is called.
        by: &'static str,
    },
}

impl Layout {
    /// Returns the sizes for a request, or why it cannot be met.
    pub fn plan(asked: &Asked, by: By) -> Result<Self, Impossible> {
        if let (Some(window), Some(documents)) = (asked.window, asked.documents) {
            return Err(Impossible::Twice { window, documents });
        }
        let sizes = Sizes::new(asked, by);
        let documents = asked.window.or(asked.documents);
        let needed = match documents {
            None => 0,
            Some(documents) => sizes.needed(documents).ok_or(Impossible::TooLarge {
                documents,
                parts: sizes.per_document,
                by: by.as_str(),
            })?,
        };
        let memory = match (asked.memory, documents) {
            (Some(memory), _) => memory.min(MAX_MEMORY),
            (None, Some(_)) => needed,
            (None, None) => DEFAULT_MEMORY,
        };
        match documents {
            Some(documents) if needed > memory => Err(Impossible::TooSmall {
                memory,
                documents,
                parts: sizes.per_document,
                by: by.as_str(),
                rate: sizes.rate.get(),
                needed,
            }),
            _ => Ok(sizes.layout(memory)),
        }
    }

    /// Returns how many bytes it needs, or the largest number if they are more.
    pub(crate) fn bytes(&self) -> u64 {
        let window = self.window.map_or(0, |window| {
            let parts = window.parts.saturating_mul(PART_BYTES as u64);
            parts.saturating_add(window.documents.saturating_mul(DOCUMENT_BYTES))
        });
        let filter = self.blocks.saturating_mul(BLOCK_BYTES);
        filter.saturating_add(window)
    }
}

/// The memory of parts and documents.
struct Sizes {
    rate: Rate,
    hashes: u32,
    /// How many parts a block may hold.
    load: f64,
    per_document: u64,
    window: Option<u64>,
}

impl Sizes {
    fn new(asked: &Asked, by: By) -> Self {
        let cell = Cell::of(asked.window.is_some());
        let rate = asked.rate.unwrap_or(Rate::DEFAULT);
        let (hashes, load) = best(cell, rate.get());
        Self {
            rate,
            hashes,
            load,
            per_document: asked.parts.unwrap_or_else(|| by.per_document()),
            window: asked.window,
        }
    }

    /// Returns the bytes for a part, in the filter and in the window.
    #[expect(clippy::cast_precision_loss, reason = "64 and 6")]
    fn of_part(&self) -> f64 {
        let queued = if self.window.is_some() { PART_BYTES } else { 0 };
        BLOCK_BYTES as f64 / self.load + queued as f64
    }

    fn of_window(&self, documents: u64) -> Option<u64> {
        match self.window {
            Some(_) => documents.checked_mul(DOCUMENT_BYTES),
            None => Some(0),
        }
    }

    /// Returns the bytes for so many documents; none if there is never so much memory.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the bytes are rounded anyway, and are below 2^50"
    )]
    fn needed(&self, documents: u64) -> Option<u64> {
        let parts = documents.checked_mul(self.per_document)?;
        let bytes = (parts as f64 * self.of_part()).ceil();
        if bytes > MAX_MEMORY as f64 {
            return None;
        }
        let all = self.of_window(documents)? + bytes as u64;
        // The filter has whole blocks, and a window of few parts may take a part of one.
        Some((all.next_multiple_of(BLOCK_BYTES) + BLOCK_BYTES).max(LEAST_MEMORY))
    }

    /// Returns the sizes that use all of the memory.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "below 2^50"
    )]
    fn layout(&self, memory: u64) -> Layout {
        let window = self.window.map(|documents| {
            let left = memory.saturating_sub(documents.saturating_mul(DOCUMENT_BYTES));
            let parts = (left as f64 / self.of_part()) as u64;
            Limits {
                documents,
                parts: parts.max(1),
            }
        });
        let queued = window.map_or(0, |window| {
            window.documents * DOCUMENT_BYTES + window.parts * PART_BYTES as u64
        });
        Layout {
            blocks: (memory.saturating_sub(queued) / BLOCK_BYTES).max(1),
            hashes: self.hashes,
            window,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::seen::rate::rate;

    fn reached(layout: &Layout, parts: u64) -> f64 {
        let cell = Cell::of(layout.window.is_some());
        rate(cell, layout.hashes, parts as f64 / layout.blocks as f64)
    }

    #[test]
    fn what_is_not_said_follows_from_what_is() {
        let plan = |asked: Asked| Layout::plan(&asked, By::Shingle).unwrap();
        let layout = plan(Asked::default());
        assert_eq!((layout.bytes(), layout.window), (DEFAULT_MEMORY, None));
        let layout = plan(Asked {
            memory: Some(1 << 20),
            ..Asked::default()
        });
        assert_eq!(layout.bytes(), 1 << 20);
        for rate in [0.1, 0.01, 0.0001] {
            for window in [false, true] {
                let count = |is: bool| is.then_some(5_000);
                let asked = Asked {
                    documents: count(!window),
                    window: count(window),
                    rate: Rate::new(rate),
                    parts: Some(100),
                    ..Asked::default()
                };
                let layout = plan(asked);
                let reached = reached(&layout, 500_000);
                // Blocks are not cut in two.
                let highest = 1.001 * rate;
                assert!(
                    reached <= highest && reached > 0.9 * rate,
                    "{rate}: {reached}"
                );
                if let Some(limits) = layout.window {
                    assert_eq!(limits.documents, 5_000);
                    assert!((500_000..501_000).contains(&limits.parts), "{limits:?}");
                }
                // As much as was said to be needed, and no less, does.
                let exact = Layout::plan(
                    &Asked {
                        memory: Some(layout.bytes().next_multiple_of(1 << 12)),
                        ..asked
                    },
                    By::Shingle,
                );
                assert!(exact.is_ok(), "{exact:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_had_is_said_with_what_would_do() {
        let refused = |asked: Asked| Layout::plan(&asked, By::Shingle).unwrap_err();
        let both = Asked {
            window: Some(10),
            documents: Some(20),
            ..Asked::default()
        };
        assert!(refused(both).to_string().contains("leave one of them out"));
        let endless = Asked {
            documents: Some(u64::MAX),
            ..Asked::default()
        };
        assert!(refused(endless).to_string().contains("more memory than"));
        for window in [None, Some(1_000_000)] {
            let asked = Asked {
                memory: Some(700 << 20),
                documents: window.xor(Some(1_000_000)),
                rate: Rate::new(0.001),
                window,
                ..Asked::default()
            };
            let Impossible::TooSmall { needed, .. } = refused(asked) else {
                panic!("another reason");
            };
            // As much memory as is said does.
            let memory = Some(needed);
            assert!(Layout::plan(&Asked { memory, ..asked }, By::Shingle).is_ok());
        }
    }
}
