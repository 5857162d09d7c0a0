//! One task of a job of files.

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use crate::bytes::pairs::PairsWriter;
use crate::cover::{Slice, Task, Tiles};
use crate::files::frozen::Frozen;
use crate::files::part::{Part, read_sets};
use crate::task::{LoadedTile, TaskOfJob, join};
use crate::tile::TileSets;
use dupfind_engine::Options;
use dupfind_engine::Result;
use dupfind_engine::run::observer::{Observer, Stage};

/// Joins the tiles of a task, and writes the pairs of their sets. Returns how many there are.
///
/// # Errors
///
/// [`dupfind_engine::Error::TileFile`] and [`dupfind_engine::Error::TileJob`] if the parts are not those that were frozen, or there is no
/// such task; [`dupfind_engine::Error::Stopped`]; [`dupfind_engine::Error::Sink`] with the error of the writer.
pub fn write_pairs(
    (options, frozen): (&Options, &Frozen),
    paths: &[PathBuf],
    (tiles, task): (&Tiles, Task),
    observer: &dyn Observer,
    out: impl Write + Send,
) -> Result<u64> {
    tiles.check(task)?;
    let (sets, slice) = (&frozen.sets, Slice::whole(task));
    if !tiles.can_have_pairs(task, sets, &sets.options(options)) {
        PairsWriter::new(out, sets.number, tiles.count(), slice)?.finish()?;
        return Ok(0);
    }
    let parts = paths.iter().map(|path| Part::open(path, options));
    let parts = frozen.in_order(parts.collect::<Result<_>>()?)?;
    observer.stage(Stage::Read, None);
    let load = |tile: u32| load(options, frozen, &parts, tiles.ranks(tile), observer);
    let later = (task.earlier != task.later).then(|| load(task.later));
    let loaded = (load(task.earlier)?, later.transpose()?);
    let of_job = TaskOfJob {
        job: sets.number,
        tiles: tiles.count(),
        documents: sets.documents(),
        candidates: &sets.candidates,
        slice,
    };
    join(options, of_job, loaded, &frozen.frequencies, observer, out)
}

/// Reads the sets of some ranks in a row.
fn load(
    options: &Options,
    frozen: &Frozen,
    parts: &[Part],
    ranks: Range<u32>,
    observer: &dyn Observer,
) -> Result<LoadedTile> {
    let sets = &frozen.sets;
    let own = ranks.start as usize..ranks.end as usize;
    let mut end = 0;
    let ends = sets.sizes[own.clone()].iter().map(|&size| {
        end += size as usize;
        end
    });
    let ends: Vec<usize> = ends.collect();
    let (first, mut shingles) = (ranks.start, vec![0; end]);
    read_sets(options, parts, sets, ranks, observer, |rank, set| {
        let end = ends[(rank - first) as usize];
        shingles[end - set.len()..end].copy_from_slice(&set);
    })?;
    Ok(LoadedTile {
        first,
        sets: TileSets { ends, shingles },
        weights: sets.weights[own].to_vec(),
    })
}
