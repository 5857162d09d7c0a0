//! How many of all sets have each shingle, for one stretch of hashes; and what the sets of a tile weigh.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::engine::features::file::numbers::push_varint;
use crate::error::Result;
use crate::join::index::mix::mix;
use crate::join::index::postings::frequencies::Frequencies;
use crate::join::weighted::weight;
use crate::tiles::cover::Task;
use crate::tiles::rows::damaged;
use crate::tiles::rows::tile::{Counts, TileSets};

/// With more tiles than this, the work of tasks is estimated from a part of the shingles.
const TILES_OF_ALL: u32 = 64;

/// The frequencies of the shingles of one stretch of hashes.
#[derive(Debug)]
pub struct StretchFrequencies {
    /// For each tile, counts of those of its shingles that two sets or more have, of all tiles.
    pub of_tiles: Vec<(u32, Vec<u8>)>,
    /// For each task about how many times its sets share a shingle.
    pub work: Vec<(Task, u64)>,
}

/// Merges the counts that tiles have of one stretch of hashes. `counts` has each tile once.
///
/// # Errors
///
/// [`crate::Error::TileJob`] if they are damaged.
pub fn merge(counts: &[(u32, &[u8])]) -> Result<StretchFrequencies> {
    let mut readers: Vec<Counts<'_>> = counts.iter().map(|(_, bytes)| Counts::new(bytes)).collect();
    let mut heads = BinaryHeap::new();
    for (at, reader) in readers.iter_mut().enumerate() {
        heads.extend(
            reader
                .next()?
                .map(|(mixed, count)| Reverse((mixed, at, count))),
        );
    }
    let tiles = u32::try_from(counts.len()).map_err(|_| damaged("counts of shingles"))?;
    let step = (u64::from(tiles) / u64::from(TILES_OF_ALL)).pow(2).max(1);
    let mut merged: Vec<(u64, Vec<u8>)> = vec![(0, Vec::new()); counts.len()];
    let mut work = vec![0_u64; counts.len() * counts.len()];
    let mut equal: Vec<(usize, u32)> = Vec::new();
    while let Some(Reverse((mixed, at, count))) = heads.pop() {
        equal.clear();
        equal.push((at, count));
        while let Some(&Reverse((other, at, count))) = heads.peek() {
            if other != mixed {
                break;
            }
            heads.pop();
            equal.push((at, count));
        }
        for &(at, _) in &equal {
            let next = readers[at].next()?;
            heads.extend(next.map(|(mixed, count)| Reverse((mixed, at, count))));
        }
        let total: u64 = equal.iter().map(|&(_, count)| u64::from(count)).sum();
        if total < 2 {
            continue;
        }
        for &(at, _) in &equal {
            let (last, bytes) = &mut merged[at];
            push_varint(bytes, mixed - *last);
            push_varint(bytes, total.min(u32::MAX.into()));
            *last = mixed;
        }
        // Mixed shingles are spread evenly, so that their lowest bits choose some of them.
        if mixed % step == 0 {
            for (place, &(x, count)) in equal.iter().enumerate() {
                let count = u64::from(count);
                work[x * counts.len() + x] += count * (count - 1) / 2 * step;
                for &(y, others) in &equal[..place] {
                    let (least, most) = (x.min(y), x.max(y));
                    work[least * counts.len() + most] += count * u64::from(others) * step;
                }
            }
        }
    }
    let number = |at: usize| counts[at].0;
    let work = work.into_iter().enumerate().filter(|&(_, work)| work > 0);
    let work = work.map(|(at, work)| {
        let (x, y) = (number(at / counts.len()), number(at % counts.len()));
        let (earlier, later) = (x.min(y), x.max(y));
        (Task { earlier, later }, work)
    });
    let of_tiles = merged.into_iter().enumerate();
    Ok(StretchFrequencies {
        of_tiles: of_tiles
            .map(|(at, (_, bytes))| (number(at), bytes))
            .collect(),
        work: work.collect(),
    })
}

/// What the sets of a tile weigh.
#[derive(Debug, Default)]
pub struct TileWeights {
    /// The weight of each set.
    pub weights: Vec<u64>,
    /// How many of its shingles no other set has.
    pub unshared: Vec<u32>,
}

/// Weighs the sets of a tile. `pieces` are those of the tile, and `frequencies` those of its shingles, by stretch.
///
/// # Errors
///
/// [`crate::Error::TileJob`] if they are damaged.
pub fn weigh(pieces: &[&[u8]], frequencies: &[&[u8]]) -> Result<TileWeights> {
    let sets = TileSets::new(pieces.iter().copied())?;
    let mut found = TileWeights {
        weights: vec![0; sets.count()],
        unshared: vec![0; sets.count()],
    };
    let mut entries: Vec<(u64, u32)> = (0..)
        .zip(sets.iter())
        .flat_map(|(at, set)| set.iter().map(move |&shingle| (mix(shingle), at)))
        .collect();
    drop(sets);
    entries.par_sort_unstable();
    let mut known = Known::new(frequencies)?;
    for equal in entries.chunk_by(|x, y| x.0 == y.0) {
        let count = known.count(equal[0].0)?;
        for &(_, set) in equal {
            found.weights[set as usize] += u64::from(weight(count));
        }
        if count == 1 {
            found.unshared[equal[0].1 as usize] += 1;
        }
    }
    Ok(found)
}

/// The frequencies of the shingles of a tile, which are asked for in ascending order.
struct Known<'f> {
    stretches: std::slice::Iter<'f, &'f [u8]>,
    now: Counts<'f>,
    head: Option<(u64, u32)>,
}

impl<'f> Known<'f> {
    fn new(stretches: &'f [&'f [u8]]) -> Result<Self> {
        let mut known = Self {
            stretches: stretches.iter(),
            now: Counts::new(&[]),
            head: None,
        };
        known.advance()?;
        Ok(known)
    }

    fn advance(&mut self) -> Result<()> {
        let last = self.head.map(|(mixed, _)| mixed);
        loop {
            self.head = self.now.next()?;
            if self.head.is_some() {
                break;
            }
            match self.stretches.next() {
                Some(stretch) => self.now = Counts::new(stretch),
                None => return Ok(()),
            }
        }
        if last >= self.head.map(|(mixed, _)| mixed) && last.is_some() {
            return Err(damaged("frequencies of shingles"));
        }
        Ok(())
    }

    /// Returns how many sets have a mixed shingle.
    fn count(&mut self, mixed: u64) -> Result<u32> {
        while self.head.is_some_and(|(head, _)| head < mixed) {
            self.advance()?;
        }
        let found = self.head.filter(|&(head, _)| head == mixed);
        Ok(found.map_or(1, |(_, count)| count))
    }
}

/// Returns the frequencies of the shingles of two tiles, for a join of them. Each has those of its shingles by stretch.
pub(super) fn of_two(tiles: [&[&[u8]]; 2]) -> Result<Frequencies> {
    let [mut x, mut y] = [Known::new(tiles[0])?, Known::new(tiles[1])?];
    let (mut mixed, mut counts) = (Vec::new(), Vec::new());
    loop {
        let next = [x.head, y.head].into_iter().flatten().min();
        let Some((least, count)) = next else {
            break;
        };
        for known in [&mut x, &mut y] {
            if known.head.is_some_and(|(head, _)| head == least) {
                known.advance()?;
            }
        }
        if count >= Frequencies::LEAST {
            mixed.push(least);
            counts.push(u8::try_from(count).unwrap_or(0));
        }
    }
    Frequencies::of_parts(mixed, counts).ok_or_else(|| damaged("frequencies of shingles"))
}
