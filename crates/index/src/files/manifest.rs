//! The manifest of an index lists the files that belong to it. It is replaced as a whole, so that an index is either as
//! before an update or as after it.
//!
//! Its first line is `dupfind index VERSION CHECKSUM`, with the XXH3 of the rest in 16 hexadecimal digits. The rest is
//! JSON.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::files::pages::damaged as damaged_file;
use crate::files::terms::TermsLayout;
use dupfind_engine::{Error, Result};
use dupfind_files::UNFINISHED;
use dupfind_files::open::{create_new, read_regular};
use dupfind_files::replace::Replacement;

/// The name of the file.
pub(crate) const MANIFEST: &str = "manifest";

/// The beginning of its first line.
const MARK: &str = "dupfind index ";

/// The version of the form of an index.
pub(crate) const VERSION: u32 = 8;

/// The largest number of a file. No index comes near it.
const LAST_FILE: u64 = u64::MAX / 2;

/// The files of an index, and facts about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// Every option that changes a feature, as lines `name=value`.
    pub(crate) identity: String,
    /// Every option that changes the text that is read from a file, in the same form; empty if no file was read.
    pub(crate) reading: String,
    /// How many signatures a document has.
    pub(crate) signatures: usize,
    /// How many documents came or went since the frequencies were counted.
    pub(crate) changes: u64,
    /// The number of the last file.
    pub(crate) next: u64,
    /// The frozen frequencies; `None` as long as there are no documents.
    pub(crate) frequencies: Option<FrequenciesEntry>,
    /// The number and the checksum of the list of files that documents were read from; `None` if there are none.
    pub(crate) catalog: Option<CatalogEntry>,
    /// The segments.
    pub(crate) segments: Vec<SegmentEntry>,
}

/// A file of terms with frequencies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FrequenciesEntry {
    pub(crate) file: u64,
    pub(crate) pages: u64,
    pub(crate) terms: TermsLayout,
    /// How many documents they were counted in.
    pub(crate) documents: u64,
    /// A hash of all of them.
    pub(crate) identity: String,
}

/// A list of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CatalogEntry {
    pub(crate) file: u64,
    /// The XXH3 of the file, in hexadecimal digits.
    pub(crate) checksum: String,
}

/// A segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SegmentEntry {
    pub(crate) file: u64,
    pub(crate) pages: u64,
    pub(crate) terms: TermsLayout,
    /// The position of the kept data of each document.
    pub(crate) columns: u64,
    pub(crate) documents: u32,
    /// How many shingles its documents have together.
    pub(crate) postings: u64,
    /// Its documents that are gone: how many stay, how many are gone, and so on.
    pub(crate) tombstones: Vec<u32>,
}

impl Manifest {
    /// Reads the manifest of the index in a folder.
    ///
    /// # Errors
    ///
    /// [`Error::Index`] if there is no index, or one of another version, or if the manifest is damaged;
    /// [`Error::IndexIo`] if it cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let refused = |reason: String| Error::Index {
            path: folder.to_owned(),
            reason,
        };
        let path = folder.join(MANIFEST);
        let bytes = match read_regular(&path) {
            Ok(bytes) => bytes,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                let is_there = folder.symlink_metadata().is_ok();
                let reason = if is_there {
                    "it is no index"
                } else {
                    "there is no such index"
                };
                return Err(refused(reason.into()));
            }
            Err(source) => {
                let action = "read";
                return Err(Error::IndexIo {
                    action,
                    path,
                    source,
                });
            }
        };
        let text = bytes.strip_prefix(MARK.as_bytes());
        let text = text.ok_or_else(|| refused("it is no index".into()))?;
        let damaged = || damaged_file(&path, "it is not what was written");
        let text = std::str::from_utf8(text).map_err(|_| damaged())?;
        let (head, rest) = text.split_once('\n').ok_or_else(damaged)?;
        let (version, checksum) = head.split_once(' ').ok_or_else(damaged)?;
        let is_whole = checksum == checksum_of(rest, version);
        if version != VERSION.to_string() {
            let version: String = version.chars().take(20).collect();
            return Err(if is_whole {
                refused(format!(
                    "it has version {version} of such files, and this program knows version {VERSION}: make it anew"
                ))
            } else {
                damaged()
            });
        }
        if !is_whole {
            return Err(damaged());
        }
        let manifest: Self = serde_json::from_str(rest).map_err(|_| damaged())?;
        // A new file would have the number of a file that belongs to the index, or none.
        let last = manifest.files().last().copied();
        if last > Some(manifest.next) || manifest.next > LAST_FILE {
            return Err(damaged_file(&path, "it names files beyond the last one"));
        }
        Ok(manifest)
    }

    /// Replaces the manifest of the index in a folder. The files it names must be on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::IndexIo`].
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let json = serde_json::to_string(self).expect("names and numbers");
        let version = VERSION.to_string();
        let checksum = checksum_of(&json, &version);
        let text = format!("{MARK}{version} {checksum}\n{json}");
        replace(&folder.join(MANIFEST), text.as_bytes())
    }

    /// Returns the number of a new file.
    pub(crate) fn new_file(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Returns the numbers of the files that belong to the index, each once.
    pub(crate) fn files(&self) -> BTreeSet<u64> {
        let segments = self.segments.iter().map(|segment| segment.file);
        let frequencies = self.frequencies.iter().map(|entry| entry.file);
        let catalog = self.catalog.iter().map(|entry| entry.file);
        segments.chain(frequencies).chain(catalog).collect()
    }
}

fn checksum_of(text: &str, version: &str) -> String {
    format!("{:016x}", xxh3_64(format!("{version}\n{text}").as_bytes()))
}

/// The beginning of the names of numbered files.
pub(crate) const PART: &str = "part-";

/// Returns the path of a numbered file.
pub(crate) fn part(folder: &Path, file: u64) -> PathBuf {
    folder.join(format!("{PART}{file:08}"))
}

/// Returns the error of an action with a file.
pub(crate) fn failed(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::IndexIo {
        action,
        path: path.to_owned(),
        source,
    }
}

/// Makes a file where nothing is, has `write` fill it, and waits until it is on the disk. A file that could not be
/// written as a whole is removed.
///
/// # Errors
///
/// [`Error::IndexIo`], and those of `write`.
pub(crate) fn create<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T>,
) -> Result<T> {
    let fail = |source| failed("write", path, source);
    let file = create_new(path).map_err(fail)?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    let written = write(&mut out).and_then(|value| {
        out.flush().map_err(fail)?;
        out.get_ref().sync_all().map_err(fail)?;
        Ok(value)
    });
    if written.is_err() {
        // The buffered bytes are not written any more.
        drop(out.into_parts());
        let _ = fs::remove_file(path);
    }
    written
}

/// Replaces a file by one with this content, which is on the disk then.
///
/// # Errors
///
/// [`Error::IndexIo`].
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let written = Replacement::of(path).and_then(|mut new| {
        new.write_all(content)?;
        new.finish_durably()
    });
    written.map_err(|source| failed("write", path, source))
}

/// Removes the numbered files that do not belong to the index any more, and unfinished files that an ended program
/// left.
pub(crate) fn remove_others(folder: &Path, belonging: &BTreeSet<u64>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let number = name
            .strip_prefix(PART)
            .and_then(|number| number.parse().ok());
        let is_left = number.is_some_and(|number| !belonging.contains(&number));
        if is_left || name.ends_with(UNFINISHED) {
            // Where the system does not remove open files, a later update does.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn sample() -> Manifest {
        Manifest {
            identity: "shingle_size=3\n".into(),
            reading: String::new(),
            signatures: 1,
            changes: 0,
            next: 4,
            frequencies: None,
            catalog: Some(CatalogEntry {
                file: 3,
                checksum: "5".into(),
            }),
            segments: vec![SegmentEntry {
                file: 2,
                pages: 9,
                terms: TermsLayout::default(),
                columns: 7,
                documents: 5,
                postings: 50,
                tombstones: vec![1, 2],
            }],
        }
    }

    #[test]
    fn a_manifest_comes_back_and_every_flipped_bit_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let said = |folder: &Path| Manifest::read(folder).unwrap_err().to_string();
        assert!(said(&folder.path().join("x")).ends_with("there is no such index"));
        assert!(said(folder.path()).ends_with("it is no index"));
        sample().write(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), sample());
        let path = folder.path().join(MANIFEST);
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            for bit in [0, 6] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                fs::write(&path, damaged).unwrap();
                assert!(Manifest::read(folder.path()).is_err(), "{at} {bit}");
            }
        }
        for end in 0..bytes.len() {
            fs::write(&path, &bytes[..end]).unwrap();
            assert!(Manifest::read(folder.path()).is_err(), "{end}");
        }
        // Of another version.
        let text = String::from_utf8(bytes).unwrap();
        let json = text.split_once('\n').unwrap().1;
        fs::write(&path, format!("{MARK}9 {}\n{json}", checksum_of(json, "9"))).unwrap();
        let error = said(folder.path());
        assert!(error.contains("version 9 of such files, and this program knows version 8"));
    }

    #[test]
    fn no_new_file_has_the_number_of_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let read = |next| {
            let manifest = Manifest { next, ..sample() };
            manifest.write(folder.path()).unwrap();
            Manifest::read(folder.path())
        };
        for next in [3, 4, LAST_FILE] {
            assert!(read(next).is_ok(), "{next}");
        }
        for next in [0, 1, 2, LAST_FILE + 1, u64::MAX] {
            let error = read(next).unwrap_err().to_string();
            assert!(error.contains("names files beyond the last one"), "{error}");
        }
    }
}
