//! The threads and the memory of a run.

use crate::run::error::{Error, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;

/// The most worker threads of a run. More of them make nothing faster, and some thousands never start.
pub const MAX_THREADS: usize = 256;

/// The stack of a thread that reads documents, in bytes. Whatever `RUST_MIN_STACK` says, it is enough: no reader calls itself
/// for what a document repeats.
pub const STACK: usize = 2 << 20;

/// Returns a pool of this many worker threads; 0 means one for each core.
///
/// # Errors
///
/// [`Error::Threads`] if there are more than [`MAX_THREADS`], or they cannot be started.
pub fn pool(threads: usize) -> Result<ThreadPool> {
    if threads > MAX_THREADS {
        let reason = format!("at most {MAX_THREADS} can be started, not {threads}");
        return Err(Error::Threads(reason));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build();
    pool.map_err(|error| Error::Threads(error.to_string()))
}

/// Runs a task on so many threads, and returns its result; 0 means one for each core.
///
/// # Errors
///
/// Those of the task, and [`Error::Threads`] if the threads cannot be started.
pub fn in_pool<T: Send>(threads: usize, task: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let mut result = None;
    run(threads, Box::new(|| result = Some(task())))?;
    result.expect("the task has run")
}

/// Runs a task in a pool of its own. What waits for it is compiled once, and not for each task.
fn run(threads: usize, task: Box<dyn FnOnce() + Send + '_>) -> Result<()> {
    pool(threads)?.install(task);
    Ok(())
}

/// Runs a task on a thread with the stack of a worker thread. That of the caller is what a system or a user sets.
///
/// # Panics
///
/// If the task does, or if the system starts no thread.
pub fn with_stack<T: Send>(task: impl FnOnce() -> T + Send) -> T {
    let thread = thread::Builder::new().stack_size(STACK);
    thread::scope(|scope| {
        let thread = thread.spawn_scoped(scope, task);
        let thread = thread.expect("the system starts a thread");
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_than_help_are_refused() {
        let refused = in_pool(MAX_THREADS + 1, || Ok(())).unwrap_err();
        let expected = "cannot start the worker threads: at most 256 can be started, not 257";
        assert_eq!(refused.to_string(), expected);
    }
}
