//! An index of texts: made, brought up to date and emptied by their names.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use xxhash_rust::xxh3::xxh3_128;

use crate::Index;
use crate::segment::document::{KeptDocument, Origin};
use crate::segment::name_hash;
use crate::update::{Update, Updated};
use dupfind_engine::Result;
use dupfind_engine::{FeatureMaker, Options};
use dupfind_read::{ReadOptions, row_features};

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
