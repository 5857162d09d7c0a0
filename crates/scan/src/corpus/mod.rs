//! Reads the documents of a scan: paths in, features out.

pub(crate) mod document_reader;
pub(crate) mod worker;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;

use crate::ScanOptions;
use crate::corpus::document_reader::{LargeDocuments, MakeFeatures, read_entries};
use crate::document::{
    ReadDocument, ReadEntries, ReadOutcome, RecordPlace, RecordWarnings, RefusedRecords,
};
use crate::known::{KnownFiles, ToStore};
use crate::sources::{Source, Sources};
use dupfind_engine::features::collection::{Collection, Gathered, Gathering};
use dupfind_engine::{Observer, Stage, Stats};
use dupfind_read::named::number_repeats;
use dupfind_read::records::position;
use dupfind_read::skipped::Note;
use dupfind_read::{Editions, Entry, SkipReason, Skipped, walk};

/// The documents of a scan, and the entries that were not read.
#[derive(Debug)]
pub struct Corpus {
    /// The documents as features.
    pub collection: Collection,
    /// Where they were read from.
    pub sources: Sources,
    /// The entries that were not read, by name.
    pub skipped: Vec<Skipped>,
    /// Notes about single documents, by name.
    pub notes: Vec<Note>,
    /// Faults of ignore files, and of many records of one file.
    pub warnings: Vec<String>,
}

/// Lists the files of a scan and reads them all. Shingle sets are kept only if `keeps_sets`.
///
/// # Errors
///
/// A glob does not parse, there are too many documents, a temporary file cannot be written, or the observer stops
/// the run.
pub(crate) fn read_corpus(
    options: &ScanOptions,
    observer: &dyn Observer,
    keeps_sets: bool,
) -> dupfind_engine::Result<Corpus> {
    read_known(options, observer, keeps_sets, None).map(|(corpus, _)| corpus)
}

/// The facts of an index about the files of a scan.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    pub(super) files: &'k KnownFiles,
    /// Whether the collection has the documents that the index has too.
    pub(super) has_all: bool,
}

/// As [`read_corpus`], with the facts of an index. Also returns the data that is to be stored in the index.
///
/// # Errors
///
/// As [`read_corpus`]; and the index cannot be read.
pub(super) fn read_known(
    options: &ScanOptions,
    observer: &dyn Observer,
    keeps_sets: bool,
    known: Option<Known<'_>>,
) -> dupfind_engine::Result<(Corpus, Option<ToStore>)> {
    let mut stats = Stats {
        threads: rayon::current_num_threads(),
        ..Stats::default()
    };
    let reading = &options.read;
    let walked = stats.time(observer, (Stage::Walk, None), || {
        walk(&options.walk, reading.max_filesize, reading.pre.as_ref())
    })?;
    let gathering = Gathering::new(&options.engine, keeps_sets);
    let files = known.map(|known| known.files);
    let make = MakeFeatures {
        gathering: &gathering,
        large: LargeDocuments::new(reading.max_memory),
    };
    let ReadEntries {
        mut documents,
        refused,
        facts,
    } = read_entries(
        &walked.entries,
        reading,
        &make,
        files,
        None,
        observer,
        &mut stats,
    )?;
    let mut to_store =
        known.map(|_| ToStore::new(walked.entries.clone(), facts, &documents, &refused));

    let mut builder = CorpusBuilder::new(&walked.entries, walked.skipped);
    builder.sources.reserve(documents.len());
    for (entry, refused) in refused {
        builder.refuse(entry, refused, &mut documents);
    }
    number_all_repeats(&mut documents);
    let is_kept = match known.zip(to_store.as_mut()) {
        Some((known, to_store)) => known.take(to_store, &gathering, &mut documents),
        None => Vec::new(),
    };
    let mut is_kept = is_kept.into_iter();
    // It uses the memory of the documents again, as these may be millions.
    let gathered = documents.into_iter().filter_map(|document| {
        let is_kept = is_kept.next().unwrap_or(false);
        if let Some(to_store) = to_store.as_mut().filter(|_| !is_kept) {
            to_store.add(&document, builder.sources.len());
        }
        builder.add(document)
    });
    let mut gathered: Vec<(String, Gathered)> = gathered.collect();
    gathered.shrink_to_fit();
    let CorpusBuilder {
        mut skipped,
        notes,
        sources,
        record_warnings,
        bytes,
        ..
    } = builder;
    stats.bytes = bytes;
    skipped.sort_unstable();
    let mut warnings = walked.warnings;
    warnings.extend(record_warnings.in_words(reading.max_filesize, reading.fields.id.as_deref()));
    let editions = options.walk.has_editions.then(|| {
        let no_pages = skipped.iter().filter(|it| it.reason == SkipReason::NoPage);
        let no_pages: HashSet<&str> = no_pages.map(|it| it.path.as_str()).collect();
        // Files of records are no pages, whatever their folders are called.
        let of_records = sources.iter().filter(|source| source.is_record());
        let of_records: HashSet<u32> = of_records.map(|source| source.file).collect();
        let is_page = |(number, entry): &(u32, &Entry)| {
            !of_records.contains(number)
                && !entry.is_unasked_code()
                && !no_pages.contains(&*entry.name)
        };
        let pages = (0..).zip(&walked.entries).filter(is_page);
        let pages: Vec<PathBuf> = pages.map(|(_, page)| page.typed.clone()).collect();
        Editions::of(&pages, &options.walk.base)
    });
    let files: Vec<PathBuf> = walked
        .entries
        .into_iter()
        .map(|entry| entry.typed)
        .collect();
    let sources = Sources {
        documents: sources,
        files,
        editions: editions.flatten().map(Arc::new),
        rows: None,
        texts: None,
    };
    let corpus = Corpus {
        collection: gathering.collect(gathered, stats)?,
        sources,
        skipped,
        notes,
        warnings,
    };
    Ok((corpus, to_store))
}

impl Known<'_> {
    /// Reads the features of documents from the index, as far as they are needed. Returns for each document whether it
    /// stays in the index as it is.
    fn take(
        self,
        to_store: &mut ToStore,
        gathering: &Gathering,
        documents: &mut [ReadDocument<Gathered>],
    ) -> Vec<bool> {
        let mut is_kept = |document: &ReadDocument<Gathered>| match document.outcome {
            ReadOutcome::Known(_, at) => to_store.keep(self.files, document, at),
            _ => false,
        };
        let kept: Vec<bool> = documents.iter().map(&mut is_kept).collect();
        let wanted: Vec<bool> = kept.iter().map(|kept| self.has_all || !kept).collect();
        self.files.load(gathering, documents, &wanted);
        kept
    }
}

/// Collects documents in the order of their names, those that are compared apart from those that are skipped.
pub(super) struct CorpusBuilder<'e> {
    entries: &'e [Entry],
    pub(super) skipped: Vec<Skipped>,
    pub(super) notes: Vec<Note>,
    pub(super) sources: Vec<Source>,
    record_warnings: RecordWarnings<'e>,
    bytes: u64,
}

impl<'e> CorpusBuilder<'e> {
    pub(super) fn new(entries: &'e [Entry], skipped: Vec<Skipped>) -> Self {
        Self {
            entries,
            skipped,
            notes: Vec::new(),
            sources: Vec::new(),
            record_warnings: RecordWarnings::default(),
            bytes: 0,
        }
    }

    /// Adds the records of an entry that are not compared. Those that are listed by name are put among the documents.
    pub(super) fn refuse<T>(
        &mut self,
        entry: usize,
        refused: RefusedRecords<ReadDocument<T>>,
        documents: &mut Vec<ReadDocument<T>>,
    ) {
        let file = &self.entries[entry].name;
        for (reason, records) in refused.by_reason() {
            self.record_warnings.skipped(file, reason, records);
        }
        let (first, mut rest) = refused.listed(file);
        documents.extend(first);
        self.skipped.append(&mut rest);
    }

    /// Returns the name of a document and what was made of it, if it is compared, and notes its source.
    pub(super) fn add<T>(&mut self, document: ReadDocument<T>) -> Option<(String, T)> {
        let ReadDocument {
            name,
            place: (file, number, (line, last_line)),
            has_id,
            outcome,
            ..
        } = document;
        let entry = &self.entries[file];
        let at = RecordPlace { line, number };
        let (reading, gathered) = match outcome {
            ReadOutcome::Done(reading, gathered) => (reading, gathered),
            // It stays in the index, and nobody compares it.
            ReadOutcome::Known(..) => return None,
            ReadOutcome::Skipped(reason, detail) => {
                self.skipped.push(Skipped::new(name, reason, detail));
                return None;
            }
        };
        let source = Source {
            file: u32::try_from(file).unwrap_or(u32::MAX),
            record: number,
            line,
            last_line,
            is_against: entry.is_against,
            has_names: entry.has_names,
            is_code: entry.is_unasked_code() && number == 0,
            format: reading.format,
            encoding: reading.encoding.name(),
        };
        if source.is_record() {
            self.record_warnings.compared(&entry.name, at, has_id);
        }
        if reading.is_repaired {
            self.notes
                .push(Note::repaired(&name, reading.encoding.name()));
        }
        self.bytes += reading.bytes;
        self.sources.push(source);
        Some((name, gathered))
    }
}

/// Sorts documents by name and makes each name unique.
pub(super) fn number_all_repeats<T: Send>(documents: &mut [ReadDocument<T>]) {
    // Workers finish in any order.
    let by_name =
        |x: &ReadDocument<T>, y: &ReadDocument<T>| (&x.name, x.place).cmp(&(&y.name, y.place));
    documents.par_sort_unstable_by(by_name);
    while number_repeats(documents, |document| {
        let (_, number, (line, _)) = document.place;
        (&mut document.name, position(number, line))
    }) {
        documents.par_sort_unstable_by(by_name);
    }
}
