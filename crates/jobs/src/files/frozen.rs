//! The frozen frequencies: the data that all tasks share, made before the first one runs.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | mark | 8 | `dupffrq\n` |
//! | version | 4 | the version of this form: `VERSION` |
//! | head | 8 and more | its length, then JSON: the options and the parts |
//! | lists | | each with its length before it (8 bytes) |
//! | checksum | 8 | XXH3 of all bytes before it: the number of the job |
//!
//! The lists are: the rank of each document's set (4 bytes each, part after part); the size of each set (4), its weight
//! (8) and how many of its shingles no other set has (4), by rank; the pairs of sets that signatures found (8); the mixed
//! shingles of at least 3 sets (8) and how many sets have each (1).

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bytes::{cannot_read, refused};
use crate::cover::sets::{JobSets, options_of};
use crate::files::part::Part;
use dupfind_engine::Options;
use dupfind_engine::features::file::Identity;
use dupfind_engine::join::inverted::postings::frequencies::Frequencies;
use dupfind_engine::{Error, Result};
use dupfind_files::hashed::{HashingReader, HashingWriter};
use dupfind_files::open::open_named;

/// The first bytes of a file.
const MARK: [u8; 8] = *b"dupffrq\n";

/// The version of the form.
const VERSION: u32 = 4;

/// The data that all tasks share.
#[derive(Debug)]
pub struct Frozen {
    pub(super) head: FrozenHead,
    /// The sets of all documents, part after part.
    pub(crate) sets: JobSets,
    /// How many sets have each shingle.
    pub(crate) frequencies: Frequencies,
}

/// The options and the parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FrozenHead {
    /// Every option that changes a feature or decides which pairs there are, as lines `name=value`.
    pub(super) options: String,
    /// How files were read, as lines `name=value`.
    pub(super) reading: String,
    pub(super) parts: Vec<FrozenPart>,
}

/// A part, as it was when the frequencies were counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FrozenPart {
    /// The name of the file, without its folder.
    pub(super) name: String,
    pub(super) documents: usize,
    pub(super) digest: u64,
}

impl Frozen {
    /// Returns the different shingle sets of all documents.
    #[must_use]
    pub fn sets(&self) -> &JobSets {
        &self.sets
    }

    /// Returns these parts in the order in which they were frozen.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if they are not the same parts.
    pub(super) fn in_order(&self, mut parts: Vec<Part>) -> Result<Vec<Part>> {
        let mut ordered = Vec::with_capacity(parts.len());
        for frozen in &self.head.parts {
            let is_it =
                |part: &Part| part.digest == frozen.digest && part.documents() == frozen.documents;
            let Some(at) = parts.iter().position(is_it) else {
                let (name, all) = (&frozen.name, self.head.parts.len());
                let changed = parts.iter().any(|part| part.name() == *name);
                let what = if changed { "has changed" } else { "is missing" };
                return Err(Error::TileJob(format!(
                    "{name} {what}: the frequencies were frozen from {all} files of features, and all of them are needed"
                )));
            };
            ordered.push(parts.swap_remove(at));
        }
        match parts.first() {
            Some(part) => Err(refused(
                part.path(),
                "the frequencies were frozen without it, or it is there twice",
            )),
            None => Ok(ordered),
        }
    }

    /// Checks that these options are those that were frozen.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] with the first difference.
    pub fn check(&self, path: &Path, options: &Options) -> Result<()> {
        check(
            path,
            "frozen with",
            &self.head.options,
            &options_of(options),
        )
    }

    /// Checks that files are read as those of the parts were.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] with the first difference.
    pub(super) fn check_reading(&self, path: &Path, reading: &str) -> Result<()> {
        check(
            path,
            "frozen of files read with",
            &self.head.reading,
            reading,
        )
    }

    /// Reads the file of the data that was frozen with these options.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] if it cannot be read, is no such file, is damaged, or was made with other options.
    pub fn open(path: &Path, options: &Options) -> Result<Self> {
        let file = open_named(path).map_err(|error| cannot_read(path, &error))?;
        let frozen = Self::read(path, BufReader::with_capacity(1 << 18, file))?;
        frozen.check(path, options)?;
        Ok(frozen)
    }

    fn read(path: &Path, input: impl Read) -> Result<Self> {
        let mut input = HashingReader::new(input);
        let failed = |error: io::Error| cannot_read(path, &error);
        let mark = input.bytes(8);
        if !mark.is_ok_and(|mark| mark == MARK) {
            return Err(refused(path, "these are no frozen frequencies"));
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
        let damaged = || refused(path, "it is damaged: it is not what was written");
        let head: Vec<u8> = input.list().map_err(failed)?;
        let lists = |input: &mut HashingReader<_>| {
            let sets = JobSets {
                number: 0,
                ranks: input.list()?,
                sizes: input.list()?,
                weights: input.list()?,
                unshared: input.list()?,
                candidates: input.list()?,
            };
            let frequencies = (input.list()?, input.list()?);
            io::Result::Ok((sets, frequencies))
        };
        let (sets, (mixed, counts)) = lists(&mut input).map_err(failed)?;
        let number = input.finish().map_err(failed)?.ok_or_else(damaged)?;
        let head: FrozenHead = serde_json::from_slice(&head).map_err(|_| damaged())?;
        let documents: usize = head.parts.iter().map(|part| part.documents).sum();
        let of_sets = [sets.weights.len(), sets.unshared.len()];
        if documents != sets.documents() || of_sets != [sets.sizes.len(); 2] {
            return Err(damaged());
        }
        Ok(Self {
            head,
            sets: JobSets { number, ..sets },
            frequencies: Frequencies::of_parts(mixed, counts).ok_or_else(damaged)?,
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = HashingWriter::new(BufWriter::new(out));
        out.bytes(&MARK)?;
        out.values(&[VERSION])?;
        out.list(&serde_json::to_vec(&self.head)?)?;
        out.list(&self.sets.ranks)?;
        out.list(&self.sets.sizes)?;
        out.list(&self.sets.weights)?;
        out.list(&self.sets.unshared)?;
        out.list(&self.sets.candidates)?;
        let (mixed, counts) = self.frequencies.as_parts();
        out.list(mixed)?;
        out.list(counts)?;
        out.finish().map(drop)
    }
}

/// Checks that options are as they were before. Both are lines `name=value`.
pub(super) fn check(path: &Path, what: &str, found: &str, expected: &str) -> Result<()> {
    let damaged = || refused(path, "it is damaged: its options");
    let parsed = |text| Identity::parse(text).ok_or_else(damaged);
    match parsed(expected)?.check(&parsed(found)?) {
        Err(Error::FeaturesDiffer {
            name,
            found,
            expected,
        }) => Err(refused(
            path,
            format!("it was {what} {name} {found}, not {expected}"),
        )),
        checked => checked,
    }
}
