//! Documents on their way from an entry to a collection.

use std::collections::BTreeMap;

use crate::document::SkipReason;
use crate::engine::collection::Gathered;
use crate::index::catalog::Stamp;
use crate::read::format::Format;
use crate::scan::refused_records::RefusedRecords;

/// The records that are not compared, by the numbers of their entries.
pub(super) type RefusedByEntry = BTreeMap<usize, RefusedRecords<ReadDocument>>;

/// What all entries gave.
pub(super) struct ReadEntries {
    /// The documents in any order, without the records that are not compared.
    pub(super) documents: Vec<ReadDocument>,
    /// The records that are not compared, by the numbers of their entries.
    pub(super) refused: RefusedByEntry,
    /// What an index is to know of the files, by the numbers of their entries; empty without an index.
    pub(super) facts: BTreeMap<usize, FileFacts>,
}

/// A document that was read, or what became of it.
pub(super) struct ReadDocument {
    pub(super) name: String,
    /// The numbers of its entry, of its record and of its first and last line. Documents of one name are ordered by
    /// it.
    pub(super) place: (usize, u64, (u64, u64)),
    /// Whether it is a record with an id of its own.
    pub(super) has_id: bool,
    /// What only an index needs. There may be very many documents, so it takes little room without one.
    pub(super) for_index: Option<Box<ForIndex>>,
    pub(super) outcome: ReadOutcome,
}

pub(super) enum ReadOutcome {
    Done(Content, Gathered),
    /// An index has its features. The last value is its position in the documents of the index that is asked.
    Known(Content, usize),
    /// It cannot be compared. The last value says more, and may be empty.
    Skipped(SkipReason, String),
}

/// What an index is to know of a document.
#[derive(Debug, Default)]
pub(super) struct ForIndex {
    /// Its name before names that several records have are told apart.
    pub(super) own_name: String,
    /// A hash of what it was read from.
    pub(super) content: u128,
}

/// What is kept of the content of a document besides its features.
pub(super) struct Content {
    pub(super) bytes: usize,
    pub(super) format: Format,
    pub(super) encoding: &'static str,
    pub(super) is_repaired: bool,
    /// What it says to this program, if that cannot be understood.
    pub(super) unclear_wish: Option<Box<str>>,
}

/// What an index is to know of a file.
#[derive(Debug)]
pub(super) struct FileFacts {
    pub(super) stamp: Stamp,
    /// A hash of its bytes.
    pub(super) content: u128,
    /// Whether it is one document, and not a file of records.
    pub(super) is_document: bool,
    /// Whether the index has all that is in it.
    pub(super) is_known: bool,
}
