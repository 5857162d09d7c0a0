//! A live collection: an index of the documents of a scan, kept beside them and brought up to date when they change.
//! Texts that are open in an editor count instead of those on disk.
//!
//! ```text
//! files ─> index (times and sizes, then hashes) ─┬─> documents like a text
//! open texts ─> features ────────────────────────┘
//! ```

mod home;
#[cfg(test)]
mod laws;
pub mod like;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::ScanOptions;
use crate::indexed::{IndexOptions, IndexUpdate, reading, reweigh, update_index};
use crate::live::home::{Home, waiting_for_lock};
use crate::sources::{Source, Sources};
use dupfind_engine::features::document::Document;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::{Error, Features, Result};
use dupfind_files::inside::inside;
use dupfind_index::Index;
use dupfind_index::catalog::{Catalog, KnownOutcome};
use dupfind_index::update::Update;
use dupfind_read::format::Kind;
use dupfind_read::named::{file_of, read_named};
use dupfind_read::site::Editions;
use dupfind_read::skipped::SkipReason;
use dupfind_read::{Ingested, unsaved};

/// How rare each shingle is is counted anew when more than one of so many documents came or went.
const MAX_CHANGED: u64 = 10;

/// The documents below a folder.
pub struct Live {
    options: ScanOptions,
    root: PathBuf,
    home: Home,
    index: Index,
    catalog: Catalog,
    /// The languages and versions of its documents.
    editions: Option<Arc<Editions>>,
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

/// Makes the index of the documents below a folder, if there is none, and makes it anew if it does not fit the options. Returns
/// the place of the index.
fn make_index(home: &Home, options: &ScanOptions) -> Result<PathBuf> {
    let path = home.make()?;
    let reading = reading(&options.read);
    let update = waiting_for_lock(|| {
        let begun = Update::begin(&path, &options.engine, &reading);
        match begun {
            Err(Error::Index { .. } | Error::IndexDiffers { .. }) => {
                Update::begin_anew(&path, &options.engine, &reading)
            }
            begun => begun,
        }
    })?;
    update.commit()?;
    Ok(path)
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
    /// of the options. The index is made if there is none, and made anew if it does not fit the options. It is not brought
    /// up to date. It is in `index`, or in a folder beside the documents. If nothing can be written there, it is kept in a
    /// temporary folder.
    ///
    /// # Errors
    ///
    /// The index cannot be made or read.
    pub fn open(options: ScanOptions, index: Option<&Path>) -> Result<Self> {
        let root = options.walk.base.clone();
        let mut home = match index {
            Some(index) => Home::Named(index.to_owned()),
            None => Home::Beside(root.clone()),
        };
        let path = match make_index(&home, &options) {
            Err(error) if index.is_none() && is_unwritable(&error) => {
                home = Home::temporary()?;
                make_index(&home, &options)?
            }
            made => made?,
        };
        Ok(Self {
            home,
            index: Index::open(&path, &options.engine)?,
            catalog: Catalog::default(),
            editions: None,
            open: BTreeMap::new(),
            options,
            root,
        })
    }

    /// Brings the index up to date with the changes on disk.
    ///
    /// # Errors
    ///
    /// As [`update_index`].
    pub fn refresh(&mut self, observer: &dyn Observer) -> Result<Changed> {
        let path = self.index.path().to_owned();
        if !Index::is_at(&path) {
            // Somebody has removed it.
            make_index(&self.home, &self.options)?;
        }
        let update = || update_index(&self.options, observer, &path);
        let IndexUpdate { updated, documents } = waiting_for_lock(update)?;
        self.index = Index::open(&path, &self.options.engine)?;
        if self.index.changes() > documents / MAX_CHANGED {
            waiting_for_lock(|| reweigh(&path, &self.options))?;
            self.index = Index::open(&path, &self.options.engine)?;
        }
        self.catalog = self.index.catalog()?;
        let walk = &self.options.walk;
        let files: Vec<PathBuf> = self.catalog.files.keys().map(PathBuf::from).collect();
        let editions = walk.has_editions.then(|| Editions::of(&files, &self.root));
        self.editions = editions.flatten().map(Arc::new);
        Ok(Changed {
            read: updated.added,
            gone: updated.removed,
        })
    }

    /// Returns the options of the scan, which reads its features from the index.
    #[must_use]
    pub fn scan_options(&self) -> ScanOptions {
        ScanOptions {
            index: Some(IndexOptions {
                path: self.index.path().to_owned(),
                is_frozen: true,
            }),
            ..self.options.clone()
        }
    }

    /// Returns the index, as it was when it was brought up to date.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Returns the languages and versions of the documents, if there are two of either.
    #[must_use]
    pub fn editions(&self) -> Option<&Arc<Editions>> {
        self.editions.as_ref()
    }

    /// Returns whether two pages, by their names, are in different languages or about different versions. A page without a name is
    /// not.
    #[must_use]
    pub fn are_apart(&self, a: &str, b: &str) -> bool {
        let editions = self.editions.as_ref();
        !a.is_empty() && editions.is_some_and(|editions| editions.are_apart(a, b))
    }

    /// Returns the folder of the documents.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the files of the index that are one document each, by name, each with a hash of its bytes.
    pub fn files(&self) -> impl Iterator<Item = (&str, u128)> {
        let files = self.catalog.files.iter();
        let files = files.filter(|(_, file)| file.outcome == KnownOutcome::Document);
        files.map(|(name, file)| (name.as_str(), file.content))
    }

    /// Returns how many documents the index has.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.index.documents()
    }

    /// Returns a number that changes whenever the index does.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.index.generation()
    }

    /// Returns at most `most` files of the index with the same file name as `name`, in any folder and case.
    #[must_use]
    pub fn alike(&self, name: &str, most: usize) -> Vec<&str> {
        let last = |name: &str| name.rsplit('/').next().map(str::to_ascii_lowercase);
        let files = self.catalog.files.keys().map(String::as_str);
        let alike = files.filter(|file| last(file) == last(name));
        alike.take(most).collect()
    }

    /// Returns whether there is a document of this name, or a file with records of that name. Names are those of reports.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.open.contains_key(name) || self.file(name).is_some()
    }

    /// Returns whether an open text of this name may be a document: the index has its file, or there is none yet. Files of code
    /// or data are not.
    #[must_use]
    pub fn accepts(&self, name: &str) -> bool {
        let path = self.root.join(name);
        let is_document = self.file(name).is_some() || path.symlink_metadata().is_err();
        is_document && !self.options.walk.sets_apart(&path)
    }

    /// Returns why the file of this name is no document, if it was looked at and is none.
    #[must_use]
    pub fn why_skipped(&self, name: &str) -> Option<SkipReason> {
        match self.catalog.files.get(name)?.outcome {
            KnownOutcome::Skipped(reason, _) => Some(reason),
            _ => None,
        }
    }

    /// Returns the name of the file of a document.
    pub(super) fn file<'n>(&self, name: &'n str) -> Option<&'n str> {
        let cuts = name.match_indices('#').map(|(at, _)| &name[..at]);
        let mut files = std::iter::once(name).chain(cuts);
        files.find(|file| self.catalog.files.contains_key(*file))
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
    #[must_use]
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
    #[must_use]
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

    fn sources(&self, documents: &[Document]) -> Sources {
        let walk = &self.options.walk;
        let names = || documents.iter().map(|document| document.name.as_str());
        let files = names().map(|name| self.root.join(self.file(name).unwrap_or(name)));
        let source = |(name, number): (&str, u32)| {
            let file = self.file(name).unwrap_or(name);
            let is_record = file != name;
            Source {
                record: u64::from(is_record),
                is_code: !is_record && walk.sets_apart(&self.root.join(name)),
                format: Kind::of(Path::new(name)).format,
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
