//! Shingle sets after they have been joined. Any two of them can still be measured.

use rayon::prelude::*;

use crate::features::collection::store::sorted::SortedSets;
use crate::features::document::DocId;
use crate::join::groups::NONE;
use crate::join::inverted::postings::frequencies::Frequencies;
use crate::join::inverted::rarity::{Known, Weighing};
use crate::join::inverted::{Index, Prepared, SetPair};
use crate::join::pairwise::{overlap, sorted};
use crate::pairing::cluster::Cluster;
use crate::run::error::Result;
use crate::verdict::SetMeasures;
use crate::verdict::pair::Resemblance;

/// The distinct shingle sets of a collection after they have been joined.
pub enum JoinedSets {
    /// The sets are in memory.
    Index(Box<Index>),
    /// The sets are in a file.
    Sorted(WeightedSets),
}

/// Sets in a file, and their weights.
#[derive(Debug)]
pub struct WeightedSets {
    pub(crate) sorted: SortedSets,
    /// How many of the sets have each element.
    pub(crate) frequencies: Frequencies,
    /// The weight of each set.
    pub(crate) weights: Vec<u64>,
    /// How many elements of each set no other set has.
    pub(crate) unshared: Vec<u32>,
}

impl WeightedSets {
    /// Returns the pair of two different sets, by rank.
    fn measure(&self, later: u32, earlier: u32) -> Result<SetPair> {
        let sets = [earlier, later].map(|rank| self.sorted.read(rank..rank + 1));
        let [first, second] = sets;
        let (first, second) = (first?, second?);
        let known = Known {
            frequencies: &self.frequencies,
            sets: [earlier, later]
                .map(|rank| self.weights[rank as usize])
                .into(),
        };
        let sets = [first.as_slice(), second.as_slice()];
        let prepared = Prepared::new(&sets, 2, Weighing::Known(known))?;
        let (_, pairs) = prepared.index().wanted(1..2, &[(1, 0)]);
        Ok(pairs[0])
    }
}

impl JoinedSets {
    /// Returns how many elements of each set no other set has, by rank.
    pub(crate) fn unshared(&self) -> Vec<u32> {
        match self {
            Self::Index(index) => index.unshared(),
            Self::Sorted(sets) => sets.unshared.clone(),
        }
    }

    /// Returns the Jaccard similarity and the weighted measures of two different sets, by rank.
    ///
    /// # Errors
    ///
    /// [`crate::run::error::Error::TempFile`].
    pub(crate) fn measure(&self, x: u32, y: u32) -> Result<Option<SetMeasures>> {
        let (later, earlier) = (x.max(y), x.min(y));
        let pair = match self {
            Self::Index(index) => {
                let (_, pairs) = index.wanted(later..later + 1, &[(later, earlier)]);
                pairs[0]
            }
            Self::Sorted(sets) => sets.measure(later, earlier)?,
        };
        Ok(SetMeasures::new(pair.overlap, pair.union, pair.weighted))
    }

    /// Sets the cohesion of every cluster: the lowest similarity of a member to the representative. `group_of` has
    /// the rank of each document's shingle set. Members without shingles do not count, as they have no similarity.
    ///
    /// # Errors
    ///
    /// [`crate::run::error::Error::TempFile`].
    pub(crate) fn measure_cohesion(
        &self,
        clusters: &mut [Cluster],
        group_of: &[u32],
    ) -> Result<()> {
        clusters.par_iter_mut().try_for_each(|cluster| {
            let group = |id: &DocId| group_of[id.index()];
            let own = group(&cluster.representative);
            let mut others: Vec<u32> = cluster.documents.iter().map(group).collect();
            others.retain(|&other| other != NONE && other != own);
            others.sort_unstable();
            others.dedup();
            if own != NONE {
                let lowest = self.lowest(own, &others)?;
                cluster.cohesion = Some(lowest.map_or(1.0, Resemblance::rounded));
            }
            Ok(())
        })
    }

    /// Returns the lowest similarity of a set to other ones; `None` if there are no others.
    fn lowest(&self, own: u32, others: &[u32]) -> Result<Option<Resemblance>> {
        let similarities = others.par_iter();
        match self {
            Self::Index(index) => Ok(similarities
                .filter_map(|&other| {
                    let (overlap, union) = index.shared(own, other);
                    Resemblance::new(overlap, union)
                })
                .reduce_with(lower)),
            Self::Sorted(sets) => {
                let own = sorted(&sets.sorted.read(own..own + 1)?);
                similarities
                    .filter_map(|&other| similarity(&own, &sets.sorted, other).transpose())
                    .try_reduce_with(|x, y| Ok(lower(x, y)))
                    .transpose()
            }
        }
    }
}

/// Returns the similarity of a sorted set to one in a file.
fn similarity(own: &[u64], sets: &SortedSets, other: u32) -> Result<Option<Resemblance>> {
    let other = sorted(&sets.read(other..other + 1)?);
    let overlap = overlap(own, &other);
    let size = |set: &[u64]| u32::try_from(set.len()).expect("sizes are 32 bits wide");
    Ok(Resemblance::new(
        overlap,
        size(own) + size(&other) - overlap,
    ))
}

/// Returns the lower of two similarities.
pub(super) fn lower(x: Resemblance, y: Resemblance) -> Resemblance {
    let product = |x: Resemblance, y: Resemblance| u64::from(x.overlap) * u64::from(y.union.get());
    if product(y, x) < product(x, y) { y } else { x }
}
