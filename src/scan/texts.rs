//! Reads documents again, for reports that show what is in them.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use encoding_rs::Encoding;
use rayon::prelude::*;

use crate::decode::decode;
use crate::document::DocId;
use crate::extract::extract;
use crate::scan::outcome::Outcome;
use crate::scan::settings::Settings;
use crate::source::read::read_into;
use crate::source::records::{Batch, Batches, Fields, has_records, numbered_lines, parse};

/// Takes the settings of a run, what it found, and some documents; returns their texts as they stand in the
/// files, in the order asked for. A file of records is read once for all of its documents.
///
/// A document that has gone since, or that can no longer be read, has none. One that was changed since has
/// its new text: nobody else could know what it was.
#[must_use]
pub fn read_texts(settings: &Settings, outcome: &Outcome, ids: &[DocId]) -> Vec<Option<String>> {
    let mut by_file: HashMap<u32, Vec<(u64, usize)>> = HashMap::new();
    for (at, id) in ids.iter().enumerate() {
        let place = outcome.documents[id.index()].place;
        by_file
            .entry(place.file)
            .or_default()
            .push((place.line, at));
    }
    let limit = settings.walk.max_filesize;
    let read: Vec<(usize, String)> = by_file
        .into_par_iter()
        .flat_map_iter(|(file, wanted)| {
            let path = &outcome.files[file as usize];
            if has_records(path) {
                records(path, limit, &settings.records, &wanted)
            } else {
                let text = whole(path, limit, settings.encoding);
                let copies = wanted.into_iter().map(|(_, at)| at);
                text.map_or_else(Vec::new, |text| {
                    copies.map(|at| (at, text.clone())).collect()
                })
            }
        })
        .collect();
    let mut texts = vec![None; ids.len()];
    for (at, text) in read {
        texts[at] = Some(text);
    }
    texts
}

/// The text of a file.
fn whole(path: &Path, limit: u64, encoding: Option<&'static Encoding>) -> Option<String> {
    let mut bytes = Vec::new();
    read_into(path, limit, &mut bytes).ok()?;
    Some(extract(&decode(&bytes, encoding)?.text).into_owned())
}

/// The texts of some lines of a file of records, up to the first that cannot be read.
fn records(
    path: &Path,
    limit: u64,
    fields: &Fields,
    wanted: &[(u64, usize)],
) -> Vec<(usize, String)> {
    let mut found = Vec::with_capacity(wanted.len());
    let mut lines: HashMap<u64, Vec<usize>> = HashMap::new();
    for &(line, at) in wanted {
        lines.entry(line).or_default().push(at);
    }
    let Ok(batches): Result<Batches<File>, _> = Batches::open(path, limit) else {
        return found;
    };
    for batch in batches.map_while(Result::ok) {
        let Batch::Lines { first, bytes } = batch else {
            continue;
        };
        for (line, record) in numbered_lines(first, &bytes) {
            if let Some(places) = lines.get(&line)
                && let Ok(record) = parse(record, fields)
            {
                let text = extract(&record.text);
                found.extend(places.iter().map(|&at| (at, text.clone().into_owned())));
            }
        }
    }
    found
}
