//! One task, of tiles that are in memory as pieces.

use std::ops::Range;

use crate::engine::Options;
use crate::engine::observer::Observer;
use crate::engine::pairing::search::search;
use crate::engine::pairing::two_tiles::TwoTiles;
use crate::engine::threads::in_pool;
use crate::error::{Error, Result};
use crate::join::index::SetPair;
use crate::tiles::cover::Task;
use crate::tiles::pairs::PairsWriter;
use crate::tiles::rows::damaged;
use crate::tiles::rows::frequencies::of_two;
use crate::tiles::rows::tile::TileSets;

/// A tile of a task.
#[derive(Debug, Clone, Copy)]
pub struct TaskTile<'t> {
    /// The rank of its first set.
    pub first: u32,
    /// Its sets.
    pub pieces: &'t [&'t [u8]],
    /// The frequencies of its shingles, by stretch.
    pub frequencies: &'t [&'t [u8]],
    /// The weights of its sets.
    pub weights: &'t [u64],
}

/// A task, or a slice of one: some of the sets that look for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slice {
    /// The task.
    pub task: Task,
    /// Which slice it is, from 0.
    pub number: u32,
    /// How many slices the task has.
    pub count: u32,
}

/// What a task knows of its job.
#[derive(Debug, Clone, Copy)]
pub struct TaskOfJob<'t> {
    /// What the job is known by.
    pub job: u64,
    /// How many tiles it has.
    pub tiles: u32,
    /// How many documents it has.
    pub documents: usize,
    /// The pairs of ranks `(later, earlier)` of these tiles, ordered, of which documents have similar signatures.
    pub candidates: &'t [(u32, u32)],
    /// The slice.
    pub slice: Slice,
}

/// Joins the tiles of a task: one with itself, or two. Returns the pairs of their sets, as a file of pairs has them.
///
/// # Errors
///
/// [`Error::TileJob`] if the tiles are damaged, [`Error::TooManyShingles`], [`Error::Stopped`].
pub fn join(
    options: &Options,
    task: TaskOfJob<'_>,
    tiles: &[TaskTile<'_>],
    observer: &dyn Observer,
) -> Result<Vec<u8>> {
    let (earlier, later) = match tiles {
        [one] => (one, None),
        [earlier, later] => (earlier, Some(later)),
        _ => return Err(Error::TileJob("a task has one tile or two".into())),
    };
    in_pool(options, || {
        let options = options.among(task.documents);
        let mut sets = vec![TileSets::new(earlier.pieces.iter().copied())?];
        let mut frequencies = [earlier.frequencies, &[]];
        if let Some(later) = later {
            sets.push(TileSets::new(later.pieces.iter().copied())?);
            frequencies[1] = later.frequencies;
        }
        let weights: Vec<u64> = tiles
            .iter()
            .flat_map(|tile| tile.weights)
            .copied()
            .collect();
        let own = |sets: &TileSets| u32::try_from(sets.count()).expect("fewer than all sets");
        let before = own(&sets[0]);
        let two = match sets.get(1) {
            None => TwoTiles::within(0..before),
            Some(sets) => TwoTiles::between(0..before, before..before + own(sets)),
        };
        let slices: Vec<&[u64]> = sets.iter().flat_map(TileSets::iter).collect();
        if slices.len() != weights.len() {
            return Err(damaged("weights of sets"));
        }
        let probing = sliced(&two, &slices, task.slice);
        let prepared = two.prepared(&slices, &of_two(frequencies)?, &weights)?;
        drop(slices);
        drop(sets);
        let index = prepared.index();
        let numbers = Numbers {
            tiles,
            before,
            probing: probing.clone(),
        };
        let candidates = task.candidates.iter();
        let candidates = candidates
            .filter_map(|&pair| numbers.of_ranks(pair))
            .collect();
        let mut writer = PairsWriter::new(Vec::new(), task.job, task.tiles, task.slice.task)
            .map_err(Error::Sink)?;
        search(&index, probing, &options, candidates, |_, mut found| {
            if observer.is_stopped() {
                return Err(Error::Stopped);
            }
            found.iter_mut().for_each(|pair| numbers.to_ranks(pair));
            writer.write(&found).map_err(Error::Sink)
        })?;
        writer.finish().map_err(Error::Sink)
    })
}

/// Returns the sets of a slice that look for others. The slices of a task take about equally long: a set of two tiles is
/// compared with all of the earlier one, and a set of one tile with those before it.
fn sliced(two: &TwoTiles, sets: &[&[u64]], slice: Slice) -> Range<u32> {
    let probing = two.probing();
    let is_one = slice.task.earlier == slice.task.later;
    let own = &sets[probing.start as usize..probing.end as usize];
    let mut sum = 0;
    let ends: Vec<u64> = own
        .iter()
        .map(|set| {
            sum += set.len() as u64;
            sum
        })
        .collect();
    let bound = |number: u32| {
        if number >= slice.count {
            return probing.end;
        }
        let share = f64::from(number) / f64::from(slice.count);
        let share = if is_one { share.sqrt() } else { share };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "any bound will do"
        )]
        let shingles = (sum as f64 * share) as u64;
        let at = ends.partition_point(|&end| end <= shingles);
        probing.start + u32::try_from(at).expect("sets are numbered by 32 bits")
    };
    bound(slice.number)..bound(slice.number + 1)
}

/// How the sets of a task are numbered: those of the earlier tile from 0, then those of the later one.
struct Numbers<'t> {
    tiles: &'t [TaskTile<'t>],
    /// How many sets the earlier tile has.
    before: u32,
    probing: Range<u32>,
}

impl Numbers<'_> {
    /// Returns the numbers of a candidate; `None` if it is of other tiles or of another slice.
    fn of_ranks(&self, (x, y): (u32, u32)) -> Option<(u32, u32)> {
        let number = |rank: u32| {
            let mut start = 0;
            self.tiles.iter().find_map(|tile| {
                let at = rank.checked_sub(tile.first);
                let count = u32::try_from(tile.weights.len()).ok()?;
                let found = at.filter(|&at| at < count).map(|at| start + at);
                start += count;
                found
            })
        };
        let (x, y) = (number(x)?, number(y)?);
        let is_met = self.probing.contains(&x) && y < self.before;
        is_met.then_some((x, y))
    }

    fn to_ranks(&self, pair: &mut SetPair) {
        for number in [&mut pair.x, &mut pair.y] {
            *number = match number.checked_sub(self.before) {
                None => *number + self.tiles[0].first,
                Some(later) => later + self.tiles[1].first,
            };
        }
    }
}
