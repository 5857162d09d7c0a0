//! The names of an index, and a check of all its files.

use crate::Index;
use dupfind_engine::Result;

impl Index {
    /// Returns the names of all documents, ascending.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn names(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for segment in &self.segments {
            let documents = segment.documents()?.into_iter();
            names.extend(documents.map(|(_, document)| document.name));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Reads the whole index and looks at every checksum.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::Error::Index`] with the file that is damaged, [`dupfind_engine::Error::IndexIo`] if one cannot be
    /// read.
    pub fn check(&self) -> Result<()> {
        if let Some(frequencies) = &self.frequencies {
            frequencies.pages.check()?;
        }
        for segment in &self.segments {
            segment.pages.check()?;
            let all: Vec<u32> = segment.tombstones.left().collect();
            segment.each_set(&all, |_, _| Ok(()))?;
            segment.documents()?;
        }
        self.catalog().map(|_| ())
    }
}
