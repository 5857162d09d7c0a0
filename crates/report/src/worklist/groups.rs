//! Groups: stars around the longest document; and entries that sum pairs up: families of pages, and the files of a folder that
//! nobody mends by hand.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::worklist::{Kind, Member, Worklist};
use dupfind_decide::clean::stars::{Decision, stars};
use dupfind_decide::clean::ties::Tie;
use dupfind_engine::DocId;
use dupfind_engine::pairing::cluster::Forest;
use dupfind_engine::verdict::Relation;

/// A pair of a document and the one in the middle of its group. Documents are numbered by length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ray {
    middle: u32,
    /// Whether the document in the middle is a member of another group.
    is_rest: bool,
    /// The position of the pair. The most similar pairs come first.
    pair: usize,
    document: u32,
}

impl Worklist<'_> {
    /// Adds the groups of pairs that are duplicates.
    ///
    /// Copies come first: of each text one document represents all, so that copies are distinguished from similar
    /// documents. Documents that are near to it or contained in it join its copies; other copies are a group of their own.
    pub(super) fn add_groups(&mut self, duplicates: &[usize]) {
        let (ids, numbers) = self.by_length(duplicates);
        let pairs = self.pairs();
        let of = |at: usize| [pairs[at].a, pairs[at].b].map(|id| numbers[id.index()]);
        let mut rays: Vec<Ray> = Vec::new();
        let mut is_copy = vec![false; ids.len()];
        for copies in [true, false] {
            let is_wanted = |&at: &usize| {
                let is_of_copies = pairs[at].relation() == Relation::Exact;
                is_of_copies == copies && of(at).iter().all(|&number| !is_copy[number as usize])
            };
            let wanted: Vec<usize> = duplicates.iter().copied().filter(is_wanted).collect();
            let tie = |&at: &usize| {
                let [a, b] = of(at);
                Tie {
                    a,
                    b,
                    ..Tie::of(self.documents(), &pairs[at])
                }
            };
            let ties: Vec<Tie> = wanted.iter().map(tie).collect();
            let rank = match copies {
                true => hubs_first(&ties, ids.len()),
                false => (0..).take(ids.len()).collect(),
            };
            let decisions = stars(&rank, &ties, &[], &[]);
            drop(ties);
            let goes_for = |number: u32| match decisions[number as usize] {
                Decision::Drop(partner) => Some(partner.document),
                _ => None,
            };
            for pair in wanted {
                let [a, b] = of(pair);
                for [document, middle] in [[a, b], [b, a]] {
                    if goes_for(document) == Some(middle) {
                        rays.push(Ray {
                            middle,
                            is_rest: false,
                            pair,
                            document,
                        });
                    }
                }
            }
            if copies {
                for ray in &rays {
                    is_copy[ray.document as usize] = true;
                }
            }
        }
        let mut is_in = vec![false; ids.len()];
        for number in rays.iter().flat_map(|ray| [ray.middle, ray.document]) {
            is_in[number as usize] = true;
        }
        // The rest of chains: each document with the one that it is most like.
        for &pair in duplicates {
            let [a, b] = of(pair);
            for [document, middle] in [[a, b], [b, a]] {
                if !is_in[document as usize] {
                    rays.push(Ray {
                        middle,
                        is_rest: true,
                        pair,
                        document,
                    });
                    is_in[middle as usize] = true;
                    is_in[document as usize] = true;
                }
            }
        }
        rays.sort_unstable();
        for rays in rays.chunk_by(|x, y| (x.middle, x.is_rest) == (y.middle, y.is_rest)) {
            let gain = rays.iter().map(|ray| self.gain(ray.pair)).sum();
            // Of two documents the longer one comes first.
            let turns = rays.len() == 1 && rays[0].document < rays[0].middle;
            let first = if turns {
                rays[0].document
            } else {
                rays[0].middle
            };
            let member = |ray: &Ray| Member {
                document: ids[if turns { ray.middle } else { ray.document } as usize],
                pair: ray.pair,
            };
            let members = rays.iter().map(member).collect();
            self.push(Kind::Group, ids[first as usize], members, gain);
        }
    }

    /// Returns the documents of some pairs, the longest first, and for each document its number in this order.
    fn by_length(&self, pairs: &[usize]) -> (Vec<DocId>, Vec<u32>) {
        let pairs = pairs.iter().map(|&at| &self.pairs()[at]);
        let mut ids: Vec<DocId> = pairs.flat_map(|pair| [pair.a, pair.b]).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.sort_by_key(|&id| Reverse(self.length(id)));
        let mut numbers = vec![u32::MAX; self.documents().len()];
        for (number, id) in (0_u32..).zip(&ids) {
            numbers[id.index()] = number;
        }
        (ids, numbers)
    }
}

/// Returns the rank of each document among some ties: one with more ties comes first, and of equal ones the longer one.
/// If only some pairs of copies are listed, such as those of a new page, the page that is in all of them makes one group.
fn hubs_first(ties: &[Tie], count: usize) -> Vec<u32> {
    let mut counts = vec![0_u32; count];
    for document in ties.iter().flat_map(|tie| [tie.a, tie.b]) {
        counts[document as usize] += 1;
    }
    let mut order: Vec<u32> = (0..).take(count).collect();
    order.sort_by_key(|&document| Reverse(counts[document as usize]));
    let mut rank = vec![0; count];
    for (place, &document) in (0_u32..).zip(&order) {
        rank[document as usize] = place;
    }
    rank
}

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
            Kind::Untranslated | Kind::Generated | Kind::Code => 0,
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
