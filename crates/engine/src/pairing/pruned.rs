//! The join of a sink that takes similar pairs alone.
//!
//! The relation of a pair depends on less similar ones: on how alike each of the two is to the one that is most like it, and on
//! whether other duplicates connect the two. So these are looked for, of the sets of the pairs that are taken, and of all
//! that duplicates connect to them. Of 250,000 documents few have a copy, and only the pairs of these are found.

use crate::join::inverted::prepared::in_rounds;
use crate::join::inverted::{Index, SetPair};
use crate::join::threshold::Threshold;
use crate::join::weighted::Weighted;
use crate::pairing::closest::Closest;
use crate::pairing::cluster::Forest;
use crate::pairing::document_pairs::{DocumentPairs, both};
use crate::verdict::rules::is_less_alike;

/// The most pairs that are kept for it: 160 MiB. If there are more, it is no gain to look for some alone.
const MOST: usize = 1 << 23;

/// Returns the pairs of at least this similarity, ordered, with the less similar ones that their relations depend on; `None` if
/// that is most of all pairs.
pub(super) fn decisive_pairs(
    index: &Index,
    least: Threshold,
    documents: &DocumentPairs<'_, '_>,
) -> Option<Vec<SetPair>> {
    let mut found = Vec::new();
    let find = |sets| index.pairs(sets, least.into(), &[]);
    let keep = |_, pairs: Vec<SetPair>| {
        found.extend(pairs);
        (found.len() <= MOST).then_some(()).ok_or(())
    };
    in_rounds(0..index.count(), find, keep).ok()?;
    let is_scanned = documents.options.compares_scans();
    let count = index.sizes().len();
    let mut around = Around {
        index,
        documents,
        least,
        is_looked_at: vec![false; count],
        looked_at: 0,
        connected: Forest::new(count),
        pairs: found,
    };
    let duplicates: Vec<SetPair> = around.duplicates(&around.pairs).copied().collect();
    around.connect(0);
    around.look(ends(&duplicates))?;
    let closest = around.closest();
    let is_in_question = |pair: &&SetPair| {
        let closest = closest.of(both(pair));
        closest.is_some_and(|closest| is_less_alike(pair.weighted.similarity, closest, is_scanned))
    };
    let in_question: Vec<SetPair> = duplicates.iter().filter(is_in_question).copied().collect();
    let roots = ends(&in_question);
    loop {
        let next = around.connected_to(&roots);
        if next.is_empty() {
            break;
        }
        around.look(next)?;
    }
    around.pairs.sort_unstable();
    Some(around.pairs)
}

/// Sets, and what is found around them.
struct Around<'a, 'e, 's> {
    index: &'a Index,
    documents: &'a DocumentPairs<'e, 's>,
    least: Threshold,
    /// For each set whether all that is similar to it was found.
    is_looked_at: Vec<bool>,
    looked_at: usize,
    /// The sets that possible duplicates connect.
    connected: Forest,
    pairs: Vec<SetPair>,
}

impl Around<'_, '_, '_> {
    /// Returns those of some pairs that may be duplicates.
    fn duplicates<'p>(&self, pairs: &'p [SetPair]) -> impl Iterator<Item = &'p SetPair> {
        pairs.iter().filter(|pair| {
            let sets = self.documents.sets(pair);
            sets.is_some_and(|sets| self.documents.may_be_duplicates(pair, sets))
        })
    }

    /// Connects the possible duplicates among the pairs from this one on.
    fn connect(&mut self, from: usize) {
        let new: Vec<[u32; 2]> = self
            .duplicates(&self.pairs[from..])
            .map(|pair| [pair.x, pair.y])
            .collect();
        for [x, y] in new {
            self.connected.union(x, y);
        }
    }

    /// Finds all that is similar to some sets. Returns `None` if that is much.
    fn look(&mut self, sets: Vec<u32>) -> Option<()> {
        self.looked_at += sets.len();
        if self.looked_at > self.is_looked_at.len() / 2 {
            return None;
        }
        let from = self.pairs.len();
        for some in sets.chunks(1 << 12) {
            let beside = self.index.beside(some, self.documents.options.min_jaccard);
            let was_looked_at = &self.is_looked_at;
            let is_new = |pair: &SetPair| {
                // Each of two that are looked at together finds the other one.
                let other = |set: u32| was_looked_at[set as usize];
                !other(pair.x) && !other(pair.y) && !self.least.admits(pair.overlap, pair.union)
            };
            let mut new: Vec<SetPair> = beside.into_iter().filter(is_new).collect();
            new.sort_unstable();
            new.dedup();
            self.pairs.extend(new);
            for &set in some {
                self.is_looked_at[set as usize] = true;
            }
            if self.pairs.len() > MOST {
                return None;
            }
        }
        self.connect(from);
        Some(())
    }

    /// Returns how alike each set is to the one that is most like it, as far as it is known.
    fn closest(&self) -> Closest {
        let mut closest = Closest::new(self.documents.options, self.is_looked_at.len());
        for group in 0..self.documents.grouped.groups.count() {
            if self.documents.grouped.groups.members(group).len() > 1 {
                closest.note([group as usize; 2], Weighted::EQUAL.similarity);
            }
        }
        for pair in &self.pairs {
            closest.note(both(pair), pair.weighted.similarity);
        }
        closest
    }

    /// Returns the sets that possible duplicates connect to these, and that were not looked at.
    fn connected_to(&mut self, sets: &[u32]) -> Vec<u32> {
        let mut is_wanted = vec![false; self.is_looked_at.len()];
        for &set in sets {
            is_wanted[self.connected.root(set) as usize] = true;
        }
        let all = 0..self.index.count();
        all.filter(|&set| {
            let is_new = !self.is_looked_at[set as usize];
            is_new && is_wanted[self.connected.root(set) as usize]
        })
        .collect()
    }
}

/// Returns the sets of some pairs, ascending.
fn ends(pairs: &[SetPair]) -> Vec<u32> {
    let mut ends: Vec<u32> = pairs.iter().flat_map(|pair| [pair.x, pair.y]).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}
