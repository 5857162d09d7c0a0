//! Cuts records into parts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::stream::seen::parts::PartCutter;
use crate::stream::{CutRecord, Event, Records, StreamOptions};
use dupfind_engine::text::segmenter::Segmenter;
use dupfind_read::records::endless::{Chunk, Line, parse};
use dupfind_read::records::{Record, Refused};
use dupfind_read::skipped::{SkipReason, Skipped};
use encoding_rs::UTF_8;
use serde_json::Value;

/// Cuts the records of chunks into parts and sends them, until there are no more chunks or the other side is closed.
pub(super) fn cut_records(
    chunks: &Receiver<Result<Chunk, Refused>>,
    to: &SyncSender<Event>,
    settings: &StreamOptions,
    workers: &ThreadPool,
) {
    let segmenter = Segmenter::new();
    for chunk in chunks {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(refused) => {
                let _ = to.send(Event::Failed(refused));
                return;
            }
        };
        let lines = (0..chunk.len()).into_par_iter();
        let records = workers.install(|| {
            let records = lines.map_init(
                || PartCutter::new(settings.cutting),
                |cutter, at| cut(chunk.line(at), settings, cutter, &segmenter),
            );
            records.collect()
        });
        if to.send(Event::Records(Records { chunk, records })).is_err() {
            return;
        }
    }
}

/// Returns the record in a line, cut into parts.
fn cut(
    line: Line<'_>,
    settings: &StreamOptions,
    cutter: &mut PartCutter,
    segmenter: &Segmenter,
) -> CutRecord {
    let name = format!("line {}", line.number);
    let skipped = |reason, detail: String| Skipped::new(name.as_str(), reason, detail);
    let without_id = |skipped| CutRecord {
        id: None,
        parts: Err(skipped),
        fields: None,
        note: None,
    };
    let bytes = match line.content {
        Ok(bytes) => bytes,
        Err(reason) => return without_id(skipped(reason, String::new())),
    };
    let encoding = settings.read.encoding.unwrap_or(UTF_8);
    let decoded;
    let bytes = if encoding == UTF_8 {
        // Also where no text is read, because the line is passed on as it came.
        if let Err(error) = str::from_utf8(bytes) {
            let column = error.valid_up_to() + 1;
            let detail = format!("not valid UTF-8 at column {column}");
            return without_id(skipped(SkipReason::Malformed, detail));
        }
        bytes
    } else {
        // Each line is decoded by itself: lines are passed on as they came.
        decoded = encoding.decode_without_bom_handling(bytes).0;
        decoded.as_bytes()
    };
    let Record { text, id, title } = match parse(bytes, &settings.read.fields) {
        Ok(record) => record,
        Err((reason, detail)) => {
            let fields = fields_of_sound_object(bytes);
            let refused = skipped(reason, detail);
            return CutRecord {
                fields,
                ..without_id(refused)
            };
        }
    };
    let id = id.map(Cow::into_owned);
    let document = dupfind_read::record(text, title, encoding, &settings.read);
    let (parts, note) = match document.note(&name) {
        Err((reason, detail)) => (Err(skipped(reason, detail)), None),
        Ok(note) => match cutter.parts(&document.text, segmenter) {
            parts if parts.is_empty() => (Err(skipped(SkipReason::Empty, String::new())), note),
            parts => (Ok(parts), note),
        },
    };
    CutRecord {
        id,
        parts,
        fields: None,
        note,
    }
}

/// Returns the names of the fields of a JSON object. `None` if it is something else, or if a value in it cannot be decoded:
/// such a line is not passed on.
fn fields_of_sound_object(bytes: &[u8]) -> Option<Vec<String>> {
    let fields: BTreeMap<String, Value> = serde_json::from_slice(bytes).ok()?;
    Some(fields.into_keys().collect())
}
