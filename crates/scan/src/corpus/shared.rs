//! The common state of the threads that read entries: the wanted records, the progress, and the notes.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::corpus::make::Make;
use crate::document::read_document::{FileFacts, ForIndex, RefusedByEntry};
use crate::known::KnownFiles;
use dupfind_engine::run::observer::Observer;
use dupfind_read::ReadOptions;
use dupfind_read::source::walk::Entry;

/// The numbers of entries and records.
pub(crate) type Wanted = HashSet<(usize, u64)>;

/// An entry and its number.
pub(super) type NumberedEntry<'e> = (usize, &'e Entry);

/// How many bytes of the files of a scan have been read, of how many.
pub(super) struct BytesRead {
    read: AtomicU64,
    all: u64,
}

impl BytesRead {
    pub(super) fn of(entries: &[Entry]) -> Self {
        Self {
            read: AtomicU64::new(0),
            all: entries.iter().map(size).sum(),
        }
    }
}

/// Returns the size of a file, in bytes; 0 if it is not known.
pub(super) fn size(entry: &Entry) -> u64 {
    fs::metadata(&entry.path).map_or(0, |metadata| metadata.len())
}

/// The common state of the threads that read entries.
pub(super) struct Shared<'r, M: Make> {
    pub(super) options: &'r ReadOptions,
    pub(super) make: &'r M,
    pub(super) known: Option<&'r KnownFiles>,
    pub(super) wanted: Option<&'r Wanted>,
    pub(super) observer: &'r dyn Observer,
    /// How many documents there are so far, records that are not compared included.
    pub(super) count: AtomicU64,
    /// How much has been read, if the number of documents is not known before.
    pub(super) bytes: Option<BytesRead>,
    /// The time that all workers spent on reading.
    pub(super) time: Mutex<Duration>,
    /// The records that are not compared, by the numbers of their entries.
    pub(super) refused: Mutex<RefusedByEntry<M::Made>>,
    /// The facts about the files for an index, by the numbers of their entries.
    pub(super) facts: Mutex<BTreeMap<usize, FileFacts>>,
}

impl<M: Make> Shared<'_, M> {
    /// Tells the observer that so many more bytes have been read.
    pub(super) fn report_bytes(&self, more: u64) {
        if let Some(bytes) = &self.bytes {
            let read = bytes.read.fetch_add(more, Ordering::Relaxed) + more;
            // A file may have grown.
            self.observer.bytes_read(read.min(bytes.all), bytes.all);
        }
    }

    /// Whether there are more documents than there may be.
    pub(super) fn is_too_many(&self) -> bool {
        self.count.load(Ordering::Relaxed) > self.options.max_documents
    }

    pub(super) fn into_parts(
        self,
    ) -> (
        Duration,
        RefusedByEntry<M::Made>,
        BTreeMap<usize, FileFacts>,
    ) {
        let time = self.time.into_inner();
        let refused = self.refused.into_inner();
        let facts = self.facts.into_inner();
        (
            time.expect("no worker panics while it adds its time"),
            refused.expect("no worker panics while it adds its records"),
            facts.expect("no worker panics while it adds its facts"),
        )
    }

    /// Notes the facts about a file for an index. Returns whether the index has all of it.
    pub(super) fn knows(&self, (number, entry): NumberedEntry<'_>, is_document: bool) -> bool {
        let Some(known) = self.known else {
            return false;
        };
        let Some(facts) = known.look_at(entry, is_document) else {
            return false;
        };
        let is_known = facts.is_known;
        if let Ok(mut all) = self.facts.lock() {
            all.insert(number, facts);
        }
        is_known
    }

    /// Returns the data about a document for an index, beside its features; `None` without an index.
    pub(super) fn for_index(&self, name: &str, content: u128) -> Option<Box<ForIndex>> {
        self.known.map(|_| {
            Box::new(ForIndex {
                own_name: name.to_owned(),
                content,
            })
        })
    }

    /// Returns the hash of the content of a file that was noted; 0 without an index.
    pub(super) fn content(&self, number: usize) -> u128 {
        let facts = self.facts.lock().ok();
        facts
            .and_then(|all| Some(all.get(&number)?.content))
            .unwrap_or(0)
    }
}
