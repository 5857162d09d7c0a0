//! How much memory there is.

use sysinfo::{MemoryRefreshKind, System};

/// What sets of shingles may take unless somebody says otherwise: half of the memory there is.
pub(crate) fn default_limit() -> u64 {
    total() / 2
}

/// The machine's memory, or what the container may use of it.
pub(crate) fn total() -> u64 {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let machine = system.total_memory();
    // What cannot be told is taken for a small machine. There is no asking for limits then.
    if machine == 0 {
        return 2 << 30;
    }
    match system.cgroup_limits() {
        Some(limits) if limits.total_memory > 0 => limits.total_memory.min(machine),
        _ => machine,
    }
}
