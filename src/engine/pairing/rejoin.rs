//! Joins a collection most of which was joined before.
//!
//! Somebody who keeps the pairs of a run, such as an index, finds those of the next run from them: only what is new is
//! joined. [`JoinedBefore`] is what the engine asks of it. If it cannot tell, all sets are joined, and it is told the
//! pairs to keep.

use crate::document::DocId;
use crate::engine::cluster::Cluster;
use crate::engine::collection::store::sets::Sets;
use crate::engine::options::Options;
use crate::engine::pair::Resemblance;
use crate::engine::pairing::joined_sets::lower;
use crate::error::Result;
use crate::join::groups::NONE;
use crate::join::index::distinct::Distinct;
use crate::join::index::{Index, SetPair};

/// What is known of a collection from a run before.
pub(crate) trait JoinedBefore: Send + Sync {
    /// Takes note of the sets of the collection, as far as it has them. This comes before all other calls.
    ///
    /// # Errors
    ///
    /// A set cannot be read.
    fn identify(&mut self, sets: &Sets) -> Result<()>;

    /// Returns whether the sets of two documents are equal.
    fn are_equal(&self, a: u32, b: u32) -> bool;

    /// Returns the pairs of the sets; `None` if not enough is known of them. Then all sets are joined.
    ///
    /// # Errors
    ///
    /// What is known cannot be read.
    fn rejoin(&mut self, sets: &SetsToJoin<'_>) -> Result<Option<Rejoined>>;

    /// Returns how many shingles the two sets of each pair share. A pair is two different ranks.
    ///
    /// # Errors
    ///
    /// What is known cannot be read.
    fn overlaps(&mut self, pairs: &[(u32, u32)]) -> Result<Vec<u32>>;

    /// Returns all sets of the collection, from those that are in it.
    ///
    /// # Errors
    ///
    /// A set cannot be read, or cannot be kept.
    fn complete(&mut self, sets: Sets) -> Result<Sets>;

    /// Keeps what a join of all sets found. `firsts` has a document of each set, by rank.
    fn keep(&mut self, firsts: &[u32], joined: KnownPairs);
}

/// The sets of a collection.
#[cfg_attr(
    not(feature = "files"),
    expect(dead_code, reason = "only an index has joined before")
)]
pub(crate) struct SetsToJoin<'s> {
    pub(crate) options: &'s Options,
    pub(crate) distinct: &'s Distinct,
    /// The rank of the set of each document.
    pub(crate) group_of: &'s [u32],
    /// The pairs of ranks `(later, earlier)`, ordered, that are measured even if their sets are not similar.
    pub(crate) candidates: &'s [(u32, u32)],
    /// The sets by position, as far as the collection has them.
    pub(crate) sets: &'s Sets,
}

/// What was found out about sets without a join of all of them.
#[derive(Debug)]
pub(crate) struct Rejoined {
    /// All pairs, ordered.
    pub(crate) pairs: Vec<SetPair>,
    /// How many shingles of each set no other set has.
    pub(crate) unshared: Vec<u32>,
}

/// The pairs of some sets.
#[derive(Debug, Default, PartialEq, Eq, Clone)]
pub(crate) struct KnownPairs {
    /// Pairs of sets, the larger number first, ordered.
    pub(crate) pairs: Vec<KnownPair>,
    /// How many shingles two other sets share.
    pub(crate) overlaps: Vec<((u32, u32), u32)>,
}

/// Two sets and what they share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KnownPair {
    pub(crate) x: u32,
    pub(crate) y: u32,
    /// How many shingles both have.
    pub(crate) overlap: u32,
    /// What these weigh.
    pub(crate) shared: u64,
}

/// The least weighted similarity of the pairs that are kept, in parts of that of the pairs that are found. The weights
/// of shingles change when documents come and go. So pairs are kept that may be found the next time.
const KEPT_SHARE: (u16, u16) = (4, 5);

/// Returns the least weighted similarity of the pairs that are kept, in ten-thousandths, from that of the pairs that are
/// found.
pub(crate) fn least_kept(least: u16) -> u16 {
    (least / KEPT_SHARE.1 * KEPT_SHARE.0).max(1)
}

/// How many pairs are kept for each set at most. More take longer to keep than they save.
const MOST_PAIRS: usize = 256;

/// Notes the pairs of a join.
pub(super) struct PairNotes {
    pairs: Vec<KnownPair>,
    most: usize,
}

impl PairNotes {
    /// `sets` is how many there are.
    pub(super) fn new(sets: usize) -> Self {
        Self {
            pairs: Vec::new(),
            most: sets.saturating_mul(MOST_PAIRS),
        }
    }

    /// Notes some pairs of the index. If there are too many, none is kept.
    pub(super) fn add(&mut self, index: &Index, found: &[SetPair]) {
        if self.pairs.len() + found.len() > self.most {
            (self.pairs, self.most) = (Vec::new(), 0);
            return;
        }
        let shared = index.shared_weights(found);
        let known = found.iter().zip(shared).map(|(pair, shared)| KnownPair {
            x: pair.x,
            y: pair.y,
            overlap: pair.overlap,
            shared,
        });
        self.pairs.extend(known);
    }

    /// Returns what is to be kept of the join; `None` if there are too many pairs.
    pub(super) fn known(
        self,
        index: &Index,
        clusters: &[Cluster],
        group_of: &[u32],
    ) -> Option<KnownPairs> {
        if self.most == 0 {
            return None;
        }
        let is_pair = |&(x, y): &(u32, u32)| {
            let found = self
                .pairs
                .binary_search_by_key(&(x, y), |pair| (pair.x, pair.y));
            found.is_ok()
        };
        let mut to_representatives = to_representatives(clusters, group_of);
        to_representatives.retain(|pair| !is_pair(pair));
        let measured = |pair: (u32, u32)| (pair, index.shared(pair.0, pair.1).0);
        Some(KnownPairs {
            overlaps: to_representatives.into_iter().map(measured).collect(),
            pairs: self.pairs,
        })
    }
}

/// Returns the pairs `(later, earlier)` of the sets of the members of clusters with those of their representatives.
fn to_representatives(clusters: &[Cluster], group_of: &[u32]) -> Vec<(u32, u32)> {
    let group = |id: DocId| group_of[id.index()];
    let mut pairs = Vec::new();
    for cluster in clusters {
        let own = group(cluster.representative);
        let members = cluster.documents.iter().map(|&id| group(id));
        let others = members.filter(|&other| own != NONE && other != NONE && other != own);
        pairs.extend(others.map(|other| (own.max(other), own.min(other))));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Sets the cohesion of every cluster, as a join of all sets does. `sizes` are those of the sets, by rank.
///
/// # Errors
///
/// Those of [`JoinedBefore::overlaps`].
pub(super) fn measure_cohesion(
    before: &mut dyn JoinedBefore,
    sizes: &[u32],
    clusters: &mut [Cluster],
    group_of: &[u32],
) -> Result<()> {
    let pairs = to_representatives(clusters, group_of);
    let overlaps = before.overlaps(&pairs)?;
    let similarity = |x: u32, y: u32| {
        let at = pairs.binary_search(&(x.max(y), x.min(y))).ok()?;
        let sizes = sizes[x as usize] + sizes[y as usize];
        Resemblance::new(overlaps[at], sizes - overlaps[at])
    };
    for cluster in clusters {
        let own = group_of[cluster.representative.index()];
        if own == NONE {
            continue;
        }
        let others = cluster.documents.iter().map(|id| group_of[id.index()]);
        let others = others.filter(|&other| other != NONE && other != own);
        let lowest = others
            .filter_map(|other| similarity(own, other))
            .reduce(lower);
        cluster.cohesion = Some(lowest.map_or(1.0, Resemblance::rounded));
    }
    Ok(())
}
