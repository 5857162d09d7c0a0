//! How much memory there is.

use sysinfo::{MemoryRefreshKind, System};

/// Half of the machine's memory, or of what the container may use.
pub(crate) fn default_limit() -> u64 {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let machine = system.total_memory();
    // What cannot be told is taken for a small machine. There is no asking for limits then.
    if machine == 0 {
        return 1 << 30;
    }
    let total = match system.cgroup_limits() {
        Some(limits) if limits.total_memory > 0 => limits.total_memory.min(machine),
        _ => machine,
    };
    total / 2
}
