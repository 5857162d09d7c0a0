//! This program, started by itself to read PDF files.

use std::env;
use std::ffi::OsString;
use std::sync::{Once, OnceLock};

use dupfind_read::source::pdf::{self, PdfPrograms};

use crate::process::interrupt;

/// The argument with which this program reads PDF files as its own child.
const READ_PDF: &str = "__read-pdf";

/// How this program is started, if it is not the file that runs.
static COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// Makes this program start itself by a command, to which it adds a word. Without this call it runs its own file again.
pub fn starts_by(command: Vec<OsString>) {
    let _ = COMMAND.set(command);
}

/// Returns programs that read PDF, if this one knows how it is started. An interrupt ends them.
pub(crate) fn pdf_programs() -> Option<PdfPrograms> {
    static INTERRUPT: Once = Once::new();
    INTERRUPT.call_once(|| interrupt::ends_programs(pdf::stop));
    let own = || Some(vec![env::current_exe().ok()?.into_os_string()]);
    let mut command = COMMAND.get().cloned().or_else(own)?;
    command.push(READ_PDF.into());
    Some(PdfPrograms::new(command))
}

/// Reads PDF files for the program that has started this one, if the words ask for it. Returns whether it did so
/// without an error.
pub(crate) fn read_pdf(words: &[OsString]) -> Option<bool> {
    if words.len() != 2 || words[1] != READ_PDF {
        return None;
    }
    #[cfg(feature = "pdf")]
    {
        #[cfg(target_os = "linux")]
        if limits::memory().is_err() {
            return Some(false);
        }
        let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
        let served = pdf::child::serve(input, output, limits::time);
        Some(served.is_ok())
    }
    #[cfg(not(feature = "pdf"))]
    Some(false)
}

/// The limits by the system on a program that reads PDF. Where there are none, only the size of a file, the wall time
/// and the amount that a file may draw are limited.
#[cfg(feature = "pdf")]
mod limits {
    /// Lets the process ask for 1 GiB of memory.
    #[cfg(target_os = "linux")]
    pub(super) fn memory() -> nix::Result<()> {
        use nix::sys::resource::{Resource, setrlimit};
        const MEMORY: u64 = 1 << 30;
        setrlimit(Resource::RLIMIT_AS, MEMORY, MEMORY)
    }

    /// Lets the process use 10 more seconds of the processor. Then the system ends it.
    pub(super) fn time() {
        #[cfg(unix)]
        {
            use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
            const SECONDS: i64 = 10;
            // A system that does not count the time has the wall time as its limit.
            if let (Ok(used), Ok((_, most))) = (
                getrusage(UsageWho::RUSAGE_SELF),
                getrlimit(Resource::RLIMIT_CPU),
            ) {
                let used = used.user_time().tv_sec() + used.system_time().tv_sec() + SECONDS;
                let _ = setrlimit(
                    Resource::RLIMIT_CPU,
                    u64::try_from(used).map_or(most, |used| used.min(most)),
                    most,
                );
            }
        }
    }
}
