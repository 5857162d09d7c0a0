//! How much memory this machine has.

use sysinfo::{MemoryRefreshKind, System};

/// Returns the default of `--memory-limit` in bytes: half of the memory.
pub(crate) fn default_limit() -> u64 {
    total() / 2
}

/// The memory for a document besides its shingles, in bytes. A document of one word needs some 500, and a list that
/// grows is there twice for a moment.
const OF_DOCUMENT: u64 = 1_000;

/// Returns how many documents fit in memory.
pub(crate) fn max_documents() -> u64 {
    total() / OF_DOCUMENT
}

/// Returns the memory of the machine in bytes, or the part of it that the container or a limit of the shell allows.
pub fn total() -> u64 {
    of_machine().min(address_space())
}

/// Returns how many bytes the program may ask for (`ulimit -v`).
fn address_space() -> u64 {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::resource::{Resource, getrlimit};
        getrlimit(Resource::RLIMIT_AS).map_or(u64::MAX, |(limit, _)| limit)
    }
    #[cfg(not(target_os = "linux"))]
    u64::MAX
}

fn of_machine() -> u64 {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let machine = system.total_memory();
    // The size is not known: a small machine is assumed. The limits of a container cannot be read then.
    if machine == 0 {
        return 2 << 30;
    }
    match system.cgroup_limits() {
        Some(limits) if limits.total_memory > 0 => limits.total_memory.min(machine),
        _ => machine,
    }
}
