//! The facts of an index about the files of a scan: unchanged files are not read, and of files that are read again only
//! new texts are cut.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dupfind_engine::Features;
use dupfind_engine::features::collection::{Gathered, Gathering};
use dupfind_index::{
    Catalog, Index, KeptDocument, KnownFile, KnownOutcome, Origin, Stamp, is_lasting,
};
use dupfind_read::source::read::hash;
use dupfind_read::{Entry, Format, Kind, STDIN, SkipReason};
use encoding_rs::Encoding;
use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed, xxh3_128_with_seed};

use crate::document::{FileFacts, ForIndex, ReadDocument, ReadOutcome, RefusedByEntry};

/// A file that was changed so shortly before it was looked at may be changed again without another time.
const UNSETTLED: Duration = Duration::from_secs(2);

/// Any outcome, for a moment in the place of one that is replaced.
const PLACEHOLDER: ReadOutcome<Gathered> = ReadOutcome::Skipped(SkipReason::Empty, String::new());

/// The files and documents of an index.
#[derive(Debug)]
pub(crate) struct KnownFiles {
    index: Index,
    /// The documents of each file, by its number.
    by_file: HashMap<u32, Vec<usize>>,
    /// The documents that were read from files, by content and number of the record, as positions in the index.
    by_content: OnceLock<Vec<(u128, u64, usize)>>,
}

impl KnownFiles {
    /// Returns the files and documents of an index.
    pub(crate) fn of(index: Index) -> Self {
        let mut by_file: HashMap<u32, Vec<usize>> = HashMap::new();
        for (at, kept) in index.all().iter().enumerate() {
            by_file.entry(kept.file).or_default().push(at);
        }
        Self {
            index,
            by_file,
            by_content: OnceLock::new(),
        }
    }

    /// Returns the files.
    pub(crate) fn catalog(&self) -> &Catalog {
        self.index.catalog()
    }

    /// Returns the documents.
    pub(crate) fn documents(&self) -> &[KeptDocument] {
        self.index.all()
    }

    /// Returns the facts about a file, and whether the index has all of its content; `None` if that is not known.
    pub(crate) fn look_at(&self, entry: &Entry, is_document: bool) -> Option<FileFacts> {
        if entry.typed == Path::new(STDIN) || entry.kind.format == Format::Pre {
            return None;
        }
        let stamp = stamp(&entry.path)?;
        let before = self.catalog().files.get(&entry.name);
        let before = before.filter(|file| self.is_complete(file, is_document));
        let facts = |content, is_known| FileFacts {
            stamp,
            content,
            is_document,
            is_known,
        };
        if let Some(file) = before.filter(|file| stamp.shows_no_change(file.stamp)) {
            return Some(facts(file.content, true));
        }
        let content = hash(&entry.path).ok()?;
        let is_known = before.is_some_and(|file| file.content == content);
        Some(facts(content, is_known))
    }

    /// Returns whether the index has all of the content that a file had when it was read.
    fn is_complete(&self, file: &KnownFile, is_document: bool) -> bool {
        let count = self.by_file.get(&file.number).map_or(0, Vec::len);
        match file.outcome {
            KnownOutcome::Document => is_document && count == 1,
            KnownOutcome::Records => !is_document && file.content != 0,
            KnownOutcome::Skipped(..) => is_document,
        }
    }

    /// Returns the content of a file that is one document. `is_known` is whether the index has it under this name. If not,
    /// `content` may be that of another file of the index.
    pub(crate) fn file<T>(
        &self,
        entry: &Entry,
        is_known: bool,
        content: u128,
    ) -> Option<ReadOutcome<T>> {
        if !is_known {
            let at = self.of_content(content)?;
            let kept = &self.documents()[at];
            let is_same_kind = kept.origin.record == 0
                && Kind::of(Path::new(&kept.name)) == entry.kind
                && !entry.kind.may_hold_records();
            return is_same_kind.then(|| self.known(at));
        }
        let file = &self.catalog().files[&entry.name];
        Some(match &file.outcome {
            KnownOutcome::Skipped(reason, detail) => ReadOutcome::Skipped(*reason, detail.clone()),
            _ => self.known(self.by_file[&file.number][0]),
        })
    }

    /// Returns the record of a content, if there is one in any file.
    pub(crate) fn record<T>(&self, content: u128) -> Option<ReadOutcome<T>> {
        let at = self.of_content(content)?;
        (self.documents()[at].origin.record > 0).then(|| self.known(at))
    }

    /// Returns the documents of a file of records. `number` is that of the entry.
    pub(crate) fn records<T>(&self, number: usize, entry: &Entry) -> Vec<ReadDocument<T>> {
        let file = &self.catalog().files[&entry.name];
        let own = self.by_file.get(&file.number).into_iter().flatten();
        let documents = own.map(|&at| {
            let KeptDocument {
                name,
                origin,
                content,
                ..
            } = &self.documents()[at];
            ReadDocument {
                for_index: Some(Box::new(ForIndex {
                    own_name: origin.own_name.as_ref().unwrap_or(name).clone(),
                    content: *content,
                })),
                name: origin.own_name.as_ref().unwrap_or(name).clone(),
                place: (number, origin.record, origin.lines),
                has_id: origin.has_id,
                outcome: self.known(at),
            }
        });
        documents.collect()
    }

    /// Returns the outcome of a document that is not read again, by its position.
    fn known<T>(&self, at: usize) -> ReadOutcome<T> {
        ReadOutcome::Known(self.documents()[at].origin.reading, at)
    }

    /// Returns the content, the number of the record and the position of each document, sorted.
    fn by_content(&self) -> &[(u128, u64, usize)] {
        self.by_content.get_or_init(|| {
            let files = self.documents().iter().zip(0..);
            let files = files.filter(|(kept, _)| kept.file > 0);
            let key = |(kept, at): (&KeptDocument, usize)| (kept.content, kept.origin.record, at);
            let mut all: Vec<_> = files.map(key).collect();
            all.par_sort_unstable();
            all
        })
    }

    /// Returns the position of the first document of a content; `None` if there is none, or if the content is 0.
    fn of_content(&self, content: u128) -> Option<usize> {
        let all = self.by_content();
        let first = all.get(all.partition_point(|known| known.0 < content))?;
        (first.0 == content && content != 0).then_some(first.2)
    }

    /// Returns the documents with the content of one and this number of a record, as positions in
    /// the index.
    pub(crate) fn copies(&self, at: usize, record: u64) -> impl Iterator<Item = usize> {
        let key = (self.documents()[at].content, record);
        let all = self.by_content();
        let first = all.partition_point(|known| (known.0, known.1) < key);
        let copies = all[first..]
            .iter()
            .take_while(move |known| (known.0, known.1) == key);
        copies.map(|known| known.2)
    }

    /// Takes the features of the documents in `wanted` from the index.
    pub(crate) fn load(
        &self,
        gathering: &Gathering,
        documents: &mut [ReadDocument<Gathered>],
        wanted: &[bool],
    ) {
        let mut is_asked = vec![false; self.documents().len()];
        for (document, _) in documents.iter().zip(wanted).filter(|(_, wanted)| **wanted) {
            if let ReadOutcome::Known(_, known) = document.outcome {
                is_asked[known] = true;
            }
        }
        let sets = self.index.sets(&is_asked);
        let mut worker = gathering.worker();
        let wanted = documents
            .iter_mut()
            .zip(wanted)
            .filter(|(_, wanted)| **wanted);
        for (ReadDocument { outcome, .. }, _) in wanted {
            *outcome = match std::mem::replace(outcome, PLACEHOLDER) {
                ReadOutcome::Known(reading, known) => {
                    let features = Features {
                        facts: self.documents()[known].facts.clone(),
                        shingles: sets[known].clone(),
                    };
                    ReadOutcome::Done(reading, worker.add_features(features))
                }
                other => other,
            };
        }
    }
}

/// Returns when a file was changed. Programs may set another time than the true one. Where the system also keeps the
/// time of the last change of any kind, it is that time.
#[cfg(unix)]
pub(crate) fn changed(metadata: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    let nanos = u32::try_from(metadata.ctime_nsec()).ok()?;
    UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))
}

#[cfg(not(unix))]
pub(crate) fn changed(metadata: &Metadata) -> Option<SystemTime> {
    metadata.modified().ok()
}

/// Returns the stamp of a file.
fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    let modified = changed(&metadata)?;
    let is_settled = SystemTime::now()
        .duration_since(modified)
        .is_ok_and(|age| age > UNSETTLED);
    let modified = modified.duration_since(UNIX_EPOCH).ok()?;
    Some(Stamp {
        size: metadata.len(),
        modified: u64::try_from(modified.as_nanos())
            .ok()
            .filter(|_| is_settled)
            .unwrap_or(0),
    })
}

/// Returns the hash of a record with a text and perhaps a title. `encoding` is that of its file.
pub(crate) fn hash_of_record(text: &str, title: Option<&str>, encoding: &'static Encoding) -> u128 {
    let of_file = xxh3_64(encoding.name().as_bytes());
    let seed = title.map_or(of_file, |title| {
        xxh3_64_with_seed(title.as_bytes(), of_file)
    });
    xxh3_128_with_seed(text.as_bytes(), seed)
}

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
