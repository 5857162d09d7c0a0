//! One task: joins two tiles, or one with itself.

use std::ops::Range;

use crate::bytes::damaged;
use crate::bytes::pairs::PairsWriter;
use crate::cover::Slice;
use crate::tile::TileSets;
use dupfind_engine::Options;
use dupfind_engine::join::inverted::postings::frequencies::Frequencies;
use dupfind_engine::pairing::finder::search;
use dupfind_engine::pairing::tiled::TwoTiles;
use dupfind_engine::run::observer::{Observer, Stage};
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::{Error, Result};

/// The facts about a job that a task needs.
#[derive(Debug, Clone, Copy)]
pub struct TaskOfJob<'t> {
    /// The number of the job.
    pub job: u64,
    /// How many tiles it has.
    pub tiles: u32,
    /// How many documents it has.
    pub documents: usize,
    /// The pairs of ranks `(later, earlier)`, ordered, that have documents with similar signatures. Pairs of other
    /// tasks may be among them.
    pub candidates: &'t [(u32, u32)],
    /// The slice.
    pub slice: Slice,
}

/// A tile in memory.
#[derive(Debug)]
pub(super) struct LoadedTile {
    /// The rank of its first set.
    pub(super) first: u32,
    pub(super) sets: TileSets,
    /// The weights of its sets.
    pub(super) weights: Vec<u64>,
}

impl LoadedTile {
    /// Returns the ranks of its sets.
    fn ranks(&self) -> Result<Range<u32>> {
        let end = self.first.checked_add(self.sets.count());
        let end = end.filter(|_| self.weights.len() == self.sets.count() as usize);
        let end = end.ok_or_else(|| damaged("weights of sets"))?;
        Ok(self.first..end)
    }
}

/// Joins a tile with itself, or with the later one. Returns the bytes of the pairs of their sets.
///
/// # Errors
///
/// [`Error::TileJob`] if the tiles are damaged, [`Error::TooMuch`], [`Error::Stopped`].
pub(super) fn join(
    options: &Options,
    task: TaskOfJob<'_>,
    (earlier, later): (LoadedTile, Option<LoadedTile>),
    frequencies: &Frequencies,
    observer: &dyn Observer,
) -> Result<Vec<u8>> {
    let two = match &later {
        None => TwoTiles::within(earlier.ranks()?),
        Some(later) => TwoTiles::between(earlier.ranks()?, later.ranks()?),
    };
    let tiles = [Some(earlier), later].into_iter().flatten();
    let (sets, weights): (Vec<TileSets>, Vec<Vec<u64>>) =
        tiles.map(|tile| (tile.sets, tile.weights)).unzip();
    in_pool(options.threads, || {
        let mut writer = PairsWriter::new(task.job, task.tiles, task.slice);
        observer.stage(Stage::Index, None);
        let slices: Vec<&[u64]> = sets.iter().flat_map(TileSets::iter).collect();
        let probing = sliced(two.probing(), &slices, task.slice);
        let prepared = two.prepared(&slices, frequencies, weights.concat())?;
        drop(slices);
        drop(sets);
        let index = prepared.index();
        observer.stage(Stage::JaccardJoin, None);
        let mut candidates = two.candidates(task.candidates);
        candidates.retain(|(x, _)| probing.contains(x));
        let options = options.among(task.documents);
        search(&index, probing, &options, candidates, |_, mut found| {
            if observer.is_stopped() {
                return Err(Error::Stopped);
            }
            found.iter_mut().for_each(|pair| two.renumber(pair));
            writer.push(&found);
            Ok(())
        })?;
        Ok(writer.finish())
    })
}

/// Returns the sets of a slice that look for others. The slices of a task take about equally long: a set of two tiles is
/// compared with all of the earlier one, and a set of one tile with those before it.
fn sliced(probing: Range<u32>, sets: &[&[u64]], slice: Slice) -> Range<u32> {
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
