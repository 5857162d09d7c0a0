//! A temporary file without a name, and pairs in sorted runs in it. The system removes it when it is closed, however the
//! program ends.

use crate::join::inverted::SetPair;
use crate::run::error::{Error, Result};
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

/// A temporary file. Bytes are written at its end and read anywhere.
#[derive(Debug)]
pub(crate) struct TempFile {
    file: File,
    length: u64,
    /// The name of the folder it is in.
    folder: String,
}

impl TempFile {
    /// Makes a file in a folder; `None` is the system's folder for such files.
    ///
    /// # Errors
    ///
    /// [`Error::TempFile`] if the file cannot be made.
    pub(crate) fn create(folder: Option<&Path>) -> Result<Self> {
        let name = match folder {
            Some(folder) => folder.display().to_string(),
            None => "the system's folder for them".into(),
        };
        let failed = |source: io::Error| Error::TempFile {
            folder: name.clone(),
            bytes: 0,
            // The error of the crate names a path that means nothing to the user.
            source: source
                .raw_os_error()
                .map_or_else(|| source.kind().into(), io::Error::from_raw_os_error),
        };
        Ok(Self {
            file: folder
                .map_or_else(tempfile::tempfile, tempfile::tempfile_in)
                .map_err(failed)?,
            length: 0,
            folder: name,
        })
    }

    /// Writes bytes at the end. Returns the position of the first one.
    ///
    /// # Errors
    ///
    /// [`Error::TempFile`], mostly because the disk is full.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<u64> {
        let start = self.length;
        self.file
            .write_all(bytes)
            .map_err(|error| self.failed(error))?;
        self.length += bytes.len() as u64;
        Ok(start)
    }

    /// Returns how many bytes the file has.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Fills a buffer with the bytes from a position on.
    ///
    /// # Errors
    ///
    /// [`Error::TempFile`].
    pub(crate) fn read(&self, bytes: &mut [u8], start: u64) -> Result<()> {
        read_exact_at(&self.file, bytes, start).map_err(|error| self.failed(error))
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::TempFile {
            folder: self.folder.clone(),
            bytes: self.length,
            source,
        }
    }
}

/// Fills a buffer with the bytes of a file from a position on.
///
/// # Errors
///
/// Those of reading, and [`io::ErrorKind::UnexpectedEof`] if the file ends too early.
#[cfg(unix)]
pub fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

/// Fills a buffer with the bytes of a file from a position on.
///
/// # Errors
///
/// Those of reading, and [`io::ErrorKind::UnexpectedEof`] if the file ends too early.
#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut start: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        match file.seek_read(bytes, start)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                bytes = &mut bytes[count..];
                start += count as u64;
            }
        }
    }
    // Reading has moved the position at which the next bytes would be written.
    io::Seek::seek(&mut &*file, io::SeekFrom::End(0)).map(|_| ())
}

/// How many pairs are read at a time, of all runs together: 5 MiB.
const BUFFERED: usize = 1 << 18;

/// The size of a pair in bytes.
const WIDTH: u64 = size_of::<SetPair>() as u64;

/// Ordered runs of pairs, one after the other in one file.
#[derive(Debug)]
pub(crate) struct Runs {
    file: TempFile,
    /// The bytes of each finished run.
    runs: Vec<Range<u64>>,
    /// The first byte of the run that is being written.
    start: u64,
}

impl Runs {
    /// Makes a file without runs in a folder; `None` is the system's folder for such files.
    ///
    /// # Errors
    ///
    /// [`crate::run::error::Error::TempFile`].
    pub(crate) fn create(folder: Option<&Path>) -> Result<Self> {
        Ok(Self {
            file: TempFile::create(folder)?,
            runs: Vec::new(),
            start: 0,
        })
    }

    /// Adds pairs to the run that is being written.
    ///
    /// # Errors
    ///
    /// [`crate::run::error::Error::TempFile`], mostly because the disk is full.
    pub(crate) fn write(&mut self, pairs: &[SetPair]) -> Result<()> {
        self.file.append(bytemuck::cast_slice(pairs))?;
        Ok(())
    }

    /// Ends the run that is being written.
    pub(crate) fn end_run(&mut self) {
        let end = self.file.length();
        self.runs.push(self.start..end);
        self.start = end;
    }

    /// Returns a reader of each finished run.
    pub(crate) fn readers(&self) -> Vec<RunReader<'_>> {
        let reader = |run: &Range<u64>| RunReader {
            file: &self.file,
            left: run.clone(),
            room: (BUFFERED / self.runs.len()).max(1),
            buffer: Vec::new(),
            at: 0,
        };
        self.runs.iter().map(reader).collect()
    }
}

/// Reads one run.
#[derive(Debug)]
pub(crate) struct RunReader<'r> {
    file: &'r TempFile,
    /// The bytes that are not in the buffer yet.
    left: Range<u64>,
    /// How many pairs are read at a time.
    room: usize,
    buffer: Vec<SetPair>,
    at: usize,
}

impl RunReader<'_> {
    /// Appends the pairs whose later set is `x`. Sets must be requested in ascending order.
    ///
    /// # Errors
    ///
    /// [`crate::run::error::Error::TempFile`].
    pub(crate) fn take(&mut self, x: u32, pairs: &mut Vec<SetPair>) -> Result<()> {
        while let Some(&pair) = self.peek()? {
            if pair.x != x {
                break;
            }
            pairs.push(pair);
            self.at += 1;
        }
        Ok(())
    }

    /// Returns the next pair, if there is one, without passing it.
    fn peek(&mut self) -> Result<Option<&SetPair>> {
        if self.at == self.buffer.len() && !self.left.is_empty() {
            let count = (self.left.end - self.left.start) / WIDTH;
            let count = usize::try_from(count).map_or(self.room, |count| count.min(self.room));
            self.buffer.clear();
            self.buffer.resize(count, SetPair::default());
            let bytes = bytemuck::cast_slice_mut(&mut self.buffer);
            self.file.read(bytes, self.left.start)?;
            self.left.start += count as u64 * WIDTH;
            self.at = 0;
        }
        Ok(self.buffer.get(self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::weighted::Weighted;

    #[test]
    fn what_was_written_is_read_back() {
        let mut file = TempFile::create(None).unwrap();
        assert_eq!(file.append(b"one").unwrap(), 0);
        let mut bytes = [0; 2];
        file.read(&mut bytes, 1).unwrap();
        assert_eq!(&bytes, b"ne");
        assert_eq!(file.append(b"two").unwrap(), 3);
        file.read(&mut bytes, 2).unwrap();
        assert_eq!(&bytes, b"et");
        assert_eq!(file.length(), 6);
        assert!(file.read(&mut bytes, 5).is_err());
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = TempFile::create(Some(Path::new("/no/such/folder"))).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder"));
    }

    #[test]
    fn runs_are_read_side_by_side() {
        let pair = |x, y| SetPair {
            x,
            y,
            overlap: 1,
            union: 2,
            weighted: Weighted::EQUAL,
        };
        let mut runs = Runs::create(None).unwrap();
        let many = u32::try_from(BUFFERED).unwrap() + 7;
        let first: Vec<SetPair> = (0..many).map(|x| pair(x, 0)).collect();
        runs.write(&first[..9]).unwrap();
        runs.write(&first[9..]).unwrap();
        runs.end_run();
        runs.end_run();
        runs.write(&[pair(3, 5), pair(3, 6), pair(many, 5)])
            .unwrap();
        runs.end_run();
        let mut found = Vec::new();
        let mut readers = runs.readers();
        for x in 0..=many {
            for reader in &mut readers {
                reader.take(x, &mut found).unwrap();
            }
        }
        assert_eq!(found.len(), first.len() + 3);
        assert_eq!(found[3..6], [pair(3, 0), pair(3, 5), pair(3, 6)]);
        assert_eq!(found[found.len() - 1], pair(many, 5));
    }
}
