//! A live collection: an index of the documents of a scan, kept beside them and brought up to date when they change.
//! Texts that are open in an editor count instead of those on disk.
//!
//! ```text
//! files ─> index (times and sizes, then hashes) ─┬─> documents like a text
//! open texts ─> features ────────────────────────┘
//! ```

#[cfg(test)]
mod laws;
pub(crate) mod like;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Error as IoError, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dupfind_engine::{Document, Error, Features, Observer, Result};
use dupfind_files::{inside, write_new};
use dupfind_index::{Index, KnownOutcome};
use dupfind_read::named::read_named;
use dupfind_read::source::walk::HOME;
use dupfind_read::{Editions, Ingested, Kind, SkipReason, Skipped, as_written, file_of, unsaved};

use crate::ScanOptions;
use crate::indexed::{IndexOptions, reading, update_index};
use crate::sources::{Source, Sources};

/// The documents below a folder.
pub struct Live {
    options: ScanOptions,
    root: PathBuf,
    /// Whether the index is kept beside the documents.
    is_beside: bool,
    index: Index,
    /// The languages and versions of its documents.
    editions: Option<Arc<Editions>>,
    /// The files that could not be read.
    unread: Vec<Skipped>,
    open: BTreeMap<String, Open>,
}

/// A text that is open.
struct Open {
    content: String,
    /// None if it has no letter, ideograph or digit, or cannot be compared.
    features: Option<Features>,
}

/// The changes that an index was brought up to date with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changed {
    /// How many documents were read: new ones and changed ones.
    pub read: u64,
    /// How many documents are gone or were replaced.
    pub gone: u64,
}

/// Returns whether an index cannot be made because nothing can be written in its place.
fn is_unwritable(error: &Error) -> bool {
    match error {
        Error::IndexIo { source, .. } => matches!(
            source.kind(),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
        ),
        _ => false,
    }
}

impl Live {
    /// Opens the collection of the documents below a folder, which is [`base`](dupfind_read::source::walk::WalkOptions::base)
    /// of the options. Its index is the file `index`, or one beside the documents. It is not brought up to date. If there
    /// is none, or it cannot be used, it is made anew. Also returns why.
    ///
    /// # Errors
    ///
    /// The index cannot be read.
    pub fn open(options: ScanOptions, index: Option<&Path>) -> Result<(Self, Option<String>)> {
        let root = options.walk.base.clone();
        let path = index.map_or_else(|| index_beside(&root), Path::to_owned);
        let reading = reading(&options.read);
        let (opened, warning) = Index::of_files(&path, &options.engine, &reading)?;
        let live = Self {
            is_beside: index.is_none(),
            index: opened,
            editions: None,
            unread: Vec::new(),
            open: BTreeMap::new(),
            options,
            root,
        };
        Ok((live, warning))
    }

    /// Brings the index up to date with the changes on disk. If nothing can be written beside the documents, it is kept in
    /// memory.
    ///
    /// # Errors
    ///
    /// As [`update_index`]; the index cannot be written.
    pub fn refresh(&mut self, observer: &dyn Observer) -> Result<Changed> {
        let (updated, editions, unread) = update_index(&self.options, observer, &mut self.index)?;
        (self.editions, self.unread) = (editions, unread);
        let folder = match self.is_beside {
            true => make(&self.root),
            false => Ok(()),
        };
        match folder.and_then(|()| self.index.save_much()) {
            Err(error) if self.is_beside && is_unwritable(&error) => {}
            saved => saved?,
        }
        Ok(Changed {
            read: updated.added,
            gone: updated.removed,
        })
    }

    /// Returns the options of the scan, which reads its features from the index.
    pub fn scan_options(&self) -> ScanOptions {
        ScanOptions {
            index: Some(IndexOptions::Open(self.index.clone())),
            ..self.options.clone()
        }
    }

    /// Returns the languages and versions of the documents, if there are two of either.
    pub fn editions(&self) -> Option<&Arc<Editions>> {
        self.editions.as_ref()
    }

    /// Returns whether two pages, by their names, are in different languages or about different versions. A page without a name is
    /// not.
    pub fn are_apart(&self, a: &str, b: &str) -> bool {
        let editions = self.editions.as_ref();
        !a.is_empty() && editions.is_some_and(|editions| editions.are_apart(a, b))
    }

    /// Returns the folder of the documents.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the files of the index that are one document each, by name, each with a hash of its bytes.
    pub fn files(&self) -> impl Iterator<Item = (&str, u128)> {
        let files = self.index.catalog().files.iter();
        let files = files.filter(|(_, file)| file.outcome == KnownOutcome::Document);
        files.map(|(name, file)| (name.as_str(), file.content))
    }

    /// Returns how many documents the index has.
    pub fn documents(&self) -> u64 {
        self.index.documents()
    }

    /// Returns a number that changes whenever the index does.
    pub fn generation(&self) -> u64 {
        self.index.generation()
    }

    /// Returns at most `most` files of the index with the same file name as `name`, in any folder and case.
    pub fn alike(&self, name: &str, most: usize) -> Vec<&str> {
        let last = |name: &str| name.rsplit('/').next().map(str::to_ascii_lowercase);
        let files = self.index.catalog().files.keys().map(String::as_str);
        let alike = files.filter(|file| last(file) == last(name));
        alike.take(most).collect()
    }

    /// Returns whether there is a document of this name, or a file with records of that name. Names are those of reports.
    pub fn has(&self, name: &str) -> bool {
        self.open.contains_key(name) || self.file(name).is_some()
    }

    /// Returns whether an open text of this name may be a document: the index has its file, or there is none yet. Files of code
    /// or data are not.
    pub fn accepts(&self, name: &str) -> bool {
        let path = self.root.join(name);
        let is_document = self.file(name).is_some() || path.symlink_metadata().is_err();
        is_document && !self.options.walk.is_unasked_code(&path)
    }

    /// Returns the files that could not be read when the index was brought up to date. It has them as nothing.
    pub fn unread(&self) -> &[Skipped] {
        &self.unread
    }

    /// Returns why the file of this name is no document, if it was looked at and is none.
    pub fn why_skipped(&self, name: &str) -> Option<SkipReason> {
        if let Some(unread) = self.unread.iter().find(|unread| unread.path == name) {
            return Some(unread.reason);
        }
        match self.index.catalog().files.get(name)?.outcome {
            KnownOutcome::Skipped(reason, _) => Some(reason),
            _ => None,
        }
    }

    /// Returns the name of the file of a document.
    pub(super) fn file<'n>(&self, name: &'n str) -> Option<&'n str> {
        let cuts = name.match_indices('#').map(|(at, _)| &name[..at]);
        let mut files = std::iter::once(name).chain(cuts);
        files.find(|file| self.index.catalog().files.contains_key(*file))
    }

    /// Opens a text: from now on it counts instead of the file of this name on disk.
    pub fn put(&mut self, name: &str, content: String) {
        let read = self.ingested(name, &content);
        let features = read.and_then(|read| self.features(name, &read));
        let features = features.map(|mut features| {
            // Each is compared with each of the others.
            features.shingles.sort_unstable();
            features
        });
        self.open
            .insert(name.to_owned(), Open { content, features });
    }

    /// Closes a text: the file on disk counts again.
    pub fn close(&mut self, name: &str) {
        self.open.remove(name);
    }

    fn ingested<'t>(&self, name: &str, content: &'t str) -> Option<Ingested<'t>> {
        let kind = Kind::of(Path::new(name));
        unsaved(Cow::Borrowed(content), kind, &self.options.read).ok()
    }

    /// Returns the document of a content that is in no file. `name` is the one that it has or will have, and may be empty.
    pub fn unsaved(&self, name: &str, content: &str) -> Option<Ingested<'static>> {
        // An agent writes Markdown, unless the name has another format.
        let name = if name.is_empty() { "draft.md" } else { name };
        let read = self.ingested(name, content)?;
        Some(Ingested {
            text: Cow::Owned(read.text.into_owned()),
            ..read
        })
    }

    /// Returns the document of this name: the open text, or that of its file. Only documents of the index are read.
    pub fn read(&self, name: &str) -> Option<Ingested<'static>> {
        if let Some(open) = self.open.get(name) {
            return self.unsaved(name, &open.content);
        }
        self.file(name)?;
        let path = self.root.join(name);
        if inside(file_of(&path), &self.root, &self.root).is_err() {
            return None;
        }
        let (_, read) = read_named(&path, &self.root, &self.options.read).ok()?;
        Some(read)
    }

    /// Returns the open text of a document, or what its file has, as it is written. `None` if it cannot be read.
    pub fn source(&self, name: &str) -> Option<String> {
        if let Some(open) = self.open.get(name) {
            return Some(open.content.clone());
        }
        self.file(name)?;
        let path = self.root.join(name);
        inside(&path, &self.root, &self.root).ok()?;
        as_written(&path, Kind::of(&path), &self.options.read).ok()?
    }

    /// Returns the sources of documents, the first of which is the one that is asked about. If it is new, the others are a reference.
    fn sources(&self, documents: &[Document], is_new: bool) -> Sources {
        let walk = &self.options.walk;
        let names = || documents.iter().map(|document| document.name.as_str());
        let files = names().map(|name| self.root.join(self.file(name).unwrap_or(name)));
        let source = |(name, number): (&str, u32)| {
            let file = self.file(name).unwrap_or(name);
            let is_record = file != name;
            Source {
                record: u64::from(is_record),
                is_code: !is_record && walk.is_unasked_code(&self.root.join(name)),
                format: Kind::of(Path::new(name)).format,
                is_against: is_new && number > 0,
                ..Source::of_file(number)
            }
        };
        Sources {
            documents: names().zip(0..).map(source).collect(),
            files: files.collect(),
            editions: self.editions.clone(),
            rows: None,
            texts: None,
        }
    }
}

/// The name of the index.
const INDEX: &str = "index";

/// Returns the place of the index of the documents below `root`.
fn index_beside(root: &Path) -> PathBuf {
    root.join(HOME).join(INDEX)
}

/// Makes the folder of the index below `root`, if it is not there. git ignores the folder.
///
/// # Errors
///
/// [`Error::IndexIo`]; a link in its place is not followed.
fn make(root: &Path) -> Result<()> {
    let home = root.join(HOME);
    match fs::create_dir(&home) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(failed("make", &home, error));
        }
        _ => {}
    }
    if fs::symlink_metadata(&home).is_ok_and(|metadata| !metadata.is_dir()) {
        let error = IoError::new(ErrorKind::NotADirectory, "it is a link or a file");
        return Err(failed("use", &home, error));
    }
    let ignore = home.join(".gitignore");
    // An empty one is of a run that found the disk full.
    if fs::symlink_metadata(&ignore).is_ok_and(|file| file.is_file() && file.len() == 0) {
        fs::remove_file(&ignore).map_err(|error| failed("write", &ignore, error))?;
    }
    match write_new(&ignore, b"*\n") {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(failed("write", &ignore, error))
        }
        _ => Ok(()),
    }
}

fn failed(action: &'static str, path: &Path, source: IoError) -> Error {
    Error::IndexIo {
        action,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_made_once_and_no_link_is_followed() {
        let root = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            make(root.path()).unwrap();
        }
        let ignore = root.path().join(".dupfind/.gitignore");
        assert_eq!(fs::read_to_string(&ignore).unwrap(), "*\n");
        fs::write(&ignore, "").unwrap();
        make(root.path()).unwrap();
        assert_eq!(fs::read_to_string(&ignore).unwrap(), "*\n");
        #[cfg(unix)]
        {
            let elsewhere = tempfile::tempdir().unwrap();
            let linked = tempfile::tempdir().unwrap();
            std::os::unix::fs::symlink(elsewhere.path(), linked.path().join(HOME)).unwrap();
            assert!(make(linked.path()).is_err());
            assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        }
    }
}
