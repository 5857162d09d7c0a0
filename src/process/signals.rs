//! Signals that would end the program in the middle of its work.

/// Blocks the signal that ends a program when a file it writes becomes larger than a limit of the shell allows. Writing
/// fails instead, with an error that is reported, and temporary files are removed.
pub(crate) fn block_file_size_signal() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // Threads that are started later inherit it. If it fails, the signal acts as it would have.
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}
