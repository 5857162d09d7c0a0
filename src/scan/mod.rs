//! The whole run: the one room that knows the order of the stages.

use rayon::ThreadPoolBuilder;

use crate::engine::Outcome;
use crate::engine::detectors::{Detector, Detectors};
use crate::engine::expand::Takers;
use crate::engine::judge::Judge;
use crate::engine::observer::Observer;
use crate::engine::pairs::find_pairs;
use crate::engine::sink::PairSink;
use crate::error::{Error, Result};
use crate::scan::collection::{Collection, read_documents};

pub mod among;
pub mod collection;
pub(crate) mod features;
pub mod listing;
pub mod options;
mod tally;
pub mod texts;

pub use options::ScanOptions;

/// Takes settings, compares every document with every other and hands the pairs to the sink as they are
/// found, or only counts them without one. The observer hears of the stages as they begin.
///
/// # Errors
///
/// What makes the whole run impossible: a glob or an IDF file that does not parse, threads that
/// cannot be started, more documents than can be numbered, a full disk, a sink that fails. Trouble
/// with single documents is in [`Outcome::skipped`].
pub fn scan<'t>(
    settings: &ScanOptions,
    observer: &dyn Observer,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Outcome> {
    scan_judged(settings, observer, None, sink)
}

/// As [`scan`], with a judge who decides which pairs count.
///
/// # Errors
///
/// As [`scan`].
pub fn scan_judged<'t>(
    settings: &ScanOptions,
    observer: &dyn Observer,
    judge: Option<&'t mut (dyn Judge + 't)>,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Outcome> {
    in_pool(settings, || {
        // Signatures are made of a set while it is at hand.
        let joins_sets = settings.engine.detectors.have(Detector::Shingle);
        let mut collection = read_documents(settings, observer, joins_sets)?;
        let found = find_pairs(
            &settings.engine,
            observer,
            &mut collection,
            Takers { judge, sink },
        )?;

        Ok(Outcome {
            documents: collection.documents,
            files: collection.files,
            pair_counts: found.counts,
            clusters: found.clusters,
            skipped: collection.skipped,
            notes: collection.notes,
            warnings: collection.warnings,
            stats: collection.stats,
        })
    })
}

/// Takes settings and reads the documents without comparing them. Every document gets a fingerprint
/// and the size of its shingle set, whatever the settings say about detectors; the sets themselves are
/// not kept, see [`shingle_sets`].
///
/// # Errors
///
/// As [`scan`].
pub fn fingerprints(settings: &ScanOptions, observer: &dyn Observer) -> Result<Collection> {
    read_with_all(settings, observer, false)
}

/// As [`fingerprints`], and keeps the shingle sets.
///
/// # Errors
///
/// As [`scan`].
pub fn shingle_sets(settings: &ScanOptions, observer: &dyn Observer) -> Result<Collection> {
    read_with_all(settings, observer, true)
}

/// Reads the documents for all detectors.
fn read_with_all(
    settings: &ScanOptions,
    observer: &dyn Observer,
    keeps_sets: bool,
) -> Result<Collection> {
    let mut settings = settings.clone();
    settings.engine.detectors = Detectors::USUAL;
    in_pool(&settings, || {
        read_documents(&settings, observer, keeps_sets)
    })
}

/// Runs a task on as many threads as the settings ask for.
///
/// # Errors
///
/// What the task says, and [`Error::Threads`] if the threads cannot be had.
pub fn in_pool<T: Send>(
    settings: &ScanOptions,
    task: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    ThreadPoolBuilder::new()
        .num_threads(settings.engine.threads)
        .build()
        .map_err(|error| Error::Threads(error.to_string()))?
        .install(task)
}
