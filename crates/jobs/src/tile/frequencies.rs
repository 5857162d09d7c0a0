//! How many sets have each shingle, for one stretch of hashes; and the weights of the sets of a tile.
//!
//! Counts are bytes: for each shingle, in the ascending order of the mixed shingles, a varint difference to the one before,
//! and a varint for how many sets have it: twice as much, and one more if a varint follows for how many of them are compared
//! with references.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::bytes::{damaged, take};
use crate::cover::Task;
use crate::tile::TileSets;
use dupfind_engine::Result;
use dupfind_engine::features::bytes::{push_varint, varint};
use dupfind_engine::join::inverted::mix;
use dupfind_engine::join::inverted::postings::frequencies::Frequencies;
use dupfind_engine::join::weighted::weight;

/// With more tiles than this, the work of tasks is estimated from a part of the shingles.
const TILES_OF_ALL: u32 = 64;

/// How many sets have a shingle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Count {
    pub(crate) all: u64,
    /// Those that are compared with references. Together they count once where the shingle is weighed.
    pub(crate) compared: u64,
}

impl Count {
    /// Returns [`Self::all`], or the largest number of sets.
    fn capped(self) -> u32 {
        u32::try_from(self.all).unwrap_or(u32::MAX)
    }

    /// Returns how many sets count. Two weigh as one, and tell that the shingle is not of one set alone.
    fn frequency(self) -> Self {
        let references = self.all - self.compared;
        Self {
            all: (references + u64::from(self.compared > 0)).max(2),
            compared: 0,
        }
    }
}

/// Writes counts: mixed shingles, ascending, with how many sets have each.
#[derive(Debug, Default, Clone)]
pub(crate) struct CountsWriter {
    pub(crate) bytes: Vec<u8>,
    last: u64,
}

impl CountsWriter {
    pub(crate) fn push(&mut self, mixed: u64, count: Count) {
        push_varint(&mut self.bytes, mixed - self.last);
        push_varint(
            &mut self.bytes,
            count.all << 1 | u64::from(count.compared > 0),
        );
        if count.compared > 0 {
            push_varint(&mut self.bytes, count.compared);
        }
        self.last = mixed;
    }
}

/// Reads counts: mixed shingles, ascending, with how many sets have each.
#[derive(Debug)]
struct Counts<'c> {
    rest: &'c [u8],
    last: Option<u64>,
}

impl<'c> Counts<'c> {
    fn new(bytes: &'c [u8]) -> Self {
        Self {
            rest: bytes,
            last: None,
        }
    }

    /// Returns the next mixed shingle and its count; `None` at the end.
    fn next(&mut self) -> Result<Option<(u64, Count)>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let taken = self.take();
        taken.map(Some).ok_or_else(|| damaged("counts of shingles"))
    }

    fn take(&mut self) -> Option<(u64, Count)> {
        let difference = varint(&mut self.rest)?;
        let all = varint(&mut self.rest)?;
        let compared = match all & 1 {
            1 => varint(&mut self.rest)?,
            _ => 0,
        };
        let all = all >> 1;
        let mixed = match self.last {
            Some(_) if difference == 0 => return None,
            Some(last) => last.checked_add(difference)?,
            None => difference,
        };
        self.last = Some(mixed);
        let is_count = all > 0 && all <= u32::MAX.into() && compared <= all;
        is_count.then_some((mixed, Count { all, compared }))
    }
}

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
/// [`dupfind_engine::Error::TileJob`] if they are damaged.
pub fn merge_counts(counts: &[(u32, &[u8])]) -> Result<StretchFrequencies> {
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
    let mut merged = vec![CountsWriter::default(); counts.len()];
    let mut work = vec![0_u64; counts.len() * counts.len()];
    let mut equal: Vec<(usize, Count)> = Vec::new();
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
        let total = |number: fn(&Count) -> u64| equal.iter().map(|(_, count)| number(count)).sum();
        let total = Count {
            all: total(|count| count.all),
            compared: total(|count| count.compared),
        };
        if total.all < 2 {
            continue;
        }
        let mut frequency = total.frequency();
        frequency.all = frequency.all.min(u32::MAX.into());
        for &(at, _) in &equal {
            merged[at].push(mixed, frequency);
        }
        // Mixed shingles are spread evenly, so that their lowest bits choose some of them.
        if mixed % step == 0 {
            // The counts of a damaged file can be any.
            let mut add = |at: usize, pairs: u64| {
                work[at] = work[at].saturating_add(pairs.saturating_mul(step));
            };
            for (place, &(x, count)) in equal.iter().enumerate() {
                let count = count.all;
                add(x * counts.len() + x, count * count.saturating_sub(1) / 2);
                for &(y, others) in &equal[..place] {
                    let (least, most) = (x.min(y), x.max(y));
                    add(
                        least * counts.len() + most,
                        count.saturating_mul(others.all),
                    );
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
            .map(|(at, counts)| (number(at), counts.bytes))
            .collect(),
        work: work.collect(),
    })
}

/// Returns the weights of the sets of a tile as bytes.
pub fn weights_to_bytes(weights: &[u64]) -> Vec<u8> {
    weights
        .iter()
        .flat_map(|weight| weight.to_le_bytes())
        .collect()
}

/// Returns the weights of the sets of a tile.
///
/// # Errors
///
/// These are no such bytes.
pub fn weights_of_bytes(mut bytes: &[u8]) -> Result<Vec<u64>> {
    let mut weights = Vec::with_capacity(bytes.len() / 8);
    while !bytes.is_empty() {
        let weight = take(&mut bytes).ok_or_else(|| damaged("weights of sets"))?;
        weights.push(u64::from_le_bytes(weight));
    }
    Ok(weights)
}

/// Weighs the sets of a tile. `pieces` are those of the tile, and `frequencies` those of its shingles, by stretch.
///
/// # Errors
///
/// [`dupfind_engine::Error::TileJob`] if they are damaged.
pub fn weigh(pieces: &[&[u8]], frequencies: &[&[u8]]) -> Result<Vec<u64>> {
    let sets = TileSets::of_pieces(pieces.iter().copied())?;
    let mut weights = vec![0; sets.count() as usize];
    let mut entries: Vec<(u64, u32)> = (0..)
        .zip(sets.iter())
        .flat_map(|(at, set)| set.iter().map(move |&shingle| (mix(shingle), at)))
        .collect();
    drop(sets);
    entries.par_sort_unstable();
    let mut counts = TileCounts::new(frequencies)?;
    for equal in entries.chunk_by(|x, y| x.0 == y.0) {
        let count = counts.count(equal[0].0)?;
        for &(_, set) in equal {
            weights[set as usize] += u64::from(weight(count));
        }
    }
    Ok(weights)
}

/// Reads the frequencies of the shingles of a tile, in ascending order.
struct TileCounts<'f> {
    stretches: std::slice::Iter<'f, &'f [u8]>,
    now: Counts<'f>,
    head: Option<(u64, Count)>,
}

impl<'f> TileCounts<'f> {
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
        Ok(found.map_or(1, |(_, count)| count.capped()))
    }
}

/// Returns the frequencies that a join of two tiles needs. Each tile has the counts of its shingles by stretch.
///
/// # Errors
///
/// [`dupfind_engine::Error::TileJob`] if they are damaged.
pub(crate) fn of_two(tiles: [&[&[u8]]; 2]) -> Result<Frequencies> {
    let [mut x, mut y] = [TileCounts::new(tiles[0])?, TileCounts::new(tiles[1])?];
    let (mut mixed, mut counts) = (Vec::new(), Vec::new());
    while let Some((least, count)) = [x.head, y.head].into_iter().flatten().min() {
        for known in [&mut x, &mut y] {
            if known.head.is_some_and(|(head, _)| head == least) {
                known.advance()?;
            }
        }
        let count = count.capped();
        if count >= Frequencies::LEAST {
            mixed.push(least);
            counts.push(u8::try_from(count).unwrap_or(0));
        }
    }
    Frequencies::of_parts(mixed, counts).ok_or_else(|| damaged("frequencies of shingles"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::DocumentBytes;
    use crate::tile::TileBuilder;
    use dupfind_engine::{FeatureMaker, Options};

    #[test]
    fn sets_that_are_compared_with_references_count_once() {
        let options = Options::default();
        let mut maker = FeatureMaker::new(&options);
        let shared = "the old park by the river opened to the public thirty years ago today";
        let mut rows: Vec<(DocumentBytes, bool)> = Vec::new();
        // Each set is of two documents, of which one or both or none are references.
        for (own, are_references) in [
            ("a", [true, true]),
            ("b", [true, false]),
            ("c", [false, true]),
            ("d", [false, false]),
            ("e", [false, false]),
        ] {
            let features = maker.features(format!("{shared} {own}").as_str()).unwrap();
            for is_reference in are_references {
                rows.push((
                    DocumentBytes::new(&options, &features).unwrap(),
                    is_reference,
                ));
            }
        }
        rows.sort_by_key(|(row, _)| row.key);
        let (mut tile, mut pieces) = (TileBuilder::new(), Vec::new());
        for (row, is_reference) in &rows {
            tile.add(row.key, &row.set, *is_reference).unwrap();
        }
        let (rest, counts) = tile.finish(1);
        pieces.extend(rest);
        let merged = merge_counts(&[(1, &counts[0])]).unwrap();
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let found = weigh(&pieces, &[&merged.of_tiles[0].1]).unwrap();
        let words = shared.split(' ').count();
        // Three references and one for the two others; the last shingle is of one set alone.
        let expected = (words as u64 - 2) * u64::from(weight(4)) + u64::from(weight(1));
        assert_eq!(found, [expected; 5]);
    }
}
