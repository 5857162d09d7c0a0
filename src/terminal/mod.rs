//! Output: reports on standard output or in files, messages and progress on standard error.

pub(crate) mod chinese;
mod guard;
pub(crate) mod messages;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod stats;

pub(crate) use output::Output;
pub(crate) use progress::Progress;
