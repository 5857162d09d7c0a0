//! Sets that were joined before: the tasks of a job of tiles have found their pairs.

use std::collections::HashMap;

use crate::features::document::DocId;
use crate::join::groups::NONE;
use crate::join::inverted::SetPair;
use crate::join::pairwise::overlap;
use crate::pairing::cluster::Cluster;
use crate::pairing::joined::sets::lower;
use crate::run::error::{Error, Result};
use crate::verdict::pair::Resemblance;

/// Loads the sets of some ranks, which ascend. The shingles of each set ascend.
pub type LoadSets<'l> = dyn Fn(&[u32]) -> Result<HashMap<u32, Vec<u64>>> + Send + Sync + 'l;

/// The sets of a collection that were joined before, by rank, and their pairs.
pub struct KnownJoin<'k> {
    /// The rank of the set of each document.
    pub rank_of: Vec<u32>,
    /// The size of each set.
    pub sizes: &'k [u32],
    /// How many shingles of each set no other set has.
    pub unshared: &'k [u32],
    /// The pairs, ordered.
    pub pairs: Vec<SetPair>,
    /// Loads sets that are compared after the join.
    pub load: &'k LoadSets<'k>,
}

impl KnownJoin<'_> {
    /// Sets the cohesion of every cluster. `group_of` has the rank of each document's set.
    ///
    /// # Errors
    ///
    /// A set cannot be loaded.
    pub(crate) fn measure_cohesion(
        &self,
        clusters: &mut [Cluster],
        group_of: &[u32],
    ) -> Result<()> {
        let pairs = to_representatives(clusters, group_of);
        let overlaps = self.overlaps(&pairs)?;
        let size = |rank: u32| self.sizes[rank as usize];
        let similarity = |x: u32, y: u32| {
            let at = pairs.binary_search(&(x.max(y), x.min(y))).ok()?;
            Resemblance::new(overlaps[at], size(x) + size(y) - overlaps[at])
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

    /// Returns how many shingles the two sets of each pair share.
    fn overlaps(&self, pairs: &[(u32, u32)]) -> Result<Vec<u32>> {
        let known = |pair: &(u32, u32)| {
            let found = self
                .pairs
                .binary_search_by_key(pair, |pair| (pair.x, pair.y));
            found.ok().map(|at| self.pairs[at].overlap)
        };
        let known: Vec<Option<u32>> = pairs.iter().map(known).collect();
        let unknown = pairs
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none());
        let mut ranks: Vec<u32> = unknown.flat_map(|(&(x, y), _)| [x, y]).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let sets = if ranks.is_empty() {
            HashMap::new()
        } else {
            (self.load)(&ranks)?
        };
        let lost = || Error::TileJob("a set cannot be loaded".into());
        let set = |rank: u32| sets.get(&rank).ok_or_else(lost);
        let all = pairs.iter().zip(known);
        all.map(|(&(x, y), known)| match known {
            Some(known) => Ok(known),
            None => Ok(overlap(set(x)?, set(y)?)),
        })
        .collect()
    }
}

/// Returns pairs of sets: that of each cluster's representative with that of each other member.
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
