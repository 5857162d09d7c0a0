//! The tiles of the sets, the tasks that cover all pairs of sets, and the slices of tasks that take too long.
//!
//! Sets are ordered by size, and a tile has as many shingles as any other. So the tasks take about equal time and memory:
//! the count of the shared shingles of two tiles needs, for each shingle, as many additions as the product of how many sets of
//! each tile have it, and that grows with the product of the shingles of the tiles. A task of two tiles is one such
//! product, and a tile with itself half of one.
//!
//! Pages of one template share many shingles with each other. So a task of two tiles that have them takes many times as
//! long as another one of as many shingles. A task is cut into slices where it is known how many times its sets share a
//! shingle.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use dupfind_engine::pairing::tiled::TwoTiles;
use dupfind_engine::{Detector, Identity, Options};

/// The most tiles of a job: half a million tasks.
pub(super) const MAX_TILES: u32 = 1_000;

/// How many slices there are for each core, so that the last ones to end are short.
const SLICES_PER_CORE: u64 = 2;

/// The least work of a slice: about a second.
const MIN_WORK: u64 = 50_000_000;

/// How many bytes of memory a task needs for each shingle of its tiles, while they are read and indexed.
pub(super) const BYTES_PER_SHINGLE: u64 = 18;

/// The most slices of a task. Each one indexes the earlier tile again.
const MAX_SLICES: u64 = 256;

/// The tiles of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tiles {
    /// The ranks of the sets of each tile. The ranges follow each other, and may be empty.
    ranks: Vec<Range<u32>>,
}

/// The different shingle sets of the documents of a job. Sets have ranks: their places in the order of sizes.
#[derive(Debug, Default)]
pub(crate) struct JobSets {
    /// The rank of the set of each document; [`dupfind_engine::join::groups::NONE`] if it has no shingles.
    pub(crate) ranks: Vec<u32>,
    /// The sizes of the sets, by rank.
    pub(crate) sizes: Vec<u32>,
    /// The weights of the sets, by rank.
    pub(crate) weights: Vec<u64>,
    /// The pairs of ranks `(later, earlier)`, ordered, that have documents with similar signatures.
    pub(crate) candidates: Vec<(u32, u32)>,
}

impl JobSets {
    /// Returns how many documents there are.
    pub(crate) fn documents(&self) -> usize {
        self.ranks.len()
    }

    /// Returns how many shingles the sets of some ranks have.
    pub(crate) fn shingles(&self, ranks: Range<u32>) -> u64 {
        let sizes = &self.sizes[ranks.start as usize..ranks.end as usize];
        sizes.iter().map(|&size| u64::from(size)).sum()
    }

    /// Returns how many shingles all sets have.
    pub(crate) fn all_shingles(&self) -> u64 {
        self.sizes.iter().map(|&size| u64::from(size)).sum()
    }

    /// Returns the options that decide about the pairs of so many documents.
    pub(crate) fn options(&self, options: &Options) -> Options {
        options.among(self.documents())
    }
}

/// Returns every option that changes a feature or decides which pairs there are.
pub(crate) fn options_of(options: &Options) -> String {
    let mut lines = Identity::of(options).to_string();
    for (name, value) in options.values().of_pairs {
        lines.push_str(&format!("{name}={value}\n"));
    }
    lines
}

/// A task: two tiles, or one twice. Tiles are numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Task {
    /// The tile of the smaller sets.
    pub earlier: u32,
    /// The tile of the larger sets.
    pub later: u32,
}

/// A slice of a task: some of the sets of the later tile, with all of the earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slice {
    /// The task.
    pub task: Task,
    /// Which slice it is, from 0.
    pub number: u32,
    /// How many slices the task has.
    pub count: u32,
}

impl Tiles {
    /// Cuts sets of these sizes, which are by rank, into so many tiles.
    pub(super) fn cut(sizes: &[u32], count: u32) -> Self {
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
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.ranks.len()).expect("a few")
    }

    /// Returns the ranks of the sets of a tile.
    pub(super) fn ranks(&self, tile: u32) -> Range<u32> {
        self.ranks[tile as usize - 1].clone()
    }

    /// Returns the ranks of the sets of the one tile or of the two tiles of a task.
    fn tiles_of(&self, task: Task) -> impl Iterator<Item = Range<u32>> {
        let later = (task.earlier != task.later).then_some(task.later);
        let tiles = std::iter::once(task.earlier).chain(later);
        tiles.map(|tile| self.ranks(tile))
    }

    /// Returns how many shingles the sets of the tiles of a task have.
    pub(super) fn shingles(&self, task: Task, sets: &JobSets) -> u64 {
        let tiles = self.tiles_of(task);
        tiles.map(|ranks| sets.shingles(ranks)).sum()
    }

    /// Returns whether a task can have pairs. One that cannot need not be run.
    fn can_have_pairs(&self, task: Task, sets: &JobSets, options: &Options) -> bool {
        let (earlier, later) = (self.ranks(task.earlier), self.ranks(task.later));
        if !options.detectors.have(Detector::Shingle) {
            // All pairs are found by signatures, which are compared in one place.
            return false;
        }
        if task.earlier == task.later {
            return earlier.len() > 1;
        }
        if earlier.is_empty() || later.is_empty() {
            return false;
        }
        let two = TwoTiles::between(earlier, later);
        two.can_have_pairs(options, &sets.sizes, &sets.weights, &sets.candidates)
    }

    /// Returns the tasks that can have pairs, ordered by the later tile. Every pair of different sets that can be a
    /// pair is in exactly one of them.
    pub(super) fn tasks(&self, sets: &JobSets, options: &Options) -> Vec<Task> {
        let options = sets.options(options);
        let all = (1..=self.count()).flat_map(|later| {
            let with_earlier = move |earlier| Task { earlier, later };
            (1..=later).map(with_earlier)
        });
        all.filter(|&task| self.can_have_pairs(task, sets, &options))
            .collect()
    }
}

/// Cuts tasks for so many cores. `work` has about how many times the sets of each task share a shingle. Returns the
/// slices, those with the most work first.
pub(super) fn slices(tasks: &[Task], work: &BTreeMap<Task, u64>, cores: u32) -> Vec<Slice> {
    let work_of = |task: &Task| work.get(task).copied().unwrap_or(0);
    let total: u64 = tasks.iter().map(work_of).sum();
    let most = (total / (u64::from(cores.max(1)) * SLICES_PER_CORE)).max(MIN_WORK);
    let mut slices: Vec<(u64, Slice)> = Vec::new();
    for &task in tasks {
        let work = work_of(&task);
        let count = work.div_ceil(most).clamp(1, MAX_SLICES);
        let count = u32::try_from(count).expect("at most a few hundred");
        slices.extend((0..count).map(|number| {
            let slice = Slice {
                task,
                number,
                count,
            };
            (work / u64::from(count), slice)
        }));
    }
    slices.sort_by_key(|&(work, slice)| (Reverse(work), slice));
    slices.into_iter().map(|(_, slice)| slice).collect()
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
        let tiles = Tiles::cut(&(1..=1_000).collect::<Vec<u32>>(), 4);
        for tile in 1..=4 {
            let shingles: u64 = tiles.ranks(tile).map(|rank| u64::from(rank) + 1).sum();
            assert!(shingles.abs_diff(500_500 / 4) < 1_000, "{tile}: {shingles}");
        }
    }

    #[test]
    fn a_task_with_most_of_the_work_is_cut() {
        let task = |earlier, later| Task { earlier, later };
        let tasks = [task(1, 1), task(1, 2), task(2, 2)];
        let work = BTreeMap::from([(tasks[0], 10), (tasks[2], 4_000_000_000)]);
        let cut = slices(&tasks, &work, 2);
        let of = |task| cut.iter().filter(|slice| slice.task == task).count();
        assert_eq!(tasks.map(of), [1, 1, 4]);
        assert_eq!(cut[0].task, tasks[2]);
        assert_eq!(slices(&tasks, &BTreeMap::new(), 2).len(), 3);
    }
}
