//! The join of a sink that takes similar pairs alone.
//!
//! The relation of a pair depends on less similar ones: on how alike each of the two is to the one that is most like it, and on
//! whether other duplicates connect the two. So these are looked for, of the sets of the pairs that are taken, and of all
//! that duplicates may connect to them. Of 250,000 documents few have a copy, and only the pairs of these are found.

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

/// The pairs `(later, earlier)` of at least a similarity, ordered. When some sets are gone, no others are.
pub(super) struct Similar {
    least: Threshold,
    pairs: Vec<(u32, u32)>,
}

impl Similar {
    /// Returns those of some pairs.
    pub(super) fn of(least: Threshold, pairs: &[SetPair]) -> Self {
        let pairs = pairs.iter().map(|pair| (pair.x, pair.y)).collect();
        Self { least, pairs }
    }
}

/// Returns the pairs of at least this similarity, ordered; `None` if they are very many. `known` are those that were found
/// before sets were gone.
pub(super) fn similar_pairs(
    index: &Index,
    least: Threshold,
    known: Option<&Similar>,
) -> Option<Vec<SetPair>> {
    let mut found = Vec::new();
    let known = known.filter(|known| known.least == least);
    let find = |sets| match known {
        Some(known) => index.wanted(sets, &known.pairs),
        None => index.pairs(sets, least.into(), &[]),
    };
    let keep = |_, pairs: Vec<SetPair>| {
        found.extend(pairs);
        (found.len() <= MOST).then_some(()).ok_or(())
    };
    in_rounds(0..index.count(), find, keep).ok()?;
    Some(found)
}

/// Returns all pairs of at least a similarity with the less similar ones that their relations depend on, ordered; `None` if that
/// is most of all pairs.
pub(super) fn decisive_pairs(
    index: &Index,
    least: Threshold,
    documents: &DocumentPairs<'_, '_>,
    found: Vec<SetPair>,
) -> Option<Vec<SetPair>> {
    let mut around = Around::new(index, documents, least);
    around.add(found);
    let of_found = around.duplicates.len();
    around.look(&ends(&around.duplicates))?;
    let is_in_question = |pair: &&SetPair| !around.may_be_kin(pair);
    let in_question = around.duplicates[..of_found].iter().filter(is_in_question);
    let roots = ends(in_question);
    loop {
        let next = around.connected_to(&roots);
        if next.is_empty() {
            break;
        }
        around.look(&next)?;
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
    /// How alike each set is to the one that is most like it, as far as it was found: it may be more.
    closest: Closest,
    pairs: Vec<SetPair>,
    /// Those of the pairs that may be duplicates.
    duplicates: Vec<SetPair>,
}

impl<'a, 'e, 's> Around<'a, 'e, 's> {
    fn new(index: &'a Index, documents: &'a DocumentPairs<'e, 's>, least: Threshold) -> Self {
        let count = index.sizes().len();
        let mut closest = Closest::new(documents.options, count);
        let groups = documents.grouped.groups;
        for group in (0..groups.count()).filter(|&group| groups.members(group).len() > 1) {
            closest.note([group as usize; 2], Weighted::EQUAL.similarity);
        }
        Self {
            index,
            documents,
            least,
            is_looked_at: vec![false; count],
            looked_at: 0,
            closest,
            pairs: Vec::new(),
            duplicates: Vec::new(),
        }
    }

    fn add(&mut self, pairs: Vec<SetPair>) {
        for pair in &pairs {
            self.closest.note(both(pair), pair.weighted.similarity);
        }
        let documents = self.documents;
        let may_be = |pair: &&SetPair| {
            let sets = documents.sets(pair);
            sets.is_some_and(|sets| documents.may_be_duplicates(pair, sets))
        };
        self.duplicates.extend(pairs.iter().filter(may_be));
        self.pairs.extend(pairs);
    }

    /// Returns whether a pair may make two sets kin: each of the two may not be much more like another one.
    fn may_be_kin(&self, pair: &SetPair) -> bool {
        let closest = self.closest.of(both(pair));
        closest.is_none_or(|closest| {
            let is_scanned = self.documents.options.compares_scans();
            !is_less_alike(pair.weighted.similarity, closest, is_scanned)
        })
    }

    /// Finds all that is similar to some sets. Returns `None` if that is much.
    fn look(&mut self, sets: &[u32]) -> Option<()> {
        self.looked_at += sets.len();
        if self.looked_at > self.is_looked_at.len() / 2 {
            return None;
        }
        for some in sets.chunks(1 << 12) {
            let beside = self.index.beside(some, self.documents.options.min_jaccard);
            let ordered = beside.into_iter().map(SetPair::ordered);
            let is_new = |pair: &SetPair| {
                let was_found = [pair.x, pair.y].map(|set| self.is_looked_at[set as usize]);
                !was_found.contains(&true) && !self.least.admits(pair.overlap, pair.union)
            };
            let mut new: Vec<SetPair> = ordered.filter(is_new).collect();
            // Each of two that are looked at together finds the other one.
            new.sort_unstable();
            new.dedup();
            self.add(new);
            for &set in some {
                self.is_looked_at[set as usize] = true;
            }
            if self.pairs.len() > MOST {
                return None;
            }
        }
        Some(())
    }

    /// Returns the sets that kin may connect to these, and that were not looked at.
    fn connected_to(&self, sets: &[u32]) -> Vec<u32> {
        let mut kin = Forest::new(self.is_looked_at.len());
        for pair in self.duplicates.iter().filter(|pair| self.may_be_kin(pair)) {
            kin.union(pair.x, pair.y);
        }
        let mut is_wanted = vec![false; self.is_looked_at.len()];
        for &set in sets {
            is_wanted[kin.root(set) as usize] = true;
        }
        let mut new: Vec<u32> = (0..self.index.count()).collect();
        new.retain(|&set| !self.is_looked_at[set as usize] && is_wanted[kin.root(set) as usize]);
        new
    }
}

/// Returns the sets of some pairs, ascending.
fn ends<'p>(pairs: impl IntoIterator<Item = &'p SetPair>) -> Vec<u32> {
    let mut ends: Vec<u32> = pairs
        .into_iter()
        .flat_map(|pair| [pair.x, pair.y])
        .collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}
