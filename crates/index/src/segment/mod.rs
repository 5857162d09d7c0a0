//! A segment: an immutable part of an index.
//!
//! It has the shingles of its documents as terms. The value of a shingle are the numbers of the documents that have it:
//! for one document, twice its number and one; for more, twice their count, the first number, and for each other one the
//! difference to the number before, less one. Behind the terms there are columns, with one number for each document:
//!
//! | column | bytes | content |
//! |---|---|---|
//! | file | 4 | the number of the file it was read from; 0 for none |
//! | size | 4 | how many shingles it has |
//! | weight | 8 | the weight of its shingles with the frozen frequencies |
//! | name | 8 | a hash of its name |
//! | key | 16 | the key of its shingle set, by which sets are ordered |
//! | set | 16 | a hash of its shingle set |
//! | signatures | 8 each | its signatures |
//! | start | 8 | where the rest of it begins, see [`document`] |

pub mod document;
pub(crate) mod frequencies;
pub(crate) mod lists;
pub(crate) mod sets;
pub(crate) mod tombstones;
pub mod write;

use std::path::Path;
use std::sync::OnceLock;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::files::folder::part;
use crate::files::manifest::SegmentEntry;
use crate::files::pages::{ByteStream, PageReader};
use crate::files::terms::{TermCursor, Terms};
use crate::segment::document::KeptDocument;
use crate::segment::tombstones::Tombstones;
use dupfind_engine::Result;
use dupfind_engine::join::inverted::distinct::SetKey;

/// A segment that is open.
#[derive(Debug)]
pub struct Segment {
    pub(crate) entry: SegmentEntry,
    pub(crate) pages: PageReader,
    pub(crate) terms: Terms,
    pub(crate) tombstones: Tombstones,
    /// How many signatures a document has.
    signatures: usize,
    sizes: OnceLock<Vec<u32>>,
    weights: OnceLock<Vec<u64>>,
    all_signatures: OnceLock<Vec<u64>>,
}

/// How many bytes a document has in the columns before its signatures.
const BEFORE_SIGNATURES: usize = 56;

/// Returns the hash of a shingle set, whatever the order of its shingles.
pub fn set_hash(set: &[u64]) -> u128 {
    let hashes = set.iter().map(|shingle| xxh3_128(&shingle.to_le_bytes()));
    hashes.fold(0, u128::wrapping_add)
}

/// Returns the hash of a name, as the column of names has it.
pub(crate) fn name_hash(name: &str) -> u64 {
    xxh3_64(name.as_bytes())
}

impl Segment {
    /// Opens a segment of the index in a folder. `signatures` is how many a document has.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub(crate) fn open(folder: &Path, entry: SegmentEntry, signatures: usize) -> Result<Self> {
        let pages = PageReader::open(part(folder, entry.file), entry.file, entry.pages)?;
        let terms = Terms::open(&pages, entry.terms)?;
        let tombstones = Tombstones::of_runs(entry.documents, &entry.tombstones);
        let tombstones = tombstones.ok_or_else(|| pages.damaged("its tombstones"))?;
        Ok(Self {
            entry,
            pages,
            terms,
            tombstones,
            signatures,
            sizes: OnceLock::new(),
            weights: OnceLock::new(),
            all_signatures: OnceLock::new(),
        })
    }

    /// Returns how many documents it has, those that are gone included.
    pub(crate) fn count(&self) -> u32 {
        self.entry.documents
    }

    /// Returns how many documents it has that are not gone.
    pub(crate) fn live(&self) -> u32 {
        self.entry.documents - self.tombstones.count()
    }

    /// Returns the position of a column. Columns have the numbers of all documents one after the other.
    fn column(&self, bytes_before: usize) -> u64 {
        self.entry.columns + bytes_before as u64 * u64::from(self.entry.documents)
    }

    /// Returns the numbers of the files of its documents.
    pub fn files(&self) -> Result<Vec<u32>> {
        self.pages
            .small_numbers(self.column(0), self.count() as usize)
    }

    /// Returns how many shingles each of its documents has.
    pub(crate) fn sizes(&self) -> Result<&[u32]> {
        let read = || {
            self.pages
                .small_numbers(self.column(4), self.count() as usize)
        };
        kept(&self.sizes, read)
    }

    /// Returns the weight of the shingles of each of its documents.
    pub(crate) fn weights(&self) -> Result<&[u64]> {
        kept(&self.weights, || {
            self.pages.numbers(self.column(8), self.count() as usize)
        })
    }

    /// Returns the hashes of the names of its documents.
    pub(crate) fn names(&self) -> Result<Vec<u64>> {
        self.pages.numbers(self.column(16), self.count() as usize)
    }

    /// Returns the keys of the shingle sets of its documents.
    pub fn keys(&self) -> Result<Vec<SetKey>> {
        let numbers = self
            .pages
            .numbers(self.column(24), 2 * self.count() as usize)?;
        let key = |(&size, numbers): (&u32, &[u64])| SetKey {
            size,
            least: numbers[0],
            hash: numbers[1],
        };
        Ok(self
            .sizes()?
            .iter()
            .zip(numbers.chunks_exact(2))
            .map(key)
            .collect())
    }

    /// Returns the hashes of the shingle sets of its documents.
    pub(crate) fn set_hashes(&self) -> Result<Vec<u128>> {
        let numbers = self
            .pages
            .numbers(self.column(40), 2 * self.count() as usize)?;
        let hash = |numbers: &[u64]| u128::from(numbers[1]) << 64 | u128::from(numbers[0]);
        Ok(numbers.chunks_exact(2).map(hash).collect())
    }

    /// Returns the signatures of its documents, one document after the other.
    pub(crate) fn signatures(&self) -> Result<&[u64]> {
        let count = self.count() as usize * self.signatures;
        kept(&self.all_signatures, || {
            self.pages.numbers(self.column(BEFORE_SIGNATURES), count)
        })
    }

    /// Returns where the rest of each document begins, and where the last one ends.
    fn starts(&self) -> Result<Vec<u64>> {
        let position = self.column(BEFORE_SIGNATURES + 8 * self.signatures);
        self.pages.numbers(position, self.count() as usize + 1)
    }

    /// Returns one document.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub(crate) fn document(&self, number: u32) -> Result<KeptDocument> {
        let position = self.column(BEFORE_SIGNATURES + 8 * self.signatures) + u64::from(number) * 8;
        let ends = self.pages.numbers(position, 2)?;
        let bytes = self.read_rest(ends[0], ends[1])?;
        let size = self.sizes()?[number as usize];
        let first = number as usize * self.signatures;
        let signatures = &self.signatures()?[first..first + self.signatures];
        self.parse(&bytes, size, signatures)
    }

    /// Calls `take` with the number and the rest of every document that is not gone.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged, or `take` fails.
    pub(crate) fn each_document(
        &self,
        mut take: impl FnMut(u32, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let starts = self.starts()?;
        let first = starts[0];
        let bytes = self.read_rest(first, starts[starts.len() - 1])?;
        for number in self.tombstones.left() {
            let at = number as usize;
            let place = |position: u64| usize::try_from(position.wrapping_sub(first)).ok();
            let rest = place(starts[at])
                .zip(place(starts[at + 1]))
                .and_then(|(start, end)| bytes.get(start..end));
            take(number, rest.ok_or_else(|| self.damaged_document())?)?;
        }
        Ok(())
    }

    /// Returns all documents that are not gone, with their numbers.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub fn documents(&self) -> Result<Vec<(u32, KeptDocument)>> {
        let (sizes, signatures) = (self.sizes()?, self.signatures()?);
        let mut all = Vec::with_capacity(self.live() as usize);
        self.each_document(|number, bytes| {
            let first = number as usize * self.signatures;
            let signatures = &signatures[first..first + self.signatures];
            all.push((
                number,
                self.parse(bytes, sizes[number as usize], signatures)?,
            ));
            Ok(())
        })?;
        Ok(all)
    }

    fn read_rest(&self, start: u64, end: u64) -> Result<Vec<u8>> {
        let length = end
            .checked_sub(start)
            .and_then(|length| usize::try_from(length).ok());
        let is_in_file = end <= self.pages.bytes();
        let length = length.filter(|_| is_in_file);
        self.pages
            .read(start, length.ok_or_else(|| self.damaged_document())?)
    }

    fn parse(&self, mut bytes: &[u8], size: u32, signatures: &[u64]) -> Result<KeptDocument> {
        let document = KeptDocument::take(&mut bytes, size, signatures);
        document
            .filter(|_| bytes.is_empty())
            .ok_or_else(|| self.damaged_document())
    }

    fn damaged_document(&self) -> dupfind_engine::Error {
        self.pages.damaged("a document is not what it should be")
    }

    /// Returns a cursor over its shingles.
    pub(crate) fn shingles(&self) -> TermCursor<'_> {
        self.terms
            .cursor(&self.pages, |stream| each_number(stream, |_| ()))
    }
}

/// Returns the content of a cell; it is read the first time.
fn kept<T>(cell: &OnceLock<Vec<T>>, read: impl FnOnce() -> Result<Vec<T>>) -> Result<&[T]> {
    if let Some(kept) = cell.get() {
        return Ok(kept);
    }
    let read = read()?;
    Ok(cell.get_or_init(|| read))
}

/// Calls `take` with each document of a shingle, in ascending order.
#[inline]
pub(crate) fn each_number(stream: &mut ByteStream<'_>, mut take: impl FnMut(u32)) -> Result<()> {
    let first = stream.varint()?;
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    if first & 1 == 1 {
        take(small(first >> 1));
        return Ok(());
    }
    let mut number = stream.small()?;
    take(number);
    for _ in 1..first >> 1 {
        number = number.saturating_add(stream.small()?).saturating_add(1);
        take(number);
    }
    Ok(())
}
