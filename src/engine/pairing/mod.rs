//! Finds the pairs of a collection and hands them on while it goes.

pub(crate) mod document_pairs;
pub(crate) mod joined_sets;
pub mod judge;
mod search;
pub mod sink;
mod tiled;

use std::time::Instant;

use crate::detect::Detector;
use crate::engine::cluster::Cluster;
use crate::engine::collection::Collection;
use crate::engine::collection::store::sets::Sets;
use crate::engine::document::Document;
use crate::engine::observer::{Observer, Stage};
use crate::engine::options::Options;
use crate::engine::pair::relation::Counts;
use crate::engine::pairing::document_pairs::{DocumentPairs, Takers};
use crate::engine::pairing::joined_sets::JoinedSets;
use crate::engine::pairing::search::search;
use crate::engine::pairing::tiled::join_tiles;
use crate::engine::stats::Join;
use crate::error::Result;
use crate::join::cost::Strategy;
use crate::join::index::distinct::Distinct;
use crate::join::index::rarity::Weighing;
use crate::join::index::{Index, Prepared, SetPair};

/// What is known when all pairs have been handed on.
pub(crate) struct FoundPairs {
    pub(crate) counts: Counts,
    pub(crate) clusters: Vec<Cluster>,
    /// The shingle sets; none if the shingle detector is off.
    pub(crate) joined: Option<JoinedSets>,
    /// The rank of the shingle set of every document; empty if the shingle detector is off.
    pub(crate) group_of: Vec<u32>,
}

/// Finds the pairs of a collection and hands those that count on. The shingle sets are used up.
pub(crate) fn find_pairs(
    settings: &Options,
    observer: &dyn Observer,
    collection: &mut Collection,
    takers: Takers<'_>,
) -> Result<FoundPairs> {
    if settings.detectors.have(Detector::Shingle) {
        by_sets(settings, observer, collection, takers)
    } else {
        by_signatures(settings, observer, collection, takers)
    }
}

/// Without the shingle detector.
fn by_signatures(
    settings: &Options,
    observer: &dyn Observer,
    collection: &mut Collection,
    takers: Takers<'_>,
) -> Result<FoundPairs> {
    observer.stage(Stage::HammingJoin, None);
    let start = Instant::now();
    let (documents, signatures) = (&collection.documents, &collection.signatures);
    let groups = signatures.groups(documents.len());
    let group_of = groups.by_position(documents.len());
    let pairs: Vec<SetPair> = signatures
        .similar(&group_of)
        .into_iter()
        .map(|(x, y)| SetPair {
            x,
            y,
            ..SetPair::default()
        })
        .collect();
    let mut document_pairs = DocumentPairs::new(
        settings,
        observer,
        documents,
        &groups,
        &[],
        signatures,
        takers,
    );
    document_pairs.part(0..groups.count(), &pairs)?;
    document_pairs.flush()?;
    let (counts, forest) = (document_pairs.counts, document_pairs.forest);
    collection.stats.add(Stage::HammingJoin, start.elapsed());

    observer.stage(Stage::Cluster, None);
    let start = Instant::now();
    let clusters = forest.clusters(&lengths(&collection.documents));
    collection.stats.add(Stage::Cluster, start.elapsed());
    Ok(FoundPairs {
        counts,
        clusters,
        joined: None,
        group_of: Vec::new(),
    })
}

/// With the shingle detector, and perhaps others.
fn by_sets(
    settings: &Options,
    observer: &dyn Observer,
    collection: &mut Collection,
    takers: Takers<'_>,
) -> Result<FoundPairs> {
    observer.stage(Stage::Index, None);
    let start = Instant::now();
    let sets = std::mem::take(&mut collection.sets);
    let distinct = Distinct::new(&sets.keys(), |a, b| sets.are_equal(a, b))?;
    collection.stats.add(Stage::Index, start.elapsed());

    let group_of = distinct.groups.by_position(collection.documents.len());
    let mut wanted = Vec::new();
    if settings.detectors.compare_signatures() {
        observer.stage(Stage::HammingJoin, None);
        let start = Instant::now();
        wanted = collection.signatures.similar(&group_of);
        collection.stats.add(Stage::HammingJoin, start.elapsed());
    }

    let (documents, stats) = (&collection.documents, &mut collection.stats);
    let mut document_pairs = DocumentPairs::new(
        settings,
        observer,
        documents,
        &distinct.groups,
        &distinct.sizes,
        &collection.signatures,
        takers,
    );
    let joined = if sets.are_in_memory() {
        observer.stage(Stage::Index, None);
        let start = Instant::now();
        let index = index(sets, &distinct)?;
        let estimate = index.estimate(0..index.count(), settings.min_jaccard);
        stats.add(Stage::Index, start.elapsed());

        observer.stage(Stage::JaccardJoin, None);
        let start = Instant::now();
        let all = 0..index.count();
        search(&index, all, settings, wanted, |part, found| {
            document_pairs.part(part, &found)
        })?;
        document_pairs.flush()?;
        stats.join = Some(Join {
            estimate,
            tiles: 1,
            spilled: 0,
        });
        stats.add(Stage::JaccardJoin, start.elapsed());
        JoinedSets::Index(Box::new(index))
    } else {
        observer.stage(Stage::JaccardJoin, None);
        let start = Instant::now();
        let tiled = join_tiles(settings, sets, &distinct, &wanted, &mut document_pairs)?;
        stats.join = Some(tiled.join);
        document_pairs.flush()?;
        stats.add(Stage::JaccardJoin, start.elapsed());
        JoinedSets::Sorted(tiled.sets)
    };

    observer.stage(Stage::Cluster, None);
    let start = Instant::now();
    let (counts, forest) = (document_pairs.counts, document_pairs.forest);
    let mut clusters = forest.clusters(&lengths(documents));
    joined.measure_cohesion(&mut clusters, &group_of)?;
    stats.add(Stage::Cluster, start.elapsed());
    Ok(FoundPairs {
        counts,
        clusters,
        joined: Some(joined),
        group_of,
    })
}

/// The lengths of all texts.
fn lengths(documents: &[Document]) -> Vec<usize> {
    documents.iter().map(|document| document.length).collect()
}

/// Indexes sets that are in memory.
fn index(sets: Sets, distinct: &Distinct) -> Result<Index> {
    let slices = sets.slices().expect("asked for sets in memory only");
    let firsts = distinct.groups.firsts();
    let firsts: Vec<&[u64]> = firsts.map(|first| slices[first as usize]).collect();
    let elements = firsts.iter().map(|set| set.len()).sum();
    let strategy = Strategy::cheapest(firsts.len(), elements);
    let prepared = Prepared::new(&firsts, distinct.groups.count(), strategy, Weighing::Own)?;
    // Before the index is made of what was prepared: both at once would be the peak of the run.
    drop((firsts, slices));
    drop(sets);
    Ok(prepared.index())
}
