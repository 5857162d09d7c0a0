//! Files that nobody mends by hand, generated pages and code: an entry for each folder.

use std::collections::BTreeMap;

use crate::clean::worklist::{Kind, Listed, Member, Worklist, longer_first};
use dupfind_engine::DocId;
use dupfind_engine::verdict::pair::Pair;

/// The pairs of a folder.
#[derive(Default)]
struct Folder {
    pairs: u64,
    /// For each document the position of its most similar pair.
    files: BTreeMap<DocId, usize>,
}

/// Adds an entry of a kind for each folder with such pairs. A pair is one of the folder that both files are below.
pub(super) fn add(
    list: &mut Worklist,
    kind: Kind,
    listed: &Listed<'_>,
    is_it: &dyn Fn(&Pair) -> bool,
) {
    let (documents, pairs) = (listed.documents, listed.pairs);
    let mut folders: BTreeMap<&str, Folder> = BTreeMap::new();
    let numbered = pairs.iter().enumerate();
    for (at, pair) in numbered.filter(|(_, pair)| is_it(pair)) {
        let [a, b] = [pair.a, pair.b].map(|id| &*documents[id.index()].name);
        let folder = folders
            .entry(common_folder([a, b].into_iter()).unwrap_or_default())
            .or_default();
        folder.pairs += 1;
        for id in [pair.a, pair.b] {
            folder.files.entry(id).or_insert(at);
        }
    }
    for folder in folders.values() {
        let best = folder.files.values().min();
        let Some(first) = best.map(|&at| longer_first(documents, &pairs[at])[0]) else {
            continue;
        };
        let others = folder.files.iter().filter(|(id, _)| **id != first);
        let others = others.map(|(&document, &pair)| Member { document, pair });
        let mut others: Vec<Member> = others.collect();
        others.sort_unstable_by_key(|member| (member.pair, member.document));
        list.push(kind, first, others, 0);
        list.set_pairs(folder.pairs);
    }
}

/// Returns the folder that all of some names are in, if there is one.
#[must_use]
pub fn common_folder<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let folder = |name: &'n str| name.rfind('/').map_or("", |at| &name[..at]);
    let common = names.map(folder).reduce(|common, folder| {
        let mut common = common;
        let is_below = |common| {
            let rest: Option<&str> = folder.strip_prefix(common);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        while !(common.is_empty() || is_below(common)) {
            common = common.rfind('/').map_or("", |at| &common[..at]);
        }
        common
    });
    common.filter(|common| !common.is_empty())
}
