//! Reads documents again, for reports that show their texts.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use crate::ScanOptions;
use crate::outcome::{Outcome, Sources};
use dupfind_engine::document::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::features::text_hash::hash_of_text;
use dupfind_read as read;
use dupfind_read::format::Kind;
use dupfind_read::records::{Batches, Numbered};
use dupfind_read::source::pre::kind_of;

/// Why there is no text of a document that was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextLost {
    /// It is gone or cannot be read any more.
    Unreadable,
    /// It was changed since it was compared, or another file is in its place.
    Changed,
}

/// The text of a document that was compared, or why there is none.
pub type TextRead = Result<String, TextLost>;

/// Returns the texts of some documents of a scan, in the order of `ids`, or why there is none. A file of records is read
/// once for all of its documents.
///
/// Only a text with the hash of the one that was compared is returned. So nothing that was not compared comes into a
/// report, even if a link to another file was put in the place of a document.
#[must_use]
pub fn read_texts(options: &ScanOptions, outcome: &Outcome, ids: &[DocId]) -> Vec<TextRead> {
    read_texts_of(options, &outcome.sources, &outcome.documents, ids)
}

/// As [`read_texts`], for documents with these sources.
#[must_use]
pub fn read_texts_of(
    options: &ScanOptions,
    sources: &Sources,
    documents: &[Document],
    ids: &[DocId],
) -> Vec<TextRead> {
    let read = match &sources.rows {
        Some(texts) => {
            let rows: Vec<u64> = ids.iter().map(|&id| sources.of(id).record - 1).collect();
            let read = texts.read(&rows).into_iter().enumerate();
            read.filter_map(|(at, text)| Some((at, text?))).collect()
        }
        None => of_files(options, sources, ids),
    };
    let engine = &options.engine;
    let mut texts = vec![Err(TextLost::Unreadable); ids.len()];
    let checked = read.into_par_iter().map(|(at, text)| {
        let compared = documents[ids[at].index()].text_hash;
        let is_same = hash_of_text(&text, engine) == compared;
        (
            at,
            if is_same {
                Ok(text)
            } else {
                Err(TextLost::Changed)
            },
        )
    });
    for (at, text) in checked.collect::<Vec<_>>() {
        texts[at] = text;
    }
    texts
}

/// Returns the texts of documents that can still be read from their files, with their positions in `ids`.
fn of_files(options: &ScanOptions, sources: &Sources, ids: &[DocId]) -> Vec<(usize, String)> {
    let mut by_file: HashMap<u32, Vec<(u64, usize)>> = HashMap::new();
    for (at, id) in ids.iter().enumerate() {
        let source = sources.of(*id);
        by_file
            .entry(source.file)
            .or_default()
            .push((source.record, at));
    }
    let (walk, options) = (&options.walk, &options.read);
    by_file
        .into_par_iter()
        .flat_map_iter(|(file, asked)| {
            let path = walk.on_disk(&sources.files[file as usize]);
            // Either all documents of a file are records, or the file is one document.
            if asked.iter().any(|&(record, _)| record > 0) {
                return records(path, options, &asked);
            }
            let kind = kind_of(path, options.pre.as_ref());
            let document = read::file(path, kind, options, &mut Vec::new())
                .map(|document| document.text.into_owned());
            let copies = asked.into_iter().map(|(_, at)| at);
            document.map_or_else(
                |_| Vec::new(),
                |text| copies.map(|at| (at, text.clone())).collect(),
            )
        })
        .collect()
}

/// Returns the texts of some records of a file, up to the first one that cannot be read, with their positions in the
/// answer. `asked` has the numbers of the records and these positions.
fn records(
    path: &Path,
    options: &read::ReadOptions,
    asked: &[(u64, usize)],
) -> Vec<(usize, String)> {
    let mut found = Vec::with_capacity(asked.len());
    let mut records: HashMap<u64, Vec<usize>> = HashMap::new();
    for &(record, at) in asked {
        records.entry(record).or_default().push(at);
    }
    let Ok(Some(batches)) = Batches::open(path, Kind::of(path), options) else {
        return found;
    };
    for batch in batches.map_while(Result::ok) {
        for Numbered { number, record, .. } in batch.records(&options.fields) {
            if let Some(places) = records.get(&number)
                && let Ok(record) = record
            {
                let document = read::record(record.text, batch.encoding(), options);
                let text = document.text.into_owned();
                found.extend(places.iter().map(|&at| (at, text.clone())));
            }
        }
    }
    found
}
