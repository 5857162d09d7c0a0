//! Scans with an index: what has not changed is taken from it, and what is new goes into it.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;

use crate::document::{Note, Skipped};
use crate::engine::collection::Collection;
use crate::engine::features::Features;
use crate::engine::observer::Observer;
use crate::engine::stats::Stats;
use crate::engine::threads::in_pool;
use crate::error::Result;
use crate::index::Index;
use crate::index::catalog::{
    KnownFile, KnownOutcome, KnownRefusal, KnownRefusals, Stamp, is_lasting,
};
use crate::index::segment::document::{KeptDocument, Origin};
use crate::index::update::{Update, Updated};
use crate::read::ReadOptions;
use crate::read::source::name::display_name;
use crate::read::source::walk::{Entry, WalkOptions};
use crate::scan::ScanOptions;
use crate::scan::corpus::{Corpus, Known, read_corpus, read_known};
use crate::scan::document_reader::{Content, ReadDocument, ReadOutcome, RefusedByEntry};
use crate::scan::known::{FileFacts, KnownFiles};

/// The index of a scan.
#[derive(Debug, Clone)]
pub struct IndexOptions {
    /// The folder of the index.
    pub path: PathBuf,
    /// Whether it is read only, and not updated.
    pub is_frozen: bool,
}

/// What updating an index did, and what became of all that was to be read.
#[derive(Debug)]
pub struct IndexUpdate {
    pub updated: Updated,
    /// How many documents the index has.
    pub documents: u64,
    /// What was not read, by name.
    pub skipped: Vec<Skipped>,
    /// What to know about single documents, by name.
    pub notes: Vec<Note>,
    /// What was wrong with ignore files, and with many records of one file.
    pub warnings: Vec<String>,
    /// What it cost.
    pub stats: Stats,
}

/// Reads what has changed in the files of a scan, and brings the index up to date. If there is no index, one is made.
/// `prunes` is whether files of the index are removed from it that lie below the paths and are not found there any more.
///
/// # Errors
///
/// As [`crate::scan::scan`], and as [`Index::open`] and [`Index::update`].
pub fn update_index(
    options: &ScanOptions,
    observer: &dyn Observer,
    path: &Path,
    prunes: bool,
) -> Result<IndexUpdate> {
    in_pool(&options.engine, || {
        let mut update = Update::begin(path, &options.engine, &reading(&options.read))?;
        let files = KnownFiles::of(update.index())?;
        let known = Known {
            files: &files,
            index: update.index(),
            loads: false,
        };
        let (corpus, read) = read_known(options, observer, true, Some(known))?;
        let read = read.expect("there is an index");
        store(
            &mut update,
            options,
            &files,
            &read,
            &corpus.collection,
            prunes,
        )?;
        let updated = update.commit()?;
        Ok(IndexUpdate {
            updated,
            documents: Index::open(path, &options.engine)?.documents(),
            skipped: corpus.skipped,
            notes: corpus.notes,
            warnings: corpus.warnings,
            stats: corpus.collection.stats,
        })
    })
}

/// Reads the documents of a scan, as far as the index does not know them, and brings the index up to date unless it is
/// frozen. Files below the paths that are gone are removed from it.
///
/// # Errors
///
/// As [`update_index`].
pub(super) fn read_indexed(
    options: &ScanOptions,
    index: &IndexOptions,
    observer: &dyn Observer,
) -> Result<Corpus> {
    let reading = reading(&options.read);
    if index.is_frozen {
        let open = Index::open(&index.path, &options.engine)?;
        open.check_reading(&reading)?;
        let files = KnownFiles::of(&open)?;
        let known = Known {
            files: &files,
            index: &open,
            loads: true,
        };
        return read_known(options, observer, true, Some(known)).map(|(corpus, _)| corpus);
    }
    let mut update = Update::begin(&index.path, &options.engine, &reading)?;
    let files = KnownFiles::of(update.index())?;
    let known = Known {
        files: &files,
        index: update.index(),
        loads: true,
    };
    let (corpus, read) = read_known(options, observer, true, Some(known))?;
    let read = read.expect("there is an index");
    store(
        &mut update,
        options,
        &files,
        &read,
        &corpus.collection,
        true,
    )?;
    update.commit()?;
    Ok(corpus)
}

/// Removes the documents of an index whose names are those that `is_gone` tells.
///
/// # Errors
///
/// As [`Index::open`] and [`Index::remove`].
pub fn remove_documents(
    path: &Path,
    options: &ScanOptions,
    is_gone: impl Fn(&str) -> bool,
) -> Result<Updated> {
    // An index that is not there is not made.
    Index::open(path, &options.engine)?;
    let mut update = Update::begin(path, &options.engine, &reading(&options.read))?;
    let mut removed = Vec::new();
    for (at, segment) in update.index().segments().iter().enumerate() {
        for (number, document) in segment.documents()? {
            if is_gone(&document.name) {
                removed.push((at, number));
            }
        }
    }
    let mut catalog = update.index().catalog()?;
    catalog.files.retain(|name, _| !is_gone(name));
    removed
        .iter()
        .for_each(|&(at, number)| update.remove(at, number));
    update.set_catalog(catalog);
    update.commit()
}

/// Counts the frequencies of an index anew.
///
/// # Errors
///
/// As [`Index::open`] and [`Index::update`].
pub fn reweigh(path: &Path, options: &ScanOptions) -> Result<Updated> {
    Index::open(path, &options.engine)?;
    let mut update = Update::begin(path, &options.engine, &reading(&options.read))?;
    update.reweigh();
    update.commit()
}

/// Documents that an index is asked about.
#[derive(Debug)]
pub struct Asked<'o> {
    pub options: &'o ScanOptions,
    pub corpus: Corpus,
    /// The features of each document.
    pub features: Vec<Features>,
}

/// Reads documents that an index is asked about.
///
/// # Errors
///
/// As [`crate::scan::scan`]; and the index was made with other options.
pub fn asked<'o>(
    options: &'o ScanOptions,
    observer: &dyn Observer,
    index: &Index,
) -> Result<Asked<'o>> {
    index.check_reading(&reading_of_texts(&options.read))?;
    in_pool(&options.engine, || {
        let corpus = read_corpus(options, observer, true)?;
        let count = u32::try_from(corpus.collection.documents.len()).unwrap_or(u32::MAX);
        let features = (0..count).map(|at| corpus.collection.features(&options.engine, at));
        let features = features.collect::<Result<_>>()?;
        Ok(Asked {
            options,
            corpus,
            features,
        })
    })
}

impl Asked<'_> {
    /// Runs a task on the threads of the run.
    ///
    /// # Errors
    ///
    /// Those of the task.
    pub fn in_threads<T: Send>(&self, task: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        in_pool(&self.options.engine, task)
    }
}

/// What was read while there was an index.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) entries: Vec<Entry>,
    /// What is to be known of the files, by the numbers of their entries.
    pub(super) facts: BTreeMap<usize, FileFacts>,
    /// What became of the files, by the numbers of their entries.
    outcomes: BTreeMap<usize, KnownOutcome>,
    /// Entries that are to be read again the next time, whether they have changed or not.
    unsettled: HashSet<usize>,
    /// The documents that the index has and that stay as they are, as positions in [`KnownFiles::documents`].
    kept: HashSet<usize>,
    /// The other documents that are compared.
    pub(super) fresh: Vec<Fresh>,
}

/// A document that the index does not have in this form.
#[derive(Debug)]
pub(super) struct Fresh {
    /// Its position in the collection.
    pub(super) position: u32,
    pub(super) entry: usize,
    content: u128,
    origin: Origin,
}

impl Read {
    /// Notes what becomes of entries. `documents` are all documents before their names are told apart.
    pub(super) fn new(
        entries: Vec<Entry>,
        facts: BTreeMap<usize, FileFacts>,
        documents: &[ReadDocument],
        refused: &RefusedByEntry,
    ) -> Self {
        let mut read = Self {
            outcomes: BTreeMap::new(),
            unsettled: HashSet::new(),
            kept: HashSet::new(),
            fresh: Vec::new(),
            facts,
            entries,
        };
        for (&entry, facts) in &read.facts {
            if !facts.is_document {
                let refusals = refused.get(&entry).and_then(refusals);
                if refusals.is_none() && refused.contains_key(&entry) {
                    read.unsettled.insert(entry);
                }
                let outcome = KnownOutcome::Records(refusals.unwrap_or_default());
                read.outcomes.insert(entry, outcome);
            }
        }
        for document in documents {
            let (entry, record, _) = document.place;
            let Some(facts) = read.facts.get(&entry) else {
                continue;
            };
            match &document.outcome {
                ReadOutcome::Skipped(..) if !facts.is_document && record == 0 => {
                    read.unsettled.insert(entry);
                }
                ReadOutcome::Skipped(reason, detail) if facts.is_document => {
                    if is_lasting(*reason) {
                        let outcome = KnownOutcome::Skipped(*reason, detail.clone());
                        read.outcomes.insert(entry, outcome);
                    }
                }
                _ if facts.is_document => {
                    read.outcomes.insert(entry, KnownOutcome::Document);
                }
                _ => {}
            }
        }
        read
    }

    /// Notes a document that the index has, at a position. Returns whether it stays there as it is.
    pub(super) fn keep(&mut self, files: &KnownFiles, document: &ReadDocument, at: usize) -> bool {
        let (entry, record, lines) = document.place;
        let before = &files.documents[at];
        let origin = &before.kept.origin;
        let file = files.catalog.files.get(&self.entries[entry].name);
        let own_name = origin.own_name.as_ref().unwrap_or(&before.kept.name);
        file.is_some_and(|file| file.number == before.file)
            && before.kept.name == document.name
            && document.own_name.as_ref() == Some(own_name)
            && (origin.record, origin.lines) == (record, lines)
            && origin.has_id == document.has_id
            && self.kept.insert(at)
    }

    /// Notes a document that is compared and goes into the index. `position` is its position in the collection.
    pub(super) fn add(&mut self, document: &ReadDocument, position: usize) {
        let ReadOutcome::Done(content, _) = &document.outcome else {
            return;
        };
        let Content {
            bytes,
            format,
            encoding,
            is_repaired,
            unclear_wish,
        } = content;
        let (entry, record, lines) = document.place;
        let own_name = document.own_name.clone();
        self.fresh.push(Fresh {
            position: u32::try_from(position).unwrap_or(u32::MAX),
            entry,
            content: document.content,
            origin: Origin {
                own_name: own_name.filter(|own| *own != document.name),
                record,
                lines,
                has_id: document.has_id,
                bytes: *bytes as u64,
                format: *format,
                encoding,
                is_repaired: *is_repaired,
                unclear_wish: unclear_wish.clone(),
            },
        });
    }
}

/// Returns the records of a file that are not compared; `None` if a later run might compare them.
fn refusals(
    refused: &crate::scan::refused_records::RefusedRecords<ReadDocument>,
) -> Option<KnownRefusals> {
    let mut refusals = KnownRefusals::default();
    for (reason, records) in refused.by_reason() {
        if !is_lasting(reason) {
            return None;
        }
        let (count, first) = records.parts();
        refusals.counts.push((reason, count, first));
    }
    for (number, reason, document) in refused.first() {
        let ReadOutcome::Skipped(_, detail) = &document.outcome else {
            continue;
        };
        refusals.first.push(KnownRefusal {
            name: document.name.clone(),
            number,
            lines: document.place.2,
            reason,
            detail: detail.clone(),
        });
    }
    Some(refusals)
}

/// Puts what was read into an update of the index.
pub(super) fn store(
    update: &mut Update,
    options: &ScanOptions,
    files: &KnownFiles,
    read: &Read,
    collection: &Collection,
    prunes: bool,
) -> Result<()> {
    let mut catalog = files.catalog.clone();
    let mut numbers: BTreeMap<usize, u32> = BTreeMap::new();
    let mut walked = HashSet::new();
    for (at, entry) in read.entries.iter().enumerate() {
        walked.insert(entry.name.as_str());
        let before = catalog.files.get(&entry.name).map(|file| file.number);
        let Some((facts, outcome)) = read.facts.get(&at).zip(read.outcomes.get(&at)) else {
            // What is not known of it is read again the next time. Its documents need a number nevertheless.
            catalog.files.remove(&entry.name);
            let number = before.map_or_else(|| catalog.new_number(), Ok)?;
            numbers.insert(at, number);
            continue;
        };
        let is_unsettled = read.unsettled.contains(&at);
        let number = before.map_or_else(|| catalog.new_number(), Ok)?;
        numbers.insert(at, number);
        let unknown = Stamp {
            size: 0,
            modified: 0,
        };
        let file = KnownFile {
            number,
            stamp: if is_unsettled { unknown } else { facts.stamp },
            content: if is_unsettled { 0 } else { facts.content },
            outcome: outcome.clone(),
        };
        catalog.files.insert(entry.name.clone(), file);
    }
    let mut gone: HashSet<u32> = HashSet::new();
    if prunes {
        let is_below = below(&options.walk);
        let is_gone = |name: &str| !walked.contains(name) && is_below(name);
        let lost: Vec<String> = catalog
            .files
            .keys()
            .filter(|name| is_gone(name))
            .cloned()
            .collect();
        for name in lost {
            gone.extend(catalog.files.remove(&name).map(|file| file.number));
        }
    }
    let read_again: HashSet<u32> = numbers.values().copied().collect();
    for (at, document) in files.documents.iter().enumerate() {
        let is_old = read_again.contains(&document.file) && !read.kept.contains(&at);
        if is_old || gone.contains(&document.file) {
            update.remove(document.place.0, document.place.1);
        }
    }
    for fresh in &read.fresh {
        let features = collection.features(&options.engine, fresh.position)?;
        let kept = KeptDocument {
            name: collection.documents[fresh.position as usize].name.clone(),
            facts: features.facts,
            content: fresh.content,
            origin: fresh.origin.clone(),
        };
        update.add(numbers[&fresh.entry], kept, &features.shingles)?;
    }
    if catalog != files.catalog {
        update.set_catalog(catalog);
    }
    Ok(())
}

/// Returns whether a name is that of a file below the paths of a scan.
fn below(walk: &WalkOptions) -> impl Fn(&str) -> bool + use<> {
    let roots = walk.paths.iter().map(|path| display_name(path, &walk.base));
    let roots: Vec<String> = roots.collect();
    move |name| {
        roots.iter().any(|root| {
            let rest = name.strip_prefix(root.as_str());
            let is_inside = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            let is_relative = !name.starts_with('/') && !name.starts_with("../");
            is_inside || (root == "." && is_relative)
        })
    }
}

/// Returns the options that decide which text of a document counts, as lines `name=value`.
pub(super) fn reading_of_texts(options: &ReadOptions) -> String {
    let (html, code) = (options.extract.html.as_str(), options.extract.code());
    format!("html={html}\nmarkdown_code={code}\n")
}

/// Returns the options that decide what is read of a file, as lines `name=value`.
#[must_use]
pub fn reading(options: &ReadOptions) -> String {
    let encoding = options.encoding.map_or("auto", Encoding::name);
    let fields = &options.fields;
    let values = [
        ("record_format", options.record_format.as_str().to_owned()),
        ("encoding", encoding.to_owned()),
        ("text_field", format!("{:?}", fields.text.join(","))),
        (
            "id_field",
            format!("{:?}", fields.id.as_deref().unwrap_or_default()),
        ),
        ("max_filesize", options.max_filesize.to_string()),
    ];
    let lines = values
        .iter()
        .map(|(name, value)| format!("{name}={value}\n"));
    reading_of_texts(options) + &lines.collect::<String>()
}
