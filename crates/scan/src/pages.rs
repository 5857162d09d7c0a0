//! Reads the documents of a scan one by one, for commands that need their texts and not their features.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use rayon::prelude::*;

use crate::ScanOptions;
use crate::corpus::document_reader::read_entries;
use crate::corpus::worker::Make;
use crate::corpus::{CorpusBuilder, number_all_repeats};
use crate::document::ReadOutcome;
use crate::sources::Source;
use dupfind_engine::{Observer, Silent, Stage, Stats};
use dupfind_read::skipped::Note;
use dupfind_read::{Entry, Ingested, ReadOptions, Refused, Skipped, walk};

/// A document that was read.
#[derive(Debug)]
pub struct Page {
    /// Its name.
    pub name: String,
    /// Where it was read from.
    pub source: Source,
}

/// The documents of a scan.
#[derive(Debug)]
pub struct Pages {
    /// The documents, by name.
    pub pages: Vec<Page>,
    /// The files they were read from.
    pub entries: Vec<Entry>,
    /// The entries that were not read, by name.
    pub skipped: Vec<Skipped>,
    /// Notes about single documents, by name.
    pub notes: Vec<Note>,
    /// Faults of ignore files.
    pub warnings: Vec<String>,
}

/// Returns the documents of a scan, and the value that `make` makes of each that it does not refuse. `worker` is called for each
/// thread.
///
/// # Errors
///
/// A glob does not parse, there are too many documents, or the observer stops the run.
pub fn read_pages<T: Send, W: Send>(
    options: &ScanOptions,
    observer: &dyn Observer,
    worker: impl Fn() -> W + Sync + Send,
    make: impl Fn(&mut W, &Ingested<'_>) -> Result<T, Refused> + Sync + Send,
) -> dupfind_engine::Result<(Pages, Vec<T>)> {
    observer.stage(Stage::Walk, None);
    let reading = &options.read;
    let found = walk(&options.walk, reading.max_filesize, reading.pre.as_ref())?;
    let make = MakePages { worker, make };
    let read = read_entries(
        &found.entries,
        reading,
        &make,
        None,
        None,
        observer,
        &mut Stats::default(),
    )?;
    let mut documents = read.documents;
    let mut builder = CorpusBuilder::new(&found.entries, found.skipped);
    for (entry, refused) in read.refused {
        builder.refuse(entry, refused, &mut documents);
    }
    number_all_repeats(&mut documents);
    let made = documents.into_iter().filter_map(|it| builder.add(it));
    let (names, values): (Vec<String>, Vec<T>) = made.unzip();
    let pages = names.into_iter().zip(builder.sources);
    let (mut skipped, mut notes) = (builder.skipped, builder.notes);
    skipped.sort_unstable();
    notes.sort_unstable();
    let pages = Pages {
        pages: pages.map(|(name, source)| Page { name, source }).collect(),
        entries: found.entries,
        skipped,
        notes,
        warnings: found.warnings,
    };
    Ok((pages, values))
}

/// Reads some documents again and calls `take` with each, in any order. `wanted` has the numbers of files
/// and records, and `entry` returns the file of a number. A document that cannot be read any more is left out.
pub fn read_again<T: Send>(
    entry: impl Fn(u32) -> Entry,
    options: &ReadOptions,
    wanted: &HashSet<(u32, u64)>,
    take: impl Fn((u32, u64), &Ingested<'_>) -> T + Sync + Send,
) -> Vec<T> {
    let files: BTreeSet<u32> = wanted.iter().map(|&(file, _)| file).collect();
    let files: Vec<u32> = files.into_iter().collect();
    let entries: Vec<Entry> = files.iter().map(|&file| entry(file)).collect();
    let place = |file: u32| files.partition_point(|&other| other < file);
    let own = wanted.iter().map(|&(file, record)| (place(file), record));
    let own = own.collect();
    let make = MakePages {
        worker: || (),
        make: |(): &mut (), document: &Ingested<'_>| {
            let document = document.clone();
            Ok(Ingested {
                text: Cow::Owned(document.text.into_owned()),
                ..document
            })
        },
    };
    let stats = &mut Stats::default();
    let read = read_entries(&entries, options, &make, None, Some(&own), &Silent, stats);
    // Nobody stops it, and there are no more documents than before.
    let read = read.map_or_else(|_| Vec::new(), |read| read.documents);
    let taken = read.into_par_iter().filter_map(|document| {
        let ReadOutcome::Done(_, read) = &document.outcome else {
            return None;
        };
        let (file, record, _) = document.place;
        Some(take((files[file], record), read))
    });
    taken.collect()
}

/// Makes pages.
struct MakePages<N, F> {
    worker: N,
    make: F,
}

impl<T: Send, W: Send, N, F> Make for MakePages<N, F>
where
    N: Fn() -> W + Sync,
    F: Fn(&mut W, &Ingested<'_>) -> Result<T, Refused> + Sync,
{
    type Worker<'w>
        = W
    where
        Self: 'w;
    type Made = T;

    fn worker(&self) -> W {
        (self.worker)()
    }

    fn make(&self, worker: &mut W, document: &Ingested<'_>) -> Result<T, Refused> {
        (self.make)(worker, document)
    }
}
