//! The bytes of the pairs of a task: a file, or a value of a row.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | mark | 8 | `dupfprs\n` |
//! | version | 4 | the version of this form: `VERSION` |
//! | job | 8 | the number of the job |
//! | task | 12 | how many tiles there are, the earlier tile, the later one |
//! | slice | 8 | the number of the slice, how many slices the task has |
//! | pairs | | stretches, each with how many pairs it has (4 bytes) before it |
//! | end | 4 | a stretch without pairs |
//! | checksum | 8 | XXH3 of all bytes before it |
//!
//! A pair is two different shingle sets by rank, the later one first, the sizes of their intersection and of their union
//! (4 bytes each), and the weighted similarity and containment (2 bytes each). Pairs are ordered.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::bytes::{cannot_read, refused};
use crate::cover::{Slice, Task};
use dupfind_engine::join::inverted::SetPair;
use dupfind_engine::join::weighted::Weighted;
use dupfind_engine::{Error, Result};
use dupfind_files::hashed::{Fixed, HashingReader, HashingWriter};
use dupfind_files::open::open_named;

/// The first bytes of a file.
const MARK: [u8; 8] = *b"dupfprs\n";

/// The version of the form.
const VERSION: u32 = 2;

/// The most pairs of a stretch.
const STRETCH: usize = 1 << 16;

/// Writes the pairs of a task. Errors are [`Error::Sink`] with the error of the writer.
pub(crate) struct PairsWriter<W: Write>(HashingWriter<BufWriter<W>>);

impl<W: Write> PairsWriter<W> {
    /// Begins the pairs of a slice of a job of so many tiles.
    pub(crate) fn new(out: W, job: u64, tiles: u32, slice: Slice) -> Result<Self> {
        let mut out = HashingWriter::new(BufWriter::new(out));
        let Slice {
            task,
            number,
            count,
        } = slice;
        let mut head = || {
            out.bytes(&MARK)?;
            out.values(&[VERSION])?;
            out.values(&[job])?;
            out.values(&[tiles, task.earlier, task.later, number, count])
        };
        head().map_err(Error::Sink)?;
        Ok(Self(out))
    }

    /// Writes some pairs.
    pub(crate) fn write(&mut self, pairs: &[SetPair]) -> Result<()> {
        for pairs in pairs.chunks(STRETCH) {
            let counted = self.0.values(&[count(pairs)]);
            let bytes: Vec<[u8; WIDTH]> = pairs.iter().map(to_bytes).collect();
            let written = counted.and_then(|()| self.0.values(&bytes));
            written.map_err(Error::Sink)?;
        }
        Ok(())
    }

    /// Writes the end.
    pub(crate) fn finish(mut self) -> Result<()> {
        let ended = self.0.values(&[count(&[])]);
        ended.and_then(|()| self.0.finish()).map_err(Error::Sink)?;
        Ok(())
    }
}

/// The bytes of a pair.
const WIDTH: usize = 20;

fn to_bytes(pair: &SetPair) -> [u8; WIDTH] {
    let mut bytes = Vec::with_capacity(WIDTH);
    for number in [pair.x, pair.y, pair.overlap, pair.union] {
        number.push(&mut bytes);
    }
    pair.weighted.similarity.push(&mut bytes);
    pair.weighted.containment.push(&mut bytes);
    <[u8; WIDTH]>::of(&bytes)
}

fn of_bytes(bytes: &[u8; WIDTH]) -> SetPair {
    let number = |at: usize| u32::of(&bytes[at * 4..][..4]);
    SetPair {
        x: number(0),
        y: number(1),
        overlap: number(2),
        union: number(3),
        weighted: Weighted {
            similarity: u16::of(&bytes[16..18]),
            containment: u16::of(&bytes[18..20]),
        },
    }
}

fn count(pairs: &[SetPair]) -> u32 {
    u32::try_from(pairs.len()).expect("not more than a stretch has")
}

/// The pairs of a task.
#[derive(Debug)]
pub(crate) struct PairsOfTask {
    pub(crate) path: PathBuf,
    /// The number of the job.
    pub(crate) job: u64,
    /// How many tiles there are.
    pub(crate) tiles: u32,
    pub(crate) slice: Slice,
    pub(crate) pairs: Vec<SetPair>,
}

impl PairsOfTask {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] if it cannot be read, is no such file, or is damaged.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let file = open_named(path).map_err(|error| cannot_read(path, &error))?;
        Self::of(path, BufReader::with_capacity(1 << 18, file))
    }

    /// Returns the pairs of a file that is in memory.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] if it is no such file, or is damaged.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Self> {
        Self::of(Path::new("pairs"), bytes)
    }

    fn of(path: &Path, input: impl Read) -> Result<Self> {
        let mut input = HashingReader::new(input);
        let read = read(path, &mut input)?;
        let whole = input.finish().map_err(|error| cannot_read(path, &error))?;
        match whole {
            Some(_) => Ok(read),
            None => Err(refused(path, "it is damaged: it is not what was written")),
        }
    }

    /// Returns whether a file begins as one of pairs does.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] if it cannot be read.
    pub(crate) fn is_at(path: &Path) -> Result<bool> {
        let mut head = Vec::new();
        let read = open_named(path).and_then(|file| file.take(8).read_to_end(&mut head));
        read.map_err(|error| cannot_read(path, &error))?;
        Ok(head == MARK)
    }
}

fn read(path: &Path, input: &mut HashingReader<impl Read>) -> Result<PairsOfTask> {
    let failed = |error: io::Error| cannot_read(path, &error);
    if input.bytes(8).map_err(failed)? != MARK {
        return Err(refused(path, "these are no pairs of a task"));
    }
    let version: u32 = input.value().map_err(failed)?;
    if version != VERSION {
        return Err(refused(
            path,
            format!(
                "it has version {version} of such files, and this program knows version {VERSION}: make it anew"
            ),
        ));
    }
    let job = input.value().map_err(failed)?;
    let numbers: Vec<u32> = input.values(5).map_err(failed)?;
    let mut pairs = Vec::new();
    loop {
        let count: u32 = input.value().map_err(failed)?;
        if count == 0 {
            break;
        }
        let read = input.each(count.into(), |bytes| pairs.push(of_bytes(&bytes)));
        read.map_err(failed)?;
    }
    Ok(PairsOfTask {
        path: path.to_owned(),
        job,
        tiles: numbers[0],
        slice: Slice {
            task: Task {
                earlier: numbers[1],
                later: numbers[2],
            },
            number: numbers[3],
            count: numbers[4],
        },
        pairs,
    })
}
