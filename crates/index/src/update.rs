//! Updates: adds documents to an index, removes some, and merges segments.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use crate::Index;
use crate::catalog::Catalog;
use crate::check_identity;
use crate::check_reading;
use crate::files::manifest::{FrequenciesEntry, MANIFEST, Manifest, SegmentEntry};
use crate::files::manifest::{PART, create, failed, part, remove_others};
use crate::segment::Tombstones;
use crate::segment::document::{KeptDocument, Origin};
use crate::segment::frequencies::{Counting, Frequencies, Weigher};
use crate::segment::write::{Run, Source, first_of_their_sets, write_segment};
use crate::segment::{Segment, name_hash};
use dupfind_engine::features::bytes::Identity;
use dupfind_engine::{Error, FeatureMaker, Options, Result};
use dupfind_files::UNFINISHED;
use dupfind_files::lock::Lock;
use dupfind_read::{ReadOptions, row_features};

/// How many segments there may be before some are merged.
const MAX_SEGMENTS: usize = 8;

/// How many there are then at most, besides the new one.
const LEFT_SEGMENTS: usize = 3;

/// How many shingles are held in memory at a time: they need 256 MiB.
const AT_A_TIME: usize = 1 << 24;

/// An update that has begun. The index is locked until it ends. Nothing is changed before [`Self::commit`].
#[derive(Debug)]
pub struct Update {
    /// The index as it was when the update began.
    index: Index,
    /// The manifest as it will be.
    manifest: Manifest,
    /// The documents of each segment that are gone.
    tombstones: Vec<Tombstones>,
    /// New documents that are on disk already.
    spilled: Vec<SegmentEntry>,
    run: Run,
    added: u64,
    removed: u64,
    catalog: Option<Catalog>,
    reweighs: bool,
    _lock: Lock,
}

/// The counts of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Updated {
    /// How many documents were added, those that replace others included.
    pub added: u64,
    /// How many documents were removed, those that were replaced included.
    pub removed: u64,
}

impl Update {
    /// Begins an update of the index in a folder. If there is none, one is made.
    ///
    /// # Errors
    ///
    /// As [`Index::open`]; [`Error::IndexLocked`] if another program writes to it.
    pub fn begin(folder: &Path, options: &Options, reading: &str) -> Result<Self> {
        let new = Identity::of(options).to_string();
        make_folder(folder)?;
        let lock = lock(folder)?;
        let manifest = if folder.join(MANIFEST).exists() {
            Manifest::read(folder)?
        } else {
            Manifest {
                identity: new,
                reading: reading.to_owned(),
                signatures: options.kept_signatures(),
                changes: 0,
                next: 0,
                frequencies: None,
                catalog: None,
                segments: Vec::new(),
            }
        };
        check_identity(folder, &manifest.identity, options)?;
        check_reading(folder, &manifest.reading, reading)?;
        remove_others(folder, &manifest.files());
        let index = Index::of(folder, manifest, options)?;
        let mut manifest = index.manifest.clone();
        if manifest.reading.is_empty() {
            manifest.reading = reading.to_owned();
        }
        let tombstones = index
            .segments
            .iter()
            .map(|segment| segment.tombstones.clone());
        Ok(Self {
            tombstones: tombstones.collect(),
            manifest,
            index,
            spilled: Vec::new(),
            run: Run::default(),
            added: 0,
            removed: 0,
            catalog: None,
            reweighs: false,
            _lock: lock,
        })
    }

    /// Makes the index in a folder anew: one that is damaged, or that was made with other options.
    ///
    /// # Errors
    ///
    /// As [`Self::begin`]; the folder holds something else than an index.
    pub fn begin_anew(folder: &Path, options: &Options, reading: &str) -> Result<Self> {
        make_folder(folder)?;
        {
            let _lock = lock(folder)?;
            let manifest = folder.join(MANIFEST);
            fs::remove_file(&manifest).map_err(|source| failed("remove", &manifest, source))?;
        }
        Self::begin(folder, options, reading)
    }

    /// Returns the index as it was when the update began.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Replaces the list of files.
    pub fn set_catalog(&mut self, catalog: Catalog) {
        self.catalog = Some(catalog);
    }

    /// Counts the frequencies anew.
    pub fn reweigh(&mut self) {
        self.reweighs = true;
    }

    /// Adds a document that was read from the file of a number; 0 for none.
    ///
    /// # Errors
    ///
    /// [`Error::IndexIo`].
    pub fn add(&mut self, file: u32, document: KeptDocument, shingles: &[u64]) -> Result<()> {
        self.run.push(file, document, shingles);
        self.added += 1;
        if self.run.postings() >= AT_A_TIME {
            self.spill()?;
        }
        Ok(())
    }

    /// Writes the run to disk.
    fn spill(&mut self) -> Result<()> {
        let mut run = std::mem::take(&mut self.run);
        run.sort();
        let entry = self.write(&[Source::Run(&run)], Weighing::Later)?.0;
        self.spilled.push(entry);
        Ok(())
    }

    /// Removes a document of a segment.
    pub fn remove(&mut self, segment: usize, document: u32) {
        let before = self.tombstones[segment].count();
        self.tombstones[segment].bury(document);
        self.removed += u64::from(self.tombstones[segment].count() - before);
    }

    /// Removes the documents for which `is_gone` is true. It gets the number of the file of a document and the hash of
    /// its name.
    ///
    /// # Errors
    ///
    /// The index cannot be read.
    pub(crate) fn remove_if(&mut self, is_gone: impl Fn(u32, u64) -> bool) -> Result<()> {
        for at in 0..self.index.segments.len() {
            let (files, names) = (
                self.index.segments[at].files()?,
                self.index.segments[at].names()?,
            );
            let all = files.into_iter().zip(names).zip(0..);
            for ((file, name), document) in all {
                if is_gone(file, name) {
                    self.remove(at, document);
                }
            }
        }
        Ok(())
    }

    /// Removes from `texts` those that the index has under the same name. `texts` are by the hashes of their names.
    pub(super) fn leave_unchanged(&self, texts: &mut HashMap<u64, (&str, &str)>) -> Result<()> {
        for (segment, tombstones) in self.index.segments.iter().zip(&self.tombstones) {
            for (name, number) in segment.names()?.into_iter().zip(0..) {
                let Some((_, text)) = texts.get(&name) else {
                    continue;
                };
                if !tombstones.have(number)
                    && segment.document(number)?.content == xxh3_128(text.as_bytes())
                {
                    texts.remove(&name);
                }
            }
        }
        Ok(())
    }

    /// Ends the update: all of it is done, or none. Returns its counts.
    ///
    /// # Errors
    ///
    /// A file cannot be written; then the index is as before.
    pub fn commit(mut self) -> Result<Updated> {
        let committed = self.write_all();
        self.remove_unused(committed.is_ok());
        committed.map(|()| Updated {
            added: self.added,
            removed: self.removed,
        })
    }

    /// Removes the files that do not belong to the index any more, or do not after all.
    fn remove_unused(&self, is_committed: bool) {
        let belonging = if is_committed {
            self.manifest.files()
        } else {
            Manifest::read(&self.index.folder).map_or_else(|_| BTreeSet::new(), |m| m.files())
        };
        remove_others(&self.index.folder, &belonging);
    }

    fn write_all(&mut self) -> Result<()> {
        let is_new = !self.index.folder.join(MANIFEST).exists();
        if self.added + self.removed == 0 && self.catalog.is_none() && !self.reweighs && !is_new {
            return Ok(());
        }
        let mut run = std::mem::take(&mut self.run);
        run.sort();
        let anew = self.reweighs || self.manifest.frequencies.is_none();
        let merged = self.to_merge(anew, !run.documents.is_empty());
        let kept = (0..self.index.segments.len()).filter(|at| !merged.contains(at));
        let kept = kept.filter(|&at| self.tombstones[at].count() < self.index.segments[at].count());
        let mut entries: Vec<SegmentEntry> = kept
            .map(|at| SegmentEntry {
                tombstones: self.tombstones[at].runs(),
                ..self.index.segments[at].entry.clone()
            })
            .collect();
        let mut open = Vec::new();
        for &at in &merged {
            open.push(self.reopened(SegmentEntry {
                tombstones: self.tombstones[at].runs(),
                ..self.index.segments[at].entry.clone()
            })?);
        }
        for spilled in std::mem::take(&mut self.spilled) {
            open.push(self.reopened(spilled)?);
        }
        let mut sources: Vec<Source<'_>> = open.iter().map(Source::Segment).collect();
        if !run.documents.is_empty() {
            sources.push(Source::Run(&run));
        }
        if !sources.is_empty() {
            let weighing = if anew {
                Weighing::Anew
            } else {
                Weighing::Frozen
            };
            let (entry, frequencies) = self.write(&sources, weighing)?;
            if entry.documents > 0 {
                entries.push(entry);
            }
            if frequencies.is_some() {
                self.manifest.frequencies = frequencies;
            }
        }
        self.manifest.segments = entries;
        self.manifest.changes = if anew {
            0
        } else {
            self.manifest.changes + self.added + self.removed
        };
        if let Some(catalog) = self.catalog.take() {
            let file = self.manifest.new_file();
            self.manifest.catalog = Some(catalog.write(&self.index.folder, file)?);
        }
        self.manifest.write(&self.index.folder)
    }

    /// Opens a segment with the tombstones of its entry.
    fn reopened(&self, entry: SegmentEntry) -> Result<Segment> {
        Segment::open(&self.index.folder, entry, self.manifest.signatures)
    }

    /// Returns the segments that are merged with new documents, or with each other.
    fn to_merge(&self, anew: bool, has_new: bool) -> Vec<usize> {
        let all = 0..self.index.segments.len();
        if anew {
            return all.collect();
        }
        let live = |at: usize| self.index.segments[at].count() - self.tombstones[at].count();
        let is_sparse = |at: &usize| {
            let gone = u64::from(self.tombstones[*at].count());
            gone * 4 > u64::from(self.index.segments[*at].count()) && live(*at) > 0
        };
        let mut merged: Vec<usize> = all.clone().filter(is_sparse).collect();
        let mut others: Vec<usize> = all
            .filter(|at| live(*at) > 0 && !merged.contains(at))
            .collect();
        if others.len() + usize::from(has_new || !merged.is_empty()) > MAX_SEGMENTS {
            // The small ones: so no document is merged often.
            others.sort_by_key(|&at| live(at));
            let count = others.len() - LEFT_SEGMENTS;
            merged.extend(others.drain(..count));
        }
        merged.sort_unstable();
        merged
    }

    /// Writes a segment.
    fn write(
        &mut self,
        sources: &[Source<'_>],
        weighing: Weighing,
    ) -> Result<(SegmentEntry, Option<FrequenciesEntry>)> {
        let file = self.manifest.new_file();
        let path = part(&self.index.folder, file);
        let segment = |weigher: &mut Weigher<'_>| {
            create(&path, |out| {
                write_segment(&path, out, file, sources, weigher)
            })
        };
        match (weighing, &self.manifest.frequencies) {
            (Weighing::Frozen, Some(entry)) => {
                let frozen = Frequencies::open(&self.index.folder, entry)?;
                Ok((segment(&mut Weigher::Frozen(frozen.cursor()))?, None))
            }
            (Weighing::Anew, _) => {
                let number = self.manifest.new_file();
                let path = part(&self.index.folder, number);
                create(&path, |out| {
                    let counting = Counting::new(&path, out, number, first_of_their_sets(sources)?);
                    let mut weigher = Weigher::Anew(Box::new(counting));
                    let written = segment(&mut weigher)?;
                    let Weigher::Anew(counting) = weigher else {
                        unreachable!("made above");
                    };
                    Ok((written, Some(counting.finish(number)?)))
                })
            }
            (Weighing::Later | Weighing::Frozen, _) => Ok((segment(&mut Weigher::Later)?, None)),
        }
    }
}

/// How the documents of a new segment are weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weighing {
    Frozen,
    Anew,
    /// They are weighed when they are merged.
    Later,
}

/// The name of the file in an index that carries its lock.
const LOCK: &str = "lock";

/// Locks the index in a folder: one program writes to it at a time.
fn lock(folder: &Path) -> Result<Lock> {
    let path = folder.join(LOCK);
    let lock = Lock::at(&path).map_err(|error| Error::IndexIo {
        action: "lock",
        path: error.path,
        source: error.source,
    })?;
    lock.ok_or_else(|| Error::IndexLocked {
        path: folder.to_owned(),
        holder: Lock::holder(&path),
    })
}

/// Makes the folder of an index, if it is not there. Its name may be that of an empty folder.
fn make_folder(folder: &Path) -> Result<()> {
    match fs::create_dir(folder) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let is_of_index = |name: &std::ffi::OsStr| {
                let name = name.to_string_lossy();
                name.starts_with(PART)
                    || name == MANIFEST
                    || name == LOCK
                    || name.ends_with(UNFINISHED)
            };
            let mut entries = fs::read_dir(folder).map_err(|source| {
                let is_file = source.kind() == ErrorKind::NotADirectory;
                if is_file {
                    no_index(folder)
                } else {
                    failed("read", folder, source)
                }
            })?;
            let is_strange = |entry: std::io::Result<fs::DirEntry>| {
                entry.is_ok_and(|entry| !is_of_index(&entry.file_name()))
            };
            if !folder.join(MANIFEST).exists() && entries.any(is_strange) {
                return Err(no_index(folder));
            }
            Ok(())
        }
        Err(source) => Err(failed("make", folder, source)),
    }
}

fn no_index(folder: &Path) -> Error {
    Error::Index {
        path: folder.to_owned(),
        reason: "it is no index, and it is in the place of one".into(),
    }
}

impl Index {
    /// Makes an index without documents, or opens the one that is there.
    ///
    /// # Errors
    ///
    /// As [`Self::open`]; [`IndexIo`](dupfind_engine::Error::IndexIo) if it cannot be written.
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
    /// let found = index.query("the old park by the river opened to the public fifty years ago today")?;
    /// assert_eq!(found[0].documents[1].name, "a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create(path: impl Into<PathBuf>, options: &Options) -> Result<Self> {
        let folder = path.into();
        Update::begin(&folder, options, "")?.commit()?;
        Self::open(folder, options)
    }

    /// Adds texts with names. A text replaces the document of the same name. Texts without a letter, ideograph or digit
    /// are not added. The new texts are in this index from then on, and in others when they are opened again.
    ///
    /// # Errors
    ///
    /// [`IndexLocked`](dupfind_engine::Error::IndexLocked) if another program writes to the index,
    /// [`IndexIo`](dupfind_engine::Error::IndexIo) if it cannot be written. Then nothing is changed.
    pub fn update<N: AsRef<str>, T: AsRef<str>>(
        &mut self,
        texts: impl IntoIterator<Item = (N, T)>,
    ) -> Result<Updated> {
        let mut update = Update::begin(&self.folder, &self.options, "")?;
        let texts: Vec<(N, T)> = texts.into_iter().collect();
        // The last text of a name counts.
        let mut last: HashMap<u64, (&str, &str)> = HashMap::new();
        for (name, text) in &texts {
            let (name, text) = (name.as_ref(), text.as_ref());
            last.insert(name_hash(name), (name, text));
        }
        update.leave_unchanged(&mut last)?;
        let (mut maker, read) = (FeatureMaker::new(&self.options), ReadOptions::default());
        let mut new: Vec<(&str, &str)> = last.values().copied().collect();
        new.sort_unstable();
        for (name, text) in new {
            if let Some(features) = row_features(&mut maker, text, &read) {
                let kept = KeptDocument {
                    name: name.to_owned(),
                    facts: features.facts,
                    content: xxh3_128(text.as_bytes()),
                    origin: Origin::of_text(text),
                };
                update.add(0, kept, &features.shingles)?;
            }
        }
        update.remove_if(|_, name| last.contains_key(&name))?;
        self.end(update)
    }

    /// Removes the documents of these names. Returns how many there were.
    ///
    /// # Errors
    ///
    /// As [`Self::update`].
    pub fn remove<N: AsRef<str>>(&mut self, names: impl IntoIterator<Item = N>) -> Result<u64> {
        let names = names.into_iter();
        let hashes: HashSet<u64> = names.map(|name| name_hash(name.as_ref())).collect();
        let mut update = Update::begin(&self.folder, &self.options, "")?;
        update.remove_if(|_, name| hashes.contains(&name))?;
        Ok(self.end(update)?.removed)
    }

    /// Ends an update, and opens the index as it is then.
    pub(crate) fn end(&mut self, update: Update) -> Result<Updated> {
        let updated = update.commit()?;
        *self = Self::open(&self.folder, &self.options)?;
        Ok(updated)
    }
}
