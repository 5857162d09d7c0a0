//! Stores files and documents in the index.

use std::collections::{BTreeMap, HashSet};

use crate::ScanOptions;
use crate::known::KnownFiles;
use crate::known::to_store::ToStore;
use dupfind_engine::Result;
use dupfind_engine::features::collection::Collection;
use dupfind_index::catalog::{KnownFile, Stamp};
use dupfind_index::segment::document::KeptDocument;
use dupfind_index::update::Update;
use dupfind_read::source::name::{display_name, path_of_name};
use dupfind_read::source::walk::{STDIN, WalkOptions};

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
        let features = collection.features(&options.engine, fresh.position)?;
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
