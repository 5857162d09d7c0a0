//! The findings of a reading of files that are to be stored in the index.

use std::collections::{BTreeMap, HashSet};

use crate::document::{FileFacts, ReadDocument, ReadOutcome, RefusedByEntry};
use crate::known::KnownFiles;
use dupfind_engine::features::collection::Gathered;
use dupfind_index::{KeptDocument, KnownOutcome, Origin, is_lasting};
use dupfind_read::Entry;

/// The facts about files that were read, and their documents, for the index.
#[derive(Debug)]
pub(crate) struct ToStore {
    pub(crate) entries: Vec<Entry>,
    /// The facts about the files for the index, by the numbers of their entries.
    pub(crate) facts: BTreeMap<usize, FileFacts>,
    /// The outcomes of the files, by the numbers of their entries.
    pub(crate) outcomes: BTreeMap<usize, KnownOutcome>,
    /// Entries that are to be read again the next time, whether they have changed or not.
    pub(crate) unsettled: HashSet<usize>,
    /// The documents that the index has and that stay as they are, as positions in the index.
    pub(crate) kept: HashSet<usize>,
    /// The other documents that are compared.
    pub(crate) fresh: Vec<Fresh>,
}

/// A document that the index does not have in this form.
#[derive(Debug)]
pub(crate) struct Fresh {
    /// Its position in the collection.
    pub(crate) position: u32,
    pub(crate) entry: usize,
    pub(crate) content: u128,
    pub(crate) origin: Origin,
}

impl ToStore {
    /// Notes the outcomes of entries. `documents` are all documents before their names are distinguished.
    pub(crate) fn new(
        entries: Vec<Entry>,
        facts: BTreeMap<usize, FileFacts>,
        documents: &[ReadDocument<Gathered>],
        refused: &RefusedByEntry<Gathered>,
    ) -> Self {
        let mut to_store = Self {
            outcomes: BTreeMap::new(),
            unsettled: HashSet::new(),
            kept: HashSet::new(),
            fresh: Vec::new(),
            facts,
            entries,
        };
        for (&entry, facts) in &to_store.facts {
            if !facts.is_document {
                // Nothing is kept of records that are not compared: such a file is read again.
                if refused.contains_key(&entry) {
                    to_store.unsettled.insert(entry);
                }
                to_store.outcomes.insert(entry, KnownOutcome::Records);
            }
        }
        for document in documents {
            let (entry, record, _) = document.place;
            let Some(facts) = to_store.facts.get(&entry) else {
                continue;
            };
            match &document.outcome {
                ReadOutcome::Skipped(..) if !facts.is_document && record == 0 => {
                    to_store.unsettled.insert(entry);
                }
                ReadOutcome::Skipped(reason, detail)
                    if facts.is_document && is_lasting(*reason) =>
                {
                    let outcome = KnownOutcome::Skipped(*reason, detail.clone());
                    to_store.outcomes.insert(entry, outcome);
                }
                ReadOutcome::Skipped(..) => {}
                _ if facts.is_document => {
                    to_store.outcomes.insert(entry, KnownOutcome::Document);
                }
                _ => {}
            }
        }
        to_store
    }

    /// Notes a document whose content the index has, at a position. Returns whether a document stays in the index as it
    /// is.
    pub(crate) fn keep(
        &mut self,
        files: &KnownFiles,
        document: &ReadDocument<Gathered>,
        at: usize,
    ) -> bool {
        let entry = &self.entries[document.place.0].name;
        let (Some(known), Some(for_index)) =
            (files.catalog().files.get(entry), &document.for_index)
        else {
            return false;
        };
        let (number, own_name) = (known.number, &for_index.own_name);
        let is_same = |at: usize| {
            let kept: &KeptDocument = &files.documents()[at];
            let origin = &kept.origin;
            let (_, record, lines) = document.place;
            kept.file == number
                && kept.name == document.name
                && origin.own_name.as_ref().unwrap_or(&kept.name) == own_name
                && (origin.record, origin.lines) == (record, lines)
                && origin.has_id == document.has_id
        };
        // Several documents may have one content.
        let mut all = std::iter::once(at).chain(files.copies(at, document.place.1));
        all.find(|&at| is_same(at))
            .is_some_and(|same| self.kept.insert(same))
    }

    /// Notes a document that is compared and goes into the index. `position` is its position in the collection.
    pub(crate) fn add(&mut self, document: &ReadDocument<Gathered>, position: usize) {
        let ReadOutcome::Done(reading, _) = document.outcome else {
            return;
        };
        let (entry, record, lines) = document.place;
        let Some(for_index) = &document.for_index else {
            return;
        };
        self.fresh.push(Fresh {
            position: u32::try_from(position).unwrap_or(u32::MAX),
            entry,
            content: for_index.content,
            origin: Origin {
                own_name: Some(for_index.own_name.clone()).filter(|own| *own != document.name),
                record,
                lines,
                has_id: document.has_id,
                reading,
            },
        });
    }
}
