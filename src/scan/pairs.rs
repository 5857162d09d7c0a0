//! Runs the joins and brings their pairs together, each measured both ways.

use std::cmp::Reverse;
use std::time::Instant;

use rayon::prelude::*;

use crate::document::DocId;
use crate::error::Result;
use crate::fingerprint::sets::Sets;
use crate::join::jaccard::{Index, Prepared};
use crate::join::{HammingPair, JaccardPair, hamming};
use crate::scan::collection::Collection;
use crate::scan::observer::{Observer, Stage};
use crate::scan::outcome::{Pair, Resemblance};
use crate::scan::settings::Settings;

/// Finds the pairs of a collection, most similar first. The shingle sets are used up.
pub(crate) fn find_pairs(
    settings: &Settings,
    observer: &dyn Observer,
    collection: &mut Collection,
) -> Result<Vec<Pair>> {
    let mut near = Vec::new();
    let codes: Vec<u64> = collection
        .documents
        .iter()
        .filter_map(|document| document.fingerprint)
        .collect();
    if settings.detectors.simhash {
        observer.stage(Stage::HammingJoin, None);
        let start = Instant::now();
        near = hamming::self_join(&codes, settings.max_hamming);
        collection.stats.add(Stage::HammingJoin, start.elapsed());
    }
    let mut similar = Vec::new();
    let mut index = None;
    if settings.detectors.shingle {
        observer.stage(Stage::Index, None);
        let start = Instant::now();
        let prepared = Prepared::new(&collection.sets.slices())?;
        // Before the index is made of what was prepared: both at once would be the peak of the run.
        collection.sets = Sets::default();
        let built = prepared.index();
        collection.stats.add(Stage::Index, start.elapsed());

        observer.stage(Stage::JaccardJoin, None);
        let start = Instant::now();
        similar = built.self_join(settings.min_jaccard);
        index = Some(built);
        collection.stats.add(Stage::JaccardJoin, start.elapsed());
    }

    observer.stage(Stage::Measure, None);
    let start = Instant::now();
    let codes = settings.detectors.simhash.then_some(codes.as_slice());
    let mut pairs = merge(&near, &similar, codes, index.as_ref());
    pairs.par_sort_unstable_by_key(|pair| {
        (
            Reverse(pair.jaccard.map(Resemblance::steps)),
            pair.hamming,
            pair.a,
            pair.b,
        )
    });
    collection.stats.add(Stage::Measure, start.elapsed());
    Ok(pairs)
}

/// Merges the pairs of both joins, both ordered by position, and measures each the other way too.
fn merge(
    near: &[HammingPair],
    similar: &[JaccardPair],
    codes: Option<&[u64]>,
    index: Option<&Index>,
) -> Vec<Pair> {
    let distance =
        |a: u32, b: u32| codes.map(|codes| (codes[a as usize] ^ codes[b as usize]).count_ones());
    let resemblance = |a: u32, b: u32| {
        index.map(|index| {
            let (overlap, union) = index.measure(a, b);
            Resemblance { overlap, union }
        })
    };
    let mut pairs = Vec::with_capacity(near.len().max(similar.len()));
    let (mut near, mut similar) = (near.iter().peekable(), similar.iter().peekable());
    loop {
        let by_simhash = near.peek().map(|pair| (pair.a, pair.b));
        let by_shingle = similar.peek().map(|pair| (pair.a, pair.b));
        let Some((a, b)) = by_simhash.into_iter().chain(by_shingle).min() else {
            return pairs;
        };
        let near = near.next_if(|pair| (pair.a, pair.b) == (a, b));
        let similar = similar.next_if(|pair| (pair.a, pair.b) == (a, b));
        pairs.push(Pair {
            a: DocId::from(a),
            b: DocId::from(b),
            hamming: near.map(|pair| pair.distance).or_else(|| distance(a, b)),
            jaccard: match similar {
                Some(pair) => Some(Resemblance {
                    overlap: pair.overlap,
                    union: pair.union,
                }),
                None => resemblance(a, b),
            },
            by_simhash: near.is_some(),
            by_shingle: similar.is_some(),
        });
    }
}
