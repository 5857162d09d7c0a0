//! Documents on their way from an entry to a collection.

use std::collections::BTreeMap;

use crate::document::refused_records::RefusedRecords;
use dupfind_index::catalog::Stamp;
use dupfind_read::format::Format;
use dupfind_read::skipped::SkipReason;

/// The records that are not compared, by the numbers of their entries.
pub(crate) type RefusedByEntry<T> = BTreeMap<usize, RefusedRecords<ReadDocument<T>>>;

/// The documents of all entries. `T` is the type of the value that was made of each document.
pub(crate) struct ReadEntries<T> {
    /// The documents in any order, without the records that are not compared.
    pub(crate) documents: Vec<ReadDocument<T>>,
    /// The records that are not compared, by the numbers of their entries.
    pub(crate) refused: RefusedByEntry<T>,
    /// The facts about the files for an index, by the numbers of their entries; empty without an index.
    pub(crate) facts: BTreeMap<usize, FileFacts>,
}

/// A document that was read, or skipped.
pub(crate) struct ReadDocument<T> {
    /// Its name in reports.
    pub(crate) name: String,
    /// The numbers of its entry, of its record and of its first and last line. Documents of one name are ordered by
    /// it.
    pub(crate) place: (usize, u64, (u64, u64)),
    /// Whether it is a record with an id of its own.
    pub(crate) has_id: bool,
    /// The data that only an index needs. There may be very many documents, so it needs little room without one.
    pub(crate) for_index: Option<Box<ForIndex>>,
    /// Its outcome.
    pub(crate) outcome: ReadOutcome<T>,
}

/// The outcome of reading a document.
pub(crate) enum ReadOutcome<T> {
    /// It was read. The last value was made of it.
    Done(Content, T),
    /// An index has its features. The last value is its position in the documents of the index.
    Known(Content, usize),
    /// It cannot be compared. The last value has details, and may be empty.
    Skipped(SkipReason, String),
}

/// The data about a document for an index, beside its features.
#[derive(Debug, Default)]
pub(crate) struct ForIndex {
    /// Its name before names that several records have are distinguished.
    pub(crate) own_name: String,
    /// A hash of the bytes it was read from.
    pub(crate) content: u128,
}

/// Facts about the content of a document, which are kept besides its features.
pub(crate) struct Content {
    /// How many bytes were read for it.
    pub(crate) bytes: usize,
    /// The format it was read as.
    pub(crate) format: Format,
    /// The name of the encoding it was decoded from.
    pub(crate) encoding: &'static str,
    /// Whether bytes that are invalid in that encoding were replaced.
    pub(crate) is_repaired: bool,
}

/// The facts about a file for an index.
#[derive(Debug)]
pub(crate) struct FileFacts {
    /// Its size and time when it was read.
    pub(crate) stamp: Stamp,
    /// A hash of its bytes.
    pub(crate) content: u128,
    /// Whether it is one document, and not a file of records.
    pub(crate) is_document: bool,
    /// Whether the index has all of its content.
    pub(crate) is_known: bool,
}
