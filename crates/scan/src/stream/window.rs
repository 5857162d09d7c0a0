//! The parts of the last documents in a queue, so that they can be removed from the filter again.
//!
//! A part needs six bytes here, and five and a half in a counting filter at a rate of 1 %. Several plain filters in
//! turn, with the oldest one emptied when the newest one is full, would need a sixth of that, but forget in leaps: with
//! four filters a document is remembered for between N and 1.25 N others, depending on when it came. A queue on disk
//! would keep exactly N documents of any size, but a stream would write eight bytes for each shingle.

use std::collections::VecDeque;

use crate::stream::parts::{PART_BITS, Part};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
