//! Finds the pairs of a collection and hands them on as they are found.
//!
//! Equal shingle sets form one *group*. Groups are joined, and each pair of groups represents pairs of documents.
//!
//! | file | what it does |
//! |---|---|
//! | `search` | finds the pairs of groups in an index of the sets |
//! | `tiled`, `two_tiles` | the same for sets that are in a file |
//! | `known_join` | the same from pairs that are known before: from an index, or from the tasks of a job |
//! | `document_pairs` | makes pairs of documents from pairs of groups, counts them, and connects their documents |
//! | `joined_sets`, `joined_collection` | measure any two documents afterwards |
//! | `judge`, `sink` | decide which pairs count, and receive them |

pub mod closest;
pub mod cluster;
pub mod document_pairs;
pub mod joined_collection;
pub(crate) mod joined_sets;
pub mod judge;
pub mod known_join;
pub mod observer;
pub mod search;
pub mod sink;
pub mod stats;
pub mod threads;
mod tiled;
pub mod two_tiles;

use std::convert::Infallible;

use crate::collection::Collection;
use crate::collection::signatures::Signatures;
use crate::collection::store::sets::Sets;
use crate::detect::Detector;
use crate::detect::weighted::MinWeighted;
use crate::error::Result;
use crate::features::document::Document;
use crate::join::groups::{Groups, NONE};
use crate::join::inverted::distinct::Distinct;
use crate::join::inverted::rarity::Weighing;
use crate::join::inverted::{Index, Prepared, SetPair};
use crate::options::Options;
use crate::pairing::closest::Closest;
use crate::pairing::cluster::Cluster;
use crate::pairing::document_pairs::{DocumentPairs, GroupedDocuments, PairHandlers};
use crate::pairing::joined_sets::JoinedSets;
use crate::pairing::known_join::{
    KnownJoin, PairNotes, SetsToJoin, least_kept, measure_known_cohesion,
};
use crate::pairing::observer::{Observer, Stage};
use crate::pairing::search::search;
use crate::pairing::stats::{Join, Stats};
use crate::pairing::tiled::join_tiles;
use crate::verdict::Counts;

/// What is known when all pairs have been handed on.
pub struct FoundPairs {
    /// How many pairs there are of each relation.
    pub counts: Counts,
    /// The clusters, the largest first.
    pub clusters: Vec<Cluster>,
    /// The shingle sets; `None` if the shingle detector is off, or if the pairs were known before.
    pub sets: Option<JoinedSets>,
    /// The group of each document, which is the rank of its shingle set; empty if the shingle detector is off.
    pub group_of: Vec<u32>,
    /// How alike each group is to the one that is most like it.
    pub closest: Closest,
    /// How many shingles of each document no other document has; `None` if the shingle detector is off.
    pub unshared: Option<Vec<u32>>,
}

/// Finds the pairs of a collection, hands on those that count, and returns their clusters. The shingle sets of the
/// collection are empty afterwards. If a join is `known`, only new sets are joined.
///
/// # Errors
///
/// [`crate::error::Error::TempFile`], [`crate::error::Error::Sink`], and [`crate::error::Error::Stopped`] if the
/// observer asks for it.
pub fn find_pairs(
    options: &Options,
    observer: &dyn Observer,
    collection: &mut Collection,
    handlers: PairHandlers<'_>,
    known: Option<&mut (dyn KnownJoin + '_)>,
) -> Result<FoundPairs> {
    if options.detectors.have(Detector::Shingle) {
        let options = &options.among(collection.documents.len());
        by_sets(options, observer, collection, handlers, known)
    } else {
        by_signatures(options, observer, collection, handlers)
    }
}

/// Finds pairs without the shingle detector.
fn by_signatures(
    options: &Options,
    observer: &dyn Observer,
    collection: &mut Collection,
    handlers: PairHandlers<'_>,
) -> Result<FoundPairs> {
    let Collection {
        documents,
        signatures,
        stats,
        ..
    } = collection;
    let join = || {
        let groups = signatures.groups(documents.len());
        let group_of = groups.by_position(documents.len());
        let similar = signatures.similar(&group_of).into_iter();
        let pairs = similar.map(|(x, y)| SetPair {
            x,
            y,
            ..SetPair::default()
        });
        let pairs: Vec<SetPair> = pairs.collect();
        let grouped = GroupedDocuments {
            documents,
            groups: &groups,
            sizes: &[],
            signatures,
        };
        let mut document_pairs = DocumentPairs::new(options, observer, grouped, handlers);
        document_pairs.hand_on_groups(0..groups.count(), &pairs)?;
        document_pairs.finish()?;
        Ok((document_pairs.counts, document_pairs.forest))
    };
    let (counts, forest) = stats.time(observer, (Stage::HammingJoin, None), join)?;
    let clusters = stats.time(observer, (Stage::Cluster, None), || {
        forest.clusters(&lengths(documents))
    });
    Ok(FoundPairs {
        counts,
        clusters,
        sets: None,
        group_of: Vec::new(),
        closest: Closest::default(),
        unshared: None,
    })
}

/// Finds pairs with the shingle detector, and perhaps with others.
fn by_sets(
    options: &Options,
    observer: &dyn Observer,
    collection: &mut Collection,
    mut handlers: PairHandlers<'_>,
    mut known: Option<&mut (dyn KnownJoin + '_)>,
) -> Result<FoundPairs> {
    if let Some(known) = &mut known {
        known.identify(&collection.sets)?;
        if let Some(found) = by_known(options, observer, collection, &mut handlers, *known)? {
            return Ok(found);
        }
        collection.sets = known.add_known_sets(std::mem::take(&mut collection.sets))?;
    }
    let Collection {
        documents,
        sets,
        signatures,
        stats,
    } = collection;
    let sets = std::mem::take(sets);
    let keys = sets.keys();
    let distinct = stats.time(observer, (Stage::Index, None), || {
        Distinct::new(&keys, |a, b| sets.are_equal(a, b))
    })?;
    let group_of = distinct.groups.by_position(documents.len());
    let candidates = candidates(options, observer, signatures, &group_of, stats);
    let grouped = GroupedDocuments {
        documents,
        groups: &distinct.groups,
        sizes: &distinct.sizes,
        signatures,
    };
    let mut document_pairs = DocumentPairs::new(options, observer, grouped, handlers);
    let join = SetJoin {
        options,
        observer,
        distinct: &distinct,
        candidates,
        notes: known
            .is_some()
            .then(|| PairNotes::new(distinct.sizes.len())),
    };
    let (joined, closest, notes) = if sets.are_in_memory() {
        join.in_memory(sets, &mut document_pairs, stats)?
    } else {
        join.in_tiles(sets, &mut document_pairs, stats)?
    };
    let (counts, forest) = (document_pairs.counts, document_pairs.forest);
    let clusters = stats.time(observer, (Stage::Cluster, None), || {
        let mut clusters = forest.clusters(&lengths(documents));
        joined.measure_cohesion(&mut clusters, &group_of)?;
        Ok(clusters)
    })?;
    if let (Some(known), Some(notes), JoinedSets::Index(index)) = (known, notes, &joined) {
        let firsts: Vec<u32> = distinct.groups.firsts().collect();
        if let Some(pairs) = notes.known(index, &clusters, &group_of) {
            known.keep(&firsts, pairs);
        }
    }
    Ok(FoundPairs {
        counts,
        clusters,
        unshared: Some(unshared_of_documents(
            &joined.unshared(),
            &distinct.groups,
            &group_of,
        )),
        sets: Some(joined),
        group_of,
        closest,
    })
}

/// Finds pairs from a known join; `None` if that is not enough. Nothing is handed on then.
fn by_known(
    options: &Options,
    observer: &dyn Observer,
    collection: &mut Collection,
    handlers: &mut PairHandlers<'_>,
    known: &mut (dyn KnownJoin + '_),
) -> Result<Option<FoundPairs>> {
    let Collection {
        documents,
        sets,
        signatures,
        stats,
    } = collection;
    let keys = sets.keys();
    let equality = &*known;
    let Ok(distinct) = stats.time(observer, (Stage::Index, None), || {
        Distinct::new(&keys, |a, b| Ok::<_, Infallible>(equality.are_equal(a, b)))
    });
    let group_of = distinct.groups.by_position(documents.len());
    let candidates = candidates(options, observer, signatures, &group_of, stats);
    let to_join = SetsToJoin {
        options,
        distinct: &distinct,
        group_of: &group_of,
        candidates: &candidates,
        sets,
    };
    let found = stats.time(observer, (Stage::JaccardJoin, None), || {
        known.pairs_of(&to_join)
    })?;
    let Some(found) = found else {
        return Ok(None);
    };
    let grouped = GroupedDocuments {
        documents,
        groups: &distinct.groups,
        sizes: &distinct.sizes,
        signatures,
    };
    let handlers = PairHandlers {
        judge: handlers.judge.take(),
        sink: handlers.sink.take(),
    };
    let mut document_pairs = DocumentPairs::new(options, observer, grouped, handlers);
    document_pairs.hand_on_groups(0..distinct.groups.count(), &found.pairs)?;
    let closest = document_pairs.finish()?;
    let (counts, forest) = (document_pairs.counts, document_pairs.forest);
    let clusters = stats.time(observer, (Stage::Cluster, None), || {
        let mut clusters = forest.clusters(&lengths(documents));
        measure_known_cohesion(known, &distinct.sizes, &mut clusters, &group_of)?;
        Ok(clusters)
    })?;
    let unshared = unshared_of_documents(&found.unshared, &distinct.groups, &group_of);
    *sets = Sets::default();
    Ok(Some(FoundPairs {
        counts,
        clusters,
        sets: None,
        group_of,
        closest,
        unshared: Some(unshared),
    }))
}

/// Returns the pairs of groups `(later, earlier)`, ordered, of which documents have similar signatures.
fn candidates(
    options: &Options,
    observer: &dyn Observer,
    signatures: &Signatures,
    group_of: &[u32],
    stats: &mut Stats,
) -> Vec<(u32, u32)> {
    if !options.detectors.compare_signatures() {
        return Vec::new();
    }
    stats.time(observer, (Stage::HammingJoin, None), || {
        signatures.similar(group_of)
    })
}

/// Returns how many shingles of each document no other document has. Those of a set that several documents have are
/// shared. `of_sets` has the numbers of the sets.
fn unshared_of_documents(of_sets: &[u32], groups: &Groups, group_of: &[u32]) -> Vec<u32> {
    let of_document = |&group: &u32| match group {
        NONE => 0,
        _ if groups.members(group).len() > 1 => 0,
        _ => of_sets[group as usize],
    };
    group_of.iter().map(of_document).collect()
}

/// A join of shingle sets.
struct SetJoin<'j> {
    options: &'j Options,
    observer: &'j dyn Observer,
    distinct: &'j Distinct,
    /// The pairs of groups `(later, earlier)`, ordered, that are measured even if their sets are not similar.
    candidates: Vec<(u32, u32)>,
    /// Where pairs are noted; `None` if nobody wants to keep them.
    notes: Option<PairNotes>,
}

impl SetJoin<'_> {
    /// Joins sets that are in memory. Returns them, what [`FoundPairs::closest`] has, and the pairs that are noted.
    fn in_memory(
        mut self,
        sets: Sets,
        document_pairs: &mut DocumentPairs<'_, '_>,
        stats: &mut Stats,
    ) -> Result<(JoinedSets, Closest, Option<PairNotes>)> {
        let index = stats.time(self.observer, (Stage::Index, None), || {
            set_index(sets, self.distinct)
        })?;
        let closest = stats.time(self.observer, (Stage::JaccardJoin, None), || {
            let all = 0..index.count();
            let mut options = self.options.clone();
            // More pairs are noted than are reported: `DocumentPairs` leaves out the others.
            if let (Some(_), Some(weighted)) = (&self.notes, options.weighted()) {
                options.min_weighted = MinWeighted::From(least_kept(weighted.least));
            }
            search(&index, all, &options, self.candidates, |part, found| {
                if let Some(notes) = &mut self.notes {
                    notes.add(&index, &found);
                }
                document_pairs.hand_on_groups(part, &found)
            })?;
            document_pairs.finish()
        })?;
        stats.join = Some(Join {
            tiles: 1,
            spilled: 0,
        });
        Ok((JoinedSets::Index(Box::new(index)), closest, self.notes))
    }

    /// As [`Self::in_memory`], of sets that are in a temporary file. Their pairs are not noted.
    fn in_tiles(
        self,
        sets: Sets,
        document_pairs: &mut DocumentPairs<'_, '_>,
        stats: &mut Stats,
    ) -> Result<(JoinedSets, Closest, Option<PairNotes>)> {
        let (sets, closest, join) =
            stats.time(self.observer, (Stage::JaccardJoin, None), || {
                let candidates = &self.candidates;
                let joined = join_tiles(
                    self.options,
                    sets,
                    self.distinct,
                    candidates,
                    document_pairs,
                )?;
                Ok((joined.0, document_pairs.finish()?, joined.1))
            })?;
        stats.join = Some(join);
        Ok((JoinedSets::Sorted(sets), closest, None))
    }
}

/// Returns the length of each document's text, in bytes.
fn lengths(documents: &[Document]) -> Vec<usize> {
    documents.iter().map(|document| document.length).collect()
}

/// Returns the index of the distinct ones of sets that are in memory.
fn set_index(sets: Sets, distinct: &Distinct) -> Result<Index> {
    let slices = sets.slices().expect("asked for sets in memory only");
    let firsts = distinct.groups.firsts();
    let firsts: Vec<&[u64]> = firsts.map(|first| slices[first as usize]).collect();
    let prepared = Prepared::new(&firsts, distinct.groups.count(), Weighing::Own)?;
    // The sets are dropped before the index is made: both at once would be the peak of the run.
    drop((firsts, slices));
    drop(sets);
    Ok(prepared.index())
}
