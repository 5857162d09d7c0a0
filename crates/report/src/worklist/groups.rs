//! Groups: stars around the longest document, and parallel folders: two that have the same pages. All of these are one decision.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use dupfind_decide::clean::stars::{Decision, stars};
use dupfind_decide::clean::ties::Tie;
use dupfind_engine::verdict::Titles;
use dupfind_engine::{DocId, Relation};

use crate::worklist::folders::Folders;
use crate::worklist::{Entry, Kind, Member, Worklist, titles};

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

/// Parallel folders have at least so many pages that are alike.
const LEAST_PAGES: usize = 3;

impl Worklist<'_> {
    /// Joins the entries of two pages that are the same page of two folders.
    pub(super) fn join_parallel(&mut self, pages: Option<&Folders<'_>>) {
        let mut places: BTreeMap<[String; 2], Vec<usize>> = BTreeMap::new();
        for (at, entry) in self.entries.iter().enumerate() {
            if let Some(two) = self.parallel(entry, pages) {
                places.entry(two).or_default().push(at);
            }
        }
        places.retain(|_, entries| entries.len() >= LEAST_PAGES);
        let edition = |id| pages?.page(id).0;
        let mut entries: Vec<Option<Entry>> = self.entries.drain(..).map(Some).collect();
        for of_two in places.into_values() {
            let mut joined = of_two.iter().filter_map(|&at| entries[at].take());
            let Some(mut first) = joined.next() else {
                continue;
            };
            first.kind = Kind::Parallel;
            for entry in joined {
                let pair = entry.members[0].pair;
                first
                    .members
                    .extend(entry.documents().map(|document| Member { document, pair }));
                first.pairs += entry.pairs;
                first.gain += entry.gain;
                first.also.extend(&entry.also);
                first.also.extend(entry.documents().filter_map(edition));
            }
            if let Some(own) = edition(first.first) {
                first.also.remove(&own);
            }
            entries.push(Some(first));
        }
        self.entries = entries.into_iter().flatten().collect();
    }

    /// Returns the two folders that an entry is about if it is one of the same page in both: of one file name, or of one title.
    fn parallel(&self, entry: &Entry, pages: Option<&Folders<'_>>) -> Option<[String; 2]> {
        let &[member] = entry.members.as_slice() else {
            return None;
        };
        if entry.kind.is_sum()
            || self.report.failing.have(self.pair(&member).relation())
            || self.report.outcome.sources.of(entry.first).is_record()
        {
            return None;
        }
        let two = [entry.first, member.document].map(|id| &self.documents()[id.index()]);
        let path = |name: &str| pages.map_or_else(|| name.to_owned(), |pages| pages.path(name));
        let names = two.map(|document| path(&document.name));
        let [a, b] = [&*names[0], &*names[1]];
        let is_same = a.rsplit('/').next() == b.rsplit('/').next() || titles(two) == Titles::Equal;
        let mut folders = parting(a, b).filter(|_| is_same)?.map(str::to_owned);
        folders.sort_unstable();
        Some(folders)
    }
}

/// Returns the folders in which the paths of two files part; none if the files are in one folder.
pub(super) fn parting<'n>(a: &'n str, b: &'n str) -> Option<[&'n str; 2]> {
    let folders = [a, b].map(|name| &name[..name.rfind('/').map_or(0, |at| at + 1)]);
    let both = folders[0].bytes().zip(folders[1].bytes());
    let same = both.take_while(|(a, b)| a == b).count();
    let common = folders[0].as_bytes()[..same]
        .iter()
        .rposition(|&byte| byte == b'/');
    let start = common.map_or(0, |at| at + 1);
    let parts = folders.map(|folder| match folder[start..].find('/') {
        Some(end) => &folder[..start + end],
        None => folder[..start].trim_end_matches('/'),
    });
    (parts[0] != parts[1]).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_part_in_a_folder() {
        for (a, b, expected) in [
            (
                "web/mvc/x/a.md",
                "web/flux/a.md",
                Some(["web/mvc", "web/flux"]),
            ),
            ("web/mvc/a.md", "web/a.md", Some(["web/mvc", "web"])),
            ("mvc/a.md", "mvc-new/b.md", Some(["mvc", "mvc-new"])),
            ("a.md", "x/a.md", Some(["", "x"])),
            ("web/a.md", "web/b.md", None),
        ] {
            assert_eq!(parting(a, b), expected, "{a} {b}");
        }
    }
}
