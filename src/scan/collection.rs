//! Reads all documents: files in, features out.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::document::{DocId, Note, Skipped};
use crate::error::Result;
use crate::fingerprint::idf::Idf;
use crate::scan::features::{Features, Progress, Shared, Worker, fingerprint};
use crate::scan::observer::{Observer, Stage};
use crate::scan::outcome::Document;
use crate::scan::settings::{IdfSource, Settings};
use crate::scan::stats::{Stats, Steps};
use crate::source::walk::{Entry, walk};
use crate::text::segmenter::Segmenter;

/// How much normalised text may wait for jieba, in bytes. Loading takes about 0.1 s, in which no
/// more than this can be read and shingled anyway.
const WAITING_BYTES: usize = 64 << 20;

/// The documents of a run, read and reduced to their features.
#[derive(Debug)]
pub struct Collection {
    /// The documents, by name.
    pub documents: Vec<Document>,
    /// The shingle set of each document, ascending; all empty if the detector is off.
    pub sets: Vec<Box<[u64]>>,
    /// What was not read, by name.
    pub skipped: Vec<Skipped>,
    /// What to know about single documents, by name.
    pub notes: Vec<Note>,
    /// What was wrong with ignore files.
    pub warnings: Vec<String>,
    /// What it cost.
    pub stats: Stats,
}

/// Lists the files and reads them all.
pub(crate) fn read_documents(settings: &Settings, observer: &dyn Observer) -> Result<Collection> {
    let mut stats = Stats {
        threads: rayon::current_num_threads(),
        ..Stats::default()
    };
    // First, so that a bad file is known before the work begins.
    let idf = match &settings.idf {
        IdfSource::Dictionary => Some(Idf::dictionary()),
        IdfSource::File(path) => Some(Idf::from_file(path)?),
        IdfSource::Corpus => None,
    };

    observer.stage(Stage::Walk, None);
    let start = Instant::now();
    let found = walk(&settings.walk)?;
    DocId::new(found.entries.len())?;
    stats.add(Stage::Walk, start.elapsed());

    observer.stage(Stage::Read, Some(found.entries.len() as u64));
    let start = Instant::now();
    let segmenter = Arc::new(Segmenter::new());
    let shared = Shared {
        settings,
        segmenter: &segmenter,
        idf: idf.as_ref(),
    };
    let (passed, steps) = pass(&found.entries, &shared, observer);
    stats.steps = steps;
    stats.jieba_load = segmenter.load_time();
    stats.add(Stage::Read, start.elapsed());

    let mut collection = Collection {
        documents: Vec::with_capacity(passed.len()),
        sets: Vec::with_capacity(passed.len()),
        skipped: found.skipped,
        notes: Vec::new(),
        warnings: found.warnings,
        stats,
    };
    let mut all_terms = Vec::new();
    for (Entry { name, .. }, progress) in found.entries.into_iter().zip(passed) {
        match progress {
            Progress::Done(mut features) => {
                all_terms.push(std::mem::take(&mut features.terms));
                collection.add(name, features);
            }
            Progress::Waiting(..) => unreachable!("every waiting document has been finished"),
            Progress::Skipped(reason, detail) => {
                collection.skipped.push(Skipped::new(name, reason, detail));
            }
        }
    }
    collection.skipped.sort_unstable();

    if idf.is_none() && settings.detectors.simhash {
        observer.stage(Stage::Weigh, None);
        let start = Instant::now();
        let idf = Idf::corpus(all_terms.iter().map(Vec::as_slice));
        let documents = collection.documents.par_iter_mut();
        documents.zip(&all_terms).for_each(|(document, terms)| {
            document.fingerprint = Some(fingerprint(terms, document.tokens, settings, &idf));
        });
        collection.stats.add(Stage::Weigh, start.elapsed());
    }
    Ok(collection)
}

impl Collection {
    fn add(&mut self, name: String, features: Features) {
        if features.replaced {
            self.notes.push(Note {
                path: name.clone(),
                note: format!(
                    "not valid {}: damaged characters were replaced",
                    features.encoding
                ),
            });
        }
        self.stats.bytes += features.bytes as u64;
        self.stats.tokens += u64::from(features.tokens);
        self.stats.shingles += features.set.len() as u64;
        self.documents.push(Document {
            name,
            length: features.length,
            encoding: features.encoding,
            fingerprint: features.fingerprint,
            tokens: features.tokens,
            terms: features.term_count,
            shingles: u32::try_from(features.set.len()).unwrap_or(u32::MAX),
        });
        self.sets.push(features.set);
    }
}

/// Takes every entry through its pass. Documents that need jieba while it is still being loaded are
/// put off and finished at the end, so that loading overlaps with reading and shingling.
fn pass(entries: &[Entry], shared: &Shared<'_>, observer: &dyn Observer) -> (Vec<Progress>, Steps) {
    let waiting_bytes = AtomicUsize::new(0);
    let steps = Mutex::new(Steps::default());
    let new_worker = || Accounted {
        worker: Worker::default(),
        steps: &steps,
    };
    let mut passed: Vec<Progress> = entries
        .par_iter()
        .map_init(new_worker, |Accounted { worker, .. }, entry| {
            let may_wait = waiting_bytes.load(Ordering::Relaxed) < WAITING_BYTES;
            let progress = worker.begin(entry, shared, may_wait);
            match &progress {
                Progress::Waiting(_, text) => {
                    waiting_bytes.fetch_add(text.len(), Ordering::Relaxed);
                }
                Progress::Done(_) | Progress::Skipped(..) => observer.advance(),
            }
            progress
        })
        .collect();
    passed
        .par_iter_mut()
        .for_each_init(new_worker, |Accounted { worker, .. }, progress| {
            if let Progress::Waiting(features, text) = progress {
                let mut features = std::mem::take(features);
                worker.finish(&mut features, text, shared);
                *progress = Progress::Done(features);
                observer.advance();
            }
        });
    let steps = *steps
        .lock()
        .expect("no worker panics while it adds its times");
    (passed, steps)
}

/// A worker that adds its times to those of all when it is done.
struct Accounted<'s> {
    worker: Worker,
    steps: &'s Mutex<Steps>,
}

impl Drop for Accounted<'_> {
    fn drop(&mut self) {
        if let Ok(mut steps) = self.steps.lock() {
            *steps += self.worker.steps;
        }
    }
}
