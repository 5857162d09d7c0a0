//! What is known of a join before it is made.
//!
//! An index keeps the pairs of the last run, and a job of tiles has found them in its tasks. [`KnownJoin`] is what the
//! engine asks of either. If too little is known, all sets are joined, and [`KnownJoin::keep`] gets the pairs.

use crate::collection::store::sets::Sets;
use crate::document::DocId;
use crate::error::Result;
use crate::join::groups::NONE;
use crate::join::inverted::distinct::Distinct;
use crate::join::inverted::{Index, SetPair};
use crate::options::Options;
use crate::pairing::cluster::Cluster;
use crate::pairing::joined_sets::lower;
use crate::verdict::pair::Resemblance;

/// The sets and pairs of a collection, as far as they are known before.
pub trait KnownJoin: Send + Sync {
    /// Gets the sets of the collection. It may have only those of new documents. This is the first call.
    ///
    /// # Errors
    ///
    /// A set cannot be read.
    fn identify(&mut self, sets: &Sets) -> Result<()>;

    /// Returns whether the sets of two documents are equal.
    fn are_equal(&self, a: u32, b: u32) -> bool;

    /// Returns the pairs of the sets; `None` if too little is known of them. Then all sets are joined.
    ///
    /// # Errors
    ///
    /// What is known cannot be read.
    fn pairs_of(&mut self, sets: &SetsToJoin<'_>) -> Result<Option<SetPairs>>;

    /// Returns how many shingles the two sets of each pair share. A pair is two different ranks.
    ///
    /// # Errors
    ///
    /// What is known cannot be read.
    fn overlaps(&mut self, pairs: &[(u32, u32)]) -> Result<Vec<u32>>;

    /// Returns all sets of the collection: `sets`, and those that are known.
    ///
    /// # Errors
    ///
    /// A set cannot be read, or cannot be kept.
    fn add_known_sets(&mut self, sets: Sets) -> Result<Sets>;

    /// Keeps the pairs of a join of all sets. `firsts` has a document of each set, by rank.
    fn keep(&mut self, firsts: &[u32], pairs: KnownPairs);
}

/// The sets of a collection.
pub struct SetsToJoin<'s> {
    /// The options of the run.
    pub options: &'s Options,
    /// The distinct sets, by rank.
    pub distinct: &'s Distinct,
    /// The rank of the set of each document.
    pub group_of: &'s [u32],
    /// The pairs of ranks `(later, earlier)`, ordered, that are measured even if their sets are not similar.
    pub candidates: &'s [(u32, u32)],
    /// The sets by position, as far as the collection has them.
    pub sets: &'s Sets,
}

/// What was found out about sets without a join of all of them.
#[derive(Debug)]
pub struct SetPairs {
    /// All pairs, ordered.
    pub pairs: Vec<SetPair>,
    /// How many shingles of each set no other set has.
    pub unshared: Vec<u32>,
}

/// The pairs of some sets.
#[derive(Debug, Default, PartialEq, Eq, Clone)]
pub struct KnownPairs {
    /// Pairs of sets, the larger number first, ordered.
    pub pairs: Vec<KnownPair>,
    /// How many shingles the sets of a member and of the representative of its cluster share, where `pairs` does not have
    /// the two.
    pub cohesion_overlaps: Vec<((u32, u32), u32)>,
}

/// Two sets and what they share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KnownPair {
    /// The rank of the later set.
    pub x: u32,
    /// The rank of the earlier set.
    pub y: u32,
    /// How many shingles both have.
    pub overlap: u32,
    /// What these weigh.
    pub shared_weight: u64,
}

/// The least weighted similarity of the pairs that are kept, in parts of that of the pairs that are found. The weights
/// of shingles change when documents come and go. So pairs are kept that may be found the next time.
const KEPT_SHARE: (u16, u16) = (4, 5);

/// Returns the least weighted similarity of the pairs that are kept, in ten-thousandths, from that of the pairs that are
/// found.
pub fn least_kept(least: u16) -> u16 {
    (least / KEPT_SHARE.1 * KEPT_SHARE.0).max(1)
}

/// If there are more pairs than so many times the sets, none is kept. They would take longer to keep than they save.
const MAX_PAIRS_PER_SET: usize = 256;

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
            most: sets.saturating_mul(MAX_PAIRS_PER_SET),
        }
    }

    /// Notes some pairs of the index. If there are too many, none is kept.
    pub(super) fn add(&mut self, index: &Index, found: &[SetPair]) {
        if self.pairs.len() + found.len() > self.most {
            (self.pairs, self.most) = (Vec::new(), 0);
            return;
        }
        let shared = index.shared_weights(found);
        let known = found.iter().zip(shared).map(|(pair, weight)| KnownPair {
            x: pair.x,
            y: pair.y,
            overlap: pair.overlap,
            shared_weight: weight,
        });
        self.pairs.extend(known);
    }

    /// Returns the pairs to keep of the join; `None` if there are too many.
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
            cohesion_overlaps: to_representatives.into_iter().map(measured).collect(),
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
/// Those of [`KnownJoin::overlaps`].
pub(super) fn measure_known_cohesion(
    known: &mut dyn KnownJoin,
    sizes: &[u32],
    clusters: &mut [Cluster],
    group_of: &[u32],
) -> Result<()> {
    let pairs = to_representatives(clusters, group_of);
    let overlaps = known.overlaps(&pairs)?;
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
