//! What holds for every job of rows: it finds what a comparison of all texts in memory finds.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::dedup::Dedup;
use crate::engine::observer::Silent;
use crate::engine::pair::Pair;
use crate::engine::pairing::sink::TopPairs;
use crate::engine::{FeatureMaker, Options};
use crate::error::{Error, Result};
use crate::tiles::cover::Task;
use crate::tiles::laws::{kinds, stretch};
use crate::tiles::rows::document::{DocumentRow, RowKey};
use crate::tiles::rows::frequencies::{merge, weigh};
use crate::tiles::rows::job::{JobOutcome, OrderedJob, RowJob, TileBound};
use crate::tiles::rows::task::{Slice, TaskOfJob, TaskTile, join};
use crate::tiles::rows::tile::TileBuilder;

/// What the steps hand on of a tile.
#[derive(Default)]
struct TileData {
    bound: Option<TileBound>,
    pieces: Vec<Vec<u8>>,
    frequencies: Vec<Vec<u8>>,
    weights: Vec<u64>,
}

/// How a job is cut.
#[derive(Debug, Clone, Copy)]
struct Cut {
    tiles: u32,
    stretches: u32,
    cores: u32,
    /// How much work each task is said to have.
    work: Option<u64>,
}

/// A job of texts, and all that its steps have made so far.
struct Job {
    options: Options,
    rows: Vec<(String, DocumentRow)>,
    ordered: OrderedJob,
    tiles: BTreeMap<u32, TileData>,
    work: BTreeMap<Task, u64>,
}

impl Job {
    fn new(options: &Options, texts: &[(String, String)]) -> Self {
        let mut maker = FeatureMaker::new(options);
        let (mut job, mut rows) = (RowJob::new(options.clone()), Vec::new());
        for (name, text) in texts {
            match maker.features(text) {
                None => job.skip(name.clone(), ""),
                Some(features) => {
                    let row = DocumentRow::new(options, &features).unwrap();
                    job.add(name.clone(), row.key.as_bytes(), &row.facts)
                        .unwrap();
                    rows.push((name.clone(), row));
                }
            }
        }
        rows.retain(|(_, row)| row.key.size() > 0);
        rows.sort_by_key(|(_, row)| row.key);
        Self {
            options: options.clone(),
            rows,
            ordered: job.order().unwrap(),
            tiles: BTreeMap::new(),
            work: BTreeMap::new(),
        }
    }

    /// Counts and weighs the shingles of the tiles.
    fn prepare(&mut self, cut: Cut) {
        let bounds = self.ordered.cut(cut.tiles);
        let mut counts: Vec<Vec<(u32, Vec<u8>)>> = vec![Vec::new(); cut.stretches as usize];
        for bound in &bounds {
            let mut tile = TileBuilder::new();
            let next = bounds.iter().find(|next| next.tile > bound.tile);
            let mut pieces = Vec::new();
            for (_, row) in &self.rows {
                if row.key >= bound.key && next.is_none_or(|next| row.key < next.key) {
                    tile.add(row.key, &row.set).unwrap();
                    pieces.extend(tile.take_pieces());
                }
            }
            let (rest, own) = tile.finish(cut.stretches);
            pieces.extend(rest);
            for (stretch, own) in own.into_iter().enumerate() {
                counts[stretch].push((bound.tile, own));
            }
            let data = TileData {
                bound: Some(*bound),
                pieces,
                ..TileData::default()
            };
            self.tiles.insert(bound.tile, data);
        }
        for counts in &counts {
            let counts: Vec<(u32, &[u8])> = counts
                .iter()
                .map(|(tile, own)| (*tile, own.as_slice()))
                .collect();
            let merged = merge(&counts).unwrap();
            for (tile, own) in merged.of_tiles {
                self.tiles.get_mut(&tile).unwrap().frequencies.push(own);
            }
            for (task, work) in merged.work {
                *self.work.entry(task).or_default() += work;
            }
        }
        for (&number, tile) in &mut self.tiles {
            let found = weigh(&slices(&tile.pieces), &slices(&tile.frequencies)).unwrap();
            self.ordered.set_weights(number, &found).unwrap();
            tile.weights = found.weights;
        }
    }

    fn run(&self, slice: Slice, tiles: u32) -> Vec<u8> {
        let candidates = self.ordered.candidates(slice.task);
        let Task { earlier, later } = slice.task;
        let numbers = if earlier == later {
            vec![earlier]
        } else {
            vec![earlier, later]
        };
        let data: Vec<&TileData> = numbers.iter().map(|number| &self.tiles[number]).collect();
        let bytes: Vec<_> = data
            .iter()
            .map(|data| (slices(&data.pieces), slices(&data.frequencies)))
            .collect();
        let two = data
            .iter()
            .zip(&bytes)
            .map(|(data, (pieces, frequencies))| TaskTile {
                first: data.bound.unwrap().first,
                pieces,
                frequencies,
                weights: &data.weights,
            });
        let task = TaskOfJob {
            job: self.ordered.number(),
            tiles,
            documents: self.ordered.documents(),
            candidates: &candidates,
            slice,
        };
        join(&self.options, task, &two.collect::<Vec<_>>(), &Silent).unwrap()
    }

    fn finish(mut self, cut: Cut) -> Result<JobOutcome> {
        self.prepare(cut);
        let mut work = std::mem::take(&mut self.work);
        if let Some(same) = cut.work {
            work.values_mut().for_each(|work| *work = same);
        }
        let all = self.ordered.slices(&work, cut.cores);
        for slice in all {
            let pairs = self.run(slice, cut.tiles);
            self.ordered.add_pairs(slice, &pairs).unwrap();
        }
        let rows = self.rows;
        let load = |asked: &[RowKey]| {
            let found = rows.iter().filter(|(_, row)| asked.contains(&row.key));
            Ok(found.map(|(_, row)| (row.key, row.set.clone())).collect())
        };
        self.ordered.finish(&load, &Silent)
    }
}

fn slices(bytes: &[Vec<u8>]) -> Vec<&[u8]> {
    bytes.iter().map(Vec::as_slice).collect()
}

fn named(stretches: &[(u32, u32, u32)]) -> Vec<(String, String)> {
    let texts = stretches.iter().enumerate();
    let mut texts: Vec<_> = texts
        .map(|(at, &words)| (at.to_string(), stretch(words)))
        .collect();
    texts.push(("empty".into(), "...".into()));
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_job_finds_what_a_comparison_in_memory_finds(
        stretches in prop::collection::vec(
            (0_u32..3, 0_u32..40, prop_oneof![2_u32..150, Just(60_u32)]), 0..130,
        ),
        kind in 0_usize..9,
        tiles in 1_u32..9,
        stretch_count in 1_u32..5,
        work in prop_oneof![Just(None), Just(Some(4_000_000_000_u64))],
    ) {
        let options = kinds().swap_remove(kind);
        let texts = named(&stretches);
        let mut dedup = Dedup::new(options.clone());
        for (name, text) in &texts {
            dedup.add(name.clone(), text).unwrap();
        }
        let mut best = TopPairs::all();
        let expected = dedup.finish_with(&Silent, Some(&mut best)).unwrap().into_parts();
        let pairs: Vec<Pair> = best.into_pairs();

        let cut = Cut { tiles, stretches: stretch_count, cores: 2, work };
        let found = Job::new(&options, &texts).finish(cut).unwrap();
        prop_assert_eq!(found.pairs, pairs);
        prop_assert_eq!(found.outcome.documents, expected.documents);
        prop_assert_eq!(found.outcome.pair_counts, expected.counts);
        prop_assert_eq!(found.outcome.clusters, expected.clusters);
        prop_assert_eq!(found.outcome.unshared, expected.unshared);
        prop_assert_eq!(found.outcome.skipped, expected.skipped);
    }
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let options = Options::default();
    let stretches: Vec<_> = (0..30).map(|at| (at % 2, at, 60 + at % 3)).collect();
    let texts = named(&stretches);
    let cut = Cut {
        tiles: 2,
        stretches: 2,
        cores: 1,
        work: None,
    };
    let prepared = || {
        let mut job = Job::new(&options, &texts);
        job.prepare(cut);
        let work = job.work.clone();
        let slices = job.ordered.slices(&work, 1);
        (job, slices)
    };
    let (mut job, slices) = prepared();
    assert_eq!(slices.len(), 3);
    let pairs = job.run(slices[0], 2);
    // Pairs of another task, of a task that is done, of another job, and damaged ones.
    assert!(job.ordered.add_pairs(slices[1], &pairs).is_err());
    let (mut job, _) = prepared();
    job.ordered.add_pairs(slices[0], &pairs).unwrap();
    assert!(job.ordered.add_pairs(slices[0], &pairs).is_err());
    let (mut other, _) = prepared();
    let mut changed = pairs.clone();
    changed[20] ^= 1;
    assert!(other.ordered.add_pairs(slices[0], &changed).is_err());
    let mut other = Job::new(&options, &texts[1..]);
    other.prepare(cut);
    other.ordered.slices(&BTreeMap::new(), 1);
    assert!(other.ordered.add_pairs(slices[0], &pairs).is_err());
    // A job is whole or refused.
    let missing = job.ordered.finish(&|_| Ok(Vec::new()), &Silent);
    let Err(Error::TileJob(reason)) = missing else {
        panic!("slices are missing");
    };
    assert!(reason.contains("2 slices are missing"), "{reason}");
    // One name twice.
    let twice = [texts[0].clone(), texts[0].clone()];
    let mut rows = RowJob::new(options.clone());
    let features = FeatureMaker::new(&options).features(&twice[0].1).unwrap();
    let row = DocumentRow::new(&options, &features).unwrap();
    for (name, _) in &twice {
        rows.add(name.clone(), row.key.as_bytes(), &row.facts)
            .unwrap();
    }
    assert!(matches!(rows.order(), Err(Error::NameTwice { .. })));
}

proptest! {
    #[test]
    fn damaged_bytes_are_errors(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        // They may be whole by chance, and must never panic.
        let _ = merge(&[(1, &bytes), (2, &bytes)]);
        let _ = weigh(&[&bytes], &[&bytes]);
        let _ = TileBuilder::new().add(RowKey::from_bytes(&[9; 40]).unwrap(), &bytes);
        let options = Options::default();
        let mut job = RowJob::new(options.clone());
        prop_assert!(job.add("a".into(), &bytes, &bytes).is_err() || bytes.len() == 40);
        let tile = TaskTile { first: 0, pieces: &[&bytes], frequencies: &[&bytes], weights: &[1, 2] };
        let task = Task { earlier: 1, later: 1 };
        let slice = Slice { task, number: 0, count: 1 };
        let of_job = TaskOfJob { job: 1, tiles: 1, documents: 9, candidates: &[], slice };
        let _ = join(&options, of_job, &[tile], &Silent);
    }
}
