//! The sets of a tile.
//!
//! A piece of a tile has some of its sets in their order: for each its size, and its shingles ascending, as varint
//! differences.
//!
//! How many sets have each shingle, for one stretch of hashes; and the weights of the sets of a tile.
//!
//! Counts are bytes: for each shingle, in the ascending order of the mixed shingles, a varint difference to the one before,
//! and a varint for how many sets have it: twice as much, and one more if a varint follows for how many of them are compared
//! with references.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use dupfind_engine::Result;
use dupfind_engine::features::bytes::{push_varint, take_set, varint};
use dupfind_engine::join::inverted::mix;
use dupfind_engine::join::inverted::postings::Frequencies;
use dupfind_engine::join::weighted::weight;
use rayon::prelude::*;

use crate::bytes::{RankKey, damaged, take};
use crate::cover::Task;

/// The length from which a new piece begins, in bytes.
const PIECE: usize = 1 << 20;

/// Collects the sets of a tile, in the order of their keys.
#[derive(Debug, Default)]
pub struct TileBuilder {
    last: Option<RankKey>,
    pieces: Vec<Vec<u8>>,
    /// The mixed shingles of all sets.
    mixed: Vec<u64>,
    /// Those of the sets that are compared with references.
    compared: Vec<u64>,
    /// Where those of the last set begin, if it is none of the references.
    last_compared: Option<usize>,
}

impl TileBuilder {
    /// Returns a tile without sets.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a set with its key and its bytes, and whether it is a reference: of the side that others are compared with, or of
    /// the one side that there is. A set that is there already counts once, and is a reference if one of its documents is.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::Error::TileJob`] if it is damaged, or keys do not ascend.
    pub fn add(&mut self, key: RankKey, bytes: &[u8], is_reference: bool) -> Result<()> {
        if self.last == Some(key) {
            if let Some(start) = self.last_compared.take_if(|_| is_reference) {
                self.compared.truncate(start);
            }
            return Ok(());
        }
        if self.last.is_some_and(|last| last > key) {
            return Err(damaged("rows, which are not in the order of their keys,"));
        }
        self.last = Some(key);
        let mut rest = bytes;
        let start = self.mixed.len();
        let taken = take_set(&mut rest, key.size(), &mut self.mixed);
        if taken.is_none() || !rest.is_empty() {
            return Err(damaged("sets"));
        }
        let mixed = self.mixed[start..].iter_mut();
        mixed.for_each(|shingle| *shingle = mix(*shingle));
        self.last_compared = (!is_reference).then_some(self.compared.len());
        if !is_reference {
            self.compared.extend_from_slice(&self.mixed[start..]);
        }
        if self.pieces.last().is_none_or(|piece| piece.len() >= PIECE) {
            self.pieces.push(Vec::new());
        }
        let piece = self.pieces.last_mut().expect("one was pushed");
        push_varint(piece, key.size().into());
        piece.extend_from_slice(bytes);
        Ok(())
    }

    /// Takes the pieces that are finished.
    pub fn take_pieces(&mut self) -> Vec<Vec<u8>> {
        let finished = self.pieces.len().saturating_sub(1);
        self.pieces.drain(..finished).collect()
    }

    /// Returns the rest of the pieces, and the counts of each of so many stretches of hashes.
    pub fn finish(mut self, stretches: u32) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        self.mixed.par_sort_unstable();
        self.compared.par_sort_unstable();
        let mut counts = vec![CountsWriter::default(); stretches as usize];
        let mut compared = self.compared.as_slice();
        for equal in self.mixed.chunk_by(|x, y| x == y) {
            let stretch = stretch_of(equal[0], stretches) as usize;
            let own = compared.partition_point(|mixed| *mixed == equal[0]);
            compared = &compared[own..];
            let count = Count {
                all: equal.len() as u64,
                compared: own as u64,
            };
            counts[stretch].push(equal[0], count);
        }
        let counts = counts.into_iter().map(|counts| counts.bytes);
        (self.pieces, counts.collect())
    }
}

/// Returns in which of so many stretches of hashes a mixed shingle is, from 0.
fn stretch_of(mixed: u64, stretches: u32) -> u32 {
    let stretch = (u128::from(mixed) * u128::from(stretches)) >> 64;
    u32::try_from(stretch).expect("less than the number of stretches")
}

/// The sets of a tile in memory, one after the other.
#[derive(Debug, Default)]
pub(super) struct TileSets {
    /// Where each set ends.
    pub(super) ends: Vec<usize>,
    pub(super) shingles: Vec<u64>,
}

impl TileSets {
    /// Returns the sets of the pieces of a tile, in their order.
    pub(super) fn of_pieces<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Result<Self> {
        let mut sets = Self::default();
        for mut rest in pieces {
            while !rest.is_empty() {
                let taken = sets.take(&mut rest);
                taken.ok_or_else(|| damaged("the sets of a tile"))?;
            }
        }
        Ok(sets)
    }

    fn take(&mut self, rest: &mut &[u8]) -> Option<()> {
        let size = u32::try_from(varint(rest)?).ok()?;
        take_set(rest, size, &mut self.shingles)?;
        self.ends.push(self.shingles.len());
        Some(())
    }

    /// Returns how many sets there are.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.ends.len()).expect("sets are numbered by 32 bits")
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u64]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let bounds = starts.zip(&self.ends);
        bounds.map(|(start, &end)| &self.shingles[start..end])
    }
}

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
    use dupfind_engine::{FeatureMaker, Options};

    use super::*;
    use crate::bytes::DocumentBytes;
    use crate::tile::TileBuilder;

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
