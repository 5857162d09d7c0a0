//! The parts of earlier documents, remembered in memory of a fixed size.
//!
//! A document is judged by its *parts*: its shingles. All parts go into a `filter`, which never forgets one that it
//! holds. It reports a few parts that it does not hold as known. With a `window` the parts of the oldest documents are
//! forgotten.

mod cell;
mod filter;
pub mod parts;
pub mod settings;
pub mod sizes;
pub mod state;
mod window;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod state_laws;

use crate::stream::seen::cell::Cell;
use crate::stream::seen::filter::Filter;
use crate::stream::seen::parts::Part;
use crate::stream::seen::sizes::{HASHES, Layout, size};
use crate::stream::seen::window::Window;

/// The parts of the documents so far, or of the last of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Seen {
    filter: Filter,
    window: Option<Window>,
}

/// Why there is not enough memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoRoom {
    /// The machine has less.
    #[error("the shingles to remember need {}, and there are {} of memory", size(*.bytes), size(*.memory))]
    TooLarge {
        /// How many bytes it needs.
        bytes: u64,
        /// How many bytes the machine has.
        memory: u64,
    },
    /// The system does not give it.
    #[error("there are no {} of memory to be had", size(*.bytes))]
    Refused {
        /// How many bytes it needs.
        bytes: u64,
    },
}

impl Seen {
    /// Returns an empty memory. Fails if it needs more bytes than `memory`. The system might not fail, as it may
    /// promise more memory than it has.
    pub fn new(layout: &Layout, memory: u64) -> Result<Self, NoRoom> {
        let bytes = layout.bytes();
        if bytes > memory {
            return Err(NoRoom::TooLarge { bytes, memory });
        }
        let cell = Cell::of(layout.window.is_some());
        let refused = |_| NoRoom::Refused { bytes };
        let window = layout.window.map(Window::new).transpose();
        let filter = Filter::new(layout.blocks, cell);
        Ok(Self {
            filter: filter.map_err(refused)?,
            window: window.map_err(refused)?,
        })
    }

    /// Remembers the distinct parts of the next document, and returns how many were known before.
    pub fn take(&mut self, parts: &[Part]) -> u32 {
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

    /// Returns the filter that remembers the parts.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Returns the window of the last documents, if there is one.
    pub fn window(&self) -> Option<&Window> {
        self.window.as_ref()
    }
}
