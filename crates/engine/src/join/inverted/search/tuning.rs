//! The measures of the counting join that change its speed and never its result, together so that
//! tests can use others.

/// Limits of sizes, lengths and frequencies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tuning {
    /// Sets in a tile at least, unless it is the last: every tile costs a look at every list.
    pub(crate) smallest_tile: usize,
    /// Sets in a tile at most: 32 KiB of narrow counters.
    pub(crate) largest_tile: usize,
    /// Elements of fewer sets than this are not worth leaving out of counting.
    pub(crate) frequent: u32,
    /// Lists shorter than this are counted for all tiles at once: to look at them in every tile takes
    /// longer than it saves.
    pub(crate) short: u32,
    /// Up to so many elements a set is counted in narrow counters.
    pub(crate) narrow: usize,
    /// With fewer entries in its lists than one for so many sets, a probe goes through the lists once
    /// more instead of through all counters.
    pub(crate) few: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            smallest_tile: 1 << 11,
            largest_tile: 1 << 14,
            frequent: 8,
            short: 256,
            narrow: i16::MAX as usize,
            few: 8,
        }
    }
}
