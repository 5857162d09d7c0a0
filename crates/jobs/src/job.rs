//! The part of a job that is in one place: its documents, which are rows of a table, the order of their sets, and pairs.
//!
//! ```text
//! text ─> row ─┬─> driver: order of the sets, tiles ──────────────────────┐
//!              └─> sets of a tile ─┬─> counts of a stretch of hashes ─┐   │
//!                                  ├─> weights of the sets <──────────┤   │
//!                                  └─> task: two tiles <──────────────┴───┤
//!                                        └─> pairs ─> driver: the outcome of a scan
//! ```
//!
//! Nothing but the facts of documents, the order of their sets and the pairs comes to one place: no step has more of the
//! sets than two tiles have.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::bytes::{self, RankKey, damaged, take_pair};
use crate::cover::{BYTES_PER_SHINGLE, JobSets, MAX_TILES, Slice, Task, Tiles, options_of, slices};
use dupfind_engine::features::Facts;
use dupfind_engine::features::collection::{Gathered, Gathering, Signatures};
use dupfind_engine::join::groups::NONE;
use dupfind_engine::join::inverted::SetPair;
use dupfind_engine::pairing::joined::KnownJoin;
use dupfind_engine::{Detector, DocId, Error, Observer, Options, Result, Stats, TopPairs, in_pool};
use dupfind_scan::{Corpus, Row, Scan, ScanJudge, ScanOptions, SkipReason, Skipped, Sources};

/// A document of a job, without its set.
#[derive(Debug)]
struct JobDocument {
    name: String,
    /// Whether it is of the other table.
    is_against: bool,
    key: RankKey,
    facts: Facts,
}

/// Collects the rows of a job.
#[derive(Debug)]
pub struct RowJob {
    options: Options,
    documents: Vec<JobDocument>,
    /// The rows that have nothing to compare, and whether each is of the other table.
    skipped: Vec<(Skipped, bool)>,
}

impl RowJob {
    /// Returns a job without rows.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            documents: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// Adds a document, with the key of its set and the bytes of its facts. `is_against` tells whether it is of the
    /// table that others are compared with.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if they are damaged.
    pub fn add(&mut self, id: String, is_against: bool, key: &[u8], facts: &[u8]) -> Result<()> {
        let key = RankKey::from_bytes(key)?;
        let facts = bytes::facts(&self.options, facts)?;
        if key.size() != facts.shingles {
            return Err(damaged("facts of documents"));
        }
        self.documents.push(JobDocument {
            name: Row::name(id, is_against),
            is_against,
            key,
            facts,
        });
        Ok(())
    }

    /// Adds a row that is not compared, with the reason and its details.
    pub fn skip(&mut self, id: String, is_against: bool, (reason, detail): (SkipReason, &str)) {
        let skipped = Skipped::new(Row::name(id, is_against), reason, detail);
        self.skipped.push((skipped, is_against));
    }

    /// Orders the sets of all documents, and compares the signatures of the documents.
    ///
    /// # Errors
    ///
    /// [`Error::NameTwice`] if two rows have one name, [`Error::TooMuch`].
    pub fn order(mut self) -> Result<Job> {
        self.skipped.sort_unstable();
        let of_skipped = self.skipped.iter();
        let of_skipped = of_skipped.map(|(row, is_against)| (*is_against, row.path.as_str()));
        let of_documents = self.documents.iter();
        let of_documents = of_documents.map(|of| (of.is_against, of.name.as_str()));
        let mut names: Vec<(bool, &str)> = of_skipped.clone().chain(of_documents.clone()).collect();
        names.par_sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = twice[0].1.to_owned();
            return Err(Error::NameTwice { name });
        }
        let own = names.partition_point(|(is_against, _)| !is_against);
        let row_of = |name: (bool, &str)| {
            let place = names.binary_search(&name).expect("it is one of them");
            let number = if name.0 { place - own } else { place };
            Row {
                is_against: name.0,
                number: number as u64,
            }
        };
        let rows = of_documents.map(row_of).collect();
        let own_row = |row: Row| (!row.is_against).then_some(row.number);
        let skipped_rows = of_skipped.map(row_of).map(own_row).collect();
        let (sets, keys) = self.sets()?;
        Ok(Job {
            number: self.number(),
            tiles: Tiles::cut(&sets.sizes, 1),
            sets,
            keys,
            slices: 0,
            pieces: BTreeSet::new(),
            pairs: Vec::new(),
            options: self.options,
            documents: self.documents,
            rows,
            skipped: self.skipped.into_iter().map(|(row, _)| row).collect(),
            skipped_rows,
        })
    }

    /// Returns the ordered sets without weights, and the key of each.
    fn sets(&self) -> Result<(JobSets, Vec<RankKey>)> {
        let documents = &self.documents;
        DocId::new(documents.len())?;
        let key = |at: u32| documents[at as usize].key;
        let all = 0..u32::try_from(documents.len()).expect("documents are numbered by 32 bits");
        let mut order: Vec<u32> = all.filter(|&at| key(at).size() > 0).collect();
        order.par_sort_unstable_by_key(|&at| (key(at), at));
        let mut keys: Vec<RankKey> = Vec::new();
        let mut ranks = vec![NONE; documents.len()];
        for at in order {
            if keys.last() != Some(&key(at)) {
                keys.push(key(at));
            }
            ranks[at as usize] = u32::try_from(keys.len() - 1).expect("fewer than documents");
        }
        let mut sets = JobSets {
            ranks,
            sizes: keys.iter().map(RankKey::size).collect(),
            weights: vec![0; keys.len()],
            candidates: Vec::new(),
        };
        let detectors = self.options.detectors;
        // Without a join of both, tasks need no pairs of similar signatures.
        if detectors.have(Detector::Shingle) && detectors.compare_signatures() {
            let signatures = documents.iter().map(|document| &*document.facts.signatures);
            let signatures: Vec<&[u64]> = signatures.collect();
            let signatures = Signatures::new(&sets.options(&self.options), &signatures);
            sets.candidates = signatures.similar(&sets.ranks);
        }
        Ok((sets, keys))
    }

    /// Returns the number of the job. It does not depend on the order of the rows.
    fn number(&self) -> u64 {
        let hashes = self.documents.iter().map(|document| {
            let mut hash = Xxh3::new();
            hash.update(document.name.as_bytes());
            hash.update(document.key.as_bytes());
            hash.update(&document.facts.text_hash.to_le_bytes());
            hash.digest()
        });
        let mut number = Xxh3::new();
        number.update(options_of(&self.options).as_bytes());
        number.update(&hashes.fold(0, u64::wrapping_add).to_le_bytes());
        number.digest()
    }
}

/// A job whose sets are ordered.
#[derive(Debug)]
pub struct Job {
    options: Options,
    number: u64,
    sets: JobSets,
    /// The key of each set, by rank.
    keys: Vec<RankKey>,
    tiles: Tiles,
    /// How many slices are planned.
    slices: u32,
    /// The pieces of pairs that have come: the number of the slice, and that of the piece in it.
    pieces: BTreeSet<(u32, u32)>,
    pairs: Vec<SetPair>,
    documents: Vec<JobDocument>,
    /// The row of each document: its place in the order of all names of its table.
    rows: Vec<Row>,
    skipped: Vec<Skipped>,
    skipped_rows: Vec<Option<u64>>,
}

/// Returns the bytes of the sets that have these keys.
pub(crate) type LoadRows<'l> =
    dyn Fn(&[RankKey]) -> Result<Vec<(RankKey, Vec<u8>)>> + Send + Sync + 'l;

/// Where a tile begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileBound {
    /// The number of the tile, from 1.
    pub tile: u32,
    /// The rank of its first set.
    pub first: u32,
    /// The key of its first set.
    pub key: RankKey,
    /// How many shingles its sets have.
    pub shingles: u64,
}

impl Job {
    /// Returns the number of the job. Jobs of other documents or with other options have another one.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns how many documents there are.
    pub fn documents(&self) -> usize {
        self.sets.documents()
    }

    /// Returns the fewest tiles with which a task needs at most so many bytes of memory.
    pub fn tiles_for(&self, memory: u64) -> u32 {
        let shingles = self.sets.all_shingles();
        let two_tiles = shingles.saturating_mul(2 * BYTES_PER_SHINGLE);
        let tiles = two_tiles.div_ceil(memory.max(1)).max(1);
        u32::try_from(tiles).map_or(MAX_TILES, |tiles| tiles.min(MAX_TILES))
    }

    /// Cuts the sets into so many tiles. Returns those that have sets.
    pub fn cut(&mut self, tiles: u32) -> Vec<TileBound> {
        self.tiles = Tiles::cut(&self.sets.sizes, tiles.clamp(1, MAX_TILES));
        let all = (1..=self.tiles.count()).map(|tile| (tile, self.tiles.ranks(tile)));
        let own = all.filter(|(_, ranks)| !ranks.is_empty());
        let bounds = own.map(|(tile, ranks)| TileBound {
            tile,
            first: ranks.start,
            key: self.keys[ranks.start as usize],
            shingles: self.sets.shingles(ranks),
        });
        bounds.collect()
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
        self.slices = u32::try_from(slices.len()).unwrap_or(u32::MAX);
        slices
    }

    /// Returns how many bytes of memory a task is expected to need.
    pub fn memory(&self, task: Task) -> u64 {
        self.tiles.shingles(task, &self.sets) * BYTES_PER_SHINGLE
    }

    /// Returns the candidates of a task, ordered.
    pub fn candidates(&self, task: Task) -> Vec<(u32, u32)> {
        let (later, earlier) = (self.tiles.ranks(task.later), self.tiles.ranks(task.earlier));
        let candidates = &self.sets.candidates;
        let first = candidates.partition_point(|&(x, _)| x < later.start);
        let end = candidates.partition_point(|&(x, _)| x < later.end);
        let own = candidates[first..end].iter();
        own.filter(|(_, y)| earlier.contains(y)).copied().collect()
    }

    /// Adds a piece of the pairs of a slice, which is given by its place in the plan. A slice without pairs has one, too.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if they are damaged, or have come already, or there is no such slice.
    pub fn add_pairs(&mut self, slice: u32, piece: u32, mut bytes: &[u8]) -> Result<()> {
        if slice >= self.slices || self.pieces.contains(&(slice, piece)) {
            return Err(damaged("numbers of tasks"));
        }
        let sets = self.sets.sizes.len();
        while !bytes.is_empty() {
            let pair = take_pair(&mut bytes);
            let pair = pair.filter(|pair| pair.y < pair.x && (pair.x as usize) < sets);
            self.pairs
                .push(pair.ok_or_else(|| damaged("pairs of a task"))?);
        }
        self.pieces.insert((slice, piece));
        Ok(())
    }

    /// Returns the scan of all rows, once the pairs of all slices are there. Of the options those of the walk count. `load`
    /// returns the bytes of sets with these keys, and the judge decides which pairs count.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if pairs of a slice are missing or a set is damaged, and those of `load`.
    pub fn finish<'t>(
        mut self,
        options: ScanOptions,
        load: &LoadRows<'_>,
        observer: &dyn Observer,
        judge: Option<&'t mut (dyn ScanJudge + 't)>,
    ) -> Result<Scan> {
        let whole = (0..self.slices).filter(|&slice| self.pieces.contains(&(slice, 0)));
        let missing = self.slices as usize - whole.count();
        if missing > 0 {
            let all = self.slices;
            return Err(Error::TileJob(format!(
                "the pairs of {missing} of {all} tasks are missing"
            )));
        }
        let options = ScanOptions {
            engine: self.options.clone(),
            ..options.for_rows()
        };
        in_pool(self.options.threads, || {
            self.pairs.par_sort_unstable();
            let ranks = self.sets.ranks.iter().zip(&self.rows);
            let mut documents: Vec<_> = self.documents.into_iter().zip(ranks).collect();
            documents.par_sort_unstable_by(|(x, _), (y, _)| x.name.cmp(&y.name));
            let (mut gathered, mut rank_of, mut rows) = (Vec::new(), Vec::new(), Vec::new());
            for (document, (rank, row)) in documents {
                let features = Gathered::without_set(document.facts, document.key.set_key());
                gathered.push((document.name, features));
                rank_of.push(*rank);
                rows.push(row.source());
            }
            let corpus = Corpus {
                collection: Gathering::new(&self.options, false)
                    .collect(gathered, Stats::default())?,
                sources: Sources::of_rows(rows.into_iter()),
                skipped: self.skipped,
                notes: Vec::new(),
                warnings: Vec::new(),
            };
            let known = KnownJoin {
                rank_of,
                sizes: &self.sets.sizes,
                pairs: self.pairs,
                load: &|ranks: &[u32]| loaded(&self.keys, ranks, load),
            };
            let mut best = TopPairs::within(options.engine.budget.limit).of_first_copies();
            let judge = judge.map(|judge| judge as &mut dyn ScanJudge);
            let handlers = (judge, Some(&mut best as _));
            let mut scan = Scan::of(corpus, options, observer, handlers, Some(known))?;
            scan.pairs = best.into_pairs();
            scan.with_rows(self.skipped_rows)
        })
    }
}

/// Returns the sets of some ranks.
fn loaded(keys: &[RankKey], ranks: &[u32], load: &LoadRows<'_>) -> Result<HashMap<u32, Vec<u64>>> {
    let wanted: Vec<RankKey> = ranks.iter().map(|&rank| keys[rank as usize]).collect();
    let mut sets = HashMap::new();
    for (key, bytes) in load(&wanted)? {
        if let Ok(rank) = keys.binary_search(&key) {
            let rank = u32::try_from(rank).expect("ranks are 32 bits wide");
            sets.insert(rank, bytes::set(&key, &bytes)?);
        }
    }
    Ok(sets)
}
