//! What the statement of `dupfind sql` is expected to cost, from what was frozen.

use std::collections::HashMap;
use std::time::Duration;

use crate::engine::Options;
use crate::error::Result;
use crate::join::threshold::Threshold;
use crate::tiles::cover::{Task, Tiles, costs, sampled};
use crate::tiles::frozen::Frozen;

/// Nanoseconds of one core of DuckDB for a joined row, and for a shingle of a set that is put in order: measured on 10,000
/// pages of 700 shingles at thresholds of .2, .5 and .8.
const ROW: f64 = 800.0;
const SHINGLE: f64 = 600.0;

/// From how many pairs of sampled sets that share a shingle the share of joined ones is taken.
const ENOUGH: u64 = 100;

/// What the statement is expected to cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SqlCost {
    /// How many rows of the prefixes of two sets are joined, before they are grouped.
    pub rows: u64,
    /// Time of one core in a database.
    pub time: Duration,
    /// Time of one core of the only task of a job with one tile.
    pub tiles: Duration,
}

impl SqlCost {
    /// Estimates the cost of a join at the threshold of these options.
    ///
    /// # Errors
    ///
    /// [`crate::Error::TooManyShingles`].
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an estimate"
    )]
    pub fn new(frozen: &Frozen, options: &Options) -> Result<Self> {
        let rows = joined_rows(frozen, options.min_jaccard);
        let shingles: u64 = frozen.sizes.iter().map(|&size| u64::from(size)).sum();
        let tiles = Tiles::cut(frozen.set_sizes(), 1);
        let only = Task {
            earlier: 1,
            later: 1,
        };
        let of_tiles = costs(&tiles, &[only], frozen, options)?;
        Ok(Self {
            rows: rows as u64,
            time: Duration::from_secs_f64((rows * ROW + shingles as f64 * SHINGLE) * 1e-9),
            tiles: of_tiles.iter().map(|cost| cost.time).sum(),
        })
    }
}

/// A shingle of a sampled set.
struct Element {
    shingle: u64,
    /// How many sets have it.
    frequency: u64,
    /// The size of its set.
    size: u32,
    is_in_prefix: bool,
}

/// Shingles that about equally many sets have: from 2^i to 2^(i+1).
#[derive(Default, Clone, Copy)]
struct Bucket {
    /// How many pairs of all sets share one of these shingles, estimated from their frequencies.
    sharing: f64,
    /// How many pairs of sampled sets do.
    sampled: u64,
    /// How many of these are joined.
    joined: u64,
}

/// Estimates how many rows are joined. A row is a pair of sets, of which one is not too small to be similar to the other,
/// with a shingle of both prefixes. How many sets have a shingle is known up to 255, and beyond that as many of the sample
/// as have it. Which share of the pairs with one shingle is joined is seen in the sample.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn joined_rows(frozen: &Frozen, least: Threshold) -> f64 {
    let sample = sampled(frozen);
    if sample.is_empty() {
        return 0.0;
    }
    let share = frozen.sets() as f64 / sample.len() as f64;
    let mut elements = elements(frozen, &sample, share, least);
    elements.sort_unstable_by_key(|element| (element.shingle, element.size));
    let mut buckets = [Bucket::default(); 64];
    for of_shingle in elements.chunk_by(|x, y| x.shingle == y.shingle) {
        let bucket = &mut buckets[of_shingle[0].frequency.max(1).ilog2() as usize];
        let sets = of_shingle.len() as u64;
        bucket.sampled += sets * (sets - 1) / 2;
        // Each pair is seen from both of its sets.
        bucket.sharing += share * (sets * (of_shingle[0].frequency - 1)) as f64 / 2.0;
        let prefix = of_shingle.iter().filter(|element| element.is_in_prefix);
        let sizes: Vec<u32> = prefix.map(|element| element.size).collect();
        for (at, &size) in sizes.iter().enumerate() {
            let smaller = least.least_size(size);
            let too_small = sizes[..at].partition_point(|&size| size < smaller);
            bucket.joined += (at - too_small) as u64;
        }
    }
    let mut rows = 0.0;
    // Of too few pairs the share of the next more frequent shingles is taken, which is not larger.
    let mut joined_share = 1.0;
    for bucket in buckets.iter().rev() {
        if bucket.sampled >= ENOUGH {
            joined_share = bucket.joined as f64 / bucket.sampled as f64;
        }
        rows += bucket.sharing * joined_share;
    }
    rows
}

/// Returns the shingles of the sampled sets.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an estimate"
)]
fn elements(
    frozen: &Frozen,
    sample: &[(u32, &[u64])],
    share: f64,
    least: Threshold,
) -> Vec<Element> {
    let mut in_sample: HashMap<u64, u32> = HashMap::new();
    for &(_, set) in sample {
        for &shingle in set {
            *in_sample.entry(shingle).or_default() += 1;
        }
    }
    let mut all = Vec::new();
    for &(rank, set) in sample {
        let size = frozen.sizes[rank as usize];
        let frequency = |shingle: u64| match frozen.frequencies.count(shingle) {
            None => 2,
            Some(0) => 256.max((f64::from(in_sample[&shingle]) * share) as u64),
            Some(count) => count.into(),
        };
        let mut ordered: Vec<(u64, i64)> = set
            .iter()
            .map(|&shingle| (frequency(shingle), shingle.cast_signed()))
            .collect();
        ordered.sort_unstable();
        let prefix = (size - least.least_size(size) + 1) as usize;
        // Of those of one or two sets, it is known how many are of one.
        let unshared = frozen.unshared[rank as usize] as usize;
        let shared = ordered.iter().enumerate().skip(unshared);
        all.extend(shared.map(|(at, &(frequency, shingle))| Element {
            shingle: shingle.cast_unsigned(),
            frequency,
            size,
            is_in_prefix: at < prefix,
        }));
    }
    all
}
