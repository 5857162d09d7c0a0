//! One task: joins two tiles, or one with itself.

use std::ops::Range;

use crate::bytes::{damaged, push_pairs};
use crate::cover::Slice;
use crate::tile::{TileSets, of_two, weights_of_bytes};
use dupfind_engine::pairing::finder::search;
use dupfind_engine::pairing::tiled::TwoTiles;
use dupfind_engine::{Error, Observer, Options, Result, Stage, in_pool};

/// The facts about a job that a task needs.
#[derive(Debug, Clone, Copy)]
pub struct TaskOfJob<'t> {
    /// How many documents it has.
    pub documents: usize,
    /// The pairs of ranks `(later, earlier)`, ordered, that have documents with similar signatures. Pairs of other
    /// tasks may be among them.
    pub candidates: &'t [(u32, u32)],
    /// The slice.
    pub slice: Slice,
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

/// A tile in memory.
struct LoadedTile {
    /// The ranks of its sets.
    ranks: Range<u32>,
    sets: TileSets,
    /// The weights of its sets.
    weights: Vec<u64>,
}

impl TileBytes<'_> {
    fn load(&self) -> Result<LoadedTile> {
        let sets = TileSets::of_pieces(self.pieces.iter().copied())?;
        let weights = weights_of_bytes(self.weights)?;
        let end = self.first.checked_add(sets.count());
        let end = end.filter(|_| weights.len() == sets.count() as usize);
        Ok(LoadedTile {
            ranks: self.first..end.ok_or_else(|| damaged("weights of sets"))?,
            sets,
            weights,
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
    let (earlier, later) = (earlier.load()?, later.map(TileBytes::load).transpose()?);
    let two = match &later {
        None => TwoTiles::within(earlier.ranks.clone()),
        Some(later) => TwoTiles::between(earlier.ranks.clone(), later.ranks.clone()),
    };
    let tiles = [Some(earlier), later].into_iter().flatten();
    let (sets, weights): (Vec<TileSets>, Vec<Vec<u64>>) =
        tiles.map(|tile| (tile.sets, tile.weights)).unzip();
    in_pool(options.threads, || {
        let mut pairs = Vec::new();
        observer.stage(Stage::Index, None);
        let slices: Vec<&[u64]> = sets.iter().flat_map(TileSets::iter).collect();
        let probing = sliced(two.probing(), &slices, task.slice);
        let prepared = two.prepared(&slices, &frequencies, weights.concat())?;
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
            push_pairs(&mut pairs, &found);
            Ok(())
        })?;
        Ok(pairs)
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
