//! Finds the pairs of a collection and hands them on while it goes.

use std::time::Instant;

use crate::cluster::Forest;
use crate::error::Result;
use crate::join::cost::Strategy;
use crate::join::distinct::Distinct;
use crate::join::hamming::Collapsed;
use crate::join::index::{Index, Prepared, SetPair};
use crate::join::rounds::in_rounds;
use crate::scan::collection::Collection;
use crate::scan::expand::Expansion;
use crate::scan::near::near_groups;
use crate::scan::observer::{Observer, Stage};
use crate::scan::settings::Settings;
use crate::scan::sink::PairSink;
use crate::scan::stats::Join;
use crate::scan::tiled::join_tiles;
use crate::store::sets::Sets;

/// What is known when all pairs have been handed on.
pub(crate) struct Found {
    pub(crate) count: u64,
    pub(crate) forest: Forest,
}

/// Finds the pairs of a collection and hands them on. The shingle sets are used up.
pub(crate) fn find_pairs(
    settings: &Settings,
    observer: &dyn Observer,
    collection: &mut Collection,
    sink: Option<&mut dyn PairSink>,
) -> Result<Found> {
    let codes: Vec<u64> = collection
        .documents
        .iter()
        .filter_map(|document| document.fingerprint)
        .collect();
    let codes = settings.detectors.simhash.then_some(codes.as_slice());
    if settings.detectors.shingle {
        by_sets(settings, observer, collection, codes, sink)
    } else {
        by_codes(settings, observer, collection, codes.unwrap_or(&[]), sink)
    }
}

/// With the SimHash detector alone.
fn by_codes(
    settings: &Settings,
    observer: &dyn Observer,
    collection: &mut Collection,
    codes: &[u64],
    sink: Option<&mut dyn PairSink>,
) -> Result<Found> {
    observer.stage(Stage::HammingJoin, None);
    let start = Instant::now();
    let collapsed = Collapsed::new(codes);
    let mut near = collapsed.near(settings.max_hamming);
    near.sort_unstable();
    let pairs: Vec<SetPair> = near
        .into_iter()
        .map(|(x, y)| SetPair {
            x,
            y,
            ..SetPair::default()
        })
        .collect();
    let groups = &collapsed.groups;
    let mut expansion = Expansion::new(
        settings,
        &collection.documents,
        groups,
        &[],
        Some(codes),
        sink,
    );
    expansion.part(0..groups.count(), &pairs)?;
    expansion.flush()?;
    let (count, forest) = (expansion.count, expansion.forest);
    collection.stats.add(Stage::HammingJoin, start.elapsed());
    Ok(Found { count, forest })
}

/// With the shingle detector, and perhaps the other one.
fn by_sets(
    settings: &Settings,
    observer: &dyn Observer,
    collection: &mut Collection,
    codes: Option<&[u64]>,
    sink: Option<&mut dyn PairSink>,
) -> Result<Found> {
    observer.stage(Stage::Index, None);
    let start = Instant::now();
    let sets = std::mem::take(&mut collection.sets);
    let distinct = Distinct::new(&sets.keys(), |a, b| sets.are_equal(a, b))?;
    collection.stats.add(Stage::Index, start.elapsed());

    let mut wanted = Vec::new();
    if let Some(codes) = codes {
        observer.stage(Stage::HammingJoin, None);
        let start = Instant::now();
        let group_of = distinct.groups.by_position(codes.len());
        wanted = near_groups(codes, &group_of, settings.max_hamming);
        collection.stats.add(Stage::HammingJoin, start.elapsed());
    }

    let (documents, stats) = (&collection.documents, &mut collection.stats);
    let mut expansion = Expansion::new(
        settings,
        documents,
        &distinct.groups,
        &distinct.sizes,
        codes,
        sink,
    );
    if sets.are_in_memory() {
        observer.stage(Stage::Index, None);
        let start = Instant::now();
        let index = index(sets, &distinct)?;
        stats.join = Some(Join {
            estimate: index.estimate(0..index.count(), settings.min_jaccard),
            tiles: 1,
            spilled: 0,
        });
        stats.add(Stage::Index, start.elapsed());

        observer.stage(Stage::JaccardJoin, None);
        let start = Instant::now();
        in_rounds(
            0..index.count(),
            |part| index.pairs(part, settings.min_jaccard, &wanted),
            |part, found| expansion.part(part, &found),
        )?;
        stats.add(Stage::JaccardJoin, start.elapsed());
    } else {
        observer.stage(Stage::JaccardJoin, None);
        let start = Instant::now();
        stats.join = Some(join_tiles(
            settings,
            sets,
            &distinct,
            &wanted,
            &mut expansion,
        )?);
        stats.add(Stage::JaccardJoin, start.elapsed());
    }
    expansion.flush()?;
    Ok(Found {
        count: expansion.count,
        forest: expansion.forest,
    })
}

/// Indexes sets that are in memory.
fn index(sets: Sets, distinct: &Distinct) -> Result<Index> {
    let slices = sets.slices().expect("asked for sets in memory only");
    let firsts = distinct.groups.firsts();
    let firsts: Vec<&[u64]> = firsts.map(|first| slices[first as usize]).collect();
    let elements = firsts.iter().map(|set| set.len()).sum();
    let strategy = Strategy::cheapest(firsts.len(), elements);
    let prepared = Prepared::new(&firsts, distinct.groups.count(), strategy)?;
    // Before the index is made of what was prepared: both at once would be the peak of the run.
    drop((firsts, slices));
    drop(sets);
    Ok(prepared.index())
}
