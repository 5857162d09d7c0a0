//! What is frozen before the first task: all that tasks must agree on.
//!
//! | part | bytes | what it is |
//! |---|---|---|
//! | mark | 8 | `dupffrq\n` |
//! | version | 4 | the version of this form, now 1 |
//! | head | 8 and more | its length, then JSON: the options and the parts |
//! | lists | | each with its length before it (8 bytes) |
//! | checksum | 8 | XXH3 of all bytes before it: the number of what is frozen |
//!
//! The lists are: the rank of each document's set (4 bytes each, part after part); the size of each set (4), its weight
//! (8) and how many of its shingles no other set has (4), by rank; the mixed shingles of at least 3 sets (8) and how many
//! sets have each (1); the pairs of sets that signatures found (8); the sizes of some sets and their shingles, for
//! estimates.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::engine::Options;
use crate::engine::features::file::Identity;
use crate::error::{Error, Result};
use crate::join::index::postings::frequencies::Frequencies;
use crate::tiles::numbers::{HashingReader, HashingWriter};
use crate::tiles::part::Part;
use crate::tiles::refused;

/// The first bytes of a file.
const MARK: [u8; 8] = *b"dupffrq\n";

/// The version of the form.
const VERSION: u32 = 1;

/// The options that change shingle sets.
const OPTIONS_OF_SETS: [&str; 5] = [
    "cut_version",
    "shingle_unit",
    "shingle_size",
    "fold_han",
    "unspaced_words",
];

/// What all tasks agree on.
#[derive(Debug)]
pub struct Frozen {
    /// The checksum of the file.
    pub(super) number: u64,
    pub(super) head: FrozenHead,
    /// The rank of the set of each document, part after part.
    pub(super) ranks: Vec<u32>,
    /// The sizes of the sets, by rank.
    pub(super) sizes: Vec<u32>,
    /// The weights of the sets, by rank.
    pub(super) weights: Vec<u64>,
    /// How many shingles of each set no other set has, by rank.
    pub(super) unshared: Vec<u32>,
    /// How many sets have each shingle.
    pub(super) frequencies: Frequencies,
    /// The pairs of sets `(later, earlier)`, ordered, of which documents have similar signatures.
    pub(super) candidates: Vec<(u32, u32)>,
    pub(super) sample: Sample,
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

/// Some of the sets, from which the cost of tasks is estimated.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Sample {
    /// The ranks of the sets, ascending.
    pub(super) ranks: Vec<u32>,
    /// The shingles of the sets, one set after the other.
    pub(super) shingles: Vec<u64>,
}

/// Returns every option that changes a feature or decides which pairs there are.
pub(super) fn options_of(options: &Options) -> String {
    let mut lines = Identity::of(options).to_string();
    let mut add = |name: &str, value: String| lines.push_str(&format!("{name}={value}\n"));
    add("max_hamming", options.max_hamming.to_string());
    add("min_jaccard", options.min_jaccard.to_string());
    let weighted = options.weighted();
    let off = || "off".to_owned();
    let least = |least: u16| (f64::from(least) / 10_000.0).to_string();
    add(
        "min_weighted",
        weighted.map_or_else(off, |weighted| least(weighted.least)),
    );
    let containment = options.containment;
    add(
        "min_containment",
        containment.map_or_else(off, |containment| containment.least.to_string()),
    );
    add("require", options.require.as_str().into());
    let super_shingles = options.super_shingles.least().to_string();
    add("min_super_shingles", super_shingles);
    lines
}

impl Frozen {
    /// Returns how many documents all parts have.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.ranks.len()
    }

    /// Returns the sizes of the different shingle sets of the documents, in their order.
    #[must_use]
    pub fn set_sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Returns how many different shingle sets the documents have.
    #[must_use]
    pub fn sets(&self) -> usize {
        self.sizes.len()
    }

    /// Returns about how many bytes the file has: its lists.
    pub(super) fn bytes(&self) -> u64 {
        let of_sets = self.sizes.len() * (4 + 8 + 4);
        let of_shingles = self.frequencies.as_parts().0.len() * 9 + self.sample.shingles.len() * 8;
        (self.ranks.len() * 4 + of_sets + of_shingles + self.candidates.len() * 8) as u64
    }

    /// Returns the options that decide about the pairs of so many documents.
    #[must_use]
    pub fn options(&self, options: &Options) -> Options {
        options.among(self.documents())
    }

    /// Returns the ranks of the sets of the documents of each part.
    pub(super) fn ranks_of_parts(&self) -> Vec<&[u32]> {
        let mut rest = self.ranks.as_slice();
        let parts = self.head.parts.iter().map(|part| {
            let (own, others) = rest.split_at(part.documents);
            rest = others;
            own
        });
        parts.collect()
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

    /// Reads the file of what was frozen with these options.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] if it cannot be read, is no such file, is damaged, or was made with other options.
    pub fn open(path: &Path, options: &Options) -> Result<Self> {
        let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
        let frozen = Self::read(path, BufReader::with_capacity(1 << 18, file))?;
        frozen.check(path, options)?;
        Ok(frozen)
    }

    /// Reads the file of what was frozen of shingle sets that were made with these options. Other options may differ.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_for_sets(path: &Path, options: &Options) -> Result<Self> {
        let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
        let frozen = Self::read(path, BufReader::with_capacity(1 << 18, file))?;
        let found = options_of_sets(&frozen.head.options);
        let expected = options_of_sets(&options_of(options));
        check(path, "frozen with", &found, &expected)?;
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
            let (ranks, sizes) = (input.list()?, input.list()?);
            let (weights, unshared) = (input.list()?, input.list()?);
            let (mixed, counts) = (input.list()?, input.list()?);
            let candidates = input.list()?;
            let sample = Sample {
                ranks: input.list()?,
                shingles: input.list()?,
            };
            let all = (ranks, sizes, weights, unshared, mixed, counts, candidates);
            io::Result::Ok((all, sample))
        };
        let (all, sample) = lists(&mut input).map_err(failed)?;
        let number = input.finish().map_err(failed)?.ok_or_else(damaged)?;
        let (ranks, sizes, weights, unshared, mixed, counts, candidates) = all;
        Ok(Self {
            number,
            head: serde_json::from_slice(&head).map_err(|_| damaged())?,
            ranks,
            sizes,
            weights,
            unshared,
            frequencies: Frequencies::of_parts(mixed, counts).ok_or_else(damaged)?,
            candidates,
            sample,
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
        out.list(&self.ranks)?;
        out.list(&self.sizes)?;
        out.list(&self.weights)?;
        out.list(&self.unshared)?;
        let (mixed, counts) = self.frequencies.as_parts();
        out.list(mixed)?;
        out.list(counts)?;
        out.list(&self.candidates)?;
        out.list(&self.sample.ranks)?;
        out.list(&self.sample.shingles)?;
        out.finish().map(drop)
    }
}

/// Returns the lines of the options that change shingle sets.
fn options_of_sets(options: &str) -> String {
    let is_of_sets = |line: &&str| {
        let name = line.split('=').next();
        name.is_some_and(|name| OPTIONS_OF_SETS.contains(&name))
    };
    let lines = options.lines().filter(is_of_sets);
    lines.map(|line| format!("{line}\n")).collect()
}

/// Checks that options are what they were before. Both are lines `name=value`.
fn check(path: &Path, what: &str, found: &str, expected: &str) -> Result<()> {
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

fn cannot_read(path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => refused(path, "it is cut off"),
        _ => refused(path, format!("cannot read it: {error}")),
    }
}
