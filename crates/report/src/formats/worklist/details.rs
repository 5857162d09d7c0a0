//! Differences of shown entries, from reading their documents again.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use rayon::prelude::*;

use crate::formats::worklist::differences::{Differences, Swapped};
use crate::model::Report;
use dupfind_decide::clean::worklist::{Entry, Kind, Worklist};
use dupfind_engine::DocId;
use dupfind_engine::Result;
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::verdict::Relation;
use dupfind_scan::Scan;
use dupfind_scan::texts::{TextRead, read_texts};

/// The most entries whose documents are read again. Nobody looks at more of them at once.
const MAX_ENTRIES: usize = 50;

/// The most text that is read again, in bytes. All of it is in memory at one time.
const MAX_TEXT: usize = 8 << 20;

/// Longer documents are not compared again. That would take half a second for each megabyte.
const LONGEST: usize = 128 << 10;

/// How many bytes of text are compared again.
const WORK: usize = 2 << 20;

/// Details from reading documents again. There are none of a document that was changed since it was compared.
#[derive(Debug, Default)]
pub(crate) struct Details {
    /// By the positions of entries.
    differences: HashMap<usize, Differences>,
}

impl Details {
    /// Reads the documents of the first entries of those that are shown, as far as there is room. `shown` is how many entries
    /// are shown that do not only sum pairs up, and how many that do.
    ///
    /// # Errors
    ///
    /// Threads cannot be started.
    pub(crate) fn read(
        report: &Report<'_>,
        list: &Worklist,
        shown: (usize, usize),
    ) -> Result<Self> {
        let numbered = || list.entries().iter().enumerate();
        let single = numbered().filter(|(_, entry)| !entry.kind.is_sum());
        let sums = numbered().filter(|(_, entry)| entry.kind.is_sum());
        let entries = single
            .take(shown.0.min(MAX_ENTRIES))
            .chain(sums.take(shown.1.min(MAX_ENTRIES)));
        let two_each: Vec<(usize, [DocId; 2])> = entries
            .filter_map(|(at, entry)| Some((at, two_of(report, list, entry)?)))
            .collect();
        in_pool(report.settings.engine.threads, || {
            let texts = texts(report, &two_each);
            Ok(Self {
                differences: compared(report, two_each, &texts),
            })
        })
    }

    /// Returns the differences of the documents of an entry, by its position.
    pub(super) fn differences(&self, entry: usize) -> Option<&Differences> {
        self.differences.get(&entry)
    }
}

/// Returns the two documents of an entry that has two, but for copies, and the two of variants that are most alike.
fn two_of(report: &Report<'_>, list: &Worklist, entry: &Entry) -> Option<[DocId; 2]> {
    let pairs = report.pairs.unwrap_or_default();
    match (entry.kind, list.members(entry)) {
        (Kind::Group, [member]) if pairs[member.pair].relation() != Relation::Exact => {
            Some([entry.document, member.document])
        }
        (Kind::Variants, [first, ..]) => Some([pairs[first.pair].a, pairs[first.pair].b]),
        _ => None,
    }
}

/// Reads the documents of pairs again, as far as there is room.
fn texts<K>(report: &Report<'_>, two_each: &[(K, [DocId; 2])]) -> HashMap<DocId, TextRead> {
    let ids = with_room(report.outcome, two_each.iter().flat_map(|(_, two)| *two));
    let read = read_texts(report.settings, report.outcome, &ids).into_iter();
    ids.into_iter().zip(read).collect()
}

/// Returns as many of the documents as there is room for, each once.
fn with_room(outcome: &Scan, documents: impl Iterator<Item = DocId>) -> Vec<DocId> {
    let mut room = MAX_TEXT;
    let mut seen = HashSet::new();
    let has_room = |id: &DocId| {
        let left = room.checked_sub(outcome.documents[id.index()].length);
        let is_new = left.is_some() && seen.insert(*id);
        room = left.filter(|_| is_new).unwrap_or(room);
        is_new
    };
    documents.filter(has_room).collect()
}

/// Returns the words that are swapped most often in variants, by their documents: in the first ones of so many pairs that are
/// shown. The documents are read again.
///
/// # Errors
///
/// Threads cannot be started.
pub(crate) fn swapped(report: &Report<'_>, shown: usize) -> Result<HashMap<[DocId; 2], Swapped>> {
    let pairs = report.pairs.unwrap_or_default().iter();
    let listed = pairs.filter(|pair| report.gate.is_open(pair)).take(shown);
    let variants = listed.filter(|pair| pair.relation() == Relation::Variant);
    let variants: Vec<_> = variants
        .map(|pair| [pair.a, pair.b])
        .take(MAX_ENTRIES)
        .map(|two| (two, two))
        .collect();
    if variants.is_empty() {
        return Ok(HashMap::new());
    }
    in_pool(report.settings.engine.threads, || {
        let texts = texts(report, &variants);
        let found = compared(report, variants, &texts).into_iter();
        Ok(found
            .filter_map(|(two, found)| Some((two, found.swap?)))
            .collect())
    })
}

/// Compares two documents each, as far as there is time.
fn compared<K: Eq + Hash + Send>(
    report: &Report<'_>,
    two_each: impl IntoIterator<Item = (K, [DocId; 2])>,
    texts: &HashMap<DocId, TextRead>,
) -> HashMap<K, Differences> {
    let text = |id: DocId| {
        texts
            .get(&id)?
            .as_deref()
            .ok()
            .filter(|text| text.len() <= LONGEST)
    };
    let mut work = WORK;
    let mut wanted = Vec::new();
    for (key, two) in two_each {
        if let [Some(a), Some(b)] = two.map(text)
            && let Some(left) = work.checked_sub(a.len() + b.len())
        {
            work = left;
            let format = report.outcome.sources.of(two[0]).format;
            wanted.push((key, (a, format), b));
        }
    }
    let compared = wanted
        .into_par_iter()
        .map(|(key, a, b)| (key, Differences::new(a, b, report.settings)));
    compared.collect()
}
