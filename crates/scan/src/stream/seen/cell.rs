//! The cells of a filter, which are in blocks.

/// The bits of a block: a cache line.
pub(crate) const BLOCK_BITS: u32 = 512;

/// The bytes of a block.
pub(crate) const BLOCK_BYTES: u64 = (BLOCK_BITS / 8) as u64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    /// One bit, for parts that are never removed.
    Bit,
    /// A counter of four bits.
    Counter,
}

impl Cell {
    /// Returns the kind of cells with a window or without one: parts are removed only if there is a window.
    pub(super) fn of(has_window: bool) -> Self {
        match has_window {
            true => Self::Counter,
            false => Self::Bit,
        }
    }

    /// Returns how many bits it has.
    pub(super) fn bits(self) -> u32 {
        match self {
            Self::Bit => 1,
            Self::Counter => 4,
        }
    }

    /// Returns how many of them a block has.
    pub(super) fn per_block(self) -> u32 {
        BLOCK_BITS / self.bits()
    }
}
