//! Jobs whose bytes are moved as rows.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::bytes::document::{DocumentBytes, RankKey};
use crate::cover::{Slice, Task};
use crate::laws::texts;
use crate::rows::{OrderedRowJob, RowJob, TileBound, TileBytes, join_bytes};
use crate::task::TaskOfJob;
use crate::tile::TileBuilder;
use crate::tile::frequencies::{merge_counts, weigh, weights_of_bytes, weights_to_bytes};
use dupfind_engine::run::observer::Silent;
use dupfind_engine::{Error, Result};
use dupfind_engine::{FeatureMaker, Options};
use dupfind_scan::{Scan, ScanOptions};

/// The data of a tile that the steps hand on.
#[derive(Default)]
struct TileData {
    bound: Option<TileBound>,
    pieces: Vec<Vec<u8>>,
    frequencies: Vec<Vec<u8>>,
    weights: Vec<u8>,
}

/// How a job is cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    pub(super) tiles: u32,
    pub(super) stretches: u32,
    pub(super) cores: u32,
    /// The pretended amount of work of each task.
    pub(super) work: Option<u64>,
}

/// A job of texts, and all that its steps have made so far.
struct ScheduledJob {
    options: Options,
    rows: Vec<(String, DocumentBytes)>,
    ordered: OrderedRowJob,
    tiles: BTreeMap<u32, TileData>,
    work: BTreeMap<Task, u64>,
}

impl ScheduledJob {
    fn new(options: &Options, texts: &[(String, String)]) -> Self {
        let mut maker = FeatureMaker::new(options);
        let (mut job, mut rows) = (RowJob::new(options.clone()), Vec::new());
        for (name, text) in texts {
            match maker.features(text) {
                None => job.skip(name.clone(), false, ""),
                Some(features) => {
                    let row = DocumentBytes::new(options, &features).unwrap();
                    job.add(name.clone(), false, row.key.as_bytes(), &row.facts)
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
                    tile.add(row.key, &row.set, true).unwrap();
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
            let merged = merge_counts(&counts).unwrap();
            for (tile, own) in merged.of_tiles {
                self.tiles.get_mut(&tile).unwrap().frequencies.push(own);
            }
            for (task, work) in merged.work {
                *self.work.entry(task).or_default() += work;
            }
        }
        for (&number, tile) in &mut self.tiles {
            let found = weigh(&slices(&tile.pieces), &slices(&tile.frequencies)).unwrap();
            self.ordered.job.set_weights(number, &found).unwrap();
            tile.weights = weights_to_bytes(&found);
            assert_eq!(weights_of_bytes(&tile.weights).unwrap(), found);
        }
    }

    fn run(&self, slice: Slice, tiles: u32) -> Vec<u8> {
        let candidates = self.ordered.job.candidates(slice.task);
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
            .map(|(data, (pieces, frequencies))| TileBytes {
                first: data.bound.unwrap().first,
                pieces,
                frequencies,
                weights: &data.weights,
            });
        let task = TaskOfJob {
            job: self.ordered.job.number(),
            tiles,
            documents: self.ordered.job.documents(),
            candidates: &candidates,
            slice,
        };
        join_bytes(&self.options, task, &two.collect::<Vec<_>>(), &Silent).unwrap()
    }

    fn finish(mut self, cut: Cut) -> Result<Scan> {
        self.prepare(cut);
        let mut work = std::mem::take(&mut self.work);
        if let Some(same) = cut.work {
            work.values_mut().for_each(|work| *work = same);
        }
        let all = self.ordered.job.plan(&work, cut.cores);
        for slice in all {
            let pairs = self.run(slice, cut.tiles);
            self.ordered.add_pairs(&pairs).unwrap();
        }
        let rows = self.rows;
        let load = |wanted: &[RankKey]| {
            let found = rows.iter().filter(|(_, row)| wanted.contains(&row.key));
            Ok(found.map(|(_, row)| (row.key, row.set.clone())).collect())
        };
        self.ordered.finish(scan_options(), &load, &Silent, None)
    }
}

/// Returns the options of a scan of rows.
fn scan_options() -> ScanOptions {
    ScanOptions::for_paths([""; 0])
}

fn slices(bytes: &[Vec<u8>]) -> Vec<&[u8]> {
    bytes.iter().map(Vec::as_slice).collect()
}

/// Runs a whole job. Returns the result of a scan.
pub(super) fn rows_of_job(options: &Options, texts: &[(String, String)], cut: Cut) -> Result<Scan> {
    ScheduledJob::new(options, texts).finish(cut)
}

#[test]
fn rows_of_different_jobs_are_refused() {
    let options = Options::default();
    let stretches: Vec<_> = (0..30).map(|at| (at % 2, at, 60 + at % 3)).collect();
    let texts = texts(&stretches);
    let cut = Cut {
        tiles: 2,
        stretches: 2,
        cores: 1,
        work: None,
    };
    let prepared = || {
        let mut job = ScheduledJob::new(&options, &texts);
        job.prepare(cut);
        let work = job.work.clone();
        let slices = job.ordered.job.plan(&work, 1);
        (job, slices)
    };
    let (mut job, slices) = prepared();
    assert_eq!(slices.len(), 3);
    let pairs = job.run(slices[0], 2);
    // A job is the same one whatever the order of its rows.
    let reversed: Vec<_> = texts.iter().rev().cloned().collect();
    let reversed = ScheduledJob::new(&options, &reversed);
    assert_eq!(reversed.ordered.job.number(), job.ordered.job.number());
    // Pairs of a task that is done, of other slices, of another job, and damaged ones.
    let part = Slice {
        count: 2,
        ..slices[0]
    };
    let of_part = job.run(part, 2);
    assert!(job.ordered.add_pairs(&of_part).is_err());
    job.ordered.add_pairs(&pairs).unwrap();
    assert!(job.ordered.add_pairs(&pairs).is_err());
    let (mut other, _) = prepared();
    let mut changed = pairs.clone();
    changed[20] ^= 1;
    assert!(other.ordered.add_pairs(&changed).is_err());
    let mut other = ScheduledJob::new(&options, &texts[1..]);
    other.prepare(cut);
    other.ordered.job.plan(&BTreeMap::new(), 1);
    assert!(other.ordered.add_pairs(&pairs).is_err());
    // A job is whole or refused.
    let missing = job
        .ordered
        .finish(scan_options(), &|_| Ok(Vec::new()), &Silent, None);
    let Err(Error::TileJob(reason)) = missing else {
        panic!("tasks are missing");
    };
    assert!(reason.contains("2 of 3 tasks are missing"), "{reason}");
    // One name twice.
    let twice = [texts[0].clone(), texts[0].clone()];
    let mut rows = RowJob::new(options.clone());
    let features = FeatureMaker::new(&options).features(&twice[0].1).unwrap();
    let row = DocumentBytes::new(&options, &features).unwrap();
    for (name, _) in &twice {
        rows.add(name.clone(), false, row.key.as_bytes(), &row.facts)
            .unwrap();
    }
    assert!(matches!(rows.order(), Err(Error::NameTwice { .. })));
}

proptest! {
    #[test]
    fn damaged_bytes_are_errors(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        // They may be whole by chance, and must never panic.
        let _ = merge_counts(&[(1, &bytes), (2, &bytes)]);
        let _ = weigh(&[&bytes], &[&bytes]);
        let _ = TileBuilder::new().add(RankKey::from_bytes(&[9; 40]).unwrap(), &bytes, true);
        let options = Options::default();
        let mut job = RowJob::new(options.clone());
        prop_assert!(job.add("a".into(), false, &bytes, &bytes).is_err() || bytes.len() == 40);
        let tile = TileBytes { first: 0, pieces: &[&bytes], frequencies: &[&bytes], weights: &bytes };
        let task = Task { earlier: 1, later: 1 };
        let slice = Slice { task, number: 0, count: 1 };
        let of_job = TaskOfJob { job: 1, tiles: 1, documents: 9, candidates: &[], slice };
        let _ = join_bytes(&options, of_job, &[tile], &Silent);
    }
}
