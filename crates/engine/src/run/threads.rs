//! The threads of a run.

use std::panic::resume_unwind;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::run::error::{Error, Result};

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
