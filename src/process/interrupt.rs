//! Signals. Before the program ends, an interrupt (Ctrl-C) stops started programs and removes temporary files.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use dupfind_files::remove_all;
use dupfind_read::source::program;

/// The action of the first interrupt in a run that ends in order by itself.
static ORDERLY: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Makes the first interrupt call `stop`, after which the run ends by itself. A second interrupt ends the program
/// at once.
pub(crate) fn on_first(stop: impl Fn() + Send + Sync + 'static) {
    let _ = ORDERLY.set(Box::new(stop));
}

/// Whether an interrupt is ending the program.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Never returns if an interrupt is ending the program: further errors of the program would come from the interrupt.
pub(crate) fn wait_for_end() {
    while IS_ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// Installs the handler of interrupts and of signals to end. It is called once, before anything else of the run.
///
/// # Errors
///
/// Interrupts cannot be handled.
pub(crate) fn watch() -> Result<()> {
    let is_asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if let Some(stop) = ORDERLY.get()
            && !is_asked.swap(true, Ordering::Relaxed)
        {
            return stop();
        }
        IS_ENDING.store(true, Ordering::SeqCst);
        program::stop();
        remove_all();
        // 128 + SIGINT, as shells expect it.
        std::process::exit(130);
    })
    .context("cannot watch for interrupts")
}

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
