//! Reads documents again, for reports that show what is in them.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use crate::document::DocId;
use crate::read;
use crate::read::format::Kind;
use crate::read::records::{Batches, Numbered};
use crate::read::source::pre::kind_of;
use crate::scan::ScanOptions;
use crate::scan::outcome::Outcome;

/// Takes the options of a run, what it found, and some documents; returns their texts as they stand in the
/// files, in the order asked for. A file of records is read once for all of its documents.
///
/// A document that has gone since, or that can no longer be read, has none. One that was changed since has
/// its new text: nobody else could know what it was.
#[must_use]
pub fn read_texts(options: &ScanOptions, outcome: &Outcome, ids: &[DocId]) -> Vec<Option<String>> {
    let mut by_file: HashMap<u32, Vec<(u64, usize)>> = HashMap::new();
    for (at, id) in ids.iter().enumerate() {
        let source = outcome.sources.of(*id);
        by_file
            .entry(source.file)
            .or_default()
            .push((source.record, at));
    }
    let (walk, options) = (&options.walk, &options.read);
    let read: Vec<(usize, String)> = by_file
        .into_par_iter()
        .flat_map_iter(|(file, wanted)| {
            let path = walk.on_disk(&outcome.sources.files[file as usize]);
            // All of a file's documents are records, or it is one.
            if wanted.iter().any(|&(record, _)| record > 0) {
                return records(path, options, &wanted);
            }
            let kind = kind_of(path, options.pre.as_ref());
            let document = read::file(path, kind, options, &mut Vec::new())
                .map(|document| document.text.into_owned());
            let copies = wanted.into_iter().map(|(_, at)| at);
            document.map_or_else(
                |_| Vec::new(),
                |text| copies.map(|at| (at, text.clone())).collect(),
            )
        })
        .collect();
    let mut texts = vec![None; ids.len()];
    for (at, text) in read {
        texts[at] = Some(text);
    }
    texts
}

/// The texts of some records of a file, up to the first that cannot be read.
fn records(
    path: &Path,
    options: &read::ReadOptions,
    wanted: &[(u64, usize)],
) -> Vec<(usize, String)> {
    let mut found = Vec::with_capacity(wanted.len());
    let mut records: HashMap<u64, Vec<usize>> = HashMap::new();
    for &(record, at) in wanted {
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
