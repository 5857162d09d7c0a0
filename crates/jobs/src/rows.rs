//! The documents of a job as rows of a table.
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

use std::collections::HashMap;

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::bytes::damaged;
use crate::bytes::document;
use crate::bytes::document::RankKey;
use crate::bytes::pairs::PairsOfTask;
use crate::cover::sets::{JobSets, options_of};
use crate::job::{Job, JobDocument, needs_signatures, ordered};
use crate::task::{LoadedTile, TaskOfJob, join};
use crate::tile::TileSets;
use crate::tile::frequencies::{of_two, weights_of_bytes};
use dupfind_engine::Options;
use dupfind_engine::pairing::sink::TopPairs;
use dupfind_engine::run::observer::{Observer, Silent};
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::{Error, Result};
use dupfind_scan::Scan;
use dupfind_scan::sources::{Row, Sources};
use dupfind_scan::{ScanJudge, ScanOptions};
use dupfind_scan::{SkipReason, Skipped};

/// Collects the rows of a job.
#[derive(Debug)]
pub struct RowJob {
    options: Options,
    documents: Vec<JobDocument>,
    /// Whether each document is of the other table.
    against: Vec<bool>,
    /// The key of the set of each document.
    keys: Vec<RankKey>,
    /// The rows that have nothing to compare, and whether each is of the other table.
    skipped: Vec<(Skipped, bool)>,
}

impl RowJob {
    /// Returns a job without rows.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            documents: Vec::new(),
            against: Vec::new(),
            keys: Vec::new(),
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
        let facts = document::facts(&self.options, facts)?;
        if key.size() != facts.shingles {
            return Err(damaged("facts of documents"));
        }
        self.keys.push(key);
        let key = key.set_key();
        let name = Row::name(id, is_against);
        self.against.push(is_against);
        self.documents.push(JobDocument { name, key, facts });
        Ok(())
    }

    /// Adds a row that has nothing to compare. `detail` is the reason.
    pub fn skip(&mut self, id: String, is_against: bool, detail: &str) {
        let skipped = Skipped::new(Row::name(id, is_against), SkipReason::Empty, detail);
        self.skipped.push((skipped, is_against));
    }

    /// Orders the sets of all documents.
    ///
    /// # Errors
    ///
    /// [`Error::NameTwice`] if two rows have one name, [`Error::TooMuch`].
    pub fn order(mut self) -> Result<OrderedRowJob> {
        self.skipped.sort_unstable();
        let of_skipped = self.skipped.iter();
        let of_skipped = of_skipped.map(|(row, is_against)| (*is_against, row.path.as_str()));
        let of_documents = self.against.iter().zip(&self.documents);
        let of_documents =
            of_documents.map(|(is_against, document)| (*is_against, document.name.as_str()));
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
        let mut signatures = Vec::new();
        if needs_signatures(&self.options) {
            let documents = self.documents.iter();
            signatures.extend(documents.map(|document| &*document.facts.signatures));
        }
        let (mut sets, firsts) = ordered(&self.options, &self.keys, &signatures, &Silent)?;
        sets.number = self.number();
        let keys = firsts.iter().map(|&first| self.keys[first as usize]);
        Ok(OrderedRowJob {
            keys: keys.collect(),
            rows,
            skipped_rows,
            job: Job::new(self.options, sets),
            documents: self.documents,
            skipped: self.skipped.into_iter().map(|(row, _)| row).collect(),
        })
    }

    /// Returns the number of the job. It does not depend on the order of the rows.
    fn number(&self) -> u64 {
        let hashes = self
            .documents
            .iter()
            .zip(&self.keys)
            .map(|(document, key)| {
                let mut hash = Xxh3::new();
                hash.update(document.name.as_bytes());
                hash.update(key.as_bytes());
                hash.update(&document.facts.text_hash.to_le_bytes());
                hash.digest()
            });
        let mut number = Xxh3::new();
        number.update(options_of(&self.options).as_bytes());
        number.update(&hashes.fold(0, u64::wrapping_add).to_le_bytes());
        number.digest()
    }
}

/// A job of rows whose sets are ordered.
#[derive(Debug)]
pub struct OrderedRowJob {
    /// The job of these rows.
    pub job: Job,
    documents: Vec<JobDocument>,
    /// The key of each set, by rank.
    keys: Vec<RankKey>,
    /// The row of each document: its place in the order of all names of its table.
    rows: Vec<Row>,
    skipped: Vec<Skipped>,
    skipped_rows: Vec<Option<u64>>,
}

/// Returns the bytes of the sets that have these keys.
pub type LoadRows<'l> = dyn Fn(&[RankKey]) -> Result<Vec<(RankKey, Vec<u8>)>> + Send + Sync + 'l;

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

impl OrderedRowJob {
    /// Cuts the sets into so many tiles. Returns those that have sets.
    pub fn cut(&mut self, tiles: u32) -> Vec<TileBound> {
        let keys = &self.keys;
        let bounds = self.job.cut(tiles).into_iter();
        let bounds = bounds.map(|(tile, first, shingles)| TileBound {
            tile,
            first,
            key: keys[first as usize],
            shingles,
        });
        bounds.collect()
    }

    /// Adds the pairs of a slice.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if they are of another job, are there twice, or are damaged.
    pub fn add_pairs(&mut self, bytes: &[u8]) -> Result<()> {
        self.job.add_pairs(PairsOfTask::of_bytes(bytes)?)
    }

    /// Returns the scan of all rows. Of the options those of the walk count. `load` returns the bytes of sets with these keys, and the judge decides which pairs
    /// count.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if a slice is missing or a set is damaged, and those of `load`.
    pub fn finish<'t>(
        self,
        options: ScanOptions,
        load: &LoadRows<'_>,
        observer: &dyn Observer,
        judge: Option<&'t mut (dyn ScanJudge + 't)>,
    ) -> Result<Scan> {
        let sources = Sources::of_rows(self.rows.iter().map(|row| row.source()));
        let documents = (self.documents, sources, self.skipped);
        let load = |_: &JobSets, ranks: &[u32]| loaded(&self.keys, ranks, load);
        in_pool(self.job.options().threads, || {
            let mut best = TopPairs::all();
            let judge = judge.map(|judge| judge as &mut dyn ScanJudge);
            let handlers = (judge, Some(&mut best as _));
            let options = ScanOptions {
                engine: self.job.options().clone(),
                ..options.for_rows()
            };
            let mut scan = self
                .job
                .finish(options, documents, &load, observer, handlers)?;
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
            sets.insert(rank, document::set(&key, &bytes)?);
        }
    }
    Ok(sets)
}

/// A tile of a task as bytes.
#[derive(Debug, Clone, Copy)]
pub struct TileBytes<'t> {
    /// The rank of its first set.
    pub first: u32,
    /// Its sets.
    pub pieces: &'t [&'t [u8]],
    /// The frequencies of its shingles, by stretch.
    pub frequencies: &'t [&'t [u8]],
    /// The weights of its sets.
    pub weights: &'t [u8],
}

impl TileBytes<'_> {
    fn load(&self) -> Result<LoadedTile> {
        Ok(LoadedTile {
            first: self.first,
            sets: TileSets::of_pieces(self.pieces.iter().copied())?,
            weights: weights_of_bytes(self.weights)?,
        })
    }
}

/// Joins the tiles of a task: one with itself, or two. Returns the bytes of the pairs of their sets.
///
/// # Errors
///
/// [`Error::TileJob`] if the tiles are damaged, [`Error::TooMuch`], [`Error::Stopped`].
pub fn join_bytes(
    options: &Options,
    task: TaskOfJob<'_>,
    tiles: &[TileBytes<'_>],
    observer: &dyn Observer,
) -> Result<Vec<u8>> {
    let (earlier, later) = match tiles {
        [one] => (one, None),
        [earlier, later] => (earlier, Some(later)),
        _ => return Err(Error::TileJob("a task has one tile or two".into())),
    };
    let of_later = later.map_or(&[][..], |later| later.frequencies);
    let frequencies = of_two([earlier.frequencies, of_later])?;
    let loaded = (earlier.load()?, later.map(TileBytes::load).transpose()?);
    join(options, task, loaded, &frequencies, observer)
}
