//! How much memory this machine has, and how many bytes of messages wait between two threads.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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

/// The most bytes that wait. One message alone may have more.
const MOST: usize = 32 << 20;

/// The room for messages that wait. Who reads has to wait until there is room.
#[derive(Debug, Default)]
pub(crate) struct Room {
    used: Mutex<usize>,
    freed: Condvar,
}

/// The room that a message takes until this is dropped.
#[derive(Debug)]
pub(crate) struct Taken {
    room: Arc<Room>,
    bytes: usize,
}

impl Room {
    /// Takes room for a message, as soon as there is enough or nothing else waits.
    pub(crate) fn take(self: &Arc<Self>, bytes: usize) -> Taken {
        let is_full = |used: &mut usize| *used > 0 && *used + bytes > MOST;
        let used = self.freed.wait_while(self.used(), is_full);
        *used.unwrap_or_else(PoisonError::into_inner) += bytes;
        Taken {
            room: Arc::clone(self),
            bytes,
        }
    }

    fn used(&self) -> MutexGuard<'_, usize> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        *self.room.used() -= self.bytes;
        self.room.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_message_waits_until_there_is_room() {
        let room = Arc::new(Room::default());
        let first = room.take(MOST * 2);
        let (sender, taken) = channel();
        thread::spawn(move || {
            for bytes in [MOST, 1] {
                sender.send(room.take(bytes)).unwrap();
            }
        });
        let next = |time| taken.recv_timeout(Duration::from_millis(time));
        assert!(next(50).is_err());
        drop(first);
        let second = next(5_000).unwrap();
        assert!(next(50).is_err());
        drop(second);
        assert_eq!(next(5_000).unwrap().bytes, 1);
    }
}
