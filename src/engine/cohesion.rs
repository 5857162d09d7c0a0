//! How close the members of a cluster are to its representative.

use rayon::prelude::*;

use crate::document::DocId;
use crate::engine::cluster::Cluster;
use crate::engine::outcome::Resemblance;
use crate::engine::store::sorted::SortedSets;
use crate::error::Result;
use crate::join::groups::NONE;
use crate::join::index::Index;
use crate::join::pairwise::{overlap, sorted};

/// The shingle sets after they have been joined.
pub(crate) enum JoinedSets {
    /// In memory.
    Index(Box<Index>),
    /// In a file.
    Sorted(SortedSets),
}

impl JoinedSets {
    /// Takes clusters and the group of equal shingle sets of every document. Notes the cohesion of every
    /// cluster: two members need not be alike, and here it shows.
    ///
    /// Members without shingles are left out: they have no similarity.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::TempFile`].
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

    /// Takes a set and different ones, and returns the lowest similarity, if there are any.
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
                let own = sorted(&sets.read(own..own + 1)?);
                similarities
                    .filter_map(|&other| similarity(&own, sets, other).transpose())
                    .try_reduce_with(|x, y| Ok(lower(x, y)))
                    .transpose()
            }
        }
    }
}

/// The similarity of a sorted set to one in a file.
fn similarity(own: &[u64], sets: &SortedSets, other: u32) -> Result<Option<Resemblance>> {
    let other = sorted(&sets.read(other..other + 1)?);
    let overlap = overlap(own, &other);
    let size = |set: &[u64]| u32::try_from(set.len()).expect("sizes are 32 bits wide");
    Ok(Resemblance::new(
        overlap,
        size(own) + size(&other) - overlap,
    ))
}

/// The lower of two similarities.
fn lower(x: Resemblance, y: Resemblance) -> Resemblance {
    let product = |x: Resemblance, y: Resemblance| u64::from(x.overlap) * u64::from(y.union.get());
    if product(y, x) < product(x, y) { y } else { x }
}
