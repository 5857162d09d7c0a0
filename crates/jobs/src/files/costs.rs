//! What the tasks of a job are expected to cost.

use std::time::Duration;

use crate::cover::{Task, Tiles};
use crate::files::frozen::Frozen;
use crate::job::BYTES_PER_SHINGLE;
use dupfind_engine::Options;
use dupfind_engine::error::Result;
use dupfind_engine::join::cost::{Estimate, Strategy, indexing};
use dupfind_engine::join::inverted::Prepared;
use dupfind_engine::join::inverted::rarity::Weighing;

/// Nanoseconds for reading a shingle from a file of features: measured on 63,860 pages with 4 and 8 tiles.
const READ: f64 = 28.0;

/// Nanoseconds for reading a byte of frozen frequencies: measured with 64 tiles of 6,386 pages.
const READ_FROZEN: f64 = 1.0;

/// What a task is expected to cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaskCost {
    /// How many different sets its tiles have.
    pub sets: u64,
    /// How many shingles these have.
    pub shingles: u64,
    /// Memory in bytes, without the frozen data.
    pub memory: u64,
    /// Time of one thread, but for that of writing pairs.
    pub time: Duration,
}

/// Returns what each task is expected to cost, from a sample of the sets.
///
/// # Errors
///
/// [`dupfind_engine::error::Error::TooManyShingles`].
pub fn costs(
    tiles: &Tiles,
    tasks: &[Task],
    frozen: &Frozen,
    options: &Options,
) -> Result<Vec<TaskCost>> {
    let cost = Cost {
        tiles,
        sample: &sampled(frozen),
    };
    let of_frozen = of_frozen(frozen.bytes());
    let of_task = |&task: &Task| {
        let shingles = tiles.shingles(task, &frozen.sets);
        let work = cost.work(task, options)?;
        let of_pairs = Estimate::new(Strategy::Counting, &[], work).counting;
        Ok(TaskCost {
            sets: tiles.tiles_of(task).map(|ranks| ranks.len() as u64).sum(),
            shingles,
            memory: shingles * BYTES_PER_SHINGLE,
            time: Duration::from_secs_f64(of_every_element(shingles)) + of_pairs + of_frozen,
        })
    };
    tasks.iter().map(of_task).collect()
}

/// Returns the expected time for reading frozen frequencies of so many bytes, which each task does.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn of_frozen(bytes: u64) -> Duration {
    Duration::from_secs_f64(bytes as f64 * READ_FROZEN * 1e-9)
}

/// Returns the expected seconds for reading and indexing so many shingles.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn of_every_element(shingles: u64) -> f64 {
    let indexing = indexing(usize::try_from(shingles).unwrap_or(usize::MAX));
    (indexing + shingles as f64 * READ) * 1e-9
}

/// What tasks are estimated from.
pub(super) struct Cost<'f> {
    pub(super) tiles: &'f Tiles,
    /// Some of the sets, with their ranks.
    pub(super) sample: &'f [(u32, &'f [u64])],
}

impl Cost<'_> {
    /// Returns how many additions a task is expected to make, and how many counters it looks at.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::error::Error::TooManyShingles`].
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an estimate"
    )]
    pub(super) fn work(&self, task: Task, options: &Options) -> Result<(u64, u64)> {
        let mut sets: Vec<&[u64]> = Vec::new();
        let (mut counts, mut shares) = (Vec::new(), Vec::new());
        for ranks in self.tiles.tiles_of(task) {
            let own = self.sample.iter().filter(|(rank, _)| ranks.contains(rank));
            let before = sets.len();
            sets.extend(own.map(|&(_, set)| set));
            let sampled = sets.len() - before;
            shares.push(ranks.len() as f64 / sampled.max(1) as f64);
            counts.push(u32::try_from(sampled).expect("a few"));
        }
        let count = u32::try_from(sets.len()).expect("a few");
        let (indexed, probing) = match counts[..] {
            [one] => (one, 0..one),
            _ => (counts[0], counts[0]..count),
        };
        let prepared = Prepared::new(&sets, indexed, Strategy::Counting, Weighing::None)?;
        let found = prepared.index().estimate(probing, options.min_jaccard);
        let share = shares[0] * shares.last().copied().unwrap_or(1.0);
        let scaled = |count: u64| (count as f64 * share) as u64;
        Ok((scaled(found.additions), scaled(found.counters)))
    }
}

/// Returns the sets of the sample, with their ranks.
pub(crate) fn sampled(frozen: &Frozen) -> Vec<(u32, &[u64])> {
    let mut rest = frozen.sample.shingles.as_slice();
    let ranks = frozen.sample.ranks.iter();
    let sets = ranks.map(|&rank| {
        let (set, others) = rest.split_at(frozen.sets.sizes[rank as usize] as usize);
        rest = others;
        (rank, set)
    });
    sets.collect()
}
