//! Pages and entries that are repeated in several folders of languages or versions.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::clean::worklist::layout::Layout;
use crate::clean::worklist::{Entry, Listed, Worklist};
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;

/// The folders of languages or versions, and the pages in them.
pub(super) struct Folders<'p> {
    layout: &'p Layout,
    documents: &'p [Document],
    /// The folder and the path of each page.
    pages: HashSet<(usize, &'p str)>,
}

impl<'p> Folders<'p> {
    pub(super) fn new(layout: &'p Layout, documents: &'p [Document]) -> Self {
        let pages = documents.iter().enumerate();
        let pages = pages.filter_map(|(at, document)| layout.page(at, &document.name));
        Self {
            pages: pages.collect(),
            layout,
            documents,
        }
    }

    /// Returns whether two documents are in folders of two versions; or of two languages, if one of the pages is there in both and
    /// they are alike only in parts, as translations are that share code. Copies in two languages are not meant: nobody has
    /// translated such a page.
    pub(super) fn part(&self, pair: &Pair) -> bool {
        let is_copy = matches!(pair.relation(), Relation::Exact | Relation::Near);
        let is_in_both = |(folder, a), (other, b)| {
            self.pages.contains(&(other, a)) || self.pages.contains(&(folder, b))
        };
        match [pair.a, pair.b].map(|id| self.page(id)) {
            [Some(a), Some(b)] if a.0 != b.0 => {
                self.layout.is_of_versions() || !is_copy && is_in_both(a, b)
            }
            _ => false,
        }
    }

    fn page(&self, id: DocId) -> Option<(usize, &'p str)> {
        let name = &self.documents[id.index()].name;
        self.layout.page(id.index(), name)
    }
}

/// Merges entries about the same pages in several folders into the first one, which then names these folders. Sums, and
/// entries with pairs that make the run fail, stay as they are.
pub(super) fn merge(list: &mut Worklist, folders: &Folders<'_>, listed: &Listed<'_>) {
    let mut known: HashMap<BTreeSet<&str>, usize> = HashMap::new();
    let mut merged: Vec<(Entry, BTreeSet<usize>)> = Vec::new();
    for entry in std::mem::take(&mut list.entries) {
        let members = list.members(&entry);
        let fails = |pair: usize| listed.wanted.failing.have(listed.pair(pair).relation());
        let may_be = !entry.kind.is_sum() && !members.iter().any(|member| fails(member.pair));
        let ids = members.iter().map(|member| member.document);
        let ids = [entry.document].into_iter().chain(ids);
        let pages: Option<Vec<_>> = ids.map(|id| folders.page(id)).collect();
        let pages = pages.filter(|_| may_be).unwrap_or_default();
        let (own, paths): (BTreeSet<usize>, BTreeSet<&str>) = pages.into_iter().unzip();
        if let Some(&at) = known.get(&paths) {
            let (first, of_first) = &mut merged[at];
            first.pairs += entry.pairs;
            first.gain += entry.gain;
            first.also.extend(own.difference(of_first));
            continue;
        }
        if !paths.is_empty() {
            known.insert(paths, merged.len());
        }
        merged.push((entry, own));
    }
    list.entries = merged.into_iter().map(|(entry, _)| entry).collect();
}
