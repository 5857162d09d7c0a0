//! Files of pages. Every page has a checksum, which is looked at whenever the page is read.
//!
//! A page has 4096 bytes: the XXH3 of its content, and 4088 bytes of content. The checksum also depends on the number
//! of the page and of its file, so that no page is mistaken for another one. The contents of all pages are one sequence
//! of bytes, and positions are positions in it.
//!
//! Pages are read and not mapped: the crate has no unsafe code, and a file that is cut off while it is mapped ends the
//! program with a signal. The system keeps the pages that are read often, so that a read costs about a microsecond.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::files::manifest::MANIFEST;
use dupfind_engine::features::collection::store::file::read_exact_at;
use dupfind_engine::{Error, Result};
use dupfind_files::open::open_regular;

/// The bytes of a page.
const PAGE: usize = 4096;

/// The bytes of its content.
pub(crate) const CONTENT: usize = PAGE - 8;

/// How many pages are read at a time when many are needed.
const AT_A_TIME: usize = 64;

fn checksum(content: &[u8], file: u64, page: u64) -> u64 {
    xxh3_64_with_seed(content, file.rotate_left(32) ^ page)
}

/// Writes a file of pages.
#[derive(Debug)]
pub(crate) struct PageWriter<W> {
    out: W,
    file: u64,
    page: Vec<u8>,
    pages: u64,
}

impl<W: Write> PageWriter<W> {
    /// Returns a writer of the file of this number.
    pub(crate) fn new(out: W, file: u64) -> Self {
        Self {
            out,
            file,
            page: Vec::with_capacity(CONTENT),
            pages: 0,
        }
    }

    /// Returns the position of the next byte.
    pub(crate) fn position(&self) -> u64 {
        self.pages * CONTENT as u64 + self.page.len() as u64
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = (CONTENT - self.page.len()).min(bytes.len());
            self.page.extend_from_slice(&bytes[..room]);
            bytes = &bytes[room..];
            if self.page.len() == CONTENT {
                self.end_page()?;
            }
        }
        Ok(())
    }

    fn end_page(&mut self) -> io::Result<()> {
        self.page.resize(CONTENT, 0);
        let sum = checksum(&self.page, self.file, self.pages);
        self.out.write_all(&sum.to_le_bytes())?;
        self.out.write_all(&self.page)?;
        self.page.clear();
        self.pages += 1;
        Ok(())
    }

    /// Fills the last page with zeros. Returns the writer of the file, and how many pages it has.
    pub(crate) fn finish(mut self) -> io::Result<(W, u64)> {
        if !self.page.is_empty() {
            self.end_page()?;
        }
        Ok((self.out, self.pages))
    }
}

/// Reads a file of pages.
#[derive(Debug)]
pub(crate) struct PageReader {
    source: File,
    path: PathBuf,
    file: u64,
    pages: u64,
}

/// Returns the error of a damaged file of an index, with what to do.
pub(crate) fn damaged(path: &Path, what: &str) -> Error {
    // An update without it begins anew, and removes the other files.
    let manifest = path.with_file_name(MANIFEST);
    let manifest = manifest.display();
    Error::Index {
        path: path.to_owned(),
        reason: format!(
            "it is damaged: {what}; remove {manifest}, and a scan with --index makes it anew"
        ),
    }
}

impl PageReader {
    /// Opens the file of this number, which has this many pages.
    ///
    /// # Errors
    ///
    /// [`Error::IndexIo`] if it cannot be opened, [`Error::Index`] if it has another length.
    pub(crate) fn open(path: PathBuf, file: u64, pages: u64) -> Result<Self> {
        let failed = |source| Error::IndexIo {
            action: "read",
            path: path.clone(),
            source,
        };
        let source = open_regular(&path).map_err(failed)?;
        let length = source.metadata().map_err(failed)?.len();
        if Some(length) != pages.checked_mul(PAGE as u64) {
            return Err(damaged(&path, "its length is another one"));
        }
        Ok(Self {
            source,
            path,
            file,
            pages,
        })
    }

    /// Returns how many bytes it has on disk.
    pub(crate) fn bytes(&self) -> u64 {
        self.pages * PAGE as u64
    }

    /// Returns the error of a damaged file.
    pub(crate) fn damaged(&self, what: &str) -> Error {
        damaged(&self.path, what)
    }

    /// Appends the contents of some pages in a row to `contents`.
    ///
    /// # Errors
    ///
    /// [`Error::IndexIo`], and [`Error::Index`] with the number of a page that is damaged.
    pub(crate) fn append(&self, first: u64, count: usize, contents: &mut Vec<u8>) -> Result<()> {
        if first + count as u64 > self.pages {
            return Err(self.damaged("a position lies beyond its end"));
        }
        // One page is read most often.
        let (mut one, mut more) = ([0; PAGE], Vec::new());
        let bytes: &mut [u8] = if count <= 1 {
            &mut one
        } else {
            more.resize(count.min(AT_A_TIME) * PAGE, 0);
            &mut more
        };
        let mut next = first;
        let mut left = count;
        while left > 0 {
            let now = left.min(AT_A_TIME);
            let bytes = &mut bytes[..now * PAGE];
            read_exact_at(&self.source, bytes, next * PAGE as u64).map_err(|source| {
                Error::IndexIo {
                    action: "read",
                    path: self.path.clone(),
                    source,
                }
            })?;
            for page in bytes.chunks_exact(PAGE) {
                let (sum, content) = page.split_at(8);
                if sum != checksum(content, self.file, next).to_le_bytes() {
                    return Err(self.damaged(&format!("page {next} has another checksum")));
                }
                contents.extend_from_slice(content);
                next += 1;
            }
            left -= now;
        }
        Ok(())
    }

    /// Returns some bytes from a position on.
    ///
    /// # Errors
    ///
    /// As [`Self::append`].
    pub(crate) fn read(&self, position: u64, length: usize) -> Result<Vec<u8>> {
        if length == 0 {
            return Ok(Vec::new());
        }
        let (first, start) = place(position);
        let count = (start + length).div_ceil(CONTENT);
        let mut contents = Vec::with_capacity(count * CONTENT);
        self.append(first, count, &mut contents)?;
        contents.truncate(start + length);
        contents.drain(..start);
        Ok(contents)
    }

    /// Returns numbers of eight bytes from a position on.
    ///
    /// # Errors
    ///
    /// As [`Self::append`].
    pub(crate) fn numbers(&self, position: u64, count: usize) -> Result<Vec<u64>> {
        let bytes = self.read(position, count * 8)?;
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        Ok(bytes.chunks_exact(8).map(number).collect())
    }

    /// Returns numbers of four bytes from a position on.
    ///
    /// # Errors
    ///
    /// As [`Self::append`].
    pub(crate) fn small_numbers(&self, position: u64, count: usize) -> Result<Vec<u32>> {
        let bytes = self.read(position, count * 4)?;
        let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        Ok(bytes.chunks_exact(4).map(number).collect())
    }

    /// Reads all pages.
    ///
    /// # Errors
    ///
    /// As [`Self::append`].
    pub(crate) fn check(&self) -> Result<()> {
        let mut contents = Vec::new();
        let mut next = 0;
        while next < self.pages {
            let now = usize::try_from(self.pages - next).map_or(AT_A_TIME, |n| n.min(AT_A_TIME));
            contents.clear();
            self.append(next, now, &mut contents)?;
            next += now as u64;
        }
        Ok(())
    }

    /// Returns a stream of the bytes from a position on.
    pub(crate) fn stream(&self, position: u64) -> ByteStream<'_> {
        ByteStream {
            pages: self,
            contents: Vec::new(),
            start: position,
            at: 0,
            ahead: 1,
        }
    }
}

/// Returns the page of a position, and the position in it.
pub(crate) fn place(position: u64) -> (u64, usize) {
    let start = usize::try_from(position % CONTENT as u64).expect("less than a page");
    (position / CONTENT as u64, start)
}

/// Reads bytes one after the other.
#[derive(Debug)]
pub(crate) struct ByteStream<'p> {
    pages: &'p PageReader,
    contents: Vec<u8>,
    /// The position of the first byte of `contents`.
    start: u64,
    /// The place of the next byte in `contents`.
    at: usize,
    /// How many pages are read the next time: the more, the longer the stream is.
    ahead: usize,
}

impl ByteStream<'_> {
    /// Returns the position of the next byte.
    pub(crate) fn position(&self) -> u64 {
        self.start + self.at as u64
    }

    /// Goes to another position.
    pub(crate) fn seek(&mut self, position: u64) {
        let end = self.start + self.contents.len() as u64;
        if (self.start..end).contains(&position) {
            self.at = usize::try_from(position - self.start).expect("within the contents");
        } else {
            self.contents.clear();
            (self.start, self.at, self.ahead) = (position, 0, 1);
        }
    }

    /// Reads the next pages.
    fn fill(&mut self) -> Result<()> {
        let (first, start) = place(self.position());
        let left = self.pages.pages.saturating_sub(first);
        let count = usize::try_from(left).map_or(self.ahead, |left| left.min(self.ahead));
        if count == 0 {
            return Err(self.pages.damaged("it ends too early"));
        }
        self.contents.clear();
        self.pages.append(first, count, &mut self.contents)?;
        (self.start, self.at) = (first * CONTENT as u64, start);
        self.ahead = (self.ahead * 2).min(AT_A_TIME);
        Ok(())
    }

    #[inline]
    fn byte(&mut self) -> Result<u8> {
        if self.at >= self.contents.len() {
            self.fill()?;
        }
        let byte = self.contents[self.at];
        self.at += 1;
        Ok(byte)
    }

    /// Returns the next varint.
    ///
    /// # Errors
    ///
    /// As [`PageReader::append`].
    #[inline]
    pub(crate) fn varint(&mut self) -> Result<u64> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(first.into());
        }
        let mut number = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.pages.damaged("a number is too long"))
    }

    /// Returns the next varint as a number of 32 bits.
    ///
    /// # Errors
    ///
    /// As [`PageReader::append`].
    #[inline]
    pub(crate) fn small(&mut self) -> Result<u32> {
        let number = self.varint()?;
        u32::try_from(number).map_err(|_| self.pages.damaged("a number is too large"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_from_every_position() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages");
        let mut writer = PageWriter::new(File::create(&path).unwrap(), 7);
        let bytes: Vec<u8> = (0..251).cycle().take(3 * CONTENT + 100).collect();
        writer.write(&bytes[..50]).unwrap();
        writer.write(&bytes[50..]).unwrap();
        assert_eq!(writer.position(), bytes.len() as u64);
        let (_, pages) = writer.finish().unwrap();
        assert_eq!(pages, 4);
        let reader = PageReader::open(path.clone(), 7, 4).unwrap();
        for start in [0, 1, CONTENT - 1, CONTENT, 2 * CONTENT + 5] {
            let read = reader.read(start as u64, 90).unwrap();
            assert_eq!(read, bytes[start..start + 90]);
        }
        reader.check().unwrap();
        assert!(reader.read(4 * CONTENT as u64, 1).is_err());
        // As another file, and with another length.
        assert!(
            PageReader::open(path.clone(), 8, 4)
                .unwrap()
                .check()
                .is_err()
        );
        assert!(PageReader::open(path.clone(), 7, 3).is_err());
        // With a flipped bit.
        let mut damaged = std::fs::read(&path).unwrap();
        damaged[2 * PAGE + 77] ^= 4;
        std::fs::write(&path, damaged).unwrap();
        let reader = PageReader::open(path, 7, 4).unwrap();
        let error = reader.check().unwrap_err().to_string();
        assert!(error.contains("page 2 has another checksum"), "{error}");
        assert_eq!(reader.read(0, 5).unwrap(), bytes[..5]);
    }
}
