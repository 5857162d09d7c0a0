//! The common part of the benches: the folders that they are given, and how they are read.

#[path = "../../crates/engine/src/text/lexicon/reference.rs"]
pub(crate) mod jieba;
pub(crate) mod labels;

use std::path::PathBuf;

use dupfind_read as read;
use dupfind_read::{Batches, Entry, walk};
use dupfind_scan::ScanOptions;

/// The folder that is used if none is given: small, and always there.
const DEFAULT: &str = "fixtures/corpus";

/// Whether the bench is only tested, by `cargo test --bench NAME -- --test`: everything is done once, with little.
pub(crate) fn is_test() -> bool {
    std::env::args().any(|word| word == "--test")
}

/// The paths given after `--` on the command line of `cargo bench`, or the fixtures.
pub(crate) fn folders() -> Vec<PathBuf> {
    let words = std::env::args().skip(1);
    let given: Vec<PathBuf> = words
        .filter(|word| !word.starts_with("--"))
        .map(PathBuf::from)
        .collect();
    if given.is_empty() {
        vec![DEFAULT.into()]
    } else {
        given
    }
}

/// The default settings for one folder, hidden and ignored files included: everything in a folder
/// of test documents is a document.
pub(crate) fn settings(folder: PathBuf) -> ScanOptions {
    let mut settings = ScanOptions::for_paths([folder]);
    settings.walk.hidden = true;
    settings.walk.ignore_files = false;
    settings.read.fields.id = Some("id".into());
    settings
}

/// The decoded texts of a scan's documents: files, and records of files of records.
pub(crate) fn texts(settings: &ScanOptions) -> Vec<String> {
    let named = named_texts(settings).into_iter();
    named.map(|(_, text)| text).collect()
}

/// The decoded texts of a scan's documents, each with the name of its file.
pub(crate) fn named_texts(settings: &ScanOptions) -> Vec<(String, String)> {
    let found =
        walk(&settings.walk, u64::MAX, settings.read.pre.as_ref()).expect("a readable folder");
    found
        .entries
        .iter()
        .flat_map(|entry| {
            let texts = texts_of(entry, settings).into_iter();
            texts.map(|text| (entry.name.clone(), text))
        })
        .collect()
}

fn texts_of(entry: &Entry, settings: &ScanOptions) -> Vec<String> {
    let settings = read::ReadOptions {
        max_filesize: u64::MAX,
        ..settings.read.clone()
    };
    let batches = Batches::open(&entry.path, entry.kind, &settings);
    let Some(batches) = batches.expect("a readable file") else {
        let mut bytes = Vec::new();
        let document = read::file(&entry.path, entry.kind, &settings, &mut bytes);
        return document
            .into_iter()
            .map(|document| document.text.into_owned())
            .collect();
    };
    let mut texts = Vec::new();
    for batch in batches {
        let batch = batch.expect("a readable file");
        let records = batch.records(&settings.fields);
        let records = records.filter_map(|numbered| numbered.record.ok());
        texts.extend(records.filter_map(|record| {
            let document = read::record(record.text, record.title, batch.encoding(), &settings);
            Some(document.ok()?.text.into_owned())
        }));
    }
    texts
}
