//! Entries that sum pairs up: families of pages, and the files of a folder that nobody mends by hand.

use std::collections::BTreeMap;

use crate::clean::worklist::order::gain;
use crate::clean::worklist::{Kind, Listed, Member, Worklist, longer_first};
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::pairing::cluster::Forest;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;

/// The most similar pair of a document, none before it is known.
const NONE: usize = usize::MAX;

/// Adds the families of a kind: the documents that are connected by its pairs.
pub(super) fn add_families(
    list: &mut Worklist,
    documents: &[Document],
    listed: &Listed<'_>,
    kind: Kind,
) {
    let relation = match kind {
        Kind::Variants => Relation::Variant,
        Kind::Subjects => Relation::Related,
        _ => Relation::Template,
    };
    let is_it = |pair: &Pair| kind != Kind::Subjects || listed.is_summed(pair);
    let pairs = || listed.of(relation).filter(|(_, pair)| is_it(pair));
    if pairs().next().is_none() {
        return;
    }
    let index = |id: DocId| u32::try_from(id.index()).expect("ids have 32 bits");
    let mut forest = Forest::new(documents.len());
    // The most similar pairs come first.
    let mut best = vec![NONE; documents.len()];
    let mut counts = vec![0_u32; documents.len()];
    for (at, pair) in pairs() {
        forest.union(index(pair.a), index(pair.b));
        counts[pair.a.index()] += 1;
        for id in [pair.a, pair.b] {
            let best = &mut best[id.index()];
            *best = (*best).min(at);
        }
    }
    let lengths: Vec<usize> = documents.iter().map(|document| document.length).collect();
    for family in forest.clusters(&lengths) {
        let members = family.documents.iter().copied();
        let members = members.filter(|&id| id != family.representative);
        let mut members: Vec<Member> = members
            .map(|document| Member {
                document,
                pair: best[document.index()],
            })
            .collect();
        members.sort_unstable_by_key(|member| (member.pair, member.document));
        let gains = members
            .iter()
            .map(|member| gain(documents, listed.pair(member.pair)));
        let gain = gains.sum();
        let pairs = family
            .documents
            .iter()
            .map(|id| u64::from(counts[id.index()]));
        let pairs = pairs.sum();
        list.push(kind, family.representative, members, gain);
        list.set_pairs(pairs);
    }
}

/// The pairs of a folder.
#[derive(Default)]
struct Folder {
    pairs: u64,
    /// For each document the position of its most similar pair.
    files: BTreeMap<DocId, usize>,
}

/// Adds an entry of a kind for each folder with such pairs. A pair is one of the folder that both files are below.
pub(super) fn add_folders(
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
