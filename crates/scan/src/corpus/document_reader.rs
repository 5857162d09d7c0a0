//! Reads the files and records of a scan on all threads.
//!
//! Makes a value of each document, with room for large ones: one that needs too much memory is not compared, and several do
//! not use it at a time.

use std::iter;
use std::sync::atomic::AtomicU64;
use std::sync::{Condvar, Mutex, PoisonError};

use dupfind_engine::features::collection::{Gathered, Gathering, GatheringWorker};
use dupfind_engine::{Observer, Stage, Stats};
use dupfind_read::{Batches, Entry, Ingested, ReadOptions, Refused, SkipReason};
use rayon::prelude::*;

use crate::corpus::worker::{Item, Make, NumberedEntry, Shared, WantedRecords, Worker};
use crate::document::{ReadDocument, ReadEntries};
use crate::known::KnownFiles;

/// Returns the documents of all entries, and the records that are not compared, by entry. Fails with
/// [`dupfind_engine::Error::Stopped`] if the observer stops the run. Of the records only the `wanted` ones are read.
pub(crate) fn read_entries<M: Make>(
    entries: &[Entry],
    options: &ReadOptions,
    make: &M,
    known: Option<&KnownFiles>,
    wanted: Option<&WantedRecords>,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> dupfind_engine::Result<ReadEntries<M::Made>> {
    // The number of records is known only when they have been read.
    let has_records = entries.iter().any(|entry| entry.kind.may_hold_records());
    let shared = Shared {
        options,
        make,
        known,
        wanted,
        observer,
        count: AtomicU64::new(0),
        refused: Mutex::default(),
        facts: Mutex::default(),
    };
    let total = (!has_records).then_some(entries.len() as u64);
    let documents = stats.time(observer, (Stage::Read, total), || read(&shared, entries));
    if observer.is_stopped() {
        return Err(dupfind_engine::Error::Stopped);
    }
    if shared.is_too_many() {
        return Err(dupfind_engine::Error::TooMuch(format!(
            "more than {} documents do not fit in the memory: compare them in parts",
            options.max_documents
        )));
    }
    let (refused, facts) = shared.into_parts();
    Ok(ReadEntries {
        documents,
        refused,
        facts,
    })
}

/// Returns the documents of all entries, in any order and without the records that are not compared.
fn read<M: Make>(shared: &Shared<'_, M>, entries: &[Entry]) -> Vec<ReadDocument<M::Made>> {
    // One list for all threads: lists of their own would be as large once more when they are put together.
    let all = Mutex::new(Vec::new());
    entries
        .iter()
        .enumerate()
        .flat_map(|entry| items(shared, entry))
        // If a shingle set could not be kept, the run is going to fail.
        .take_while(|_| {
            !shared.make.has_failed() && !shared.observer.is_stopped() && !shared.is_too_many()
        })
        .par_bridge()
        .for_each_init(
            || Worker::new(shared),
            |worker, item| {
                let mut documents = worker.read(item);
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                all.append(&mut documents);
            },
        );
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the work of an entry: one item for a document, one item for each batch of a file of records.
fn items<'e, M: Make>(
    shared: &'e Shared<'_, M>,
    entry: NumberedEntry<'e>,
) -> Box<dyn Iterator<Item = Item<'e>> + Send + 'e> {
    let Entry { path, kind, .. } = entry.1;
    if !kind.may_hold_records() {
        return Box::new(iter::once(Item::File(entry)));
    }
    match Batches::open(path, *kind, shared.options) {
        Ok(Some(_)) if shared.knows(entry, false) => {
            Box::new(iter::once(Item::KnownRecords(entry)))
        }
        Ok(Some(batches)) => Box::new(batches.map(move |batch| Item::Records(entry, batch))),
        Ok(None) => Box::new(iter::once(Item::File(entry))),
        Err(error) => Box::new(iter::once(Item::Records(entry, Err(error)))),
    }
}

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
    use std::thread;
    use std::time::Duration;

    use super::*;

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
