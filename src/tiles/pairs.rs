//! The file of the pairs of a task.
//!
//! | part | bytes | what it is |
//! |---|---|---|
//! | mark | 8 | `dupfprs\n` |
//! | version | 4 | the version of this form, now 1 |
//! | frozen | 8 | the number of what was frozen |
//! | task | 12 | how many tiles there are, the earlier tile, the later one |
//! | pairs | | stretches, each with how many pairs it has (4 bytes) before it |
//! | end | 4 | a stretch without pairs |
//! | checksum | 8 | XXH3 of all bytes before it |
//!
//! A pair is two different shingle sets by rank, the later one first, the sizes of their intersection and of their union
//! (4 bytes each), and the weighted similarity and containment (2 bytes each). Pairs are ordered.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::join::index::SetPair;
use crate::tiles::cover::Task;
use crate::tiles::numbers::{HashingReader, HashingWriter};
use crate::tiles::refused;

/// The first bytes of a file.
const MARK: [u8; 8] = *b"dupfprs\n";

/// The version of the form.
const VERSION: u32 = 1;

/// The most pairs of a stretch.
const STRETCH: usize = 1 << 16;

/// Writes the pairs of a task.
pub(super) struct PairsWriter<W: Write>(HashingWriter<BufWriter<W>>);

impl<W: Write> PairsWriter<W> {
    /// Begins the file of a task of so many tiles.
    pub(super) fn new(out: W, frozen: u64, tiles: u32, task: Task) -> io::Result<Self> {
        let mut out = HashingWriter::new(BufWriter::new(out));
        out.bytes(&MARK)?;
        out.values(&[VERSION])?;
        out.values(&[frozen])?;
        out.values(&[tiles, task.earlier, task.later])?;
        Ok(Self(out))
    }

    /// Writes some pairs.
    pub(super) fn write(&mut self, pairs: &[SetPair]) -> io::Result<()> {
        for pairs in pairs.chunks(STRETCH) {
            self.0.values(&[count(pairs)])?;
            self.0.values(pairs)?;
        }
        Ok(())
    }

    /// Ends the file. Returns what it was written to.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.0.values(&[count(&[])])?;
        self.0
            .finish()?
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
    }
}

fn count(pairs: &[SetPair]) -> u32 {
    u32::try_from(pairs.len()).expect("not more than a stretch has")
}

/// The pairs of a task.
#[derive(Debug)]
pub(super) struct PairsOfTask {
    pub(super) path: PathBuf,
    /// The number of what was frozen.
    pub(super) frozen: u64,
    /// How many tiles there are.
    pub(super) tiles: u32,
    pub(super) task: Task,
    pub(super) pairs: Vec<SetPair>,
}

impl PairsOfTask {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] if it cannot be read, is no such file, or is damaged.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
        Self::of(path, BufReader::with_capacity(1 << 18, file))
    }

    /// Returns the pairs of a file that is in memory.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] if it is no such file, or is damaged.
    pub(super) fn of_bytes(bytes: &[u8]) -> Result<Self> {
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
    pub(super) fn is_at(path: &Path) -> Result<bool> {
        let mut head = Vec::new();
        let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut head));
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
    let frozen = input.value().map_err(failed)?;
    let numbers: Vec<u32> = input.values(3).map_err(failed)?;
    let mut pairs = Vec::new();
    loop {
        let count: u32 = input.value().map_err(failed)?;
        if count == 0 {
            break;
        }
        let some: Vec<SetPair> = input.values(count.into()).map_err(failed)?;
        pairs.extend(some);
    }
    Ok(PairsOfTask {
        path: path.to_owned(),
        frozen,
        tiles: numbers[0],
        task: Task {
            earlier: numbers[1],
            later: numbers[2],
        },
        pairs,
    })
}

fn cannot_read(path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => refused(path, "it is cut off"),
        _ => refused(path, format!("cannot read it: {error}")),
    }
}
