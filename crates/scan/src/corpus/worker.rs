//! The work of one thread: it reads one document after the other, and makes a value of each.

use crate::document::{
    FileFacts, ForIndex, ReadDocument, ReadOutcome, RecordPlace, RefusedByEntry, RefusedRecords,
};
use crate::known::{KnownFiles, hash_of_record};
use dupfind_engine::Observer;
use dupfind_index::Reading;
use dupfind_read as read;
use dupfind_read::records::{Batch, Numbered, Record, position};
use dupfind_read::{Entry, Ingested, ReadOptions, Refused, SkipReason};
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes a buffer may keep after a huge document.
const KEEP_BYTES: usize = 4 << 20;

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

/// A piece of work for a worker.
pub(super) enum Item<'e> {
    File(NumberedEntry<'e>),
    /// A file of records that has not changed since an index was made.
    KnownRecords(NumberedEntry<'e>),
    Records(NumberedEntry<'e>, Result<Batch, Refused>),
}

/// Reads one document after the other in the same memory.
pub(super) struct Worker<'r, M: Make> {
    shared: &'r Shared<'r, M>,
    worker: M::Worker<'r>,
    bytes: Vec<u8>,
}

impl<'r, M: Make> Worker<'r, M> {
    pub(super) fn new(shared: &'r Shared<'r, M>) -> Self {
        Self {
            worker: shared.make.worker(),
            shared,
            bytes: Vec::new(),
        }
    }

    /// Reads a file, or a batch of records.
    pub(super) fn read(&mut self, item: Item<'_>) -> Vec<ReadDocument<M::Made>> {
        let shared = self.shared;
        let whole = |(number, entry): NumberedEntry<'_>, content, outcome| ReadDocument {
            name: entry.name.clone(),
            place: (number, 0, (0, 0)),
            has_id: false,
            for_index: shared.for_index(&entry.name, content),
            outcome,
        };
        let documents = match item {
            Item::File(entry) => {
                let is_known = self.shared.knows(entry, true);
                let content = self.shared.content(entry.0);
                let known = self.shared.known;
                let known = known.and_then(|known| known.file(entry.1, is_known, content));
                let outcome = known.unwrap_or_else(|| self.read_file(entry.1));
                vec![whole(entry, content, outcome)]
            }
            Item::Records(entry, Err((reason, detail))) => {
                vec![whole(entry, 0, ReadOutcome::Skipped(reason, detail))]
            }
            Item::KnownRecords((number, entry)) => {
                let known = self.shared.known.expect("it knows them");
                known.records(number, entry)
            }
            Item::Records(entry, Ok(batch)) => self.read_records(entry, &batch),
        };
        let count = documents.len() as u64;
        self.shared.count.fetch_add(count, Ordering::Relaxed);
        for _ in &documents {
            self.shared.observer.advance();
        }
        documents
    }

    /// Reads a file that is one document.
    fn read_file(&mut self, entry: &Entry) -> ReadOutcome<M::Made> {
        let mut bytes = std::mem::take(&mut self.bytes);
        let read = read::file(&entry.path, entry.kind, self.shared.options, &mut bytes);
        let outcome = match read {
            Err((reason, detail)) => ReadOutcome::Skipped(reason, detail),
            Ok(document) => {
                let (leads_elsewhere, is_own) = (document.leads_elsewhere, document.is_own_output);
                match entry.refusal(&document.text, leads_elsewhere, is_own) {
                    Some((reason, detail)) => ReadOutcome::Skipped(reason, detail),
                    None => self.make(document),
                }
            }
        };
        bytes.shrink_to(KEEP_BYTES);
        self.bytes = bytes;
        outcome
    }

    /// Reads the records of a batch. Those that are not compared are only noted.
    fn read_records(
        &mut self,
        (entry_number, entry): NumberedEntry<'_>,
        batch: &Batch,
    ) -> Vec<ReadDocument<M::Made>> {
        let options = self.shared.options;
        let is_wanted = |record: &Numbered<'_>| {
            let wanted = self.shared.wanted;
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
                    let known = self.shared.known;
                    let title_of = title.as_deref();
                    content =
                        known.map_or(0, |_| hash_of_record(&text, title_of, batch.encoding()));
                    let outcome = known
                        .and_then(|known| known.record(content))
                        .unwrap_or_else(|| self.read_record(text, title, batch.encoding()));
                    (id, outcome)
                }
            };
            let has_id = id.is_some();
            let id = id.unwrap_or_else(|| position(number, lines.0).to_string().into());
            // Of no more than its length: there may be millions of names.
            let name = [&*entry.name, "#", &*id].concat();
            let document = ReadDocument {
                for_index: self.shared.for_index(&name, content),
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
        (0..refused.len()).for_each(|_| self.shared.observer.advance());
        if refused.len() > 0
            && let Ok(mut by_entry) = self.shared.refused.lock()
        {
            by_entry.entry(entry).or_default().append(refused);
        }
    }

    /// Reads the text of a record.
    fn read_record(
        &mut self,
        text: Cow<'_, str>,
        title: Option<String>,
        encoding: &'static Encoding,
    ) -> ReadOutcome<M::Made> {
        let options = self.shared.options;
        match read::record(text, title, encoding, options) {
            Ok(document) => self.make(document),
            Err((reason, detail)) => ReadOutcome::Skipped(reason, detail),
        }
    }

    /// Makes the features of a document, unless it asks not to be compared.
    fn make(&mut self, mut document: Ingested<'_>) -> ReadOutcome<M::Made> {
        if let Some(reason) = document.opt_out.take() {
            return ReadOutcome::Skipped(SkipReason::OptedOut, reason);
        }
        let reading = Reading {
            bytes: document.bytes as u64,
            format: document.format,
            encoding: Encoding::for_label(document.encoding.as_bytes()).unwrap_or(UTF_8),
            is_repaired: document.is_repaired,
        };
        match self.shared.make.make(&mut self.worker, &document) {
            Ok(made) => ReadOutcome::Done(reading, made),
            Err((reason, detail)) => ReadOutcome::Skipped(reason, detail),
        }
    }
}

/// The numbers of entries and records.
pub(crate) type WantedRecords = HashSet<(usize, u64)>;

/// An entry and its number.
pub(super) type NumberedEntry<'e> = (usize, &'e Entry);

/// The common state of the threads that read entries.
pub(super) struct Shared<'r, M: Make> {
    pub(super) options: &'r ReadOptions,
    pub(super) make: &'r M,
    pub(super) known: Option<&'r KnownFiles>,
    pub(super) wanted: Option<&'r WantedRecords>,
    pub(super) observer: &'r dyn Observer,
    /// How many documents there are so far, records that are not compared included.
    pub(super) count: AtomicU64,
    /// The records that are not compared, by the numbers of their entries.
    pub(super) refused: Mutex<RefusedByEntry<M::Made>>,
    /// The facts about the files for an index, by the numbers of their entries.
    pub(super) facts: Mutex<BTreeMap<usize, FileFacts>>,
}

impl<M: Make> Shared<'_, M> {
    /// Whether there are more documents than there may be.
    pub(super) fn is_too_many(&self) -> bool {
        self.count.load(Ordering::Relaxed) > self.options.max_documents
    }

    pub(super) fn into_parts(self) -> (RefusedByEntry<M::Made>, BTreeMap<usize, FileFacts>) {
        let refused = self.refused.into_inner();
        let facts = self.facts.into_inner();
        (
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
