//! What the benches share: the folders they are given, and how they are read.

pub(crate) mod labels;

use std::path::PathBuf;

use dupfind::ingest;
use dupfind::ingest::records::Batches;
use dupfind::scan::Settings;
use dupfind::source::walk::{Entry, walk};

/// The folder that is used if none is given: small, and always there.
const DEFAULT: &str = "fixtures/corpus";

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
pub(crate) fn settings(folder: PathBuf) -> Settings {
    let mut settings = Settings::for_paths([folder]);
    settings.walk.hidden = true;
    settings.walk.ignore_files = false;
    settings.ingest.fields.id = Some("id".into());
    settings
}

/// The decoded texts of a scan's documents: files, and records of files of records.
pub(crate) fn texts(settings: &Settings) -> Vec<String> {
    let named = named_texts(settings).into_iter();
    named.map(|(_, text)| text).collect()
}

/// The decoded texts of a scan's documents, each with the name of its file.
pub(crate) fn named_texts(settings: &Settings) -> Vec<(String, String)> {
    let found =
        walk(&settings.walk, u64::MAX, settings.ingest.pre.as_ref()).expect("a readable folder");
    found
        .entries
        .iter()
        .flat_map(|entry| {
            let texts = texts_of(entry, settings).into_iter();
            texts.map(|text| (entry.name.clone(), text))
        })
        .collect()
}

fn texts_of(entry: &Entry, settings: &Settings) -> Vec<String> {
    let settings = ingest::Settings {
        max_filesize: u64::MAX,
        ..settings.ingest.clone()
    };
    let fields = &settings.fields;
    let batches = Batches::open(&entry.path, entry.kind, fields, u64::MAX);
    let Some(batches) = batches.expect("a readable file") else {
        let mut bytes = Vec::new();
        let document = ingest::file(&entry.path, entry.kind, &settings, &mut bytes);
        return document
            .into_iter()
            .map(|document| document.text.into_owned())
            .collect();
    };
    let mut texts = Vec::new();
    for batch in batches {
        let batch = batch.expect("a readable file");
        let records = batch.records(fields, u64::MAX);
        let records = records.filter_map(|numbered| numbered.record.ok());
        texts
            .extend(records.map(|record| ingest::record(record.text, &settings).text.into_owned()));
    }
    texts
}
