//! Scans with an index: unchanged documents are read from it, and new ones are added to it.

#[cfg(test)]
mod laws;

use crate::ScanOptions;
use crate::corpus::{Corpus, Known, read_corpus, read_known};
use crate::known::KnownFiles;
use crate::known::to_store::ToStore;
use dupfind_engine::Result;
use dupfind_engine::features::Features;
use dupfind_engine::features::collection::Collection;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::run::threads::in_pool;
use dupfind_index::Index;
use dupfind_index::catalog::{KnownFile, Stamp};
use dupfind_index::segment::document::KeptDocument;
use dupfind_index::update::{Update, Updated};
use dupfind_read::ReadOptions;
use dupfind_read::source::name::{display_name, path_of_name};
use dupfind_read::source::walk::{STDIN, WalkOptions};
use encoding_rs::Encoding;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

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
        let features = (0..count).map(|at| corpus.collection.features(at));
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

/// Returns the options that decide which text of a document counts, as lines `name=value`.
pub(crate) fn reading_of_texts(options: &ReadOptions) -> String {
    format!("web_part={}\n", options.web_part.as_str())
}

/// Returns the options that decide which text of a file is read, as lines `name=value`.
pub(crate) fn reading(options: &ReadOptions) -> String {
    let encoding = options.encoding.map_or("auto", Encoding::name);
    let fields = &options.fields;
    let values = [
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

/// Puts files and documents into an update of the index. Files below the paths of the scan that are gone are removed. Returns a warning if other files are not there.
pub(super) fn store(
    update: &mut Update,
    options: &ScanOptions,
    files: &KnownFiles,
    to_store: &ToStore,
    collection: &Collection,
) -> Result<Option<String>> {
    let mut catalog = files.catalog.clone();
    let mut numbers: BTreeMap<usize, u32> = BTreeMap::new();
    let mut walked = HashSet::new();
    for (at, entry) in to_store.entries.iter().enumerate() {
        walked.insert(entry.name.as_str());
        let before = catalog.files.get(&entry.name).map(|file| file.number);
        let Some((facts, outcome)) = to_store.facts.get(&at).zip(to_store.outcomes.get(&at)) else {
            // A file without stored facts is read again the next time. Its documents need a number.
            catalog.files.remove(&entry.name);
            let number = before.map_or_else(|| catalog.new_number(), Ok)?;
            numbers.insert(at, number);
            continue;
        };
        let is_unsettled = to_store.unsettled.contains(&at);
        let number = before.map_or_else(|| catalog.new_number(), Ok)?;
        numbers.insert(at, number);
        let no_stamp = Stamp {
            size: 0,
            modified: 0,
        };
        let file = KnownFile {
            number,
            stamp: if is_unsettled { no_stamp } else { facts.stamp },
            content: if is_unsettled { 0 } else { facts.content },
            outcome: outcome.clone(),
        };
        catalog.files.insert(entry.name.clone(), file);
    }
    let mut gone: HashSet<u32> = HashSet::new();
    let is_below = below(&options.walk);
    let is_gone = |name: &str| !walked.contains(name) && is_below(name);
    let lost = catalog.files.keys().filter(|name| is_gone(name));
    let lost: Vec<String> = lost.cloned().collect();
    for name in lost {
        gone.extend(catalog.files.remove(&name).map(|file| file.number));
    }
    let read_again: HashSet<u32> = numbers.values().copied().collect();
    for (at, document) in files.documents.iter().enumerate() {
        let is_old = read_again.contains(&document.file) && !to_store.kept.contains(&at);
        if is_old || gone.contains(&document.file) {
            update.remove(document.place.0, document.place.1);
        }
    }
    for fresh in &to_store.fresh {
        let features = collection.features(fresh.position)?;
        let kept = KeptDocument {
            name: collection.documents[fresh.position as usize].name.clone(),
            facts: features.facts,
            content: fresh.content,
            origin: fresh.origin.clone(),
        };
        update.add(numbers[&fresh.entry], kept, &features.shingles)?;
    }
    let others = catalog.files.keys().map(String::as_str);
    let warning = missing(others.filter(|name| !is_below(name)), &options.walk);
    if catalog != files.catalog {
        update.set_catalog(catalog);
    }
    Ok(warning)
}

/// Returns a warning if some files of an index are not there. They were removed, or the index was made in another folder, so
/// that the same file may be in it under another name.
fn missing<'n>(names: impl Iterator<Item = &'n str>, walk: &WalkOptions) -> Option<String> {
    let is_there = |name: &str| name == STDIN || path_of_name(walk.base.join(name)).exists();
    let mut missing = names.filter(|name| !is_there(name));
    let first = missing.next()?;
    let (files, are) = match 1 + missing.count() {
        1 => ("1 file".into(), "is"),
        count => (format!("{count} files"), "are"),
    };
    Some(format!(
        "the index has {files} that {are} not there, such as {first}: removed since, or named by a run in another folder"
    ))
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
