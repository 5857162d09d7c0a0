//! Reads all documents: files in, features out.

use std::iter;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rayon::prelude::*;

use crate::document::{DocId, Note, Skipped};
use crate::engine::IdfSource;
use crate::engine::detectors::Detector;
use crate::engine::observer::{Observer, Stage};
use crate::engine::outcome::{Document, Place};
use crate::engine::signatures::Hashes;
use crate::engine::stats::{Stats, Steps};
use crate::engine::store::sets::{Blocks, Sets};
use crate::error;
use crate::fingerprint::idf::Idf;
use crate::read;
use crate::read::records::{Batch, Batches, Numbered, Record, Refused};
use crate::read::source::walk::{Entry, walk};
use crate::scan::ScanOptions;
use crate::scan::features::{Features, Progress, Shared, Worker, fingerprint};
use crate::scan::tally::{At, Tally};
use crate::text::segmenter::Segmenter;

/// How much normalised text may wait for jieba, in bytes. Loading takes about 0.1 s, in which no
/// more than this can be read and shingled anyway.
const WAITING_BYTES: usize = 64 << 20;

/// The documents of a run, read and reduced to their features.
#[derive(Debug)]
pub struct Collection {
    /// The documents, by name.
    pub documents: Vec<Document>,
    /// The files they were read from, see [`Place::file`].
    pub files: Vec<PathBuf>,
    /// The shingle set of each document; all empty if the detector is off or they are not kept.
    pub sets: Sets,
    /// The signatures of all documents, one after the other.
    pub(crate) hashes: Hashes,
    /// What was not read, by name.
    pub skipped: Vec<Skipped>,
    /// What to know about single documents, by name.
    pub notes: Vec<Note>,
    /// What was wrong with ignore files, and with many records of a file alike.
    pub warnings: Vec<String>,
    /// What it cost.
    pub stats: Stats,
}

/// Lists the files and reads them all. Shingle sets are kept only if they are wanted.
pub(crate) fn read_documents(
    settings: &ScanOptions,
    observer: &dyn Observer,
    keeps_sets: bool,
) -> error::Result<Collection> {
    let mut stats = Stats {
        threads: rayon::current_num_threads(),
        ..Stats::default()
    };
    // First, so that a bad file is known before the work begins.
    let idf = match &settings.engine.idf {
        IdfSource::Dictionary => Some(Idf::dictionary()),
        IdfSource::Given(idf) => Some(Idf::clone(idf)),
        IdfSource::Corpus => None,
    };

    observer.stage(Stage::Walk, None);
    let start = Instant::now();
    let ingest = &settings.read;
    let found = walk(&settings.walk, ingest.max_filesize, ingest.pre.as_ref())?;
    stats.add(Stage::Walk, start.elapsed());

    // How many records there are shows only when they are read.
    let has_records = found
        .entries
        .iter()
        .any(|entry| entry.kind.may_hold_records());
    let total = (!has_records).then_some(found.entries.len() as u64);
    observer.stage(Stage::Read, total);
    let start = Instant::now();
    let segmenter = Arc::new(Segmenter::new());
    let shared = Shared {
        settings,
        segmenter: &segmenter,
        idf: idf.as_ref(),
        keeps_sets,
    };
    let blocks = Blocks::new(settings.engine.budget.clone());
    let (passed, steps) = pass(&found.entries, &shared, &blocks, observer);
    stats.steps = steps;
    stats.jieba_load = segmenter.load_time();
    stats.add(Stage::Read, start.elapsed());
    DocId::new(passed.len())?;

    let mut collection = Collection {
        documents: Vec::with_capacity(passed.len()),
        files: Vec::new(),
        sets: Sets::default(),
        hashes: Hashes::default(),
        skipped: found.skipped,
        notes: Vec::new(),
        warnings: found.warnings,
        stats,
    };
    let mut all_terms = Vec::new();
    let mut places = Vec::with_capacity(passed.len());
    let mut tally = Tally::default();
    for Passed {
        name,
        place: (entry, record, (line, last_line)),
        has_id,
        progress,
    } in passed
    {
        let at = At {
            line,
            number: record,
        };
        match progress {
            Progress::Done(mut features) => {
                if idf.is_none() {
                    all_terms.push(std::mem::take(&mut features.terms));
                }
                places.push(features.set);
                let place = Place {
                    file: u32::try_from(entry).unwrap_or(u32::MAX),
                    record,
                    line,
                    last_line,
                };
                let Entry {
                    name: file,
                    is_against,
                    ..
                } = &found.entries[entry];
                if place.is_record() {
                    tally.compared(file, at, has_id);
                }
                collection.add(name, place, *is_against, &features);
            }
            Progress::Waiting(..) => unreachable!("every waiting document has been finished"),
            Progress::Skipped(reason, detail) => {
                if record > 0 {
                    tally.skipped(&found.entries[entry].name, at, reason);
                }
                collection.skipped.push(Skipped::new(name, reason, detail));
            }
        }
    }
    let said = tally.in_words(ingest.max_filesize, ingest.fields.id.as_deref());
    collection.warnings.extend(said);
    let files = found.entries.into_iter();
    collection.files = files.map(|entry| entry.typed).collect();
    collection.sets = blocks.into_sets(places)?;
    collection.skipped.sort_unstable();

    if idf.is_none() && settings.engine.detectors.need_terms() {
        observer.stage(Stage::Weigh, None);
        let start = Instant::now();
        let idf = Idf::corpus(all_terms.iter().map(Vec::as_slice));
        if settings.engine.detectors.have(Detector::Simhash) {
            let documents = collection.documents.par_iter_mut();
            documents.zip(&all_terms).for_each(|(document, terms)| {
                let (tokens, size) = (document.tokens, settings.engine.shingle_size);
                let width = settings.engine.simhash_width;
                let (lower, upper) = fingerprint(terms, tokens, size, &idf, width);
                (document.fingerprint, document.fingerprint_high) = (Some(lower), upper);
            });
        }
        if settings.engine.detectors.have(Detector::IMatch) {
            let hashes = all_terms.par_iter().flat_map_iter(|terms| {
                let mut hashes = Vec::with_capacity(settings.engine.i_match.width());
                settings.engine.i_match.hash_into(terms, &idf, &mut hashes);
                hashes
            });
            collection.hashes.i_match = hashes.collect();
        }
        collection.stats.add(Stage::Weigh, start.elapsed());
    }
    Ok(collection)
}

impl Collection {
    fn add(&mut self, name: String, place: Place, is_against: bool, features: &Features) {
        if let Some(said) = &features.unclear {
            self.notes.push(Note::unclear(&name, said));
        }
        if features.replaced {
            self.notes.push(Note::repaired(&name, features.encoding));
        }
        self.hashes
            .super_shingles
            .extend_from_slice(&features.super_shingles);
        self.hashes.i_match.extend_from_slice(&features.i_match);
        self.stats.bytes += features.bytes as u64;
        self.stats.tokens += u64::from(features.tokens);
        self.stats.shingles += u64::from(features.set.size());
        self.documents.push(Document {
            name,
            place,
            is_against,
            length: features.length,
            text_hash: features.text_hash,
            unfolded_hash: features.unfolded_hash,
            format: features.format,
            encoding: features.encoding,
            fingerprint: features.fingerprint,
            fingerprint_high: features.fingerprint_high,
            tokens: features.tokens,
            terms: features.term_count,
            shingles: features.set.size(),
        });
    }
}

/// A document after its pass, or what became of it.
struct Passed {
    name: String,
    /// The numbers of its entry, its record and its lines: where it stands among documents of one name.
    place: (usize, u64, (u64, u64)),
    /// Whether it is a record that has an id of its own.
    has_id: bool,
    progress: Progress,
}

/// An entry and its number.
type NumberedEntry<'e> = (usize, &'e Entry);

/// What a worker takes on at a time.
enum Item<'e> {
    File(NumberedEntry<'e>),
    Records(NumberedEntry<'e>, Result<Batch, Refused>),
}

/// The entries as work for the workers: files whole, files of records batch by batch.
fn items<'e>(
    entry: NumberedEntry<'e>,
    settings: &read::ReadOptions,
) -> Box<dyn Iterator<Item = Item<'e>> + Send + 'e> {
    let Entry { path, kind, .. } = entry.1;
    if !kind.may_hold_records() {
        return Box::new(iter::once(Item::File(entry)));
    }
    match Batches::open(path, *kind, settings) {
        Ok(Some(batches)) => Box::new(batches.map(move |batch| Item::Records(entry, batch))),
        Ok(None) => Box::new(iter::once(Item::File(entry))),
        Err(error) => Box::new(iter::once(Item::Records(entry, Err(error)))),
    }
}

/// Takes every entry through its pass and returns the documents by name. Documents that need jieba
/// while it is still being loaded are put off and finished at the end, so that loading overlaps with
/// reading and shingling.
fn pass(
    entries: &[Entry],
    shared: &Shared<'_>,
    blocks: &Blocks,
    observer: &dyn Observer,
) -> (Vec<Passed>, Steps) {
    let waiting_bytes = AtomicUsize::new(0);
    let steps = Mutex::new(Steps::default());
    let new_worker = || Accounted {
        worker: Worker::new(blocks),
        steps: &steps,
    };
    let settings = &shared.settings.read;
    let mut passed: Vec<Passed> = entries
        .iter()
        .enumerate()
        .flat_map(|entry| items(entry, settings))
        // What has been read cannot be kept: the run is going to fail.
        .take_while(|_| !blocks.has_failed())
        .par_bridge()
        .map_init(new_worker, |Accounted { worker, .. }, item| {
            let may_wait = || waiting_bytes.load(Ordering::Relaxed) < WAITING_BYTES;
            let done = match item {
                Item::File((number, entry)) => vec![Passed {
                    name: entry.name.clone(),
                    place: (number, 0, (0, 0)),
                    has_id: false,
                    progress: worker.file(entry, shared, may_wait()),
                }],
                Item::Records(entry, batch) => records(entry, batch, worker, shared, &may_wait),
            };
            for Passed { progress, .. } in &done {
                if let Progress::Waiting(_, text) = progress {
                    waiting_bytes.fetch_add(text.len(), Ordering::Relaxed);
                } else {
                    observer.advance();
                }
            }
            done
        })
        .flatten_iter()
        .collect();
    passed
        .par_iter_mut()
        .for_each_init(new_worker, |Accounted { worker, .. }, passed| {
            if let Progress::Waiting(features, text) = &mut passed.progress {
                let mut features = std::mem::take(features);
                worker.finish(&mut features, text, shared);
                passed.progress = Progress::Done(features);
                observer.advance();
            }
        });
    // Workers finish in any order.
    let by_name = |x: &Passed, y: &Passed| (&x.name, x.place).cmp(&(&y.name, y.place));
    passed.par_sort_unstable_by(by_name);
    while tell_apart(&mut passed) {
        passed.par_sort_unstable_by(by_name);
    }
    let steps = *steps
        .lock()
        .expect("no worker panics while it adds its times");
    (passed, steps)
}

/// Takes some records of a file and does what can be done now with each.
fn records(
    (number, entry): NumberedEntry<'_>,
    batch: Result<Batch, Refused>,
    worker: &mut Worker<'_>,
    shared: &Shared<'_>,
    may_wait: &dyn Fn() -> bool,
) -> Vec<Passed> {
    let settings = &shared.settings.read;
    let batch = match batch {
        Ok(batch) => batch,
        Err((reason, detail)) => {
            return vec![Passed {
                name: entry.name.clone(),
                place: (number, 0, (0, 0)),
                has_id: false,
                progress: Progress::Skipped(reason, detail),
            }];
        }
    };
    let records = batch.records(&settings.fields);
    let pass = |Numbered {
                    number: record,
                    lines,
                    record: parsed,
                }| {
        let (id, progress) = match parsed {
            Err((reason, detail)) => (None, Progress::Skipped(reason, detail)),
            Ok(Record { text, id }) => {
                let progress = worker.record(text, batch.encoding(), shared, may_wait());
                (id, progress)
            }
        };
        let has_id = id.is_some();
        let id = id.unwrap_or_else(|| record.to_string().into());
        Passed {
            name: format!("{}#{id}", entry.name),
            place: (number, record, lines),
            has_id,
            progress,
        }
    };
    records.map(pass).collect()
}

/// Takes documents by name and adds to every one but the first of a name the line it stands in.
/// Returns whether there were any: what they are called now may be taken too.
fn tell_apart(passed: &mut [Passed]) -> bool {
    let repeats: Vec<usize> = (1..passed.len())
        .filter(|&at| passed[at].name == passed[at - 1].name)
        .collect();
    for &at in &repeats {
        let Passed { name, place, .. } = &mut passed[at];
        name.push_str(&format!("@{}", place.1));
    }
    !repeats.is_empty()
}

/// A worker that adds its times to those of all when it is done.
struct Accounted<'s> {
    worker: Worker<'s>,
    steps: &'s Mutex<Steps>,
}

impl Drop for Accounted<'_> {
    fn drop(&mut self) {
        if let Ok(mut steps) = self.steps.lock() {
            *steps += self.worker.steps;
        }
    }
}
