//! Reads documents again, for reports that show their texts.

use std::borrow::Cow;
use std::collections::HashMap;

use rayon::prelude::*;

use crate::pages::read_again;
use crate::sources::{Row, Sources};
use crate::{Scan, ScanOptions};
use dupfind_engine::features::hash_of_text;
use dupfind_engine::{DocId, Document};
use dupfind_read::source::pre::kind_of;
use dupfind_read::{Entry, Ingested, row};

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
pub fn read_texts(options: &ScanOptions, outcome: &Scan, ids: &[DocId]) -> Vec<TextRead> {
    read_texts_of(options, &outcome.sources, &outcome.documents, ids)
}

/// As [`read_texts`], for documents with these sources.
pub(crate) fn read_texts_of(
    options: &ScanOptions,
    sources: &Sources,
    documents: &[Document],
    ids: &[DocId],
) -> Vec<TextRead> {
    let read = match &sources.texts {
        Some(texts) => {
            let rows: Vec<Row> = ids.iter().map(|&id| sources.of(id).row()).collect();
            let read = texts.read(&rows).into_iter().enumerate();
            let read = read.filter_map(|(at, text)| Some((at, text?)));
            read.filter_map(|(at, text)| Some((at, row_text(options, text)?)))
                .collect()
        }
        None => read_documents(options, sources, ids, |at, document| {
            (at, document.text.to_string())
        }),
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

/// Returns the text that counts of a row; `None` if the row is not compared.
fn row_text(options: &ScanOptions, text: String) -> Option<String> {
    let document = row(Cow::Owned(text), &options.read);
    Some(document.ok()?.text.into_owned())
}

/// Reads some documents again from their files. Returns what `take` makes of each and its position in `ids`, in any order. A
/// file of records is read once for all of its documents, and a document that cannot be read any more is left out.
pub fn read_documents<T: Send>(
    options: &ScanOptions,
    sources: &Sources,
    ids: &[DocId],
    take: impl Fn(usize, &Ingested<'_>) -> T + Sync + Send,
) -> Vec<T> {
    let mut asked: HashMap<(u32, u64), Vec<usize>> = HashMap::new();
    for (at, id) in ids.iter().enumerate() {
        let source = sources.of(*id);
        let of_document = asked.entry((source.file, source.record)).or_default();
        of_document.push(at);
    }
    let entry = |file: u32| {
        let typed = &sources.files[file as usize];
        let path = options.walk.on_disk(typed);
        Entry {
            path: path.to_owned(),
            typed: typed.clone(),
            name: String::new(),
            kind: kind_of(path, options.read.pre.as_ref()),
            is_against: false,
            has_names: false,
            is_asked_for: true,
            is_code: false,
            may_lead_elsewhere: false,
        }
    };
    let take = |document, read: &Ingested<'_>| {
        let places = asked.get(&document).into_iter().flatten();
        places.map(|&at| take(at, read)).collect::<Vec<_>>()
    };
    let wanted = asked.keys().copied().collect();
    let taken = read_again(entry, &options.read, &wanted, take);
    taken.into_iter().flatten().collect()
}
