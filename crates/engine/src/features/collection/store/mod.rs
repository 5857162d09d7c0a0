//! Keeps shingle sets in memory, or in temporary files if they need too much.

pub mod sets;
pub mod sorted;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::run::{Error, Result};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
