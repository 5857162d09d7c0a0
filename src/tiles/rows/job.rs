//! What the driver of a job knows: the facts of documents, the order of their sets, and pairs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::detect::Detector;
use crate::document::{DocId, SkipReason, Skipped};
use crate::engine::Options;
use crate::engine::collection::signatures::Signatures;
use crate::engine::collection::{Gathered, Gathering};
use crate::engine::features::Facts;
use crate::engine::observer::Observer;
use crate::engine::pair::Pair;
use crate::engine::pairing::joined_collection::JoinedCollection;
use crate::engine::pairing::sink::TopPairs;
use crate::engine::threads::in_pool;
use crate::error::{Error, Result};
use crate::join::groups::NONE;
use crate::join::index::SetPair;
use crate::join::index::postings::frequencies::Frequencies;
use crate::scan::outcome::{Outcome, Source};
use crate::tiles::cover::{BYTES_OF_A_SHINGLE, MOST_TILES, Task, Tiles};
use crate::tiles::frozen::{Frozen, FrozenHead, Sample, options_of};
use crate::tiles::outcome::{FoundInTasks, JobDocument, outcome};
use crate::tiles::pairs::PairsOfTask;
use crate::tiles::rows::document::{self, RowKey};
use crate::tiles::rows::frequencies::TileWeights;
use crate::tiles::rows::slices;
use crate::tiles::rows::task::Slice;

/// Takes the documents of a job.
#[derive(Debug)]
pub struct RowJob {
    options: Options,
    documents: Vec<RowDocument>,
    skipped: Vec<Skipped>,
}

#[derive(Debug)]
struct RowDocument {
    name: String,
    key: RowKey,
    facts: Facts,
}

impl RowJob {
    /// Returns a job without documents.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            documents: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// Adds a document, of which these are the key of the set and the bytes of the facts.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if they are damaged.
    pub fn add(&mut self, name: String, key: &[u8], facts: &[u8]) -> Result<()> {
        let document = RowDocument {
            name,
            key: RowKey::from_bytes(key)?,
            facts: document::facts(&self.options, facts)?,
        };
        if document.key.size() != document.facts.shingles {
            return Err(super::damaged("facts of documents"));
        }
        self.documents.push(document);
        Ok(())
    }

    /// Adds a row that has nothing to compare. `detail` says why.
    pub fn skip(&mut self, name: String, detail: &str) {
        let skipped = Skipped::new(name, SkipReason::Empty, detail);
        self.skipped.push(skipped);
    }

    /// Orders the sets of all documents.
    ///
    /// # Errors
    ///
    /// [`Error::NameTwice`] if two documents have one name, [`Error::TooManyDocuments`].
    pub fn order(mut self) -> Result<OrderedJob> {
        DocId::new(self.documents.len())?;
        self.documents
            .par_sort_unstable_by(|x, y| x.name.cmp(&y.name));
        self.skipped.sort_unstable();
        let documents = self.documents.iter().map(|document| document.name.as_str());
        let mut names: Vec<&str> = self.skipped.iter().map(|row| row.path.as_str()).collect();
        names.extend(documents);
        names.par_sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = twice[0].to_owned();
            return Err(Error::NameTwice { name });
        }
        let row_of = |name: &str| names.binary_search(&name).expect("it is one of them") as u64;
        let rows = self.documents.iter().map(|document| row_of(&document.name));
        let rows: Vec<u64> = rows.collect();
        let skipped_rows = self.skipped.iter().map(|row| row_of(&row.path)).collect();
        let (ranks, keys) = self.ranks();
        let frozen = self.frozen(ranks, &keys);
        Ok(OrderedJob {
            options: self.options,
            documents: self.documents,
            rows,
            skipped: self.skipped,
            skipped_rows,
            tiles: Tiles::cut(&frozen.sizes, 1),
            frozen,
            keys,
            slices: BTreeSet::new(),
            pairs: Vec::new(),
        })
    }

    /// Returns the rank of the set of each document, and the key of each set.
    fn ranks(&self) -> (Vec<u32>, Vec<RowKey>) {
        let key = |at: usize| self.documents[at].key;
        let mut order: Vec<usize> = (0..self.documents.len()).collect();
        order.retain(|&at| key(at).size() > 0);
        order.par_sort_unstable_by_key(|&at| (key(at), at));
        let (mut ranks, mut keys) = (vec![NONE; self.documents.len()], Vec::new());
        for at in order {
            if keys.last() != Some(&key(at)) {
                keys.push(key(at));
            }
            ranks[at] = u32::try_from(keys.len() - 1).expect("fewer than documents");
        }
        (ranks, keys)
    }

    /// Returns what all tasks must agree on, without frequencies and weights.
    fn frozen(&self, ranks: Vec<u32>, keys: &[RowKey]) -> Frozen {
        let options = options_of(&self.options);
        let mut number = Xxh3::new();
        number.update(options.as_bytes());
        for document in &self.documents {
            number.update(document.name.as_bytes());
            number.update(document.key.as_bytes());
            number.update(&document.facts.text_hash.to_le_bytes());
        }
        let mut frozen = Frozen {
            number: number.digest(),
            head: FrozenHead {
                options,
                reading: String::new(),
                parts: Vec::new(),
            },
            ranks,
            sizes: keys.iter().map(RowKey::size).collect(),
            weights: vec![0; keys.len()],
            unshared: vec![0; keys.len()],
            frequencies: Frequencies::default(),
            candidates: Vec::new(),
            sample: Sample::default(),
        };
        let among = frozen.options(&self.options);
        let detectors = among.detectors;
        if detectors.have(Detector::Shingle) && detectors.compare_signatures() {
            let of_document = |document: &RowDocument| document.facts.signatures.clone();
            let signatures: Vec<_> = self.documents.iter().map(of_document).collect();
            let signatures = Signatures::new(&among, &signatures);
            frozen.candidates = signatures.similar(&frozen.ranks);
        }
        frozen
    }
}

/// A job whose sets are ordered.
#[derive(Debug)]
pub struct OrderedJob {
    options: Options,
    documents: Vec<RowDocument>,
    /// The row of each document: its place in the order of all names.
    rows: Vec<u64>,
    skipped: Vec<Skipped>,
    skipped_rows: Vec<u64>,
    frozen: Frozen,
    /// The key of each set, by rank.
    keys: Vec<RowKey>,
    tiles: Tiles,
    /// The slices whose pairs are missing.
    slices: BTreeSet<Slice>,
    pairs: Vec<SetPair>,
}

/// Returns the bytes of the sets that have these keys.
pub type LoadRows<'l> = dyn Fn(&[RowKey]) -> Result<Vec<(RowKey, Vec<u8>)>> + Send + Sync + 'l;

/// A tile of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileBound {
    /// Its number, from 1.
    pub tile: u32,
    /// The rank of its first set.
    pub first: u32,
    /// The key of its first set.
    pub key: RowKey,
    /// How many shingles its sets have.
    pub shingles: u64,
}

/// What a job has found.
pub struct JobOutcome {
    /// The outcome of a scan of the documents. The record of a source is the row of the document, from 1.
    pub outcome: Outcome,
    /// The pairs, in the order of reports.
    pub pairs: Vec<Pair>,
    /// The row of each that was skipped, in the order of the outcome.
    pub skipped_rows: Vec<u64>,
    pub(crate) collection: JoinedCollection,
}

impl OrderedJob {
    /// Returns the number that the job is known by. Jobs of other documents or with other options have another one.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.frozen.number
    }

    /// Returns how many documents there are.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.documents.len()
    }

    /// Returns how many tiles there must be for a task to take at most so many bytes of memory.
    #[must_use]
    pub fn tiles_for(&self, memory: u64) -> u32 {
        let shingles: u64 = self.frozen.sizes.iter().map(|&size| u64::from(size)).sum();
        let two_tiles = shingles.saturating_mul(2 * BYTES_OF_A_SHINGLE);
        let tiles = two_tiles.div_ceil(memory.max(1)).max(1);
        u32::try_from(tiles).map_or(MOST_TILES, |tiles| tiles.min(MOST_TILES))
    }

    /// Cuts the sets into so many tiles. Returns those that have sets.
    pub fn cut(&mut self, tiles: u32) -> Vec<TileBound> {
        self.tiles = Tiles::cut(&self.frozen.sizes, tiles.clamp(1, MOST_TILES));
        let all = (1..=self.tiles.count()).map(|tile| (tile, self.tiles.ranks(tile)));
        let bounds = all
            .filter(|(_, ranks)| !ranks.is_empty())
            .map(|(tile, ranks)| {
                let own = ranks.start as usize..ranks.end as usize;
                let sizes = self.frozen.sizes[own].iter();
                TileBound {
                    tile,
                    first: ranks.start,
                    key: self.keys[ranks.start as usize],
                    shingles: sizes.map(|&size| u64::from(size)).sum(),
                }
            });
        bounds.collect()
    }

    /// Takes the weights of the sets of a tile.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if the tile has another number of sets.
    pub fn set_weights(&mut self, tile: u32, found: &TileWeights) -> Result<()> {
        self.tiles.check(Task {
            earlier: tile,
            later: tile,
        })?;
        let ranks = self.tiles.ranks(tile);
        let ranks = ranks.start as usize..ranks.end as usize;
        if found.weights.len() != ranks.len() || found.unshared.len() != ranks.len() {
            return Err(super::damaged("weights of sets"));
        }
        self.frozen.weights[ranks.clone()].copy_from_slice(&found.weights);
        self.frozen.unshared[ranks].copy_from_slice(&found.unshared);
        Ok(())
    }

    /// Returns the slices of all tasks, for so many cores, those that take longest first. `work` says about how many
    /// times the sets of each task share a shingle.
    pub fn slices(&mut self, work: &BTreeMap<Task, u64>, cores: u32) -> Vec<Slice> {
        let tasks = self.tiles.tasks(&self.frozen, &self.options);
        let slices = slices::cut(&tasks, work, cores);
        self.slices = slices.iter().copied().collect();
        slices
    }

    /// Returns how many bytes of memory a task is expected to take.
    #[must_use]
    pub fn memory(&self, task: Task) -> u64 {
        let shingles = |tile: u32| {
            let ranks = self.tiles.ranks(tile);
            let sizes = &self.frozen.sizes[ranks.start as usize..ranks.end as usize];
            sizes.iter().map(|&size| u64::from(size)).sum::<u64>()
        };
        let later = if task.earlier == task.later {
            0
        } else {
            shingles(task.later)
        };
        (shingles(task.earlier) + later) * BYTES_OF_A_SHINGLE
    }

    /// Returns the candidates of a task, ordered.
    #[must_use]
    pub fn candidates(&self, task: Task) -> Vec<(u32, u32)> {
        let (later, earlier) = (self.tiles.ranks(task.later), self.tiles.ranks(task.earlier));
        let candidates = &self.frozen.candidates;
        let first = candidates.partition_point(|&(x, _)| x < later.start);
        let end = candidates.partition_point(|&(x, _)| x < later.end);
        let own = candidates[first..end].iter();
        own.filter(|(_, y)| earlier.contains(y)).copied().collect()
    }

    /// Takes the pairs of a slice.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] and [`Error::TileFile`] if they are of another job, or damaged.
    pub fn add_pairs(&mut self, slice: Slice, bytes: &[u8]) -> Result<()> {
        let found = PairsOfTask::of_bytes(bytes)?;
        let is_own = found.frozen == self.frozen.number
            && found.tiles == self.tiles.count()
            && found.task == slice.task
            && self.slices.remove(&slice);
        if !is_own {
            return Err(Error::TileJob(
                "pairs of another job are among its own".into(),
            ));
        }
        let ranks = (
            self.tiles.ranks(slice.task.later),
            self.tiles.ranks(slice.task.earlier),
        );
        let is_of_task = |pair: &SetPair| {
            ranks.0.contains(&pair.x) && ranks.1.contains(&pair.y) && pair.y < pair.x
        };
        if !found.pairs.iter().all(is_of_task) {
            return Err(super::damaged("pairs of a task"));
        }
        self.pairs.extend(found.pairs);
        Ok(())
    }

    /// Returns the outcome of a scan of all documents. `load` returns the bytes of sets with these keys.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if a slice is missing or a set is damaged, and those of `load`.
    pub fn finish(mut self, load: &LoadRows<'_>, observer: &dyn Observer) -> Result<JobOutcome> {
        if let Some(slice) = self.slices.first() {
            let Task { earlier, later } = slice.task;
            let missing = self.slices.len();
            return Err(Error::TileJob(format!(
                "the pairs of {missing} slices are missing, the first one is of the task {earlier},{later}"
            )));
        }
        let options = &self.options;
        in_pool(options, || {
            self.pairs.par_sort_unstable();
            let gathering = Gathering::new(options, false);
            let rows = self.rows.iter().zip(&self.frozen.ranks);
            let documents = self.documents.into_iter().zip(rows);
            let documents = documents.map(|(document, (&row, &rank))| JobDocument {
                name: document.name,
                gathered: Gathered::without_set(document.facts, document.key.set_key()),
                source: Source {
                    record: row + 1,
                    ..Source::of_file(0)
                },
                rank,
            });
            let keys = &self.keys;
            let found = FoundInTasks {
                frozen: &self.frozen,
                documents: documents.collect(),
                // All rows are of one table, which has no path.
                files: vec![std::path::PathBuf::new()],
                pairs: std::mem::take(&mut self.pairs),
                load: &|ranks| loaded(keys, ranks, load),
            };
            let mut best = TopPairs::all();
            let handlers = (None, Some(&mut best as _));
            let (mut outcome, collection) = outcome(options, gathering, found, observer, handlers)?;
            outcome.skipped = self.skipped;
            Ok(JobOutcome {
                outcome,
                pairs: best.into_pairs(),
                skipped_rows: self.skipped_rows,
                collection,
            })
        })
    }
}

/// Returns the sets of some ranks.
fn loaded(keys: &[RowKey], ranks: &[u32], load: &LoadRows<'_>) -> Result<HashMap<u32, Vec<u64>>> {
    let asked: Vec<RowKey> = ranks.iter().map(|&rank| keys[rank as usize]).collect();
    let mut sets = HashMap::new();
    for (key, bytes) in load(&asked)? {
        if let Ok(rank) = keys.binary_search(&key) {
            let rank = u32::try_from(rank).expect("ranks are 32 bits wide");
            sets.insert(rank, document::set(&key, &bytes)?);
        }
    }
    Ok(sets)
}
