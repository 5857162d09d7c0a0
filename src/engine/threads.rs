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
    let mut result = None;
    run(options, Box::new(|| result = Some(task())))?;
    result.expect("the task has run")
}

/// Runs a task in a pool of its own. What waits for it is compiled once, and not for each task.
fn run(options: &Options, task: Box<dyn FnOnce() + Send + '_>) -> Result<()> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| Error::Threads(error.to_string()))?;
    pool.install(task);
    Ok(())
}
