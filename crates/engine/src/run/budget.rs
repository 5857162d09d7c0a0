//! How much memory a run may use.

use std::path::PathBuf;

/// The most shingles that are joined at a time, as 32 bits number them.
const MAX_JOINED: u64 = u32::MAX as u64 / 2;

/// The most shingles that a block has room for: 4 MiB. A larger set has a block of its own.
pub(crate) const LARGEST_BLOCK: usize = 1 << 19;

/// How much memory shingle sets and their join may use, and where larger sets are written.
#[derive(Debug, Clone)]
pub struct Budget {
    /// How many bytes; `None` if there is no limit.
    pub limit: Option<u64>,
    /// The folder for temporary files; `None` for that of the system.
    pub temp_dir: Option<PathBuf>,
}

impl Budget {
    /// Returns how many shingles each of the writers may hold back, if there is one for each thread.
    pub(crate) fn block(&self, threads: usize) -> usize {
        let share = self
            .limit
            .map_or(u64::MAX, |limit| limit / (64 * threads as u64));
        usize::try_from(share).map_or(LARGEST_BLOCK, |share| share.clamp(1 << 12, LARGEST_BLOCK))
    }

    /// Returns how many bytes of shingles may stay in memory. Their join needs about as much again.
    pub(crate) fn in_memory(&self) -> u64 {
        let share = self.limit.map_or(u64::MAX, |limit| limit / 5 * 2);
        share.min(MAX_JOINED * size_of::<u64>() as u64)
    }

    /// Returns how many shingles a tile may have. Two tiles are joined at a time, which needs about 18 bytes for each
    /// shingle.
    pub(crate) fn tile(&self) -> u64 {
        self.limit
            .map_or(u64::MAX, |limit| limit / 36)
            .min(MAX_JOINED / 2)
    }

    /// Returns how many elements may be sorted at a time. Each needs 16 bytes, and as much again while they are
    /// collected. There are never fewer than 1,024, as all sets are read once for each part.
    pub fn entries(&self) -> u64 {
        self.tile().max(1024)
    }
}
