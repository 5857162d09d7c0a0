//! This program, started by itself to read PDF files.

use std::env;
use std::ffi::OsString;
use std::sync::OnceLock;

use dupfind_read::source::pdf::PdfPrograms;

/// The argument with which this program reads PDF files as its own child.
const READ_PDF: &str = "__read-pdf";

/// How this program is started, if it is not the file that runs.
static COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// Makes this program start itself by a command, to which it adds a word. Without this call it runs its own file again.
pub fn starts_by(command: Vec<OsString>) {
    let _ = COMMAND.set(command);
}

/// Returns programs that read PDF, if this one knows how it is started.
pub(crate) fn pdf_programs() -> Option<PdfPrograms> {
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
        let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
        let served = dupfind_read::source::pdf::child::serve(input, output, limits::begin);
        Some(served.is_ok())
    }
    #[cfg(not(feature = "pdf"))]
    Some(false)
}

/// The limits by the system on a program that reads PDF. Where there are none, only the size of a file, the wall time
/// and the amount that a file may draw are limited.
#[cfg(feature = "pdf")]
mod limits {
    /// Limits what reading a file of so many bytes may cost, by its size: a small one that needs much does harm.
    pub(super) fn begin(size: u64) {
        #[cfg(target_os = "linux")]
        memory(size);
        #[cfg(unix)]
        time(size);
        #[cfg(not(unix))]
        let _ = size;
    }

    /// Lets the process ask for 256 MiB of memory and 64 times the size of a file, up to 1 GiB. What it needed for a larger
    /// file before stays allowed.
    #[cfg(target_os = "linux")]
    fn memory(size: u64) {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        use std::sync::atomic::{AtomicU64, Ordering};
        const MOST: u64 = 1 << 30;
        static ALLOWED: AtomicU64 = AtomicU64::new(256 << 20);
        let wanted = MOST.min((256 << 20) + size.saturating_mul(64));
        let allowed = ALLOWED.fetch_max(wanted, Ordering::Relaxed).max(wanted);
        if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_AS) {
            let _ = setrlimit(Resource::RLIMIT_AS, allowed.min(hard), MOST.min(hard));
        }
    }

    /// Lets the process use 2 more seconds of the processor, and one for each 64 KiB of a file, up to 10. Then the system
    /// ends it.
    #[cfg(unix)]
    fn time(size: u64) {
        use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
        let seconds = 10.min(2 + size / (64 << 10));
        // A system that does not count the time has the wall time as its limit.
        if let (Ok(used), Ok((_, most))) = (
            getrusage(UsageWho::RUSAGE_SELF),
            getrlimit(Resource::RLIMIT_CPU),
        ) {
            let used = used.user_time().tv_sec() + used.system_time().tv_sec() + 1;
            let used = u64::try_from(used).map_or(most, |used| most.min(used + seconds));
            let _ = setrlimit(Resource::RLIMIT_CPU, used, most);
        }
    }
}
