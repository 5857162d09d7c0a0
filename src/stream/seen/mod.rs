//! What was seen before: the parts of earlier documents, remembered in memory of a fixed size.
//!
//! A *part* is what a document is judged by: one of its shingles, or one of its paragraphs. All parts go into a
//! [`filter`], which never forgets one that it holds, and takes one that it does not hold for known at a rate
//! that a formula gives ([`rate`]). With a [`window`] it forgets the parts of the oldest documents.

pub(crate) mod filter;
pub(crate) mod parts;
pub(crate) mod plan;
pub(crate) mod rate;
pub(crate) mod settings;
pub(crate) mod state;
mod summed;
pub(crate) mod window;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod state_laws;

use crate::stream::seen::filter::{Cell, Filter};
use crate::stream::seen::plan::{Layout, about};
use crate::stream::seen::window::Window;

/// A part of a document as a number below 2^48. Two different ones are the same number once in 2^48, which
/// is nothing beside the false positives of a filter.
pub(crate) type Part = u64;

/// The bits of a [`Part`]: six bytes are what it takes in a window.
pub(crate) const PART_BITS: u32 = 48;

/// The parts of the documents so far, or of the last of them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    filter: Filter,
    window: Option<Window>,
}

/// Why there is no memory for what is to be remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoRoom {
    /// The machine has less.
    #[error("what is to be remembered takes {}, and there are {} of memory", about(*.bytes), about(*.memory))]
    TooLarge {
        /// How many bytes it takes.
        bytes: u64,
        /// How many there are.
        memory: u64,
    },
    /// The system does not give it.
    #[error("there are no {} of memory to be had", about(*.bytes))]
    Refused {
        /// How many bytes it takes.
        bytes: u64,
    },
}

impl Seen {
    /// Takes how large everything is and how many bytes of memory there are, and returns a memory of nothing.
    pub(crate) fn new(layout: &Layout, memory: u64) -> Result<Self, NoRoom> {
        let bytes = layout.bytes();
        if bytes > memory {
            return Err(NoRoom::TooLarge { bytes, memory });
        }
        let cell = match layout.window {
            Some(_) => Cell::Counter,
            None => Cell::Bit,
        };
        let refused = |_| NoRoom::Refused { bytes };
        let window = layout.window.map(Window::new).transpose();
        let filter = Filter::new(layout.blocks, layout.hashes, cell);
        Ok(Self {
            filter: filter.map_err(refused)?,
            window: window.map_err(refused)?,
        })
    }

    /// Takes the distinct parts of the next document, remembers them, and returns how many were there before.
    pub(crate) fn take(&mut self, parts: &[Part]) -> u32 {
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
    /// A counter that is full is not counted down: it is not known how many parts it stands for. In a window over
    /// an endless stream such counters would pile up, and with them false positives. One whose parts have all
    /// gone was spared at least once for each value of a counter but zero ([`Filter::spared`]), so when this is called
    /// after every document no more than a fifteenth as many counters are wrong as parts in the window set, or as
    /// there are blocks: a fifteenth of one of the 128 in a block is nothing. What it costs is at most one more
    /// insertion for each part that goes, and a block to be emptied for each counter that was spared: a small window
    /// does not have a large filter emptied again and again.
    fn refresh(&mut self) {
        let Some(window) = &self.window else {
            return;
        };
        let set = window
            .parts()
            .saturating_mul(u64::from(self.filter.hashes()));
        if self.filter.spared() > set.max(self.filter.blocks()) {
            self.filter.clear();
            for part in window.iter() {
                self.filter.insert(part);
            }
        }
    }

    /// The filter, to be asked how full it is.
    pub(crate) fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The window, if the oldest documents are forgotten.
    pub(crate) fn window(&self) -> Option<&Window> {
        self.window.as_ref()
    }
}
