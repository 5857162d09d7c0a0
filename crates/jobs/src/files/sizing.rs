//! What a job of more documents is expected to cost, from a sample of them that was frozen.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::cover::{MAX_TILES, Task, Tiles};
use crate::files::cannot_read;
use crate::files::costs::{Cost, of_every_element, of_frozen, sampled};
use crate::files::frozen::Frozen;
use crate::files::part::Part;
use crate::job::BYTES_PER_SHINGLE;
use dupfind_engine::Options;
use dupfind_engine::error::{Error, Result};
use dupfind_engine::join::cost::{Estimate, Strategy};

/// How many tiles the sample is cut into to estimate what all pairs of tiles cost: with more, too few sets of the sample
/// are in each.
const TILES_OF_SAMPLE: u32 = 8;

/// What a job is expected to cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sizing {
    /// Bytes of all files of features.
    pub features: u64,
    /// Bytes of the frozen frequencies.
    pub frozen: u64,
    /// How many tiles there are.
    pub tiles: u32,
    /// How many tasks can have pairs.
    pub tasks: u64,
    /// Bytes of memory that a task needs, with the frozen data.
    pub memory: u64,
    /// Time of one core of all tasks together.
    pub time: Duration,
    /// Bytes that all tasks read.
    pub read: u64,
}

/// Estimates the costs of a job of so many documents. Those of `paths` are a frozen sample of them. Without a
/// number of tiles, a task uses no more memory than the options allow.
///
/// # Errors
///
/// [`Error::TileFile`] and [`Error::TileJob`] if the files are not those that were frozen, or no number of tiles fits the
/// memory; [`Error::TooManyShingles`].
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "an estimate"
)]
pub fn sizing(
    (options, frozen): (&Options, &Frozen),
    paths: &[PathBuf],
    documents: u64,
    tiles: Option<u32>,
) -> Result<Sizing> {
    let growth = documents as f64 / frozen.sets.documents().max(1) as f64;
    let grown = |count: u64| (count as f64 * growth) as u64;
    let features = grown(bytes_of_parts(frozen, paths, options)?);
    let shingles = frozen.sets.all_shingles();
    let (file, in_memory) = bytes_of_frozen(frozen, growth);
    let tiles = match tiles {
        Some(tiles) => tiles,
        None => fitting(options, grown(shingles), in_memory)?,
    };
    let cut = Tiles::cut(&frozen.sets.sizes, tiles);
    let among = options.among(usize::try_from(documents).unwrap_or(usize::MAX));
    let all = (1..=tiles).flat_map(|later| (1..=later).map(move |earlier| Task { earlier, later }));
    let tasks = all.filter(|&task| cut.can_have_pairs(task, &frozen.sets, &among));
    let (mut count, mut in_tasks) = (0, 0);
    for task in tasks {
        count += 1;
        in_tasks += cut.shingles(task, &frozen.sets);
    }
    let of_elements = Duration::from_secs_f64(of_every_element(in_tasks) * growth);
    let share = in_tasks as f64 / shingles.max(1) as f64;
    Ok(Sizing {
        features,
        frozen: file,
        tiles,
        tasks: count,
        memory: grown(shingles) * u64::from(tiles.min(2)) / u64::from(tiles) * BYTES_PER_SHINGLE
            + in_memory,
        time: of_pairs(frozen, &among, tiles)?.mul_f64(growth * growth)
            + of_elements
            + of_frozen(count * file),
        read: (features as f64 * share) as u64 + count * file,
    })
}

/// Returns the bytes of the files that were frozen.
fn bytes_of_parts(frozen: &Frozen, paths: &[PathBuf], options: &Options) -> Result<u64> {
    let parts = paths.iter().map(|path| Part::open(path, options));
    let parts = frozen.in_order(parts.collect::<Result<_>>()?)?;
    let bytes = parts.iter().map(|part| {
        let about = fs::metadata(part.path());
        about.map_err(|error| cannot_read(part.path(), &error))
    });
    bytes.map(|about| Ok(about?.len())).sum()
}

/// Returns the bytes of the frozen frequencies of so many times as many documents, in a file and in memory. How many shingles three
/// or more sets have grows as it does from the sample within what was frozen to all of it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "an estimate"
)]
fn bytes_of_frozen(frozen: &Frozen, growth: f64) -> (u64, u64) {
    let kept = frozen.frequencies.as_parts().0.len() as f64;
    let mut in_sample = frozen.sample.shingles.clone();
    in_sample.sort_unstable();
    let often = in_sample.chunk_by(|x, y| x == y);
    let often = often.filter(|sets| sets.len() > 2).count().max(1) as f64;
    let sets = frozen.sets.sizes.len().max(1) as f64 / frozen.sample.ranks.len().max(1) as f64;
    let exponent = match sets > 1.5 {
        true => (kept.max(1.0) / often).ln() / sets.ln(),
        // The sample is nearly everything, so it does not tell.
        false => 1.0,
    };
    let in_memory = growth * (16 * frozen.sets.sizes.len() + 4 * frozen.sets.documents()) as f64
        + 9.0 * kept * growth.powf(exponent.clamp(0.0, 1.0));
    let sample = (frozen.sample.shingles.len() * size_of::<u64>()) as u64;
    (in_memory as u64 + sample, in_memory as u64)
}

/// Returns the least number of tiles with which a task fits the memory.
fn fitting(options: &Options, shingles: u64, frozen: u64) -> Result<u32> {
    let limit = options.budget.limit.unwrap_or(u64::MAX);
    let of_a_tile = limit.saturating_sub(frozen) / (2 * BYTES_PER_SHINGLE);
    let tiles = shingles.div_ceil(of_a_tile.max(1)).max(1);
    let fits = u32::try_from(tiles)
        .ok()
        .filter(|&tiles| tiles <= MAX_TILES);
    fits.ok_or_else(|| {
        let (limit, frozen) = (limit.div_ceil(1 << 20), frozen.div_ceil(1 << 20));
        Error::TileJob(format!(
            "{limit} MB are too little for a task, also with {MAX_TILES} tiles: the frozen frequencies take {frozen} MB"
        ))
    })
}

/// Returns the time that the pairs of all sets that were frozen take, without reading and indexing the sets.
fn of_pairs(frozen: &Frozen, options: &Options, tiles: u32) -> Result<Duration> {
    let tiles = Tiles::cut(&frozen.sets.sizes, tiles.min(TILES_OF_SAMPLE));
    let cost = Cost {
        tiles: &tiles,
        sample: &sampled(frozen),
    };
    let times = tiles.tasks(&frozen.sets, options).into_iter().map(|task| {
        let work = cost.work(task, options)?;
        Ok(Estimate::new(Strategy::Counting, &[], work).counting)
    });
    times.sum()
}
