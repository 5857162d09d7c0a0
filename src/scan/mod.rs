//! The whole run: the one room that knows the order of the stages.

use rayon::ThreadPoolBuilder;

use crate::error::{Error, Result};
use crate::scan::collection::{Collection, read_documents};
use crate::scan::detectors::{Detector, Detectors};
use crate::scan::expand::Takers;
use crate::scan::judge::Judge;
use crate::scan::observer::Observer;
use crate::scan::pairs::find_pairs;
use crate::scan::sink::PairSink;

pub mod among;
pub mod because;
mod cohesion;
pub mod collection;
pub mod detectors;
mod expand;
pub(crate) mod features;
pub mod files;
pub mod judge;
mod near;
pub mod observer;
pub mod outcome;
mod pairs;
pub mod relation;
mod search;
pub mod settings;
mod signatures;
pub mod sink;
pub mod stats;
mod tally;
pub mod texts;
mod tiled;
pub mod tune;

pub use outcome::Outcome;
pub use settings::Settings;

/// Takes settings, compares every document with every other and hands the pairs to the sink as they are
/// found, or only counts them without one. The observer hears of the stages as they begin.
///
/// # Errors
///
/// What makes the whole run impossible: a glob or an IDF file that does not parse, threads that
/// cannot be started, more documents than can be numbered, a full disk, a sink that fails. Trouble
/// with single documents is in [`Outcome::skipped`].
pub fn scan<'t>(
    settings: &Settings,
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
    settings: &Settings,
    observer: &dyn Observer,
    judge: Option<&'t mut (dyn Judge + 't)>,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Outcome> {
    in_pool(settings, || {
        // Signatures are made of a set while it is at hand.
        let joins_sets = settings.detectors.have(Detector::Shingle);
        let mut collection = read_documents(settings, observer, joins_sets)?;
        let found = find_pairs(settings, observer, &mut collection, Takers { judge, sink })?;

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
pub fn fingerprints(settings: &Settings, observer: &dyn Observer) -> Result<Collection> {
    read_with_all(settings, observer, false)
}

/// As [`fingerprints`], and keeps the shingle sets.
///
/// # Errors
///
/// As [`scan`].
pub fn shingle_sets(settings: &Settings, observer: &dyn Observer) -> Result<Collection> {
    read_with_all(settings, observer, true)
}

/// Reads the documents for all detectors.
fn read_with_all(
    settings: &Settings,
    observer: &dyn Observer,
    keeps_sets: bool,
) -> Result<Collection> {
    let settings = Settings {
        detectors: Detectors::USUAL,
        ..settings.clone()
    };
    in_pool(&settings, || {
        read_documents(&settings, observer, keeps_sets)
    })
}

/// Runs a task on as many threads as the settings ask for.
///
/// # Errors
///
/// What the task says, and [`Error::Threads`] if the threads cannot be had.
pub fn in_pool<T: Send>(settings: &Settings, task: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .build()
        .map_err(|error| Error::Threads(error.to_string()))?
        .install(task)
}
