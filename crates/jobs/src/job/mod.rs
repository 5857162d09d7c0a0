//! The part of a job that is in one place: the facts of its documents, the order of their sets, and pairs.

mod outcome;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::bytes::damaged;
use crate::bytes::document::RankKey;
use crate::bytes::pairs::PairsOfTask;
use crate::cover::sets::JobSets;
use crate::cover::{BYTES_PER_SHINGLE, MAX_TILES, Slice, Task, Tiles, slices};
use dupfind_engine::DocId;
use dupfind_engine::Options;
use dupfind_engine::detect::Detector;
use dupfind_engine::features::Facts;
use dupfind_engine::features::collection::Signatures;
use dupfind_engine::join::groups::NONE;
use dupfind_engine::join::inverted::SetPair;
use dupfind_engine::join::inverted::distinct::SetKey;
use dupfind_engine::run::observer::{Observer, Stage};
use dupfind_engine::{Error, Result};

/// A document of a job, without its set.
#[derive(Debug)]
pub(super) struct JobDocument {
    pub(super) name: String,
    pub(super) key: SetKey,
    pub(super) facts: Facts,
}

/// Orders the sets of documents that have these keys, and compares the signatures of the documents. Without a join of
/// both there need be no signatures. Returns the sets without weights, and for each set a document that has it.
///
/// # Errors
///
/// [`Error::TooMuch`].
pub(super) fn ordered(
    options: &Options,
    keys: &[RankKey],
    signatures: &[&[u64]],
    observer: &dyn Observer,
) -> Result<(JobSets, Vec<u32>)> {
    DocId::new(keys.len())?;
    let key = |at: u32| keys[at as usize];
    let all = 0..u32::try_from(keys.len()).expect("documents are numbered by 32 bits");
    let mut order: Vec<u32> = all.filter(|&at| key(at).size() > 0).collect();
    order.par_sort_unstable_by_key(|&at| (key(at), at));
    let (mut ranks, mut firsts) = (vec![NONE; keys.len()], Vec::new());
    for at in order {
        if firsts.last().is_none_or(|&first| key(first) != key(at)) {
            firsts.push(at);
        }
        ranks[at as usize] = u32::try_from(firsts.len() - 1).expect("fewer than documents");
    }
    let mut sets = JobSets {
        number: 0,
        ranks,
        sizes: firsts.iter().map(|&first| key(first).size()).collect(),
        weights: vec![0; firsts.len()],
        candidates: Vec::new(),
    };
    if needs_signatures(options) {
        observer.stage(Stage::HammingJoin, None);
        let signatures = Signatures::new(&sets.options(options), signatures);
        sets.candidates = signatures.similar(&sets.ranks);
    }
    Ok((sets, firsts))
}

/// Returns whether tasks need the pairs of sets that have documents with similar signatures.
pub(super) fn needs_signatures(options: &Options) -> bool {
    options.detectors.have(Detector::Shingle) && options.detectors.compare_signatures()
}

/// A job whose sets are ordered.
#[derive(Debug)]
pub struct Job {
    options: Options,
    sets: JobSets,
    tiles: Tiles,
    /// The slices that are needed.
    planned: BTreeSet<Slice>,
    /// The slices whose pairs are there.
    done: BTreeSet<Slice>,
    pairs: Vec<SetPair>,
}

impl Job {
    /// Returns a job without tasks.
    pub(super) fn new(options: Options, sets: JobSets) -> Self {
        Self {
            options,
            tiles: Tiles::cut(&sets.sizes, 1),
            sets,
            planned: BTreeSet::new(),
            done: BTreeSet::new(),
            pairs: Vec::new(),
        }
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the number of the job. Jobs of other documents or with other options have another one.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.sets.number
    }

    /// Returns how many documents there are.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.sets.documents()
    }

    /// Returns the fewest tiles with which a task needs at most so many bytes of memory.
    #[must_use]
    pub fn tiles_for(&self, memory: u64) -> u32 {
        let shingles = self.sets.all_shingles();
        let two_tiles = shingles.saturating_mul(2 * BYTES_PER_SHINGLE);
        let tiles = two_tiles.div_ceil(memory.max(1)).max(1);
        u32::try_from(tiles).map_or(MAX_TILES, |tiles| tiles.min(MAX_TILES))
    }

    /// Cuts the sets into so many tiles. Returns, for each that has sets, its number, the rank of its first set, and how
    /// many shingles it has.
    pub(super) fn cut(&mut self, tiles: u32) -> Vec<(u32, u32, u64)> {
        self.tiles = Tiles::cut(&self.sets.sizes, tiles.clamp(1, MAX_TILES));
        let all = (1..=self.tiles.count()).map(|tile| (tile, self.tiles.ranks(tile)));
        let own = all.filter(|(_, ranks)| !ranks.is_empty());
        own.map(|(tile, ranks)| (tile, ranks.start, self.sets.shingles(ranks)))
            .collect()
    }

    /// Stores the weights of the sets of a tile.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if the tile has another number of sets.
    pub fn set_weights(&mut self, tile: u32, found: &[u64]) -> Result<()> {
        if tile == 0 || tile > self.tiles.count() {
            return Err(damaged("numbers of tiles"));
        }
        let ranks = self.tiles.ranks(tile);
        let ranks = ranks.start as usize..ranks.end as usize;
        if found.len() != ranks.len() {
            return Err(damaged("weights of sets"));
        }
        self.sets.weights[ranks].copy_from_slice(found);
        Ok(())
    }

    /// Plans the slices of all tasks, for so many cores. Returns them, the longest ones first. `work` has about how
    /// many times the sets of each task share a shingle.
    pub fn plan(&mut self, work: &BTreeMap<Task, u64>, cores: u32) -> Vec<Slice> {
        let tasks = self.tiles.tasks(&self.sets, &self.options);
        let slices = slices(&tasks, work, cores);
        self.planned = slices.iter().copied().collect();
        slices
    }

    /// Returns how many bytes of memory a task is expected to need.
    #[must_use]
    pub fn memory(&self, task: Task) -> u64 {
        self.tiles.shingles(task, &self.sets) * BYTES_PER_SHINGLE
    }

    /// Returns the candidates of a task, ordered.
    #[must_use]
    pub fn candidates(&self, task: Task) -> Vec<(u32, u32)> {
        let (later, earlier) = (self.tiles.ranks(task.later), self.tiles.ranks(task.earlier));
        let candidates = &self.sets.candidates;
        let first = candidates.partition_point(|&(x, _)| x < later.start);
        let end = candidates.partition_point(|&(x, _)| x < later.end);
        let own = candidates[first..end].iter();
        own.filter(|(_, y)| earlier.contains(y)).copied().collect()
    }

    /// Adds the pairs of a slice.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if they are of another job, or are there twice.
    pub(super) fn add_pairs(&mut self, found: PairsOfTask) -> Result<()> {
        let PairsOfTask {
            job,
            tiles,
            slice,
            pairs,
        } = found;
        let Task { earlier, later } = slice.task;
        let refused = |reason: &str| {
            let reason = format!("pairs of the task {earlier},{later} {reason}");
            Err(Error::TileJob(reason))
        };
        if job != self.sets.number || tiles != self.tiles.count() {
            return refused("are of another job");
        }
        if !self.planned.contains(&slice) {
            return refused("are of a slice that is not planned");
        }
        let ranks = (self.tiles.ranks(later), self.tiles.ranks(earlier));
        let is_of_task = |pair: &SetPair| {
            ranks.0.contains(&pair.x) && ranks.1.contains(&pair.y) && pair.y < pair.x
        };
        if !pairs.iter().all(is_of_task) {
            return refused("have sets of other tiles");
        }
        if !self.done.insert(slice) {
            return refused("are there twice");
        }
        self.pairs.extend(pairs);
        Ok(())
    }

    /// Checks that the pairs of all slices are there.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`].
    fn check_is_whole(&self) -> Result<()> {
        let missing = self.planned.difference(&self.done).count();
        let all = self.planned.len();
        match missing {
            0 => Ok(()),
            _ => Err(Error::TileJob(format!(
                "{missing} of {all} tasks are missing"
            ))),
        }
    }
}
