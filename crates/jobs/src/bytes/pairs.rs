//! The bytes of the pairs of a slice of a task.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | version | 4 | the version of this form: `VERSION` |
//! | job | 8 | the number of the job |
//! | task | 12 | how many tiles there are, the earlier tile, the later one |
//! | slice | 8 | the number of the slice, how many slices the task has |
//! | pairs | 20 each | in their order |
//! | checksum | 8 | XXH3 of all bytes before it |
//!
//! A pair is two different shingle sets by rank, the later one first, the sizes of their intersection and of their union
//! (4 bytes each), and the weighted similarity and containment (2 bytes each).

use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::{damaged, take};
use crate::cover::{Slice, Task};
use dupfind_engine::Result;
use dupfind_engine::join::inverted::SetPair;
use dupfind_engine::join::weighted::Weighted;

/// The version of the form.
const VERSION: u32 = 3;

/// Collects the bytes of the pairs of a slice.
#[derive(Debug)]
pub(crate) struct PairsWriter(Vec<u8>);

impl PairsWriter {
    /// Begins the pairs of a slice of a job of so many tiles.
    pub(crate) fn new(job: u64, tiles: u32, slice: Slice) -> Self {
        let mut out = VERSION.to_le_bytes().to_vec();
        out.extend_from_slice(&job.to_le_bytes());
        let Task { earlier, later } = slice.task;
        for number in [tiles, earlier, later, slice.number, slice.count] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        Self(out)
    }

    /// Adds some pairs.
    pub(crate) fn push(&mut self, pairs: &[SetPair]) {
        for pair in pairs {
            for number in [pair.x, pair.y, pair.overlap, pair.union] {
                self.0.extend_from_slice(&number.to_le_bytes());
            }
            for share in [pair.weighted.similarity, pair.weighted.containment] {
                self.0.extend_from_slice(&share.to_le_bytes());
            }
        }
    }

    /// Returns the bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let checksum = xxh3_64(&self.0);
        self.0.extend_from_slice(&checksum.to_le_bytes());
        self.0
    }
}

/// The pairs of a slice.
#[derive(Debug)]
pub(crate) struct PairsOfTask {
    /// The number of the job.
    pub(crate) job: u64,
    /// How many tiles there are.
    pub(crate) tiles: u32,
    pub(crate) slice: Slice,
    pub(crate) pairs: Vec<SetPair>,
}

impl PairsOfTask {
    /// Returns the pairs that have these bytes.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::Error::TileJob`] if they are damaged.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Self> {
        let content = bytes.split_last_chunk::<8>();
        let content =
            content.filter(|(content, checksum)| xxh3_64(content).to_le_bytes() == **checksum);
        let found = content.and_then(|(mut content, _)| Self::taken(&mut content));
        found.ok_or_else(|| damaged("pairs of a task"))
    }

    fn taken(rest: &mut &[u8]) -> Option<Self> {
        if number(rest)? != VERSION {
            return None;
        }
        let job = u64::from_le_bytes(take(rest)?);
        let tiles = number(rest)?;
        let (earlier, later) = (number(rest)?, number(rest)?);
        let slice = Slice {
            task: Task { earlier, later },
            number: number(rest)?,
            count: number(rest)?,
        };
        let mut pairs = Vec::new();
        while !rest.is_empty() {
            pairs.push(pair(rest)?);
        }
        Some(Self {
            job,
            tiles,
            slice,
            pairs,
        })
    }
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    take(rest).map(u32::from_le_bytes)
}

fn pair(rest: &mut &[u8]) -> Option<SetPair> {
    let [x, y] = [number(rest)?, number(rest)?];
    let [overlap, union] = [number(rest)?, number(rest)?];
    let mut share = || take(rest).map(u16::from_le_bytes);
    Some(SetPair {
        x,
        y,
        overlap,
        union,
        weighted: Weighted {
            similarity: share()?,
            containment: share()?,
        },
    })
}
