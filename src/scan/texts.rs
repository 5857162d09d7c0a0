//! Reads documents again, for reports that show their texts.

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

/// Returns the texts of some documents of a scan, in the order of `ids`. A file of records is read once for all of its
/// documents.
///
/// The text is `None` if the document is gone or cannot be read any more. It is the new text if the document was
/// changed after the scan.
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
        .flat_map_iter(|(file, asked)| {
            let path = walk.on_disk(&outcome.sources.files[file as usize]);
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
        .collect();
    let mut texts = vec![None; ids.len()];
    for (at, text) in read {
        texts[at] = Some(text);
    }
    texts
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
