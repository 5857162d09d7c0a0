//! Reads the files and records of a scan on all threads.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::iter;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use encoding_rs::Encoding;
use rayon::prelude::*;

use crate::corpus::large::LargeDocuments;
use crate::document::read_document::{
    Content, FileFacts, ForIndex, ReadDocument, ReadEntries, ReadOutcome, RefusedByEntry,
};
use crate::document::record_warnings::RecordPlace;
use crate::document::refused_records::RefusedRecords;
use crate::known::{KnownFiles, hash_of_record};
use dupfind_engine::features::collection::{Gathered, Gathering, GatheringWorker};
use dupfind_engine::run::error;
use dupfind_engine::run::observer::{Observer, Stage};
use dupfind_engine::run::stats::Stats;
use dupfind_engine::text::units::ShingleUnit;
use dupfind_read as read;
use dupfind_read::records::{Batch, Batches, Numbered, Record, Refused, position};
use dupfind_read::skipped::SkipReason;
use dupfind_read::source::walk::Entry;
use dupfind_read::{Ingested, ReadOptions};

/// How many bytes a buffer may keep after a huge document.
const KEEP_BYTES: usize = 4 << 20;

/// What is made of each document.
pub(crate) trait Make: Sync {
    /// What a thread makes it with.
    type Worker<'w>: Send
    where
        Self: 'w;

    /// What it is.
    type Made: Send;

    /// Returns a worker for one thread.
    fn worker(&self) -> Self::Worker<'_>;

    /// Returns whether the run is going to fail.
    fn has_failed(&self) -> bool {
        false
    }

    /// Makes it of a document.
    fn make(
        &self,
        worker: &mut Self::Worker<'_>,
        document: &Ingested<'_>,
    ) -> Result<Self::Made, Refused>;
}

/// Makes features.
pub(super) struct MakeFeatures<'g> {
    pub(super) gathering: &'g Gathering,
    pub(super) unit: ShingleUnit,
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
        let _taken = self.large.take(&document.text, self.unit)?;
        let gathered = worker.add(document.titled());
        gathered.ok_or_else(|| (SkipReason::Empty, String::new()))
    }
}

/// The numbers of entries and records.
pub(crate) type Wanted = HashSet<(usize, u64)>;

/// Returns the documents of all entries, and the records that are not compared, by entry. Fails with
/// [`error::Error::Stopped`] if the observer stops the run. Of the records only the `wanted` ones are read.
pub(crate) fn read_entries<M: Make>(
    entries: &[Entry],
    options: &ReadOptions,
    make: &M,
    known: Option<&KnownFiles>,
    wanted: Option<&Wanted>,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> error::Result<ReadEntries<M::Made>> {
    // The number of records is known only when they have been read.
    let has_records = entries.iter().any(|entry| entry.kind.may_hold_records());
    let reader = Reader {
        options,
        make,
        known,
        wanted,
        observer,
        count: AtomicU64::new(0),
        bytes: has_records.then(|| BytesRead::of(entries)),
        time: Mutex::default(),
        refused: Mutex::default(),
        facts: Mutex::default(),
    };
    let total = (!has_records).then_some(entries.len() as u64);
    let documents = stats.time(observer, (Stage::Read, total), || reader.read(entries));
    if observer.is_stopped() {
        return Err(error::Error::Stopped);
    }
    if reader.is_too_many() {
        return Err(error::Error::DocumentsBeyondMemory {
            limit: options.max_documents,
        });
    }
    let (time, refused, facts) = reader.into_parts();
    stats.steps.read = time;
    Ok(ReadEntries {
        documents,
        refused,
        facts,
    })
}

/// An entry and its number.
type NumberedEntry<'e> = (usize, &'e Entry);

/// A piece of work for a worker.
enum Item<'e> {
    File(NumberedEntry<'e>),
    /// A file of records that has not changed since an index was made.
    KnownRecords(NumberedEntry<'e>),
    Records(NumberedEntry<'e>, Result<Batch, Refused>),
}

/// How many bytes of the files of a scan have been read, of how many.
struct BytesRead {
    read: AtomicU64,
    all: u64,
}

impl BytesRead {
    fn of(entries: &[Entry]) -> Self {
        Self {
            read: AtomicU64::new(0),
            all: entries.iter().map(size).sum(),
        }
    }
}

/// Returns the size of a file, in bytes; 0 if it is not known.
fn size(entry: &Entry) -> u64 {
    fs::metadata(&entry.path).map_or(0, |metadata| metadata.len())
}

/// Reads entries on all threads.
struct Reader<'r, M: Make> {
    options: &'r ReadOptions,
    make: &'r M,
    known: Option<&'r KnownFiles>,
    wanted: Option<&'r Wanted>,
    observer: &'r dyn Observer,
    /// How many documents there are so far, records that are not compared included.
    count: AtomicU64,
    /// How much has been read, if the number of documents is not known before.
    bytes: Option<BytesRead>,
    /// The time that all workers spent on reading.
    time: Mutex<Duration>,
    /// The records that are not compared, by the numbers of their entries.
    refused: Mutex<RefusedByEntry<M::Made>>,
    /// What an index is to know of the files, by the numbers of their entries.
    facts: Mutex<BTreeMap<usize, FileFacts>>,
}

impl<M: Make> Reader<'_, M> {
    /// Returns the documents of all entries, in any order and without the records that are not compared.
    fn read(&self, entries: &[Entry]) -> Vec<ReadDocument<M::Made>> {
        entries
            .iter()
            .enumerate()
            .flat_map(|entry| self.items(entry))
            // If a shingle set could not be kept, the run is going to fail.
            .take_while(|_| {
                !self.make.has_failed() && !self.observer.is_stopped() && !self.is_too_many()
            })
            .par_bridge()
            .map_init(|| Worker::new(self), Worker::read)
            .flatten_iter()
            .collect()
    }

    /// Returns the work of an entry: one item for a document, one item for each batch of a file of records.
    fn items<'e>(
        &'e self,
        entry: NumberedEntry<'e>,
    ) -> Box<dyn Iterator<Item = Item<'e>> + Send + 'e> {
        let Entry { path, kind, .. } = entry.1;
        if !kind.may_hold_records() {
            return Box::new(iter::once(Item::File(entry)));
        }
        match Batches::open(path, *kind, self.options) {
            Ok(Some(_)) if self.knows(entry, false) => {
                Box::new(iter::once(Item::KnownRecords(entry)))
            }
            Ok(Some(mut batches)) => {
                let mut told = 0;
                Box::new(iter::from_fn(move || {
                    let batch = batches.next();
                    let read = batches.bytes_read();
                    self.tell_of_bytes(read - told);
                    told = read;
                    batch.map(|batch| Item::Records(entry, batch))
                }))
            }
            Ok(None) => Box::new(iter::once(Item::File(entry))),
            Err(error) => Box::new(iter::once(Item::Records(entry, Err(error)))),
        }
    }

    /// Tells the observer that so many more bytes have been read.
    fn tell_of_bytes(&self, more: u64) {
        if let Some(bytes) = &self.bytes {
            let read = bytes.read.fetch_add(more, Ordering::Relaxed) + more;
            // A file may have grown.
            self.observer.bytes_read(read.min(bytes.all), bytes.all);
        }
    }

    /// Whether there are more documents than there may be.
    fn is_too_many(&self) -> bool {
        self.count.load(Ordering::Relaxed) > self.options.max_documents
    }

    fn into_parts(
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

    /// Notes what an index is to know of a file. Returns whether it knows all of it.
    fn knows(&self, (number, entry): NumberedEntry<'_>, is_document: bool) -> bool {
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

    /// Returns what an index is to know of a document; `None` without one.
    fn for_index(&self, name: &str, content: u128) -> Option<Box<ForIndex>> {
        self.known.map(|_| {
            Box::new(ForIndex {
                own_name: name.to_owned(),
                content,
            })
        })
    }

    /// Returns the hash of the content of a file that was noted; 0 without an index.
    fn content(&self, number: usize) -> u128 {
        let facts = self.facts.lock().ok();
        facts
            .and_then(|all| Some(all.get(&number)?.content))
            .unwrap_or(0)
    }
}

/// Reads one document after the other in the same memory. Its time is added to the total when it is dropped.
struct Worker<'r, M: Make> {
    reader: &'r Reader<'r, M>,
    worker: M::Worker<'r>,
    bytes: Vec<u8>,
    read_time: Duration,
}

impl<'r, M: Make> Worker<'r, M> {
    fn new(reader: &'r Reader<'r, M>) -> Self {
        Self {
            worker: reader.make.worker(),
            reader,
            bytes: Vec::new(),
            read_time: Duration::ZERO,
        }
    }

    /// Reads a file, or a batch of records.
    fn read(&mut self, item: Item<'_>) -> Vec<ReadDocument<M::Made>> {
        let reader = self.reader;
        let whole = |(number, entry): NumberedEntry<'_>, content, outcome| ReadDocument {
            name: entry.name.clone(),
            place: (number, 0, (0, 0)),
            has_id: false,
            for_index: reader.for_index(&entry.name, content),
            outcome,
        };
        let documents = match item {
            Item::File(entry) => {
                let is_known = self.reader.knows(entry, true);
                let content = self.reader.content(entry.0);
                let known = self.reader.known;
                let known = known.and_then(|known| known.file(entry.1, is_known, content));
                let outcome = known.unwrap_or_else(|| self.file(entry.1));
                vec![whole(entry, content, outcome)]
            }
            Item::Records(entry, Err((reason, detail))) => {
                vec![whole(entry, 0, ReadOutcome::Skipped(reason, detail))]
            }
            Item::KnownRecords((number, entry)) => {
                let known = self.reader.known.expect("it knows them");
                known.records(number, entry)
            }
            Item::Records(entry, Ok(batch)) => self.records(entry, &batch),
        };
        let count = documents.len() as u64;
        self.reader.count.fetch_add(count, Ordering::Relaxed);
        for _ in &documents {
            self.reader.observer.advance();
        }
        documents
    }

    fn file(&mut self, entry: &Entry) -> ReadOutcome<M::Made> {
        let start = Instant::now();
        let mut bytes = std::mem::take(&mut self.bytes);
        let read = read::file(&entry.path, entry.kind, self.reader.options, &mut bytes);
        self.read_time += start.elapsed();
        if self.reader.bytes.is_some() {
            self.reader.tell_of_bytes(size(entry));
        }
        let outcome = match read {
            Err((reason, detail)) => ReadOutcome::Skipped(reason, detail),
            Ok(document) if entry.is_unasked_data(&document.text) => {
                ReadOutcome::Skipped(SkipReason::Data, String::new())
            }
            Ok(document) => self.document(document),
        };
        bytes.shrink_to(KEEP_BYTES);
        self.bytes = bytes;
        outcome
    }

    fn records(
        &mut self,
        (entry_number, entry): NumberedEntry<'_>,
        batch: &Batch,
    ) -> Vec<ReadDocument<M::Made>> {
        let options = self.reader.options;
        let is_wanted = |record: &Numbered<'_>| {
            let wanted = self.reader.wanted;
            wanted.is_none_or(|wanted| wanted.contains(&(entry_number, record.number)))
        };
        let numbered = batch.records(&options.fields).filter(is_wanted);
        let mut refused = RefusedRecords::default();
        let read = |Numbered {
                        number,
                        lines,
                        record,
                    }| {
            let mut content = 0;
            let (id, outcome) = match record {
                Err((reason, detail)) => (None, ReadOutcome::Skipped(reason, detail)),
                Ok(Record { text, id, title }) => {
                    let known = self.reader.known;
                    let title_of = title.as_deref();
                    content =
                        known.map_or(0, |_| hash_of_record(&text, title_of, batch.encoding()));
                    let outcome = known
                        .and_then(|known| known.record(content))
                        .unwrap_or_else(|| self.record(text, title, batch.encoding()));
                    (id, outcome)
                }
            };
            let has_id = id.is_some();
            let id = id.unwrap_or_else(|| position(number, lines.0).to_string().into());
            let name = format!("{}#{id}", entry.name);
            let document = ReadDocument {
                for_index: self.reader.for_index(&name, content),
                name,
                place: (entry_number, number, lines),
                has_id,
                outcome,
            };
            if let ReadOutcome::Skipped(reason, _) = document.outcome {
                let at = RecordPlace {
                    line: lines.0,
                    number,
                };
                refused.add(at, reason, document);
                return None;
            }
            Some(document)
        };
        let documents = numbered.filter_map(read).collect();
        self.refuse(entry_number, refused);
        documents
    }

    /// Adds the records of an entry that are not compared.
    fn refuse(&mut self, entry: usize, refused: RefusedRecords<ReadDocument<M::Made>>) {
        (0..refused.len()).for_each(|_| self.reader.observer.advance());
        if refused.len() > 0
            && let Ok(mut by_entry) = self.reader.refused.lock()
        {
            by_entry.entry(entry).or_default().append(refused);
        }
    }

    fn record(
        &mut self,
        text: Cow<'_, str>,
        title: Option<String>,
        encoding: &'static Encoding,
    ) -> ReadOutcome<M::Made> {
        let options = self.reader.options;
        let start = Instant::now();
        let document = read::record(text, title, encoding, options);
        let checked = options.check_expansion(&document.text);
        self.read_time += start.elapsed();
        match checked {
            Ok(()) => self.document(document),
            Err((reason, detail)) => ReadOutcome::Skipped(reason, detail),
        }
    }

    /// Makes the features of a document, unless it asks not to be compared.
    fn document(&mut self, mut document: Ingested<'_>) -> ReadOutcome<M::Made> {
        if let Some(reason) = document.opt_out.take() {
            return ReadOutcome::Skipped(SkipReason::OptedOut, reason);
        }
        let content = Content {
            bytes: document.bytes,
            format: document.format,
            encoding: document.encoding,
            is_repaired: document.is_repaired,
        };
        match self.reader.make.make(&mut self.worker, &document) {
            Ok(made) => ReadOutcome::Done(content, made),
            Err((reason, detail)) => ReadOutcome::Skipped(reason, detail),
        }
    }
}

impl<M: Make> Drop for Worker<'_, M> {
    fn drop(&mut self) {
        if let Ok(mut time) = self.reader.time.lock() {
            *time += self.read_time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ScanOptions, fingerprints};

    /// Keeps the counts of bytes that it gets.
    #[derive(Default)]
    struct Told(Mutex<Vec<(u64, u64)>>);

    impl Observer for Told {
        fn stage(&self, _: Stage, _: Option<u64>) {}

        fn advance(&self) {}

        fn bytes_read(&self, read: u64, all: u64) {
            self.0.lock().unwrap().push((read, all));
        }
    }

    #[test]
    fn of_files_of_records_the_bytes_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let line = |at| format!("{{\"text\":\"record {at} of many in this file\"}}\n");
        let lines: String = (0..30_000).map(line).collect();
        let told = |names: &[&str]| {
            let paths = names.iter().map(|name| folder.path().join(name));
            let (options, observer) = (ScanOptions::for_paths(paths), Told::default());
            fingerprints(&options, &observer).unwrap();
            observer.0.into_inner().unwrap()
        };
        fs::write(folder.path().join("a.jsonl"), &lines).unwrap();
        fs::write(
            folder.path().join("b.md"),
            "A page that is a file of its own.",
        )
        .unwrap();
        assert_eq!(told(&["b.md"]), []);
        let steps = told(&["a.jsonl", "b.md"]);
        let all = lines.len() as u64 + 33;
        assert!(steps.len() > 2, "{steps:?}");
        assert!(
            steps.iter().all(|&(read, of)| read <= all && of == all),
            "{steps:?}"
        );
        assert!(steps.contains(&(all, all)), "{steps:?}");
    }
}
