//! What the benches share: the folders they are given, and how they are read.

pub(crate) mod labels;

use std::fs;
use std::path::PathBuf;

use dupfind::decode::decode;
use dupfind::scan::Settings;
use dupfind::source::records::{Batch, Batches, Record, has_records, numbered_lines, parse};
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
    settings.records.id = Some("id".into());
    settings
}

/// The decoded texts of a scan's documents: files, and records of files of records.
pub(crate) fn texts(settings: &Settings) -> Vec<String> {
    let named = named_texts(settings).into_iter();
    named.map(|(_, text)| text).collect()
}

/// The decoded texts of a scan's documents, each with the name of its file.
pub(crate) fn named_texts(settings: &Settings) -> Vec<(String, String)> {
    let found = walk(&settings.walk).expect("a readable folder");
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
    if !has_records(&entry.path) {
        let bytes = fs::read(&entry.path).expect("a readable file");
        return decode(&bytes, None)
            .into_iter()
            .map(|decoded| decoded.text.into_owned())
            .collect();
    }
    let batches = Batches::open(&entry.path, u64::MAX).expect("a readable file");
    let lines = batches.filter_map(|batch| match batch.expect("a readable file") {
        Batch::Lines { first, bytes } => Some((first, bytes)),
        Batch::TooLarge(_) => None,
    });
    lines
        .flat_map(|(first, bytes)| {
            let lines = numbered_lines(first, &bytes);
            let records = lines.filter_map(|(_, line)| parse(line, &settings.records).ok());
            records
                .map(|Record { text, .. }| text.into_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}
