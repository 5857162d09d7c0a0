//! The whole run: the one room that knows the order of the stages.

use std::time::Instant;

use rayon::ThreadPoolBuilder;

use crate::cluster::clusters;
use crate::error::{Error, Result};
use crate::scan::collection::{Collection, read_documents};
use crate::scan::observer::{Observer, Stage};
use crate::scan::pairs::find_pairs;

pub mod collection;
mod features;
pub mod observer;
pub mod outcome;
mod pairs;
pub mod settings;
pub mod stats;

pub use outcome::Outcome;
pub use settings::Settings;

/// Takes settings and compares every document with every other. The observer hears of the stages as
/// they begin.
///
/// # Errors
///
/// What makes the whole run impossible: a glob or an IDF file that does not parse, threads that
/// cannot be started, more documents than can be numbered. Trouble with single documents is in
/// [`Outcome::skipped`].
pub fn scan(settings: &Settings, observer: &dyn Observer) -> Result<Outcome> {
    in_pool(settings, || {
        let mut collection = read_documents(settings, observer)?;
        let pairs = find_pairs(settings, observer, &mut collection)?;

        observer.stage(Stage::Cluster, None);
        let start = Instant::now();
        let lengths: Vec<usize> = collection.documents.iter().map(|d| d.length).collect();
        let clusters = clusters(&lengths, pairs.iter().map(|pair| (pair.a, pair.b)));
        collection.stats.add(Stage::Cluster, start.elapsed());
        Ok(Outcome {
            documents: collection.documents,
            pairs,
            clusters,
            skipped: collection.skipped,
            notes: collection.notes,
            warnings: collection.warnings,
            stats: collection.stats,
        })
    })
}

/// Takes settings and reads the documents without comparing them. Every document gets a fingerprint
/// and a shingle set, whatever the settings say about detectors.
///
/// # Errors
///
/// As [`scan`].
pub fn fingerprints(settings: &Settings, observer: &dyn Observer) -> Result<Collection> {
    let settings = Settings {
        detectors: settings::Detectors::ALL,
        ..settings.clone()
    };
    in_pool(&settings, || read_documents(&settings, observer))
}

/// Runs a task on as many threads as the settings ask for.
fn in_pool<T: Send>(settings: &Settings, task: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .build()
        .map_err(|error| Error::Threads(error.to_string()))?
        .install(task)
}
