//! What waits to be joined: in memory, or in temporary files when it is too much for that.

pub(crate) mod file;
pub(crate) mod runs;
pub mod sets;
pub(crate) mod sorted;

use std::path::PathBuf;

/// How many shingles are joined at a time at most: 32 bits number them.
const MOST: u64 = u32::MAX as u64 / 2;

/// How many shingles a block has room for at most, unless one set needs more: 4 MiB.
const LARGEST_BLOCK: usize = 1 << 19;

/// How much memory the sets and their join may take, and where they go beyond that.
#[derive(Debug, Clone)]
pub struct Budget {
    /// Bytes, or none for as much as it takes.
    pub limit: Option<u64>,
    /// The folder for temporary files, or none for the system's.
    pub temp_dir: Option<PathBuf>,
}

impl Budget {
    /// How many shingles a writer may hold back, of one for each thread.
    fn block(&self, threads: usize) -> usize {
        let share = self
            .limit
            .map_or(u64::MAX, |limit| limit / (64 * threads as u64));
        usize::try_from(share).map_or(LARGEST_BLOCK, |share| share.clamp(1 << 12, LARGEST_BLOCK))
    }

    /// How many bytes of shingles may stay in memory. Joining them takes about as much again.
    fn in_memory(&self) -> u64 {
        let share = self.limit.map_or(u64::MAX, |limit| limit / 5 * 2);
        share.min(MOST * size_of::<u64>() as u64)
    }

    /// How many shingles a tile may have: two tiles are joined at a time, at about 18 bytes for each
    /// shingle.
    pub(crate) fn tile(&self) -> u64 {
        self.limit
            .map_or(u64::MAX, |limit| limit / 36)
            .min(MOST / 2)
    }

    /// How many elements may be sorted at a time, at 16 bytes for each and as much while they are
    /// collected.
    pub(crate) fn entries(&self) -> u64 {
        self.tile()
    }
}
