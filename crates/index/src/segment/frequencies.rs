//! The frozen frequencies of an index: how many documents had each shingle when they were counted.
//!
//! They are counted when the first documents come into an index, and again when that is requested. In between, no verdict
//! changes because somebody added a document. Documents with equal shingle sets count once. The frequencies from 3 up
//! to 255 are kept, and 0 represents all above: rarer shingles weigh as much as those of 2 documents, and the others
//! nothing ([`dupfind_engine::join::weighted`]).

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use crate::files::manifest::FrequenciesEntry;
use crate::files::manifest::{failed, part};
use crate::files::pages::{PageReader, PageWriter};
use crate::files::terms::{TermCursor, Terms, TermsWriter};
use dupfind_engine::Result;
use dupfind_engine::features::bytes::push_varint;
use dupfind_engine::join::weighted::{COMMON, weight};

/// The least frequency that is kept.
const LEAST: u32 = 3;

/// Frequencies on disk.
#[derive(Debug)]
pub(crate) struct Frequencies {
    pub(crate) pages: PageReader,
    terms: Terms,
}

impl Frequencies {
    /// Opens the frequencies of the index in a folder.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub(crate) fn open(folder: &Path, entry: &FrequenciesEntry) -> Result<Self> {
        let pages = PageReader::open(part(folder, entry.file), entry.file, entry.pages)?;
        let terms = Terms::open(&pages, entry.terms)?;
        Ok(Self { pages, terms })
    }

    /// Returns a cursor over the shingles of at least 3 documents.
    pub(crate) fn cursor(&self) -> TermCursor<'_> {
        self.terms
            .cursor(&self.pages, |stream| stream.varint().map(|_| ()))
    }
}

/// Returns how many documents have a shingle; `None` if they are fewer than [`LEAST`]. The cursor must not be beyond it.
pub(crate) fn frequency_of(cursor: &mut TermCursor<'_>, shingle: u64) -> Result<Option<u32>> {
    if !cursor.find(shingle)? {
        return Ok(None);
    }
    Ok(Some(match cursor.value().small()? {
        0 => COMMON,
        frequency => frequency,
    }))
}

/// Returns the weight of a shingle. The cursor must not be beyond it.
fn weight_of(cursor: &mut TermCursor<'_>, shingle: u64) -> Result<u32> {
    Ok(weight(frequency_of(cursor, shingle)?.unwrap_or(1)))
}

/// Weighs the shingles of a new segment, which come in ascending order.
pub(crate) enum Weigher<'w> {
    /// By frozen frequencies.
    Frozen(TermCursor<'w>),
    /// Not yet: every shingle weighs nothing.
    Later,
    /// By the frequencies in the segment itself, which are written down.
    Anew(Box<Counting<'w>>),
}

impl Weigher<'_> {
    /// Returns the weight of a shingle of these documents.
    pub(crate) fn weight(&mut self, shingle: u64, documents: &[u32]) -> Result<u32> {
        match self {
            Self::Frozen(cursor) => weight_of(cursor, shingle),
            Self::Later => Ok(0),
            Self::Anew(counting) => counting.weight(shingle, documents),
        }
    }
}

/// Counts frequencies and writes them down.
pub(crate) struct Counting<'w> {
    path: &'w Path,
    pages: PageWriter<&'w mut BufWriter<File>>,
    terms: TermsWriter,
    /// Whether a document is the first one with its shingle set.
    is_first: Vec<bool>,
    hash: Xxh3,
    value: Vec<u8>,
}

impl<'w> Counting<'w> {
    /// Begins to count frequencies. `is_first` has for each document whether it is the first one with its shingle set.
    pub(crate) fn new(
        path: &'w Path,
        out: &'w mut BufWriter<File>,
        file: u64,
        is_first: Vec<bool>,
    ) -> Self {
        Self {
            path,
            pages: PageWriter::new(out, file),
            terms: TermsWriter::default(),
            is_first,
            hash: Xxh3::new(),
            value: Vec::new(),
        }
    }

    /// Counts a shingle of these documents. Returns its weight.
    pub(crate) fn weight(&mut self, shingle: u64, documents: &[u32]) -> Result<u32> {
        let first = documents.iter().filter(|&&d| self.is_first[d as usize]);
        let frequency = u32::try_from(first.count()).expect("not more than documents");
        if frequency >= LEAST {
            let kept = if frequency < COMMON { frequency } else { 0 };
            self.value.clear();
            push_varint(&mut self.value, kept.into());
            self.hash.update(&shingle.to_le_bytes());
            self.hash.update(&self.value);
            let pushed = self.terms.push(&mut self.pages, shingle, &self.value);
            pushed.map_err(|source| failed("write", self.path, source))?;
        }
        Ok(weight(frequency))
    }

    /// Writes the rest. Returns the entry in the manifest, of the file of this number.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::Error::IndexIo`].
    pub(crate) fn finish(mut self, file: u64) -> Result<FrequenciesEntry> {
        let path = self.path;
        let fail = |source| failed("write", path, source);
        let terms = self.terms.finish(&mut self.pages).map_err(fail)?;
        let (out, pages) = self.pages.finish().map_err(fail)?;
        out.flush().map_err(fail)?;
        let documents = self.is_first.len() as u64;
        self.hash.update(&documents.to_le_bytes());
        Ok(FrequenciesEntry {
            file,
            pages,
            terms,
            documents,
            identity: format!("{:016x}", self.hash.digest()),
        })
    }
}
