//! A part: the features of some documents in a file, and what a scan knows of the documents besides.
//!
//! It is a file of features ([`crate::engine::features::file`]), of which the documents are in the order of their shingle
//! sets (see `SetOrder`), so that those of a tile stand together. Behind its end there are:
//!
//! | part | bytes | what it is |
//! |---|---|---|
//! | origins | | JSON: where each document comes from, what was skipped, and how files were read |
//! | start | 8 | the position of the first byte of the origins |
//! | digest | 8 | a hash of all documents and of the origins |
//! | checksum | 8 | XXH3 of the three before |
//! | mark | 8 | `dupfpart` |

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::document::{Note, SkipReason, Skipped};
use crate::engine::{FeaturesReader, FeaturesWriter, Options};
use crate::error::{Error, Result};
use crate::join::index::distinct::SetKey;
use crate::join::index::size_class::floor;
use crate::read::format::Format;
use crate::scan::ScanOptions;
use crate::scan::corpus::Corpus;
use crate::scan::indexed::reading::reading;
use crate::scan::outcome::Source;
use crate::tiles::refused;

/// The last bytes of a file.
const MARK: [u8; 8] = *b"dupfpart";

/// How many bytes stand behind the origins.
const TAIL: u64 = 32;

/// What is kept of documents besides their features.
#[derive(Debug, Serialize, Deserialize)]
struct Origins {
    /// How the files were read, as lines `name=value`.
    reading: String,
    /// The paths of the files, as they were typed or found.
    files: Vec<String>,
    /// The source of each document: the position of its file, its record, its first and its last line, its format and
    /// its encoding.
    sources: Vec<(u32, u64, u64, u64, String, String)>,
    /// What was not read: its name, the reason, what the system says, and how many records it stands for.
    skipped: Vec<(String, String, String, u64)>,
    notes: Vec<(String, String)>,
    warnings: Vec<String>,
}

/// A part that is open.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    /// A hash of its documents and of their origins.
    pub(super) digest: u64,
    /// How its files were read, as lines `name=value`.
    pub(super) reading: String,
    pub(super) files: Vec<PathBuf>,
    /// The source of each document, in the order of the file.
    pub(super) sources: Vec<Source>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) notes: Vec<Note>,
    pub(super) warnings: Vec<String>,
}

/// By what the sets of documents are ordered. Sets of one key are mostly equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SetOrder {
    class: u32,
    least: u64,
    size: u32,
    hash: u64,
}

impl From<SetKey> for SetOrder {
    fn from(key: SetKey) -> Self {
        Self {
            class: floor(key.size),
            least: key.least,
            size: key.size,
            hash: key.hash,
        }
    }
}

/// Writes the documents of a corpus, of which the shingle sets are kept, as a part.
///
/// # Errors
///
/// [`Error::FeaturesIo`], [`Error::TempFile`], and those of features that are too large to be written.
pub fn write_part(options: &ScanOptions, corpus: &Corpus, out: impl Write) -> Result<()> {
    let collection = &corpus.collection;
    let keys = collection.sets.keys();
    let count = u32::try_from(keys.len()).expect("documents are numbered by 32 bits");
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_unstable_by_key(|&at| (SetOrder::from(keys[at as usize]), at));

    let out = Counting { out, written: 0 };
    let mut writer = FeaturesWriter::new(&options.engine, BufWriter::new(out))?;
    let mut digest = Xxh3::new();
    for &at in &order {
        let document = &collection.documents[at as usize];
        writer.write(&document.name, &collection.features(&options.engine, at)?)?;
        digest.update(document.name.as_bytes());
        digest.update(&document.text_hash.to_le_bytes());
        digest.update(&keys[at as usize].hash.to_le_bytes());
    }
    let mut out = writer.finish()?;
    let start = out.get_ref().written;
    let origins = serde_json::to_vec(&Origins::of(options, corpus, &order)).map_err(failed)?;
    digest.update(&origins);
    let mut tail = origins;
    tail.extend_from_slice(&start.to_le_bytes());
    tail.extend_from_slice(&digest.digest().to_le_bytes());
    let checksum = xxh3_64(&tail);
    tail.extend_from_slice(&checksum.to_le_bytes());
    tail.extend_from_slice(&MARK);
    out.write_all(&tail).map_err(Error::FeaturesIo)?;
    out.flush().map_err(Error::FeaturesIo)
}

fn failed(error: serde_json::Error) -> Error {
    Error::FeaturesIo(error.into())
}

/// Counts the bytes that are written.
struct Counting<W> {
    out: W,
    written: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

impl Origins {
    /// Returns the origins of the documents of a corpus, in this order.
    fn of(options: &ScanOptions, corpus: &Corpus, order: &[u32]) -> Self {
        let source = |&at: &u32| {
            let source = &corpus.sources.documents[at as usize];
            let Source {
                file,
                record,
                line,
                last_line,
                ..
            } = *source;
            let (format, encoding) = (source.format.as_str().into(), source.encoding.into());
            (file, record, line, last_line, format, encoding)
        };
        let files = corpus.sources.files.iter();
        let skipped = corpus.skipped.iter().cloned().map(|skipped| {
            let reason = skipped.reason.as_str().into();
            (skipped.path, reason, skipped.detail, skipped.records)
        });
        let notes = corpus.notes.iter().cloned();
        Self {
            reading: reading(&options.read),
            files: files
                .map(|path| path.to_string_lossy().into_owned())
                .collect(),
            sources: order.iter().map(source).collect(),
            skipped: skipped.collect(),
            notes: notes.map(|note| (note.path, note.note)).collect(),
            warnings: corpus.warnings.clone(),
        }
    }
}

impl Part {
    /// Opens a part that was made with these options.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] if it cannot be read, is no part, is damaged, or was made with other options.
    pub fn open(path: &Path, options: &Options) -> Result<Self> {
        let (origins, digest) = read_origins(path)?;
        let part = Self {
            path: path.to_owned(),
            digest,
            reading: origins.reading,
            files: origins.files.into_iter().map(PathBuf::from).collect(),
            sources: origins.sources.into_iter().map(source).collect(),
            skipped: origins.skipped.into_iter().filter_map(skipped).collect(),
            notes: (origins.notes.into_iter())
                .map(|(path, note)| Note { path, note })
                .collect(),
            warnings: origins.warnings,
        };
        part.reader(options)?;
        Ok(part)
    }

    /// Returns the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name of the file without its folder.
    pub(super) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Returns how many documents it has.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.sources.len()
    }

    /// Returns a reader of the features.
    pub(super) fn reader(&self, options: &Options) -> Result<FeaturesReader<BufReader<File>>> {
        let file = File::open(&self.path).map_err(|error| self.refused(&Error::FeaturesIo(error)));
        let input = BufReader::with_capacity(1 << 16, file?);
        FeaturesReader::new(options, input).map_err(|error| self.refused(&error))
    }

    /// Returns an error with the name of the file.
    pub(super) fn refused(&self, error: &Error) -> Error {
        refused(&self.path, error.to_string())
    }
}

/// Reads the origins, and the digest.
fn read_origins(path: &Path) -> Result<(Origins, u64)> {
    let cannot_read = |error: std::io::Error| refused(path, format!("cannot read it: {error}"));
    let mut file = File::open(path).map_err(cannot_read)?;
    let length = file.seek(SeekFrom::End(0)).map_err(cannot_read)?;
    let no_part = || {
        refused(
            path,
            "it is no file of features with their origins, or it is cut off",
        )
    };
    let from = length.checked_sub(TAIL).ok_or_else(no_part)?;
    let mut read = |from: u64, to: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from)).map_err(cannot_read)?;
        let taken = (&mut file).take(to - from).read_to_end(&mut bytes);
        taken.map_err(cannot_read)?;
        Ok::<_, Error>(bytes)
    };
    let tail = read(from, length)?;
    if tail[24..] != MARK {
        return Err(no_part());
    }
    let number = |at: usize| u64::from_le_bytes(tail[at..at + 8].try_into().expect("eight bytes"));
    let damaged = || refused(path, "it is damaged: its end is not what was written");
    if number(0) > from {
        return Err(damaged());
    }
    let mut bytes = read(number(0), from)?;
    let origins = bytes.len();
    bytes.extend_from_slice(&tail[..16]);
    if xxh3_64(&bytes) != number(16) {
        return Err(damaged());
    }
    let origins = serde_json::from_slice(&bytes[..origins]).map_err(|_| damaged())?;
    Ok((origins, number(8)))
}

fn source(
    (file, record, line, last_line, format, encoding): (u32, u64, u64, u64, String, String),
) -> Source {
    let known = Encoding::for_label(encoding.as_bytes());
    Source {
        file,
        record,
        line,
        last_line,
        is_against: false,
        format: Format::named(&format).unwrap_or(Format::Pre),
        encoding: known.map_or("UTF-8", Encoding::name),
    }
}

/// All reasons for skipping.
const REASONS: [SkipReason; 11] = [
    SkipReason::Binary,
    SkipReason::Data,
    SkipReason::Empty,
    SkipReason::OptedOut,
    SkipReason::TooLarge,
    SkipReason::NotAFile,
    SkipReason::Loop,
    SkipReason::NotFound,
    SkipReason::Malformed,
    SkipReason::PreFailed,
    SkipReason::Unreadable,
];

fn skipped((path, reason, detail, records): (String, String, String, u64)) -> Option<Skipped> {
    let mut reasons = REASONS.into_iter();
    Some(Skipped {
        path,
        reason: reasons.find(|known| known.as_str() == reason)?,
        detail,
        records,
    })
}
