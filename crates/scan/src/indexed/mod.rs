//! Scans with an index: unchanged documents are read from it, and new ones are added to it.

pub mod reading;
mod store;

#[cfg(test)]
mod laws;

use std::path::{Path, PathBuf};

use crate::ScanOptions;
use crate::corpus::{Corpus, Known, read_corpus, read_known};
use crate::indexed::reading::{reading, reading_of_texts};
use crate::indexed::store::store;
use crate::known::KnownFiles;
use crate::known::to_store::ToStore;
use dupfind_engine::Result;
use dupfind_engine::features::Features;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::run::threads::in_pool;
use dupfind_index::Index;
use dupfind_index::update::{Update, Updated};

/// The index of a scan.
#[derive(Debug, Clone)]
pub struct IndexOptions {
    /// The folder of the index.
    pub path: PathBuf,
    /// Whether it is read only, and not updated.
    pub is_frozen: bool,
}

/// The changes of an update of an index.
#[derive(Debug)]
pub struct IndexUpdate {
    /// How many documents were added and removed.
    pub updated: Updated,
    /// How many documents the index has.
    pub documents: u64,
}

/// Reads the changes in the files of a scan, and brings the index up to date. If there is no index, one is made. Files below the
/// paths that are gone are removed from it.
///
/// # Errors
///
/// As [`crate::scan`], and as [`Index::open`] and [`Index::update`].
pub fn update_index(
    options: &ScanOptions,
    observer: &dyn Observer,
    path: &Path,
) -> Result<IndexUpdate> {
    in_pool(options.engine.threads, || {
        let mut update = Update::begin(path, &options.engine, &reading(&options.read))?;
        read_into(&mut update, options, observer, false)?;
        let updated = update.commit()?;
        Ok(IndexUpdate {
            updated,
            documents: Index::open(path, &options.engine)?.documents(),
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
        return Ok(read_beside(&files, &open, options, observer, true)?.0);
    }
    let mut update = Update::begin(&index.path, &options.engine, &reading)?;
    let corpus = read_into(&mut update, options, observer, true)?;
    update.commit()?;
    Ok(corpus)
}

/// Reads the documents that the index does not know, and adds them to the update. `has_all` is whether the documents that it
/// knows are returned too.
fn read_into(
    update: &mut Update,
    options: &ScanOptions,
    observer: &dyn Observer,
    has_all: bool,
) -> Result<Corpus> {
    let files = KnownFiles::of(update.index())?;
    let (mut corpus, to_store) = read_beside(&files, update.index(), options, observer, has_all)?;
    let warning = store(update, options, &files, &to_store, &corpus.collection)?;
    corpus.warnings.extend(warning);
    Ok(corpus)
}

/// Reads the documents that an index does not know. `has_all` is whether the documents that it knows are returned too.
fn read_beside(
    files: &KnownFiles,
    index: &Index,
    options: &ScanOptions,
    observer: &dyn Observer,
    has_all: bool,
) -> Result<(Corpus, ToStore)> {
    let known = Known {
        files,
        index,
        has_all,
    };
    let (corpus, to_store) = read_known(options, observer, true, Some(known))?;
    Ok((corpus, to_store.expect("there is an index")))
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

/// The query documents for an index.
#[derive(Debug)]
pub struct QueryDocuments<'o> {
    /// The options that the documents were read with.
    pub options: &'o ScanOptions,
    /// The documents.
    pub corpus: Corpus,
    /// The features of each document.
    pub features: Vec<Features>,
}

/// Reads query documents for an index.
///
/// # Errors
///
/// As [`crate::scan`]; and the index was made with other options.
pub fn read_query_documents<'o>(
    options: &'o ScanOptions,
    observer: &dyn Observer,
    index: &Index,
) -> Result<QueryDocuments<'o>> {
    index.check_reading(&reading_of_texts(&options.read))?;
    in_pool(options.engine.threads, || {
        let corpus = read_corpus(options, observer, true)?;
        let count = u32::try_from(corpus.collection.documents.len()).unwrap_or(u32::MAX);
        let features = (0..count).map(|at| corpus.collection.features(&options.engine, at));
        let features = features.collect::<Result<_>>()?;
        Ok(QueryDocuments {
            options,
            corpus,
            features,
        })
    })
}

impl QueryDocuments<'_> {
    /// Runs a task on the threads of the run.
    ///
    /// # Errors
    ///
    /// Those of the task.
    pub fn in_threads<T: Send>(&self, task: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        in_pool(self.options.engine.threads, task)
    }
}
