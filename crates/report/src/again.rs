//! Documents of a report that are read and compared again, for what the scan does not keep: their shared passages.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use dupfind_decide::compare::side::Side;
use dupfind_decide::{Shared, find_passages};
use dupfind_engine::{DocId, Result, in_pool};
use dupfind_scan::{Scan, read_texts};

/// How much is read and compared again, in bytes. Half a second is needed for each megabyte.
pub(crate) struct Limits {
    /// All texts together, which are in memory at one time.
    pub(crate) room: usize,
    /// A text.
    pub(crate) longest: usize,
    /// What is compared; each text counts with each other one.
    pub(crate) work: usize,
}

/// Reads two documents each again, as far as the limits allow. Returns what `make` makes of their passages. Documents that
/// were changed since they were compared are left out.
///
/// # Errors
///
/// Threads cannot be started.
pub(crate) fn compared<K: Send, T: Send>(
    outcome: &Scan,
    two_each: Vec<(K, [DocId; 2])>,
    limits: &Limits,
    make: impl Fn(&Side<'_>, &Side<'_>, &Shared) -> T + Sync + Send,
) -> Result<Vec<(K, T)>> {
    let length = |id: DocId| outcome.documents[id.index()].length;
    let pairs = two_each.iter().map(|(_, two)| *two);
    let short = pairs.filter(|two| two.iter().all(|&id| length(id) <= limits.longest));
    let ids = with_room(short, limits.room, length);
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let engine = &outcome.options.engine;
    in_pool(engine.threads, || {
        let read = read_texts(&outcome.options, outcome, &ids).into_iter();
        let texts: HashMap<DocId, String> = ids
            .iter()
            .zip(read)
            .filter_map(|(&id, text)| Some((id, text.ok()?)))
            .filter(|(_, text)| text.len() <= limits.longest)
            .collect();
        let mut work = limits.work;
        let mut wanted = Vec::new();
        for (key, two) in two_each {
            if let [Some(a), Some(b)] = two.map(|id| texts.get(&id))
                && let Some(left) = work.checked_sub(a.len() + b.len())
            {
                work = left;
                let formats = two.map(|id| outcome.sources.of(id).format);
                wanted.push((key, [(a, formats[0]), (b, formats[1])]));
            }
        }
        let compared = wanted.into_par_iter().map(|(key, two)| {
            let [a, b] = two.map(|(text, format)| Side::of_file(text, format, engine));
            (key, make(&a, &b, &find_passages(&a, &b)))
        });
        Ok(compared.collect())
    })
}

/// Returns the documents of the pairs there is room for, ascending. A pair takes the room of those of its documents that no pair
/// before it has taken.
pub(crate) fn with_room(
    pairs: impl IntoIterator<Item = [DocId; 2]>,
    mut room: usize,
    length: impl Fn(DocId) -> usize,
) -> Vec<DocId> {
    let mut chosen = BTreeSet::new();
    for two in pairs {
        let new = two.into_iter().filter(|id| !chosen.contains(id));
        let needed: usize = new.map(&length).sum();
        if let Some(left) = room.checked_sub(needed) {
            room = left;
            chosen.extend(two);
        }
    }
    chosen.into_iter().collect()
}
