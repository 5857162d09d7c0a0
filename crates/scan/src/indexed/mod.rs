//! Scans with an index: unchanged documents are read from it, and new ones are added to it.

#[cfg(test)]
mod laws;

use crate::ScanOptions;
use crate::corpus::{Corpus, Known, read_corpus, read_known};
use crate::known::{KnownFiles, ToStore};
use dupfind_engine::features::collection::Collection;
use dupfind_engine::{Features, Observer, Result, in_pool};
use dupfind_index::{Added, Changes, Index, KnownFile, Stamp, Updated};
use dupfind_read::{
    Editions, ReadOptions, STDIN, Skipped, WalkOptions, display_name, path_of_name,
};
use encoding_rs::Encoding;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The index of a scan.
#[derive(Debug, Clone)]
pub enum IndexOptions {
    /// That of a file, which is brought up to date, or made.
    File(PathBuf),
    /// One in memory, which stays as it is.
    Open(Index),
}

/// Reads the changes in the files of a scan, and brings the index up to date in memory. Files below the paths that are gone are
/// removed from it. Also returns the languages and versions of the files, and the files that could not be read.
///
/// # Errors
///
/// As [`crate::scan`].
pub fn update_index(
    options: &ScanOptions,
    observer: &dyn Observer,
    index: &mut Index,
) -> Result<(Updated, Option<Arc<Editions>>, Vec<Skipped>)> {
    in_pool(options.engine.threads, || {
        let (mut corpus, updated) = read_into(index, options, observer, false)?;
        corpus.skipped.retain(|skipped| skipped.reason.is_error());
        Ok((updated, corpus.sources.editions, corpus.skipped))
    })
}

/// Reads the documents of a scan, as far as the index does not know them, and brings an index of a file up to date. Files below
/// the paths that are gone are removed from it.
///
/// # Errors
///
/// As [`crate::scan`], [`Index::of_files`] and [`Index::save`].
pub(super) fn read_indexed(
    options: &ScanOptions,
    index: &IndexOptions,
    observer: &dyn Observer,
) -> Result<Corpus> {
    match index {
        IndexOptions::Open(index) => {
            let files = KnownFiles::of(index.clone());
            Ok(read_beside(&files, options, observer, true)?.0)
        }
        IndexOptions::File(path) => {
            let (mut index, warning) =
                Index::of_files(path, &options.engine, &reading(&options.read))?;
            let (mut corpus, _) = read_into(&mut index, options, observer, true)?;
            index.save_much()?;
            corpus.warnings.extend(warning);
            Ok(corpus)
        }
    }
}

/// Reads the documents that the index does not know, and adds them to it. `has_all` is whether the documents that it knows
/// are returned too.
fn read_into(
    index: &mut Index,
    options: &ScanOptions,
    observer: &dyn Observer,
    has_all: bool,
) -> Result<(Corpus, Updated)> {
    let files = KnownFiles::of(index.clone());
    let (mut corpus, to_store) = read_beside(&files, options, observer, has_all)?;
    let (changes, warning) = changes(options, &files, &to_store, &corpus.collection)?;
    corpus.warnings.extend(warning);
    // It is changed in its place if nobody else has it.
    drop(files);
    Ok((corpus, index.change(changes)))
}

/// Reads the documents that an index does not know. `has_all` is whether the documents that it knows are returned too.
fn read_beside(
    files: &KnownFiles,
    options: &ScanOptions,
    observer: &dyn Observer,
    has_all: bool,
) -> Result<(Corpus, ToStore)> {
    let known = Known { files, has_all };
    let (corpus, to_store) = read_known(options, observer, true, Some(known))?;
    Ok((corpus, to_store.expect("there is an index")))
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
/// As [`crate::scan`].
pub fn read_query_documents<'o>(
    options: &'o ScanOptions,
    observer: &dyn Observer,
) -> Result<QueryDocuments<'o>> {
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

/// Returns the options that decide which text of a file is read, as lines `name=value`.
pub(crate) fn reading(options: &ReadOptions) -> String {
    let encoding = options.encoding.map_or("auto", Encoding::name);
    let fields = &options.fields;
    let values = [
        ("web_part", options.web_part.as_str().to_owned()),
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
    lines.collect()
}

/// Returns what of the files and documents is new to the index. Files below the paths of the scan that are gone are removed.
/// Also returns a warning if other files are not there.
fn changes(
    options: &ScanOptions,
    files: &KnownFiles,
    to_store: &ToStore,
    collection: &Collection,
) -> Result<(Changes, Option<String>)> {
    let mut changes = Changes::default();
    let mut catalog = files.catalog().clone();
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
    for (at, document) in files.documents().iter().enumerate() {
        let is_old = read_again.contains(&document.file) && !to_store.kept.contains(&at);
        if is_old || gone.contains(&document.file) {
            changes.removed.insert(at);
        }
    }
    for fresh in &to_store.fresh {
        changes.added.push(Added {
            file: numbers[&fresh.entry],
            name: collection.documents[fresh.position as usize].name.clone(),
            features: collection.features(fresh.position)?,
            content: fresh.content,
            origin: fresh.origin.clone(),
        });
    }
    let others = catalog.files.keys().map(String::as_str);
    let warning = missing(others.filter(|name| !is_below(name)), &options.walk);
    let before = &files.catalog().files;
    let is_other = |(name, file): &(&String, &KnownFile)| before.get(*name) != Some(file);
    let others = catalog.files.iter().filter(is_other).count();
    if others > 0 || catalog.files.len() != before.len() {
        changes.catalog = Some((catalog, others as u64));
    }
    Ok((changes, warning))
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
