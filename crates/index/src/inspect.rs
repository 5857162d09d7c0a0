//! Facts about an index, and a check of all its files.

use std::fs;

use serde::Serialize;

use crate::Index;
use crate::files::folder::part;
use dupfind_engine::Result;
use dupfind_engine::features::bytes::Identity;

/// Facts about an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Info {
    /// How many documents it has.
    pub documents: u64,
    /// How many documents are gone, and still need room.
    pub gone: u64,
    /// How many files its documents were read from.
    pub files: u64,
    /// How many bytes it has on disk.
    pub bytes: u64,
    /// How many bytes of them are the frozen frequencies.
    pub frequency_bytes: u64,
    /// How many shingles its documents have together.
    pub shingles: u64,
    /// How many documents each segment has, those that are gone included.
    pub segments: Vec<u32>,
    /// The options it was made with, as names and values.
    pub options: Vec<(String, String)>,
    /// The identity of the frozen frequencies; `None` as long as there are no documents.
    pub frequencies: Option<String>,
    /// How many documents these were counted in.
    pub counted: u64,
    /// How many documents came or went since.
    pub changes: u64,
}

impl Index {
    /// Returns the counts and sizes of the index.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn info(&self) -> Result<Info> {
        let manifest = &self.manifest;
        let frequencies = manifest.frequencies.as_ref();
        let gone = self
            .segments
            .iter()
            .map(|s| u64::from(s.tombstones.count()));
        let options = [&manifest.identity, &manifest.reading].into_iter();
        let options = options.filter_map(|text| Identity::parse(text));
        let length = |file| fs::metadata(part(&self.folder, file)).map_or(0, |file| file.len());
        let frozen = self.frequencies.as_ref();
        Ok(Info {
            documents: self.documents(),
            gone: gone.sum(),
            files: self.catalog()?.files.len() as u64,
            bytes: manifest.files().into_iter().map(length).sum(),
            frequency_bytes: frozen.map_or(0, |frozen| frozen.pages.bytes()),
            shingles: self.segments.iter().map(|s| s.entry.postings).sum(),
            segments: self.segments.iter().map(|s| s.count()).collect(),
            options: options.flat_map(Identity::into_values).collect(),
            frequencies: frequencies.map(|entry| entry.identity.clone()),
            counted: frequencies.map_or(0, |entry| entry.documents),
            changes: manifest.changes,
        })
    }

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
