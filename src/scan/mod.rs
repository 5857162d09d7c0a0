//! Scans: reads the documents of folders and finds their pairs. Only this module knows both reading and the engine.

use crate::detect::{Detector, Detectors};
use crate::engine::observer::Observer;
use crate::engine::pairing::document_pairs::PairHandlers;
use crate::engine::pairing::find_pairs;
use crate::engine::pairing::joined_collection::JoinedCollection;
use crate::engine::pairing::judge::Judge;
use crate::engine::pairing::known_join::KnownJoin;
use crate::engine::pairing::sink::PairSink;
use crate::engine::threads::in_pool;
use crate::error::Result;
use crate::scan::corpus::{Corpus, read_corpus};
use crate::scan::indexed::{keep_pairs, read_indexed};

pub mod corpus;
mod document_reader;
pub mod indexed;
pub mod judge;
mod large;
pub mod listing;
pub mod options;
pub mod outcome;
pub mod pages;
pub mod rarity;
mod read_document;
mod record_warnings;
mod refused_records;
pub mod texts;

pub use judge::ScanJudge;
pub use options::ScanOptions;
pub use outcome::Outcome;

/// Compares every document with every other. The sink gets the pairs as they are found. Without a sink pairs are only
/// counted.
///
/// # Errors
///
/// A glob does not parse, threads cannot be started, there are too many documents, a temporary file cannot be written,
/// the sink fails, or the observer stops the run. A single document that cannot be compared is no error, but is in
/// [`Outcome::skipped`].
pub fn scan<'t>(
    options: &ScanOptions,
    observer: &dyn Observer,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Outcome> {
    scan_judged(options, observer, None, sink)
}

/// As [`scan`], with a judge who decides which pairs count.
///
/// # Errors
///
/// As [`scan`].
pub fn scan_judged<'t>(
    options: &ScanOptions,
    observer: &dyn Observer,
    judge: Option<&'t mut (dyn ScanJudge + 't)>,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<Outcome> {
    Ok(scan_joined(options, observer, judge, sink)?.0)
}

/// As [`scan_judged`]. Also returns the collection, of which any two documents can still be measured.
pub(crate) fn scan_joined<'t>(
    options: &ScanOptions,
    observer: &dyn Observer,
    mut judge: Option<&'t mut (dyn ScanJudge + 't)>,
    sink: Option<&'t mut (dyn PairSink + 't)>,
) -> Result<(Outcome, JoinedCollection)> {
    in_pool(&options.engine, || {
        // Without the shingle detector sets need not be kept, as signatures are made of each set at once.
        let joins_sets = options.engine.detectors.have(Detector::Shingle);
        let (mut corpus, mut pairs) = match &options.index {
            Some(index) => read_indexed(options, index, observer)?,
            None => (read_corpus(options, observer, joins_sets)?, None),
        };
        if let Some(judge) = &mut judge {
            judge.documents(&corpus.collection.documents, &corpus.sources);
        }
        let judge = judge.map(|judge| judge as &mut dyn Judge);
        let handlers = PairHandlers { judge, sink };
        let known = pairs.as_mut().map(|pairs| pairs as &mut dyn KnownJoin);
        let found = find_pairs(
            &options.engine,
            observer,
            &mut corpus.collection,
            handlers,
            known,
        )?;
        if let Some((index, pairs)) = options.index.as_ref().zip(pairs) {
            keep_pairs(options, index, pairs)?;
        }

        let joined = JoinedCollection {
            signatures: corpus.collection.signatures,
            sets: found.sets,
            group_of: found.group_of,
        };
        let outcome = Outcome {
            documents: corpus.collection.documents,
            sources: corpus.sources,
            pair_counts: found.counts,
            clusters: found.clusters,
            unshared: found.unshared,
            skipped: corpus.skipped,
            notes: corpus.notes,
            warnings: corpus.warnings,
            stats: corpus.collection.stats,
        };
        Ok((outcome, joined))
    })
}

/// Reads the documents without comparing them. Every document has a fingerprint and the size of its shingle set,
/// whichever detectors the options name. The sets themselves are not kept, see [`shingle_sets`].
///
/// # Errors
///
/// As [`scan`].
pub fn fingerprints(options: &ScanOptions, observer: &dyn Observer) -> Result<Corpus> {
    read_with_all(options, observer, false)
}

/// Reads the documents without comparing them, and makes the features that the options ask for.
///
/// # Errors
///
/// As [`scan`].
#[cfg(feature = "cli")]
pub(crate) fn features(options: &ScanOptions, observer: &dyn Observer) -> Result<Corpus> {
    in_pool(&options.engine, || read_corpus(options, observer, true))
}

/// As [`fingerprints`], but keeps the shingle sets.
///
/// # Errors
///
/// As [`scan`].
pub fn shingle_sets(options: &ScanOptions, observer: &dyn Observer) -> Result<Corpus> {
    read_with_all(options, observer, true)
}

/// Reads the documents for the usual detectors.
fn read_with_all(
    options: &ScanOptions,
    observer: &dyn Observer,
    keeps_sets: bool,
) -> Result<Corpus> {
    let mut options = options.clone();
    options.engine.detectors = Detectors::USUAL;
    in_pool(&options.engine, || {
        read_corpus(&options, observer, keeps_sets)
    })
}
