//! An index: the features of documents on disk. It finds the documents that are like a text. A scan reads the features
//! of unchanged documents from it.
//!
//! Features of named documents go in. Pairs come out, the same as those of a scan. This crate knows no walk through
//! folders, no report and no command line.
//!
//! An index is one file, which is read whole and kept in memory. It is replaced as a whole, so that a program that is
//! ended at any moment leaves it as before an update or as after it, and whoever has read it goes on with what was read.
//!
//! # Rooms
//!
//! * `document`, `postings`: the documents, the files that they were read from, and their shingles
//! * `content`: all of it, and its file
//! * `update`: adds and removes documents or texts
//! * `query`: the documents that are like a text, and those that may hold a passage of it
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
//! let found = index.query("The ferry leaves at eight from the old harbour, and returns at nine in the evening.");
//! assert_eq!(found.len(), 1);
//! assert_eq!(found[0].documents[1].name, "ferry");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

mod content;
mod document;
mod postings;
mod query;
mod update;

pub use document::{Catalog, KnownFile, KnownOutcome, Stamp, is_lasting};
pub use document::{KeptDocument, Origin, Reading};
pub use query::{Hit, Wanted, has_alike, query_document};
pub use update::{Added, Changes, Updated};

#[cfg(test)]
mod laws;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::content::{Content, Found};
use dupfind_engine::{Error, Identity, Options, Result};
use dupfind_files::Replacement;

/// The file is written when more than one of so many documents or files differ from it: to read these again costs less than
/// to write all.
const LASTING: u64 = 64;

/// An index in memory.
#[derive(Debug, Clone)]
pub struct Index {
    path: PathBuf,
    options: Options,
    /// The options that its documents depend on, as lines `name=value`.
    made_with: String,
    content: Arc<Content>,
    /// How many documents and files differ from those on disk.
    unsaved: u64,
    generation: u64,
}

impl Index {
    /// Reads an index of texts. The options must be those that it was made with, as far as they change a feature. The others,
    /// such as thresholds, decide what [`Self::query`] finds.
    ///
    /// # Errors
    ///
    /// [`Error::Index`] if there is no index, or it is damaged, of another version or made with other options.
    /// [`Error::IndexIo`] if it cannot be read.
    pub fn open(path: impl Into<PathBuf>, options: &Options) -> Result<Self> {
        let path = path.into();
        let made_with = Identity::of(options).to_string();
        let reason = match Content::read(&path, options, &made_with)? {
            Found::Index(content) => {
                return Ok(Self {
                    content: Arc::new(content),
                    ..Self::empty(path, options, made_with)
                });
            }
            Found::Nothing => "there is no such index".to_owned(),
            Found::Differs(reason) => reason,
            Found::Unusable(reason) => format!("{reason}; remove it to make it anew"),
        };
        Err(Error::Index { path, reason })
    }

    /// Reads an index of files, of which nothing is lost if it is made anew: if there is none, if it was made with other
    /// options, or if it cannot be read. Then it also returns why. `reading` are the options that decide which text is read,
    /// as lines `name=value`.
    ///
    /// # Errors
    ///
    /// [`Error::Index`] if something else is in its place, [`Error::IndexIo`] if it cannot be read.
    pub fn of_files(
        path: &Path,
        options: &Options,
        reading: &str,
    ) -> Result<(Self, Option<String>)> {
        let made_with = format!("{}{reading}", Identity::of(options));
        let found = Content::read(path, options, &made_with)?;
        let empty = Self::empty(path.to_owned(), options, made_with);
        Ok(match found {
            Found::Index(content) => {
                let content = Arc::new(content);
                (Self { content, ..empty }, None)
            }
            Found::Nothing | Found::Differs(_) => (empty, None),
            Found::Unusable(reason) => {
                let warning = format!("{}: {reason}; it is made anew", path.display());
                (empty, Some(warning))
            }
        })
    }

    /// Makes an index without documents, or opens the one that is there.
    ///
    /// # Errors
    ///
    /// As [`Self::open`] and [`Self::save`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dupfind_engine::Options;
    /// use dupfind_index::Index;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut index = Index::create(folder.path().join("site.dupidx"), &Options::default())?;
    /// index.update([("a", "the old park by the river opened to the public thirty years ago today")])?;
    /// let found = index.query("the old park by the river opened to the public fifty years ago today");
    /// assert_eq!(found[0].documents[1].name, "a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create(path: impl Into<PathBuf>, options: &Options) -> Result<Self> {
        let path = path.into();
        if path.symlink_metadata().is_ok() {
            return Self::open(path, options);
        }
        let mut index = Self::empty(path, options, Identity::of(options).to_string());
        index.save()?;
        Ok(index)
    }

    fn empty(path: PathBuf, options: &Options, made_with: String) -> Self {
        Self {
            path,
            options: options.clone(),
            made_with,
            content: Arc::default(),
            unsaved: 0,
            generation: 0,
        }
    }

    /// Writes the file anew if much of it has changed.
    ///
    /// # Errors
    ///
    /// As [`Self::save`].
    pub fn save_much(&mut self) -> Result<()> {
        match self.unsaved * LASTING > self.documents() || !self.path.exists() {
            true => self.save(),
            false => Ok(()),
        }
    }

    /// Writes the file anew.
    ///
    /// # Errors
    ///
    /// [`Error::IndexIo`]; then the file is as before.
    pub fn save(&mut self) -> Result<()> {
        let written = Replacement::of(&self.path).and_then(|mut new| {
            self.content.write(&mut new, &self.made_with)?;
            new.finish_durably()
        });
        written.map_err(|source| Error::IndexIo {
            action: "write",
            path: self.path.clone(),
            source,
        })?;
        self.unsaved = 0;
        Ok(())
    }

    /// Returns the documents.
    pub fn all(&self) -> &[KeptDocument] {
        &self.content.documents
    }

    /// Returns how many documents it has.
    pub fn documents(&self) -> u64 {
        self.all().len() as u64
    }

    /// Returns the names of all documents, ascending.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.all().iter().map(|kept| kept.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Returns the shingles of each document, ascending. Those of documents that nobody asks for are left out.
    pub fn sets(&self, is_asked: &[bool]) -> Vec<Vec<u64>> {
        self.content.postings.sets(is_asked)
    }

    /// Returns a number that changes with every change of this index in memory.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the files that its documents were read from.
    pub fn catalog(&self) -> &Catalog {
        &self.content.catalog
    }
}
