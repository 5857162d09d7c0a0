//! Reads the documents of a scan one by one, for what looks at their texts and not at their features.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use crate::ScanOptions;
use crate::document::record_warnings::RecordPlace;
use crate::document::refused_records::RefusedRecords;
use crate::outcome::Source;
use dupfind_engine::document::{Note, Skipped};
use dupfind_engine::error::{Error, Result};
use dupfind_engine::pairing::observer::{Observer, Stage};
use dupfind_engine::text::blocks::Layout;
use dupfind_read as read;
use dupfind_read::named::number_repeats;
use dupfind_read::records::{Batch, Batches, Numbered, Record, Refused};
use dupfind_read::source::walk::{Entry, walk};
use dupfind_read::{Ingested, ReadOptions};

/// A document that was read, and the result of its text.
#[derive(Debug)]
pub struct Page<T> {
    /// Its name.
    pub name: String,
    /// Where it was read from.
    pub source: Source,
    /// What was made of its text.
    pub value: T,
}

/// The documents of a scan.
#[derive(Debug)]
pub struct Pages<T> {
    /// The documents, by name.
    pub pages: Vec<Page<T>>,
    /// The files they were read from.
    pub entries: Vec<Entry>,
    /// What was not read, by name.
    pub skipped: Vec<Skipped>,
    /// What to know about single documents, by name.
    pub notes: Vec<Note>,
    /// What was wrong with ignore files.
    pub warnings: Vec<String>,
}

impl<T> Pages<T> {
    /// Returns the documents, and separately the result of each.
    #[must_use]
    pub fn split(self) -> (Pages<()>, Vec<T>) {
        let (pages, values) = self
            .pages
            .into_iter()
            .map(|page| {
                let Page {
                    name,
                    source,
                    value,
                } = page;
                let page = Page {
                    name,
                    source,
                    value: (),
                };
                (page, value)
            })
            .unzip();
        let pages = Pages {
            pages,
            entries: self.entries,
            skipped: self.skipped,
            notes: self.notes,
            warnings: self.warnings,
        };
        (pages, values)
    }
}

/// Returns the documents of a scan, with what `make` makes of the text of each. `worker` is called for each thread.
///
/// # Errors
///
/// A glob does not parse, there are too many documents, or the observer stops the run.
pub fn read_pages<T: Send, W>(
    options: &ScanOptions,
    observer: &dyn Observer,
    worker: impl Fn() -> W + Sync + Send,
    make: impl Fn(&mut W, &str, &Layout) -> T + Sync + Send,
) -> Result<Pages<T>> {
    observer.stage(Stage::Walk, None);
    let reading = &options.read;
    let found = walk(&options.walk, reading.max_filesize, reading.pre.as_ref())?;
    let mut pages = Pages {
        pages: Vec::new(),
        entries: found.entries,
        skipped: found.skipped,
        notes: Vec::new(),
        warnings: found.warnings,
    };
    let has_records = pages.entries.iter().any(|e| e.kind.may_hold_records());
    let total = (!has_records).then_some(pages.entries.len() as u64);
    observer.stage(Stage::Read, total);
    let outcomes = read_all(&pages.entries, reading, None, Some(observer), worker, make);
    if observer.is_stopped() {
        return Err(Error::Stopped);
    }
    if outcomes.len() as u64 > reading.max_documents {
        return Err(Error::DocumentsBeyondMemory {
            limit: reading.max_documents,
        });
    }
    let mut refused_records: BTreeMap<usize, RefusedRecords<Skipped>> = BTreeMap::new();
    for outcome in outcomes {
        let Read {
            name,
            source,
            result,
        } = outcome;
        match result {
            Ok((value, notes)) => {
                pages.notes.extend(notes);
                pages.pages.push(Page {
                    name,
                    source,
                    value,
                });
            }
            Err((reason, detail)) if source.is_record() => {
                let at = RecordPlace {
                    line: source.line,
                    number: source.record,
                };
                let of_file = refused_records.entry(source.file as usize).or_default();
                of_file.add(at, reason, Skipped::new(name, reason, detail));
            }
            Err((reason, detail)) => pages.skipped.push(Skipped::new(name, reason, detail)),
        }
    }
    for (file, records) in refused_records {
        let (first, rest) = records.listed(&pages.entries[file].name);
        pages.skipped.extend(first.chain(rest));
    }
    let in_order = |page: &Page<T>| (page.source.file, page.source.record);
    let by_name = |x: &Page<T>, y: &Page<T>| (&x.name, in_order(x)).cmp(&(&y.name, in_order(y)));
    pages.pages.par_sort_unstable_by(by_name);
    while number_repeats(&mut pages.pages, |page| {
        (&mut page.name, page.source.record)
    }) {
        pages.pages.par_sort_unstable_by(by_name);
    }
    pages.skipped.sort_unstable();
    pages.notes.sort_unstable();
    Ok(pages)
}

/// Reads some documents again and calls `take` with the text of each, in any order. `wanted` has the numbers of files
/// and records. A document that cannot be read any more is left out.
pub fn read_again<T: Send>(
    entries: &[Entry],
    options: &ReadOptions,
    wanted: &HashSet<(u32, u64)>,
    take: impl Fn((u32, u64), &str, &Layout) -> T + Sync + Send,
) -> Vec<T> {
    let text = |(): &mut (), text: &str, layout: &Layout| (text.to_owned(), layout.clone());
    let read = read_all(entries, options, Some(wanted), None, || (), text);
    let read = read.into_par_iter().filter_map(|read| {
        let ((text, layout), _) = read.result.ok()?;
        Some(take((read.source.file, read.source.record), &text, &layout))
    });
    read.collect()
}

/// A document, or why it was not read.
struct Read<T> {
    name: String,
    source: Source,
    result: std::result::Result<(T, Vec<Note>), Refused>,
}

enum Item<'e> {
    File(u32, &'e Entry),
    Records(u32, &'e Entry, std::result::Result<Batch, Refused>),
}

fn items<'e>(
    number: u32,
    entry: &'e Entry,
    options: &ReadOptions,
) -> Box<dyn Iterator<Item = Item<'e>> + Send + 'e> {
    if !entry.kind.may_hold_records() {
        return Box::new(std::iter::once(Item::File(number, entry)));
    }
    match Batches::open(&entry.path, entry.kind, options) {
        Ok(Some(batches)) => {
            Box::new(batches.map(move |batch| Item::Records(number, entry, batch)))
        }
        Ok(None) => Box::new(std::iter::once(Item::File(number, entry))),
        Err(error) => Box::new(std::iter::once(Item::Records(number, entry, Err(error)))),
    }
}

fn read_all<T: Send, W>(
    entries: &[Entry],
    options: &ReadOptions,
    wanted: Option<&HashSet<(u32, u64)>>,
    observer: Option<&dyn Observer>,
    worker: impl Fn() -> W + Sync + Send,
    make: impl Fn(&mut W, &str, &Layout) -> T + Sync + Send,
) -> Vec<Read<T>> {
    let files: Option<HashSet<u32>> =
        wanted.map(|wanted| wanted.iter().map(|&(file, _)| file).collect());
    let numbered = entries.iter().zip(0_u32..);
    let numbered = numbered.filter(|(_, number)| files.as_ref().is_none_or(|f| f.contains(number)));
    let is_stopped = || observer.is_some_and(Observer::is_stopped);
    let is_wanted = |file: u32, record: u64| wanted.is_none_or(|w| w.contains(&(file, record)));
    let read = |(worker, buffer): &mut (W, Vec<u8>), item: Item<'_>| -> Vec<Read<T>> {
        if is_stopped() {
            return Vec::new();
        }
        let mut made = |name: &str, document: Ingested<'_>| {
            let notes = document.notes(name)?;
            Ok((make(worker, &document.text, &document.layout), notes))
        };
        let read = match item {
            Item::File(number, entry) => {
                let mut source = source(number, entry);
                let document = read::file(&entry.path, entry.kind, options, buffer);
                let result = document.and_then(|document| {
                    (source.format, source.encoding) = (document.format, document.encoding);
                    made(&entry.name, document)
                });
                buffer.shrink_to(4 << 20);
                let name = entry.name.clone();
                vec![Read {
                    name,
                    source,
                    result,
                }]
            }
            Item::Records(number, entry, Err(refused)) => vec![Read {
                name: entry.name.clone(),
                source: source(number, entry),
                result: Err(refused),
            }],
            Item::Records(file, entry, Ok(batch)) => {
                let records = batch.records(&options.fields);
                let records = records.filter(|record| is_wanted(file, record.number));
                let read = |Numbered {
                                number,
                                lines,
                                record,
                            }| {
                    let (id, document) = match record {
                        Err(refused) => (None, Err(refused)),
                        Ok(Record { text, id }) => {
                            (id, Ok(read::record(text, batch.encoding(), options)))
                        }
                    };
                    let id = id.unwrap_or_else(|| number.to_string().into());
                    let name = format!("{}#{id}", entry.name);
                    let mut source = source(file, entry);
                    (source.record, source.line, source.last_line) = (number, lines.0, lines.1);
                    let result = document.and_then(|document| {
                        options.check_expansion(&document.text)?;
                        (source.format, source.encoding) = (document.format, document.encoding);
                        made(&name, document)
                    });
                    Read {
                        name,
                        source,
                        result,
                    }
                };
                records.map(read).collect()
            }
        };
        if let Some(observer) = observer {
            read.iter().for_each(|_| observer.advance());
        }
        read
    };
    let read: Vec<Vec<Read<T>>> = numbered
        .flat_map(|(entry, number)| items(number, entry, options))
        .par_bridge()
        .map_init(|| (worker(), Vec::new()), read)
        .collect();
    read.into_iter().flatten().collect()
}

fn source(file: u32, entry: &Entry) -> Source {
    Source {
        is_against: entry.is_against,
        format: entry.kind.format,
        ..Source::of_file(file)
    }
}
