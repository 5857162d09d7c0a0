//! The tiles of the sets, and the tasks that cover all pairs of sets.
//!
//! Sets are ordered by size, and a tile has as many shingles as any other. So the tasks take about equal time and memory:
//! to count what the sets of two tiles share takes, for each shingle, as many additions as the product of how many sets of
//! each tile have it, and that grows with the product of the shingles of the tiles. A task of two tiles is one such
//! product, and a tile with itself half of one.

use std::ops::Range;
use std::time::Duration;

use crate::detect::Detector;
use crate::engine::Options;
use crate::engine::pairing::two_tiles::TwoTiles;
use crate::error::{Error, Result};
use crate::join::cost::{Estimate, Strategy, indexing};
use crate::join::index::Prepared;
use crate::join::index::rarity::Weighing;
use crate::tiles::frozen::Frozen;

/// The most tiles of a job: half a million tasks.
pub const MOST_TILES: u32 = 1_000;

/// How many bytes of memory a task takes for each shingle of its tiles, while they are read and indexed.
pub(super) const BYTES_OF_A_SHINGLE: u64 = 18;

/// Nanoseconds for reading a shingle from a file of features: measured on 63,860 pages with 4 and 8 tiles.
const READ: f64 = 28.0;

/// Nanoseconds for reading a byte of frozen frequencies: measured with 64 tiles of 6,386 pages.
const READ_FROZEN: f64 = 1.0;

/// The tiles of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiles {
    /// The ranks of the sets of each tile. The ranges follow each other, and may be empty.
    ranks: Vec<Range<u32>>,
}

/// A task: two tiles, or one twice. Tiles are numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Task {
    /// The tile of the smaller sets.
    pub earlier: u32,
    /// The tile of the larger sets.
    pub later: u32,
}

impl Tiles {
    /// Cuts sets of these sizes, which are by rank, into so many tiles.
    #[must_use]
    pub fn cut(sizes: &[u32], count: u32) -> Self {
        let total: u128 = sizes.iter().map(|&size| u128::from(size)).sum();
        let mut ranks = Vec::new();
        let (mut start, mut end, mut shingles) = (0_u32, 0_u32, 0_u128);
        let sets = u32::try_from(sizes.len()).expect("sets are numbered by 32 bits");
        for tile in 1..=count {
            let bound = total * u128::from(tile) / u128::from(count);
            while end < sets && (shingles < bound || tile == count) {
                shingles += u128::from(sizes[end as usize]);
                end += 1;
            }
            ranks.push(start..end);
            start = end;
        }
        Self { ranks }
    }

    /// Returns how many tiles there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.ranks.len()).expect("a few")
    }

    /// Returns the ranks of the sets of a tile.
    pub(super) fn ranks(&self, tile: u32) -> Range<u32> {
        self.ranks[tile as usize - 1].clone()
    }

    /// Returns the two tiles of a task.
    pub(super) fn two(&self, task: Task) -> TwoTiles {
        let (earlier, later) = (self.ranks(task.earlier), self.ranks(task.later));
        if task.earlier == task.later {
            TwoTiles::within(earlier)
        } else {
            TwoTiles::between(earlier, later)
        }
    }

    /// Returns the ranks of the sets of the one tile or of the two tiles of a task.
    pub(super) fn tiles_of(&self, task: Task) -> impl Iterator<Item = Range<u32>> {
        let later = (task.earlier != task.later).then_some(task.later);
        let tiles = std::iter::once(task.earlier).chain(later);
        tiles.map(|tile| self.ranks(tile))
    }

    /// Returns how many shingles the tiles of a task have.
    pub(super) fn shingles(&self, task: Task, frozen: &Frozen) -> u64 {
        let sizes = self
            .tiles_of(task)
            .map(|ranks| &frozen.sizes[ranks.start as usize..ranks.end as usize]);
        sizes.flatten().map(|&size| u64::from(size)).sum()
    }

    /// Returns whether a task can have pairs. One that cannot need not be run.
    pub(super) fn can_have_pairs(&self, task: Task, frozen: &Frozen, options: &Options) -> bool {
        let (earlier, later) = (self.ranks(task.earlier), self.ranks(task.later));
        if !options.detectors.have(Detector::Shingle) {
            // All pairs are found by signatures, which are compared when the tasks are merged.
            return false;
        }
        if task.earlier == task.later {
            return earlier.len() > 1;
        }
        let two = self.two(task);
        let Frozen {
            sizes,
            weights,
            candidates,
            ..
        } = frozen;
        !earlier.is_empty()
            && !later.is_empty()
            && two.can_have_pairs(options, sizes, weights, candidates)
    }

    /// Returns the tasks that can have pairs, ordered by the later tile. Every pair of different sets that can be a pair is
    /// in exactly one of them.
    #[must_use]
    pub fn tasks(&self, frozen: &Frozen, options: &Options) -> Vec<Task> {
        let options = frozen.options(options);
        let all = (1..=self.count()).flat_map(|later| {
            let with_earlier = move |earlier| Task { earlier, later };
            (1..=later).map(with_earlier)
        });
        all.filter(|&task| self.can_have_pairs(task, frozen, &options))
            .collect()
    }

    /// Checks that there is such a task.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`].
    pub fn check(&self, task: Task) -> Result<()> {
        let Task { earlier, later } = task;
        let count = self.count();
        if earlier == 0 || earlier > later || later > count {
            return Err(Error::TileJob(format!(
                "there is no task {earlier},{later}: expected two numbers from 1 to {count}, the smaller one first"
            )));
        }
        Ok(())
    }
}

/// What a task is expected to cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaskCost {
    /// How many different sets its tiles have.
    pub sets: u64,
    /// How many shingles these have.
    pub shingles: u64,
    /// Memory in bytes, without what was frozen.
    pub memory: u64,
    /// Time of one thread, but for that of writing pairs.
    pub time: Duration,
}

/// Returns what each task is expected to cost, from a sample of the sets.
///
/// # Errors
///
/// [`Error::TooManyShingles`].
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
        let shingles = tiles.shingles(task, frozen);
        let work = cost.work(task, options)?;
        let of_pairs = Estimate::new(Strategy::Counting, &[], work).counting;
        Ok(TaskCost {
            sets: tiles.tiles_of(task).map(|ranks| ranks.len() as u64).sum(),
            shingles,
            memory: shingles * BYTES_OF_A_SHINGLE,
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
    /// [`Error::TooManyShingles`].
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
pub(super) fn sampled(frozen: &Frozen) -> Vec<(u32, &[u64])> {
    let mut rest = frozen.sample.shingles.as_slice();
    let ranks = frozen.sample.ranks.iter();
    let sets = ranks.map(|&rank| {
        let (set, others) = rest.split_at(frozen.sizes[rank as usize] as usize);
        rest = others;
        (rank, set)
    });
    sets.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_set_is_in_one_tile_and_every_pair_in_one_task(
            mut sizes in prop::collection::vec(prop_oneof![Just(7_u32), 1_u32..2000], 0..60),
            count in 1_u32..90,
        ) {
            sizes.sort_unstable();
            let tiles = Tiles::cut(&sizes, count);
            prop_assert_eq!(tiles.count(), count);
            let sets: Vec<u32> = (1..=count).flat_map(|tile| tiles.ranks(tile)).collect();
            prop_assert!(sets.iter().copied().eq(0..u32::try_from(sizes.len()).unwrap()));
            let tile_of = |set: u32| (1..=count).find(|&tile| tiles.ranks(tile).contains(&set));
            let mut tasks = std::collections::BTreeSet::new();
            for later in 1..=count {
                for earlier in 1..=later {
                    let task = Task { earlier, later };
                    prop_assert!(tiles.check(task).is_ok());
                    tasks.insert(task);
                }
            }
            for x in 0..u32::try_from(sizes.len()).unwrap() {
                for y in 0..x {
                    let task = Task {
                        earlier: tile_of(y).unwrap(),
                        later: tile_of(x).unwrap(),
                    };
                    prop_assert!(tasks.contains(&task), "{:?}", task);
                }
            }
        }
    }

    #[test]
    fn tiles_have_about_equal_shingles() {
        let sizes: Vec<u32> = (1..=1_000).collect();
        let tiles = Tiles::cut(&sizes, 4);
        for tile in 1..=4 {
            let shingles: u64 = tiles.ranks(tile).map(|rank| u64::from(rank) + 1).sum();
            assert!(shingles.abs_diff(500_500 / 4) < 1_000, "{tile}: {shingles}");
        }
        for (earlier, later) in [(0, 1), (2, 1), (1, 5)] {
            assert!(tiles.check(Task { earlier, later }).is_err());
        }
    }
}
