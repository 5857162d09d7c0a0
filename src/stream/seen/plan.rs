//! Plans the sizes of the filter and the window from what is asked for, or says what cannot be had and what is
//! possible instead.

use crate::stream::seen::asked::{Asked, LEAST_MEMORY, Rate, about, size};
use crate::stream::seen::cell::{BLOCK_BYTES, Cell};
use crate::stream::seen::parts::By;
use crate::stream::seen::rate::{MOST_HASHES, best, rate};
use crate::stream::seen::window::{DOCUMENT_BYTES, Limits, PART_BYTES};

/// How large everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The blocks of the filter.
    pub(crate) blocks: u64,
    /// How many cells a part sets.
    pub(crate) hashes: u32,
    /// How large the window is, if there is one.
    pub(crate) window: Option<Limits>,
}

/// The bytes to take by default.
pub(crate) const DEFAULT_MEMORY: u64 = 256 << 20;

/// The most bytes that can be asked for. With more of them sums would overflow.
const MOST_MEMORY: u64 = 1 << 50;

/// Why what is asked for cannot be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Impossible {
    /// How many documents are remembered is said twice.
    #[error(
        "a window of {window} documents remembers so many, whatever number is expected ({documents}): \
         leave one of them out"
    )]
    Twice { window: u64, documents: u64 },
    /// The memory is too small for so many documents at that rate.
    #[error(
        "a memory of {} is too small: {documents} documents of {parts} {by}s each at a false-positive rate of {rate} \
         take {}{}", size(*memory), about(*needed), instead(*reached, *fitting)
    )]
    TooSmall {
        memory: u64,
        documents: u64,
        /// How many parts each has.
        parts: u64,
        /// What a part is called.
        by: &'static str,
        rate: f64,
        /// How many bytes would do.
        needed: u64,
        /// The rate that can be had without more memory, if any can.
        reached: Option<f64>,
        /// How many documents can be had without more memory.
        fitting: u64,
    },
    /// Nothing has so much memory.
    #[error("{documents} documents of {parts} {by}s each take more memory than there is anywhere")]
    TooLarge {
        documents: u64,
        /// How many parts each has.
        parts: u64,
        /// What a part is called.
        by: &'static str,
    },
}

/// Returns what is possible without more memory, in words.
fn instead(reached: Option<f64>, fitting: u64) -> String {
    let mut ways = Vec::new();
    if let Some(rate) = reached {
        ways.push(format!("a rate of {rate:.4} would do"));
    }
    if fitting > 0 {
        ways.push(format!("{fitting} documents would fit"));
    }
    match ways.is_empty() {
        true => String::new(),
        false => format!("; without more memory {}", ways.join(", or ")),
    }
}

impl Layout {
    /// Returns the sizes for what is asked for, or what cannot be had and what is possible instead.
    pub(crate) fn plan(asked: &Asked, by: By) -> Result<Self, Impossible> {
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
            (Some(memory), _) => memory.min(MOST_MEMORY),
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
                reached: sizes.reached(memory, documents),
                fitting: sizes.fitting(memory),
            }),
            _ => Ok(sizes.layout(memory)),
        }
    }

    /// Returns how many bytes it takes, or the largest number if they are more.
    pub(crate) fn bytes(&self) -> u64 {
        let window = self.window.map_or(0, |window| {
            let parts = window.parts.saturating_mul(PART_BYTES as u64);
            parts.saturating_add(window.documents.saturating_mul(DOCUMENT_BYTES))
        });
        let filter = self.blocks.saturating_mul(BLOCK_BYTES);
        filter.saturating_add(window)
    }
}

/// What parts and documents take.
struct Sizes {
    cell: Cell,
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
            cell,
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
        if bytes > MOST_MEMORY as f64 {
            return None;
        }
        let all = self.of_window(documents)? + bytes as u64;
        // The filter has whole blocks, and a window of few parts may take a part of one.
        Some((all.next_multiple_of(BLOCK_BYTES) + BLOCK_BYTES).max(LEAST_MEMORY))
    }

    /// Returns how many documents there is room for.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate, below 2^50"
    )]
    fn fitting(&self, memory: u64) -> u64 {
        let queued = self.of_window(1).unwrap_or(0) as f64;
        let whole = memory.saturating_sub(2 * BLOCK_BYTES) as f64;
        (whole / (self.per_document as f64 * self.of_part() + queued)) as u64
    }

    /// Returns the lowest rate at which there is room for so many documents, rounded up, if there is one.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn reached(&self, memory: u64, documents: u64) -> Option<f64> {
        let parts = documents.checked_mul(self.per_document)?;
        let queued = match self.window {
            Some(_) => parts.checked_mul(PART_BYTES as u64)?,
            None => 0,
        };
        let left = memory.checked_sub(queued.checked_add(self.of_window(documents)?)?)?;
        let load = parts as f64 / (left.checked_sub(BLOCK_BYTES)? / BLOCK_BYTES) as f64;
        let all = 1..=MOST_HASHES;
        let lowest = all
            .map(|hashes| rate(self.cell, hashes, load))
            .min_by(f64::total_cmp)?;
        let rounded = (lowest * 1.02 * 1e4).ceil() / 1e4;
        Rate::new(rounded).map(Rate::get)
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
            let Impossible::TooSmall {
                needed,
                reached,
                fitting,
                ..
            } = refused(asked)
            else {
                panic!("another reason");
            };
            // Each of the ways that are said leads somewhere.
            let memory = Some(needed);
            assert!(Layout::plan(&Asked { memory, ..asked }, By::Shingle).is_ok());
            let documents = asked.documents.map(|_| fitting);
            let window = asked.window.map(|_| fitting);
            let fewer = Asked {
                documents,
                window,
                ..asked
            };
            assert!(Layout::plan(&fewer, By::Shingle).is_ok());
            assert_eq!(reached.is_some(), asked.window.is_none());
            let rate = reached.and_then(Rate::new).or(asked.rate);
            let higher = Layout::plan(&Asked { rate, ..asked }, By::Shingle);
            assert_eq!(higher.is_ok(), asked.window.is_none(), "{higher:?}");
        }
    }
}
