//! How many bytes of messages wait between the thread that reads them and the one that answers.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

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
