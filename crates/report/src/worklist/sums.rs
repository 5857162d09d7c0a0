//! Entries that sum pairs up: families of pages, and the files of a folder that nobody mends by hand.

use std::collections::BTreeMap;

use crate::worklist::{Kind, Member, Worklist};
use dupfind_engine::DocId;
use dupfind_engine::pairing::cluster::Forest;

impl Worklist<'_> {
    /// Adds the families of a kind: the documents that are connected by its pairs.
    pub(super) fn add_families(&mut self, kind: Kind, pairs: &[usize]) {
        let (documents, all) = (self.documents(), self.pairs());
        let index = |id: DocId| u32::try_from(id.index()).expect("ids have 32 bits");
        let mut forest = Forest::new(documents.len());
        // The most similar pairs come first.
        let mut best = vec![usize::MAX; documents.len()];
        let mut counts = vec![0_u64; documents.len()];
        for &at in pairs {
            let pair = &all[at];
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
            let members = members.map(|document| Member {
                document,
                pair: best[document.index()],
            });
            let pairs = family.documents.iter().map(|id| counts[id.index()]).sum();
            self.push_sum(kind, family.representative, members.collect(), pairs);
        }
    }

    /// Adds an entry of a kind for each folder with such pairs. A pair is one of the folder that both files are below.
    pub(super) fn add_folders(&mut self, kind: Kind, pairs: &[usize]) {
        /// How many pairs a folder has, and for each document the position of its most similar pair.
        type Folder = (u64, BTreeMap<DocId, usize>);
        let (documents, all) = (self.documents(), self.pairs());
        let mut folders: BTreeMap<&str, Folder> = BTreeMap::new();
        for &at in pairs {
            let ids = [all[at].a, all[at].b];
            let names = ids.map(|id| &*documents[id.index()].name);
            let folder = common_folder(names.into_iter()).unwrap_or_default();
            let (count, files) = folders.entry(folder).or_default();
            *count += 1;
            for id in ids {
                files.entry(id).or_insert(at);
            }
        }
        for (count, files) in folders.into_values() {
            let Some(&best) = files.values().min() else {
                continue;
            };
            let first = self.longer_first(best)[0];
            let others = files.into_iter().filter(|(id, _)| *id != first);
            let others = others.map(|(document, pair)| Member { document, pair });
            self.push_sum(kind, first, others.collect(), count);
        }
    }

    /// Adds an entry that sums so many pairs up. That of a family gains what its members do.
    fn push_sum(&mut self, kind: Kind, first: DocId, mut members: Vec<Member>, pairs: u64) {
        members.sort_unstable_by_key(|member| (member.pair, member.document));
        let gain = match kind {
            Kind::Versions | Kind::Generated | Kind::Code => 0,
            _ => members.iter().map(|member| self.gain(member.pair)).sum(),
        };
        self.push(kind, first, members, gain);
        self.set_pairs(pairs);
    }
}

/// Returns the folder that all of some names are in, if there is one.
pub(crate) fn common_folder<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
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
