//! An index: the features of documents on disk. It finds the documents that are like a text. A scan reads the features
//! of unchanged documents from it.
//!
//! Features of named documents go in. Pairs come out, the same as those of a scan. This crate knows no walk through
//! folders, no report and no command line.
//!
//! ```text
//! features ─> run ─> segment ─┬─> query ─> pairs as of a scan
//!                    segment  ├─> sets of documents ─> scan
//!                    ...     ─┴─> merge ─> one segment
//! ```
//!
//! An index is a folder. Its `files` never change once they are written, but for the manifest, which is replaced as a
//! whole. So a program that is ended at any moment leaves the index as before an update or as after it, and a reader
//! goes on with the index as it was opened.
//!
//! # Rooms
//!
//! * `files`: pages with checksums, sorted terms, the manifest
//! * [`segment`]: some documents, by shingle; documents that are gone have tombstones; how rare each shingle was when it
//!   was counted
//! * [`catalog`]: the files that documents were read from
//! * [`update`]: adds and removes documents or texts, and merges segments
//! * [`query`]: the documents that are like a text
//! * [`inspect`]: facts about an index, and a check of all its files
//!
//! # Example
//!
//! ```
//! use dupfind_engine::Options;
//! use dupfind_index::Index;
//!
//! let folder = tempfile::tempdir()?;
//! let mut index = Index::create(folder.path().join("site.dupidx"), &Options::default())?;
//! index.update([
//!     ("ferry", "The ferry leaves at seven from the old harbour, and returns at nine in the evening."),
//!     ("bridge", "The old bridge was closed for repairs in the winter of that year."),
//! ])?;
//! let found = index.query("The ferry leaves at eight from the old harbour, and returns at nine in the evening.")?;
//! assert_eq!(found.len(), 1);
//! assert_eq!(found[0].documents[1].name, "ferry");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(test),
    warn(
        clippy::disallowed_methods,
        clippy::exit,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]

pub mod catalog;
pub(crate) mod files;
mod holding;
pub mod inspect;
pub mod query;
pub mod segment;
pub mod update;

#[cfg(test)]
mod laws;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::catalog::Catalog;
use crate::files::manifest::{MANIFEST, Manifest};
use crate::files::pages::damaged;
use crate::segment::Segment;
use crate::segment::frequencies::Frequencies;
use dupfind_engine::Options;
use dupfind_engine::features::bytes::Identity;
use dupfind_engine::{Error, Result};

/// How often an index is opened again that was updated while it was being opened.
const ATTEMPTS: usize = 20;

/// An index that is open: its documents at the time when it was opened.
#[derive(Debug, Clone)]
pub struct Index {
    folder: PathBuf,
    options: Options,
    manifest: Manifest,
    segments: Vec<Arc<Segment>>,
    frequencies: Option<Arc<Frequencies>>,
}

impl Index {
    /// Opens an index. The options must be those that it was made with, as far as they change a feature. The others,
    /// such as thresholds, decide what [`Self::query`] finds.
    ///
    /// # Errors
    ///
    /// [`Error::Index`] if there is no index, or it is damaged or of another version. [`Error::IndexDiffers`] if it was
    /// made with other options. [`Error::IndexIo`] if it cannot be read.
    pub fn open(path: impl Into<PathBuf>, options: &Options) -> Result<Self> {
        let folder = path.into();
        let mut attempts = 1..ATTEMPTS;
        loop {
            let manifest = Manifest::read(&folder)?;
            check_identity(&folder, &manifest.identity, options)?;
            match Self::of(&folder, manifest, options) {
                // An update removes files that do not belong to the index any more.
                Err(Error::IndexIo { source, .. })
                    if source.kind() == ErrorKind::NotFound && attempts.next().is_some() => {}
                opened => return opened,
            }
        }
    }

    /// Opens the files of a manifest.
    fn of(folder: &Path, manifest: Manifest, options: &Options) -> Result<Self> {
        let signatures = manifest.signatures;
        let open = |entry: &_| Segment::open(folder, Clone::clone(entry), signatures).map(Arc::new);
        let segments = manifest.segments.iter().map(open);
        let frequencies = manifest.frequencies.as_ref();
        let frequencies = frequencies.map(|entry| Frequencies::open(folder, entry).map(Arc::new));
        Ok(Self {
            segments: segments.collect::<Result<_>>()?,
            frequencies: frequencies.transpose()?,
            folder: folder.to_owned(),
            options: options.clone(),
            manifest,
        })
    }

    /// Returns whether there is an index in a folder. It may be damaged.
    #[must_use]
    pub fn is_at(path: &Path) -> bool {
        path.join(MANIFEST).is_file()
    }

    /// Returns the folder of the index.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Returns how many documents it has.
    #[must_use]
    pub fn documents(&self) -> u64 {
        let live = self.segments.iter().map(|segment| segment.live());
        live.map(u64::from).sum()
    }

    /// Returns how many documents came or went since the frequencies were counted.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.manifest.changes
    }

    /// Returns a number that changes with every update.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.manifest.next
    }

    /// Returns the options it was opened with.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the files that its documents were read from.
    ///
    /// # Errors
    ///
    /// The list cannot be read, or is damaged.
    pub fn catalog(&self) -> Result<Catalog> {
        match &self.manifest.catalog {
            Some(entry) => Catalog::read(&self.folder, entry),
            None => Ok(Catalog::default()),
        }
    }

    /// Returns the segments.
    pub fn segments(&self) -> &[Arc<Segment>] {
        &self.segments
    }

    /// Checks that the files of the index are read with these options, which are lines `name=value`.
    ///
    /// # Errors
    ///
    /// [`Error::IndexDiffers`] with the first difference.
    pub fn check_reading(&self, reading: &str) -> Result<()> {
        check_reading(&self.folder, &self.manifest.reading, reading)
    }
}

/// Checks that files are read with the same options as before, if files were read before. Only the options count that
/// `expected` has.
fn check_reading(folder: &Path, found: &str, expected: &str) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let is_expected = |line: &&str| {
        let name = line.split('=').next().unwrap_or(line);
        let mut names = expected.lines().filter_map(|line| line.split('=').next());
        names.any(|expected| expected == name)
    };
    let found: Vec<&str> = found.lines().filter(is_expected).collect();
    let parsed = |text| Identity::parse(text).ok_or_else(|| damaged_identity(folder));
    differ(folder, &parsed(&found.join("\n"))?, &parsed(expected)?)
}

/// Checks that an index was made with these options.
fn check_identity(folder: &Path, found: &str, options: &Options) -> Result<()> {
    let found = Identity::parse(found).ok_or_else(|| damaged_identity(folder))?;
    differ(folder, &found, &Identity::of(options))
}

fn damaged_identity(folder: &Path) -> Error {
    damaged(&folder.join(MANIFEST), "its options are none")
}

fn differ(folder: &Path, found: &Identity, expected: &Identity) -> Result<()> {
    match expected.check(found) {
        Err(Error::FeaturesDiffer {
            name,
            found,
            expected,
        }) => Err(Error::IndexDiffers {
            path: folder.to_owned(),
            name,
            found,
            expected,
        }),
        checked => checked,
    }
}
