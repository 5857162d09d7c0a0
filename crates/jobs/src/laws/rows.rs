//! Jobs whose bytes are moved as rows.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::bytes::{DocumentBytes, RankKey};
use crate::cover::{Slice, Task};
use crate::job::{Job, RowJob, TileBound};
use crate::laws::texts;
use crate::task::{TaskOfJob, TileBytes, join_bytes};
use crate::tile::{TileBuilder, merge_counts, weigh, weights_of_bytes, weights_to_bytes};
use dupfind_engine::{Error, FeatureMaker, Options, Result, Silent};
use dupfind_scan::{Scan, ScanOptions, SkipReason};

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
    ordered: Job,
    tiles: BTreeMap<u32, TileData>,
    work: BTreeMap<Task, u64>,
}

impl ScheduledJob {
    fn new(options: &Options, texts: &[(String, String)]) -> Self {
        let mut maker = FeatureMaker::new(options);
        let (mut job, mut rows) = (RowJob::new(options.clone()), Vec::new());
        for (name, text) in texts {
            match maker.features(text) {
                None => job.skip(name.clone(), false, (SkipReason::Empty, "")),
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
            let counts = counts.iter().map(|(tile, own)| (*tile, own.as_slice()));
            let merged = merge_counts(&counts.collect::<Vec<(u32, &[u8])>>()).unwrap();
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
            tile.weights = weights_to_bytes(&found);
            assert_eq!(weights_of_bytes(&tile.weights).unwrap(), found);
        }
    }

    fn run(&self, slice: Slice) -> Vec<u8> {
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
        let two = data.iter().zip(&bytes);
        let two = two.map(|(data, (pieces, frequencies))| TileBytes {
            first: data.bound.unwrap().first,
            pieces,
            frequencies,
            weights: &data.weights,
        });
        let task = TaskOfJob {
            documents: self.ordered.documents(),
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
        let all = self.ordered.plan(&work, cut.cores);
        for (slice, number) in all.into_iter().zip(0..) {
            let pairs = self.run(slice);
            self.ordered.add_pairs(number, 0, &pairs).unwrap();
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
fn a_job_is_the_same_one_whatever_the_order_of_its_rows_and_names_are_there_once() {
    let options = Options::default();
    let stretches: Vec<_> = (0..30).map(|at| (at % 2, at, 60 + at % 3)).collect();
    let texts = texts(&stretches);
    let number = |texts: &[(String, String)]| ScheduledJob::new(&options, texts).ordered.number();
    let reversed: Vec<_> = texts.iter().rev().cloned().collect();
    assert_eq!(number(&reversed), number(&texts));
    assert_ne!(number(&texts[1..]), number(&texts));
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

#[test]
fn the_pairs_of_each_task_come_once() {
    let stretches: Vec<_> = (0..30).map(|at| (at % 2, at, 60 + at % 3)).collect();
    let mut job = ScheduledJob::new(&Options::default(), &texts(&stretches));
    job.prepare(Cut {
        tiles: 2,
        stretches: 2,
        cores: 1,
        work: None,
    });
    let slices = job.ordered.plan(&job.work, 1);
    assert_eq!(slices.len(), 3);
    let pairs = job.run(slices[0]);
    job.ordered.add_pairs(0, 0, &pairs).unwrap();
    assert!(job.ordered.add_pairs(0, 0, &pairs).is_err(), "it came");
    assert!(job.ordered.add_pairs(3, 0, &pairs).is_err(), "no task");
    let damaged = &pairs[..pairs.len() - 1];
    assert!(job.ordered.add_pairs(1, 0, damaged).is_err());
    job.ordered.add_pairs(2, 0, &[]).unwrap();
    let none = |_: &[RankKey]| Ok(Vec::new());
    let finished = job.ordered.finish(scan_options(), &none, &Silent, None);
    let Err(Error::TileJob(reason)) = finished else {
        panic!("a task is missing");
    };
    assert_eq!(reason, "the pairs of 1 of 3 tasks are missing");
}

proptest! {
    #[test]
    fn damaged_bytes_are_errors(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        // They may be whole by chance, and must never panic.
        let _ = merge_counts(&[(1, &bytes), (2, &bytes)]);
        let _ = weigh(&[&bytes], &[&bytes]);
        let _ = TileBuilder::new().add(RankKey::from_bytes(&[9; 40]).unwrap(), &bytes, true);
        let options = Options::default();
        let mut job = RowJob::new(options.clone()).order().unwrap();
        prop_assert!(job.add_pairs(0, 0, &bytes).is_err());
        let mut job = RowJob::new(options.clone());
        prop_assert!(job.add("a".into(), false, &bytes, &bytes).is_err() || bytes.len() == 40);
        let tile = TileBytes { first: 0, pieces: &[&bytes], frequencies: &[&bytes], weights: &bytes };
        let task = Task { earlier: 1, later: 1 };
        let slice = Slice { task, number: 0, count: 1 };
        let of_job = TaskOfJob { documents: 9, candidates: &[], slice };
        let _ = join_bytes(&options, of_job, &[tile], &Silent);
    }
}
