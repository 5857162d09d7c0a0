//! A collection after its join: any two documents can still be measured.

use crate::detect::options::Options;
use crate::features::collection::Signatures;
use crate::features::collection::store::sorted::SortedSets;
use crate::features::document::{DocId, Document};
use crate::join::groups::{Groups, NONE};
use crate::join::inverted::postings::Frequencies;
use crate::join::inverted::rarity::{Known, Weighing};
use crate::join::inverted::{Index, Prepared, SetPair};
use crate::join::shared::{overlap, sorted};
use crate::join::threshold::Threshold;
use crate::join::weighted::Weighted;
use crate::pairing::closest::Closest;
use crate::pairing::cluster::{Cluster, Forest};
use crate::pairing::document_pairs::{DocumentPairs, GroupedDocuments, PairHandlers};
use crate::pairing::pruned::Similar;
use crate::pairing::sink::PairSink;
use crate::pairing::{candidates_of, find_in};
use crate::run::{Error, Observer, Result};
use crate::verdict::pair::{Pair, Resemblance, pair};
use crate::verdict::versions::Versions;
use crate::verdict::{Among, SetMeasures};
use rayon::prelude::*;
use std::collections::HashMap;

/// The signatures and shingle sets of a collection whose pairs were found.
#[derive(Default)]
pub struct Joined {
    /// The signatures of each document, for the detectors that need them.
    pub signatures: Signatures,
    /// The shingle sets; `None` if the shingle detector was off, or if the pairs are known from a run before.
    pub sets: Option<JoinedSets>,
    /// The rank of each document's shingle set; empty if the shingle detector was off.
    pub group_of: Vec<u32>,
    /// How alike each set, by rank, is to the one that is most like it.
    pub closest: Closest,
    /// The pairs of sets that were similar enough for the sink, if it takes these alone.
    pub(super) similar: Option<Similar>,
}

impl Joined {
    /// Returns the pair of two documents with all measures, among all the others. The pair is there even if no detector
    /// finds it. Fails with [`crate::run::Error::TempFile`].
    pub fn pair(
        &self,
        options: &Options,
        documents: &[Document],
        [a, b]: [DocId; 2],
    ) -> Result<Pair> {
        let (a, b) = (a.min(b), a.max(b));
        let [first, second] = [a, b].map(|id| &documents[id.index()]);
        let positions = [a, b].map(position);
        let ranks = positions.map(|at| self.group_of.get(at as usize).copied().unwrap_or(NONE));
        let measures = match &self.sets {
            _ if ranks.contains(&NONE) => None,
            None => None,
            Some(_) if ranks[0] == ranks[1] => {
                SetMeasures::new(first.shingles, first.shingles, Weighted::EQUAL)
            }
            Some(sets) => sets.measure(ranks[0], ranks[1])?,
        };
        let compared = self.signatures.compare(positions[0], positions[1]);
        let options = options.among(documents.len());
        let among = Among {
            closest: self.closest.of(ranks.map(|rank| rank as usize)),
            versions: &Versions::of_documents(documents),
        };
        let two = [first, second];
        Ok(pair(&options, [a, b], two, (measures, among), compared))
    }

    /// Hands on the pairs that are left when some documents are gone, as if they had never been there. Returns whether that can
    /// be: not if the sets are in a file, or were not joined.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::Sink`], and [`crate::run::Error::Stopped`] if the observer asks for it.
    pub fn without(
        &self,
        options: &Options,
        observer: &dyn Observer,
        documents: &[Document],
        gone: &[bool],
        sink: &mut dyn PairSink,
    ) -> Result<bool> {
        let Some(JoinedSets::Index(index)) = &self.sets else {
            return Ok(false);
        };
        let options = &options.among(gone.iter().filter(|gone| !**gone).count());
        let groups = Groups::without(&self.group_of, index.count(), gone);
        let is_empty = |group| groups.members(group).is_empty();
        let index = index.without((0..index.count()).map(is_empty).collect());
        let grouped = GroupedDocuments {
            documents,
            groups: &groups,
            sizes: index.sizes(),
            signatures: &self.signatures,
        };
        let handlers = PairHandlers {
            judge: None,
            sink: Some(sink),
        };
        let candidates = candidates_of(options, &handlers, || {
            self.signatures.similar(&self.group_of)
        });
        let mut document_pairs = DocumentPairs::new(options, observer, grouped, handlers);
        find_in(
            &index,
            candidates,
            &mut document_pairs,
            self.similar.as_ref(),
        )?;
        Ok(true)
    }

    /// Returns whether all shingle sets are in memory.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.sets, Some(JoinedSets::Index(_)))
    }

    /// Returns the pairs of some sets, by rank, with all sets of at least a similarity, in no order. Each of the sets is the `x` of
    /// its pairs. There are none unless all sets are in memory.
    pub fn beside(&self, sets: &[u32], least: Threshold) -> Vec<SetPair> {
        match &self.sets {
            Some(JoinedSets::Index(index)) => index.beside(sets, least),
            _ => Vec::new(),
        }
    }

    /// Returns the clusters that some pairs make. Fails with [`crate::run::Error::TempFile`].
    pub fn clusters<'p>(
        &self,
        documents: &[Document],
        pairs: impl IntoIterator<Item = &'p Pair>,
    ) -> Result<Vec<Cluster>> {
        let mut forest = Forest::new(documents.len());
        for pair in pairs {
            forest.union(position(pair.a), position(pair.b));
        }
        let lengths: Vec<usize> = documents.iter().map(|document| document.length).collect();
        let mut clusters = forest.clusters(&lengths);
        if let Some(sets) = &self.sets {
            sets.measure_least_similarity(&mut clusters, &self.group_of)?;
        }
        Ok(clusters)
    }
}

fn position(id: DocId) -> u32 {
    u32::try_from(id.index()).expect("ids are 32 bits wide")
}

/// Loads the sets of some ranks, which ascend. The shingles of each set ascend.
pub type LoadSets<'l> = dyn Fn(&[u32]) -> Result<HashMap<u32, Vec<u64>>> + Send + Sync + 'l;

/// The sets of a collection that were joined before, by rank, and their pairs.
pub struct KnownJoin<'k> {
    /// The rank of the set of each document.
    pub rank_of: Vec<u32>,
    /// The size of each set.
    pub sizes: &'k [u32],
    /// The pairs, ordered.
    pub pairs: Vec<SetPair>,
    /// Loads sets that are compared after the join.
    pub load: &'k LoadSets<'k>,
}

impl KnownJoin<'_> {
    /// Sets the least similarity of every cluster. `group_of` has the rank of each document's set.
    ///
    /// # Errors
    ///
    /// A set cannot be loaded.
    pub(crate) fn measure_least_similarity(
        &self,
        clusters: &mut [Cluster],
        group_of: &[u32],
    ) -> Result<()> {
        let known = |x: u32, y: u32| {
            let key = (x.max(y), x.min(y));
            let found = self
                .pairs
                .binary_search_by_key(&key, |pair| (pair.x, pair.y));
            found.ok().map(|at| self.pairs[at].overlap)
        };
        let mut unknown = Vec::new();
        for (own, others) in clusters
            .iter()
            .filter_map(|cluster| ranks(cluster, group_of))
        {
            let others = others
                .into_iter()
                .filter(|&other| known(own, other).is_none());
            unknown.extend(others.flat_map(|other| [own, other]));
        }
        unknown.sort_unstable();
        unknown.dedup();
        let sets = match unknown.as_slice() {
            [] => HashMap::new(),
            unknown => (self.load)(unknown)?,
        };
        let set = |rank| {
            sets.get(&rank)
                .ok_or_else(|| Error::TileJob("a set cannot be loaded".into()))
        };
        let similarity = |own: u32, other: u32| {
            let overlap = match known(own, other) {
                Some(overlap) => overlap,
                None => overlap(set(own)?, set(other)?),
            };
            let [own, other] = [own, other].map(|rank| self.sizes[rank as usize]);
            Ok(Resemblance::new(overlap, own + other - overlap))
        };
        measure_least_similarity(clusters, group_of, |own, others| {
            lowest(others, |other| similarity(own, other))
        })
    }
}

/// Sets the least similarity of every cluster: the lowest similarity of a member to the representative, as `lowest` finds it
/// among ranks of sets. `group_of` has the rank of each document's set. Members without shingles do not count, as they have no
/// similarity.
fn measure_least_similarity(
    clusters: &mut [Cluster],
    group_of: &[u32],
    lowest: impl Fn(u32, &[u32]) -> Result<Option<Resemblance>> + Sync,
) -> Result<()> {
    clusters.par_iter_mut().try_for_each(|cluster| {
        if let Some((own, others)) = ranks(cluster, group_of) {
            let lowest = lowest(own, &others)?;
            cluster.least_similarity = Some(lowest.map_or(1.0, Resemblance::rounded));
        }
        Ok(())
    })
}

/// Returns the rank of the set of a cluster's representative, and those of the other sets of its members; `None` if the
/// representative has no set.
fn ranks(cluster: &Cluster, group_of: &[u32]) -> Option<(u32, Vec<u32>)> {
    let rank = |id: &DocId| group_of[id.index()];
    let own = Some(rank(&cluster.representative)).filter(|&own| own != NONE)?;
    let mut others: Vec<u32> = cluster.documents.iter().map(rank).collect();
    others.retain(|&other| other != NONE && other != own);
    others.sort_unstable();
    others.dedup();
    Some((own, others))
}

/// Returns the lowest similarity of a set to others; `None` if there are no others.
fn lowest(
    others: &[u32],
    similarity: impl Fn(u32) -> Result<Option<Resemblance>> + Sync,
) -> Result<Option<Resemblance>> {
    let similarities = others
        .par_iter()
        .filter_map(|&other| similarity(other).transpose());
    similarities
        .try_reduce_with(|x, y| Ok(lower(x, y)))
        .transpose()
}

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
    /// Returns the Jaccard similarity and the weighted measures of two different sets, by rank.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`].
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

    /// Sets the least similarity of every cluster. `group_of` has the rank of each document's set.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`].
    pub(crate) fn measure_least_similarity(
        &self,
        clusters: &mut [Cluster],
        group_of: &[u32],
    ) -> Result<()> {
        measure_least_similarity(clusters, group_of, |own, others| match self {
            Self::Index(index) => lowest(others, |other| {
                let (overlap, union) = index.shared(own, other);
                Ok(Resemblance::new(overlap, union))
            }),
            Self::Sorted(sets) => {
                let own = sorted(&sets.sorted.read(own..own + 1)?);
                lowest(others, |other| similarity(&own, &sets.sorted, other))
            }
        })
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
