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
pub mod write;

use std::path::Path;
use std::sync::OnceLock;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::files::manifest::SegmentEntry;
use crate::files::manifest::part;
use crate::files::pages::{ByteStream, PageReader};
use crate::files::terms::{TermCursor, Terms};
use crate::segment::document::KeptDocument;
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

/// How many shingles are read at a time, unless one document has more.
const AT_A_TIME: u64 = 1 << 25;

/// Marks a document that nobody asks for.
const NOT_ASKED: u32 = u32::MAX;

impl Segment {
    /// Calls `take` with the position in `asked` and the ascending shingle set of each of these documents, which are
    /// ascending numbers.
    ///
    /// The segment is read once for all of them, or once for every 32 million shingles.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged, or `take` fails.
    pub fn each_set(
        &self,
        asked: &[u32],
        mut take: impl FnMut(usize, &[u64]) -> Result<()>,
    ) -> Result<()> {
        let sizes = self.sizes()?;
        let size = |number: &u32| u64::from(sizes[*number as usize]);
        let mut first = 0;
        while first < asked.len() {
            let mut end = first;
            let mut total = 0;
            while end < asked.len() && (end == first || total + size(&asked[end]) <= AT_A_TIME) {
                total += size(&asked[end]);
                end += 1;
            }
            self.some_sets(&asked[first..end], |at, set| take(first + at, set))?;
            first = end;
        }
        Ok(())
    }

    fn some_sets(
        &self,
        asked: &[u32],
        mut take: impl FnMut(usize, &[u64]) -> Result<()>,
    ) -> Result<()> {
        let sizes = self.sizes()?;
        let mut places = vec![NOT_ASKED; self.count() as usize];
        let mut starts = Vec::with_capacity(asked.len() + 1);
        let mut end = 0;
        for (&number, at) in asked.iter().zip(0..) {
            places[number as usize] = at;
            starts.push(end);
            end += sizes[number as usize] as usize;
        }
        starts.push(end);
        let mut shingles = vec![0_u64; end];
        let mut next = starts.clone();
        let mut is_damaged = false;
        let mut cursor = self.shingles();
        while let Some(shingle) = cursor.next()? {
            each_number(cursor.value(), |number| {
                let place = places.get(number as usize).copied().unwrap_or(NOT_ASKED);
                if place == NOT_ASKED {
                    return;
                }
                let at = &mut next[place as usize];
                if *at < starts[place as usize + 1] {
                    shingles[*at] = shingle;
                    *at += 1;
                } else {
                    is_damaged = true;
                }
            })?;
        }
        if is_damaged || next[..asked.len()] != starts[1..] {
            return Err(self
                .pages
                .damaged("a document has other shingles than it says"));
        }
        for (at, ends) in starts.windows(2).enumerate() {
            take(at, &shingles[ends[0]..ends[1]])?;
        }
        Ok(())
    }
}

/// One bit for each document of a segment; it is set if the document is gone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tombstones {
    bits: Vec<u64>,
    documents: u32,
    gone: u32,
}

impl Tombstones {
    /// Returns the tombstones of a segment that has all of its documents.
    pub(crate) fn none(documents: u32) -> Self {
        Self {
            bits: vec![0; (documents as usize).div_ceil(64)],
            documents,
            gone: 0,
        }
    }

    /// Returns tombstones as the manifest lists them; `None` if the list names documents that are not there.
    pub(crate) fn of_runs(documents: u32, runs: &[u32]) -> Option<Self> {
        let mut tombstones = Self::none(documents);
        let mut at = 0_u32;
        for (number, &run) in runs.iter().enumerate() {
            let end = at.checked_add(run).filter(|&end| end <= documents)?;
            if number % 2 == 1 {
                (at..end).for_each(|document| tombstones.bury(document));
            }
            at = end;
        }
        Some(tombstones)
    }

    /// Returns the lengths of the runs of documents: how many stay, how many are gone, and so on.
    pub(crate) fn runs(&self) -> Vec<u32> {
        let mut runs = Vec::new();
        let (mut length, mut is_gone) = (0, false);
        for document in 0..self.documents {
            if self.have(document) != is_gone {
                runs.push(length);
                (length, is_gone) = (0, !is_gone);
            }
            length += 1;
        }
        if is_gone {
            runs.push(length);
        }
        runs
    }

    /// Marks a document as gone.
    pub(crate) fn bury(&mut self, document: u32) {
        let (word, bit) = (document as usize / 64, 1 << (document % 64));
        if self.bits[word] & bit == 0 {
            self.bits[word] |= bit;
            self.gone += 1;
        }
    }

    /// Returns whether a document is gone.
    #[inline]
    pub(crate) fn have(&self, document: u32) -> bool {
        self.bits[document as usize / 64] >> (document % 64) & 1 == 1
    }

    /// Returns how many documents are gone.
    pub(crate) fn count(&self) -> u32 {
        self.gone
    }

    /// Returns the documents that are not gone.
    pub(crate) fn left(&self) -> impl Iterator<Item = u32> {
        (0..self.documents).filter(|&document| !self.have(document))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_are_the_documents_that_are_gone(
            documents in 0_u32..300, gone in prop::collection::vec(0_u32..300, 0..90),
        ) {
            let mut tombstones = Tombstones::none(documents);
            for &document in gone.iter().filter(|&&document| document < documents) {
                tombstones.bury(document);
            }
            let runs = tombstones.runs();
            prop_assert_eq!(Tombstones::of_runs(documents, &runs), Some(tombstones.clone()));
            prop_assert_eq!(tombstones.left().count(), (documents - tombstones.count()) as usize);
            let too_long: Vec<u32> = runs.into_iter().chain([301]).collect();
            prop_assert_eq!(Tombstones::of_runs(documents, &too_long), None);
        }
    }
}
