//! The sets of a tile.
//!
//! A piece of a tile has some of its sets in their order: for each its size, and its shingles ascending, as varint
//! differences.

pub mod frequencies;

use rayon::prelude::*;

use crate::bytes::RankKey;
use crate::bytes::damaged;
use crate::tile::frequencies::{Count, CountsWriter};
use dupfind_engine::Result;
use dupfind_engine::features::bytes::take_set;
use dupfind_engine::features::bytes::{push_varint, varint};
use dupfind_engine::join::inverted::mix;

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
