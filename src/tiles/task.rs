//! One task: joins two tiles, or one with itself.

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use crate::engine::Options;
use crate::engine::observer::{Observer, Stage};
use crate::engine::pairing::search::search;
use crate::engine::threads::in_pool;
use crate::error::{Error, Result};
use crate::join::groups::NONE;
use crate::join::index::SetPair;
use crate::tiles::cover::{Task, Tiles};
use crate::tiles::frozen::Frozen;
use crate::tiles::pairs::PairsWriter;
use crate::tiles::part::Part;
use crate::tiles::rows::tile::TileSets;

/// Joins the tiles of a task, and writes the pairs of their sets. Returns how many there are.
///
/// # Errors
///
/// [`Error::TileFile`] and [`Error::TileJob`] if the parts are not those that were frozen, or there is no such task;
/// [`Error::Stopped`]; [`Error::Sink`] with what the writer says.
pub fn write_pairs(
    (options, frozen): (&Options, &Frozen),
    paths: &[PathBuf],
    (tiles, task): (&Tiles, Task),
    observer: &dyn Observer,
    out: impl Write + Send,
) -> Result<u64> {
    tiles.check(task)?;
    let writer = PairsWriter::new(out, frozen.number, tiles.count(), task);
    let mut writer = writer.map_err(Error::Sink)?;
    let mut count = 0;
    let job = (options, frozen);
    join(job, paths, (tiles, task), observer, |pairs| {
        count += pairs.len() as u64;
        writer.write(pairs).map_err(Error::Sink)
    })?;
    writer.finish().map_err(Error::Sink)?;
    Ok(count)
}

/// Joins the tiles of a task, and calls `take` with the pairs of their sets, ordered.
///
/// # Errors
///
/// As [`write_pairs`], and those of `take`.
fn join(
    (options, frozen): (&Options, &Frozen),
    paths: &[PathBuf],
    (tiles, task): (&Tiles, Task),
    observer: &dyn Observer,
    mut take: impl FnMut(&[SetPair]) -> Result<()> + Send,
) -> Result<()> {
    let among = frozen.options(options);
    if !tiles.can_have_pairs(task, frozen, &among) {
        return Ok(());
    }
    in_pool(options, || {
        let parts = paths.iter().map(|path| Part::open(path, options));
        let parts = frozen.in_order(parts.collect::<Result<_>>()?)?;
        observer.stage(Stage::Read, None);
        let two = tiles.two(task);
        let load = |ranks: &Range<u32>| load(options, frozen, &parts, ranks);
        let sets = [load(&two.earlier)?, load(&two.later)?];
        observer.stage(Stage::Index, None);
        let slices: Vec<&[u64]> = sets.iter().flat_map(TileSets::iter).collect();
        let prepared = two.prepared(&slices, &frozen.frequencies, &frozen.weights)?;
        drop(slices);
        drop(sets);
        let index = prepared.index();
        observer.stage(Stage::JaccardJoin, None);
        let candidates = two.candidates(&frozen.candidates);
        search(&index, two.probing(), &among, candidates, |_, mut found| {
            if observer.is_stopped() {
                return Err(Error::Stopped);
            }
            found.iter_mut().for_each(|pair| two.renumber(pair));
            take(&found)
        })
    })
}

/// Reads the sets of some ranks in a row. In each part they stand together.
fn load(
    options: &Options,
    frozen: &Frozen,
    parts: &[Part],
    ranks: &Range<u32>,
) -> Result<TileSets> {
    let size = |rank: u32| frozen.sizes[rank as usize] as usize;
    let mut end = 0;
    let ends = ranks.clone().map(|rank| {
        end += size(rank);
        end
    });
    let ends: Vec<usize> = ends.collect();
    let mut shingles = vec![0; end];
    let mut is_loaded = vec![false; ranks.len()];
    for (part, of_part) in parts.iter().zip(frozen.ranks_of_parts()) {
        // Documents without shingles come first.
        let empty = of_part.partition_point(|&rank| rank == NONE);
        let within = |bound: u32| empty + of_part[empty..].partition_point(|&rank| rank < bound);
        let (first, last) = (within(ranks.start), within(ranks.end));
        if first == last {
            continue;
        }
        let damaged = |error: Error| part.refused(&error);
        let mut reader = part.reader(options)?;
        let passed = u32::try_from(first).expect("documents are numbered by 32 bits");
        reader.skip_documents(passed).map_err(damaged)?;
        for &rank in &of_part[first..last] {
            let document = reader.next().transpose().map_err(damaged)?;
            let at = (rank - ranks.start) as usize;
            if std::mem::replace(&mut is_loaded[at], true) {
                continue;
            }
            let set = document.map_or_else(Vec::new, |(_, features)| features.shingles);
            if set.len() != size(rank) {
                return Err(part.refused(&Error::FeaturesFile(
                    "its sets are not those that were frozen".into(),
                )));
            }
            shingles[ends[at] - set.len()..ends[at]].copy_from_slice(&set);
        }
    }
    Ok(TileSets { ends, shingles })
}
