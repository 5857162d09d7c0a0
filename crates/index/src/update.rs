//! Updates: adds documents or texts to an index, and removes some.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128;

use crate::Index;
use crate::document::{Catalog, KeptDocument, Origin, set_hash};
use dupfind_engine::{Error, FeatureMaker, Features, Result};
use dupfind_files::Lock;
use dupfind_read::{ReadOptions, row_features};

/// The changes of an index.
#[derive(Debug, Default)]
pub struct Changes {
    /// The documents that go, by their numbers.
    pub removed: HashSet<usize>,
    /// The documents that come.
    pub added: Vec<Added>,
    /// The list of files, if it is another one now, and in how many entries.
    pub catalog: Option<(Catalog, u64)>,
}

/// A document that comes into an index.
#[derive(Debug)]
pub struct Added {
    /// The number of the file it was read from; 0 for none.
    pub file: u32,
    /// Its name in reports.
    pub name: String,
    /// Its features.
    pub features: Features,
    /// A hash of the bytes it was read from.
    pub content: u128,
    /// Where its text comes from.
    pub origin: Origin,
}

impl Added {
    /// Returns the document without its shingles, and these.
    pub(crate) fn into_kept(self) -> (KeptDocument, Vec<u64>) {
        let Features { facts, shingles } = self.features;
        let kept = KeptDocument {
            file: self.file,
            name: self.name,
            set: set_hash(&shingles),
            facts,
            content: self.content,
            origin: self.origin,
        };
        (kept, shingles)
    }
}

/// The counts of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Updated {
    /// How many documents were added, those that replace others included.
    pub added: u64,
    /// How many documents were removed, those that were replaced included.
    pub removed: u64,
}

impl Index {
    /// Changes the index in memory.
    pub fn change(&mut self, changes: Changes) -> Updated {
        let Changes {
            removed,
            added,
            catalog,
        } = changes;
        let updated = Updated {
            added: added.len() as u64,
            removed: removed.len() as u64,
        };
        if removed.is_empty() && added.is_empty() && catalog.is_none() {
            return updated;
        }
        self.unsaved += updated.added + updated.removed;
        self.generation += 1;
        let content = Arc::make_mut(&mut self.content);
        if let Some((catalog, files)) = catalog {
            self.unsaved += files;
            content.catalog = catalog;
        }
        if updated != Updated::default() {
            content.change(removed, added);
        }
        updated
    }

    /// Adds texts with names. A text replaces the document of the same name. Texts without a letter, ideograph or digit
    /// are not added. The file is written anew: many texts at a time are faster than one by one. If another program
    /// changes the index, this one waits.
    ///
    /// # Errors
    ///
    /// As [`Self::open`] and [`Self::save`].
    pub fn update<N: AsRef<str>, T: AsRef<str>>(
        &mut self,
        texts: impl IntoIterator<Item = (N, T)>,
    ) -> Result<Updated> {
        let texts: Vec<(N, T)> = texts.into_iter().collect();
        // The last text of a name counts.
        let named = texts
            .iter()
            .map(|(name, text)| (name.as_ref(), text.as_ref()));
        let mut last: HashMap<&str, &str> = named.collect();
        self.locked(|index| {
            for kept in index.all() {
                let text = last.get(kept.name.as_str());
                if text.is_some_and(|text| xxh3_128(text.as_bytes()) == kept.content) {
                    last.remove(kept.name.as_str());
                }
            }
            let (mut maker, read) = (FeatureMaker::new(&index.options), ReadOptions::default());
            let mut new: Vec<(&str, &str)> =
                last.iter().map(|(&name, &text)| (name, text)).collect();
            new.sort_unstable();
            let added = new.into_iter().filter_map(|(name, text)| {
                Some(Added {
                    file: 0,
                    name: name.to_owned(),
                    features: row_features(&mut maker, text, &read).ok()?,
                    content: xxh3_128(text.as_bytes()),
                    origin: Origin::of_text(text),
                })
            });
            Changes {
                added: added.collect(),
                removed: index.of_names(|name| last.contains_key(name)),
                catalog: None,
            }
        })
    }

    /// Removes the documents of these names. Returns how many there were.
    ///
    /// # Errors
    ///
    /// As [`Self::update`].
    pub fn remove<N: AsRef<str>>(&mut self, names: impl IntoIterator<Item = N>) -> Result<u64> {
        let names: Vec<N> = names.into_iter().collect();
        let names: HashSet<&str> = names.iter().map(AsRef::as_ref).collect();
        let updated = self.locked(|index| Changes {
            removed: index.of_names(|name| names.contains(name)),
            ..Changes::default()
        });
        Ok(updated?.removed)
    }

    fn of_names(&self, is_wanted: impl Fn(&str) -> bool) -> HashSet<usize> {
        let all = self.all().iter().enumerate();
        let wanted = all.filter(|(_, kept)| is_wanted(&kept.name));
        wanted.map(|(at, _)| at).collect()
    }

    /// Changes the index as it is on disk, while no other program does.
    fn locked(&mut self, changes: impl FnOnce(&Self) -> Changes) -> Result<Updated> {
        let lock = Lock::wait_for(&self.path, || ());
        let _lock = lock.map_err(|error| Error::IndexIo {
            action: "lock",
            path: error.path,
            source: error.source,
        })?;
        let mut index = Self::open(&self.path, &self.options)?;
        let changes = changes(&index);
        let updated = index.change(changes);
        if index.unsaved > 0 {
            index.save()?;
        }
        *self = index;
        Ok(updated)
    }
}
