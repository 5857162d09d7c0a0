//! The threads of a run.

use rayon::ThreadPoolBuilder;

use crate::engine::options::Options;
use crate::error::{Error, Result};

/// Runs a task on as many threads as the options ask for, and returns its result.
///
/// # Errors
///
/// Those of the task, and [`Error::Threads`] if the threads cannot be started.
pub fn in_pool<T: Send>(options: &Options, task: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| Error::Threads(error.to_string()))?
        .install(task)
}
