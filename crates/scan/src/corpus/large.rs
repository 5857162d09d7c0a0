//! Makes a value of each document, with room for large ones: one that needs too much memory is not compared, and several do
//! not use it at a time.

use dupfind_engine::features::collection::{Gathered, Gathering, GatheringWorker};
use dupfind_read::{Ingested, Refused, SkipReason};
use std::sync::{Condvar, Mutex, PoisonError};

/// How many bytes of memory the features of a text need for each of its bytes while they are made, rather too many than too few:
/// measured on texts of 20 MB in several scripts, they are 32 of English and 49 of Chinese.
const PER_BYTE: u64 = 60;

/// A document that needs less is not counted.
const SMALL: u64 = 64 << 20;

/// The memory that documents use while they are compared.
#[derive(Debug)]
pub(super) struct LargeDocuments {
    /// How many bytes all documents may use.
    room: u64,
    /// How many bytes the large documents at work use.
    reserved: Mutex<u64>,
    given_back: Condvar,
}

/// The memory of a document at work. It is given back when this is dropped.
#[derive(Debug)]
pub(super) struct ReservedMemory<'l> {
    large: &'l LargeDocuments,
    bytes: u64,
}

impl LargeDocuments {
    /// Returns room for documents; `None` if there is no bound.
    pub(super) fn new(room: Option<u64>) -> Self {
        Self {
            room: room.unwrap_or(u64::MAX),
            reserved: Mutex::default(),
            given_back: Condvar::new(),
        }
    }

    /// Reserves memory for a text. Waits until there is room.
    ///
    /// # Errors
    ///
    /// [`SkipReason::TooLarge`] if there will never be, with details in words.
    pub(super) fn reserve(&self, text: &str) -> Result<ReservedMemory<'_>, Refused> {
        let bytes = text.len() as u64 * PER_BYTE;
        if bytes > self.room {
            let [needed, room] = [bytes, self.room].map(|bytes| bytes >> 20);
            let detail = format!("it needs about {needed} MB of memory, the limit is {room} MB");
            return Err((SkipReason::TooLarge, detail));
        }
        let bytes = if bytes < SMALL { 0 } else { bytes };
        if bytes > 0 {
            let reserved = self.reserved.lock().unwrap_or_else(PoisonError::into_inner);
            let is_full = |reserved: &mut u64| *reserved > 0 && *reserved + bytes > self.room;
            let waited = self.given_back.wait_while(reserved, is_full);
            *waited.unwrap_or_else(PoisonError::into_inner) += bytes;
        }
        Ok(ReservedMemory { large: self, bytes })
    }
}

impl Drop for ReservedMemory<'_> {
    fn drop(&mut self) {
        if self.bytes > 0 {
            let reserved = self.large.reserved.lock();
            *reserved.unwrap_or_else(PoisonError::into_inner) -= self.bytes;
            self.large.given_back.notify_all();
        }
    }
}

/// Makes a value of each document.
pub(crate) trait Make: Sync {
    /// The worker of a thread.
    type Worker<'w>: Send
    where
        Self: 'w;

    /// The value.
    type Made: Send;

    /// Returns a worker for one thread.
    fn worker(&self) -> Self::Worker<'_>;

    /// Returns whether the run is going to fail.
    fn has_failed(&self) -> bool {
        false
    }

    /// Makes the value of a document.
    fn make(
        &self,
        worker: &mut Self::Worker<'_>,
        document: &Ingested<'_>,
    ) -> Result<Self::Made, Refused>;
}

/// Makes features.
pub(super) struct MakeFeatures<'g> {
    pub(super) gathering: &'g Gathering,
    pub(super) large: LargeDocuments,
}

impl Make for MakeFeatures<'_> {
    type Worker<'w>
        = GatheringWorker<'w>
    where
        Self: 'w;
    type Made = Gathered;

    fn worker(&self) -> GatheringWorker<'_> {
        self.gathering.worker()
    }

    fn has_failed(&self) -> bool {
        self.gathering.has_failed()
    }

    fn make(
        &self,
        worker: &mut GatheringWorker<'_>,
        document: &Ingested<'_>,
    ) -> Result<Gathered, Refused> {
        let _reserved = self.large.reserve(&document.text)?;
        let gathered = worker.add(document.titled());
        gathered.ok_or_else(|| (SkipReason::Empty, String::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    fn text(megabytes: usize) -> String {
        "x".repeat(megabytes << 20)
    }

    #[test]
    fn texts_that_never_fit_are_refused() {
        let large = LargeDocuments::new(Some(12 << 20));
        assert!(large.reserve("x").is_ok());
        let (reason, detail) = large.reserve(&text(2)).unwrap_err();
        assert_eq!(reason, SkipReason::TooLarge);
        let expected = "it needs about 120 MB of memory, the limit is 12 MB";
        assert_eq!(detail, expected);
        assert!(LargeDocuments::new(None).reserve(&text(2)).is_ok());
    }

    #[test]
    fn one_waits_for_another() {
        let (large, text) = (LargeDocuments::new(Some(150 << 20)), text(2));
        let first = large.reserve(&text).unwrap();
        thread::scope(|scope| {
            let second = scope.spawn(|| drop(large.reserve(&text)));
            thread::sleep(Duration::from_millis(50));
            assert!(!second.is_finished());
            drop(first);
        });
        assert_eq!(*large.reserved.lock().unwrap(), 0);
    }
}
