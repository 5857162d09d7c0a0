//! A part: the features of some documents in a file, and the other facts of a scan about them.
//!
//! It is a file of features ([`dupfind_engine::features::file`]) with the documents in the order of their shingle sets
//! ([`RankKey`]), so that those of a tile are side by side. Behind its end there are:
//!
//! | part | bytes | content |
//! |---|---|---|
//! | origins | | JSON: where each document comes from, the skipped entries, and how files were read |
//! | length | 8 | of the origins, in bytes |
//! | digest | 8 | a hash of all documents and of the origins |
//! | checksum | 8 | XXH3 of the three before |
//! | mark | 8 | `dupfpart` |

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::bytes::document::RankKey;
use crate::bytes::refused;
use crate::cover::sets::JobSets;
use dupfind_engine::join::groups::NONE;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::{Error, Result};
use dupfind_engine::{Features, FeaturesReader, FeaturesWriter, Options};
use dupfind_files::open::open_named;
use dupfind_scan::ScanOptions;
use dupfind_scan::corpus::Corpus;
use dupfind_scan::indexed::reading::reading;
use dupfind_scan::outcome::Source;
use dupfind_scan::outcome::{Note, Skipped};

/// The last bytes of a file.
const MARK: [u8; 8] = *b"dupfpart";

/// How many bytes are behind the origins.
const TAIL: u64 = 32;

/// The facts about documents besides their features.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Origins {
    /// How the files were read, as lines `name=value`.
    pub(super) reading: String,
    /// The paths of the files, as they were typed or found.
    pub(super) files: Vec<String>,
    /// The source of each document: the position of its file, its record, its first and its last line, whether it is a
    /// file of code or data, its format and its encoding.
    sources: Vec<SourceForm>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) notes: Vec<Note>,
    pub(super) warnings: Vec<String>,
}

/// A source as it is written.
type SourceForm = (u32, u64, u64, u64, bool, String, String);

/// A part that is open.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    /// A hash of its documents and of their origins.
    pub(super) digest: u64,
    /// The source of each document, in the order of the file.
    pub(super) sources: Vec<Source>,
    /// Without the sources.
    pub(super) origins: Origins,
}

/// Writes the documents of a corpus as a part. Their shingle sets must be kept.
///
/// # Errors
///
/// [`Error::FeaturesIo`], [`Error::TempFile`], and those of features that are too large to be written.
pub fn write_part(options: &ScanOptions, corpus: &Corpus, out: impl Write) -> Result<()> {
    let collection = &corpus.collection;
    let keys = collection.sets.keys().into_iter().zip(0..);
    let mut order: Vec<(RankKey, u32)> = keys.map(|(key, at)| (RankKey::least(key), at)).collect();
    order.sort_unstable();
    // Sets of one such key are mostly equal.
    let alike = order.chunk_by_mut(|x, y| x.0 == y.0);
    for alike in alike.filter(|alike| alike.len() > 1) {
        for (key, at) in &mut *alike {
            *key = RankKey::of(&collection.features(&options.engine, *at)?.shingles);
        }
        alike.sort_unstable();
    }

    let mut writer = FeaturesWriter::new(&options.engine, BufWriter::new(out))?;
    let mut digest = Xxh3::new();
    for (key, at) in &order {
        let document = &collection.documents[*at as usize];
        let features = collection.features(&options.engine, *at)?;
        writer.write(&document.name, &features)?;
        digest.update(document.name.as_bytes());
        digest.update(&document.text_hash.to_le_bytes());
        digest.update(key.as_bytes());
    }
    let mut out = writer.finish()?;
    let origins = serde_json::to_vec(&Origins::of(options, corpus, &order)).map_err(failed)?;
    digest.update(&origins);
    let length = origins.len() as u64;
    let mut tail = origins;
    tail.extend_from_slice(&length.to_le_bytes());
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

impl Origins {
    /// Returns the origins of the documents of a corpus, in this order.
    fn of(options: &ScanOptions, corpus: &Corpus, order: &[(RankKey, u32)]) -> Self {
        let source = |&(_, at): &(RankKey, u32)| {
            let source = &corpus.sources.documents[at as usize];
            let Source {
                file,
                record,
                line,
                last_line,
                is_code,
                ..
            } = *source;
            let (format, encoding) = (source.format.as_str().into(), source.encoding.into());
            (file, record, line, last_line, is_code, format, encoding)
        };
        let files = corpus.sources.files.iter();
        Self {
            reading: reading(&options.read),
            files: files
                .map(|path| path.to_string_lossy().into_owned())
                .collect(),
            sources: order.iter().map(source).collect(),
            skipped: corpus.skipped.clone(),
            notes: corpus.notes.clone(),
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
        let (mut origins, digest) = read_origins(path)?;
        let sources = std::mem::take(&mut origins.sources);
        let part = Self {
            path: path.to_owned(),
            digest,
            sources: sources.into_iter().map(source).collect(),
            origins,
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

    /// Calls `take` with the name and the features of each document.
    ///
    /// # Errors
    ///
    /// [`Error::TileFile`] if it cannot be read, [`Error::Stopped`], and those of `take`.
    pub(super) fn each_document(
        &self,
        options: &Options,
        observer: &dyn Observer,
        mut take: impl FnMut(String, Features) -> Result<()>,
    ) -> Result<()> {
        for document in self.reader(options)? {
            if observer.is_stopped() {
                return Err(Error::Stopped);
            }
            let (name, features) = document.map_err(|error| self.refused(&error))?;
            take(name, features)?;
        }
        Ok(())
    }

    /// Returns a reader of the features.
    fn reader(&self, options: &Options) -> Result<FeaturesReader<BufReader<File>>> {
        let file = open_named(&self.path).map_err(|error| self.refused(&Error::FeaturesIo(error)));
        let input = BufReader::with_capacity(1 << 16, file?);
        FeaturesReader::new(options, input).map_err(|error| self.refused(&error))
    }

    /// Returns an error with the name of the file.
    fn refused(&self, error: &Error) -> Error {
        refused(&self.path, error.to_string())
    }
}

/// Reads the origins, and the digest.
fn read_origins(path: &Path) -> Result<(Origins, u64)> {
    let cannot_read = |error: std::io::Error| refused(path, format!("cannot read it: {error}"));
    let mut file = open_named(path).map_err(cannot_read)?;
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
    let start = from.checked_sub(number(0)).ok_or_else(damaged)?;
    let mut bytes = read(start, from)?;
    let origins = bytes.len();
    bytes.extend_from_slice(&tail[..16]);
    if xxh3_64(&bytes) != number(16) {
        return Err(damaged());
    }
    let origins = serde_json::from_slice(&bytes[..origins]).map_err(|_| damaged())?;
    Ok((origins, number(8)))
}

fn source((file, record, line, last_line, is_code, format, encoding): SourceForm) -> Source {
    let source = Source {
        record,
        line,
        last_line,
        is_code,
        ..Source::of_file(file)
    };
    source.read_as(&format, &encoding)
}

/// Reads sets of parts that are in the order in which they were frozen: those of some ranks in a row. Calls `take` with
/// each once, and with its rank; sets are in no order.
///
/// # Errors
///
/// [`Error::TileFile`] if a part cannot be read or has other sets, [`Error::Stopped`].
pub(super) fn read_sets(
    options: &Options,
    parts: &[Part],
    sets: &JobSets,
    wanted: Range<u32>,
    observer: &dyn Observer,
    mut take: impl FnMut(u32, Vec<u64>),
) -> Result<()> {
    let mut is_read = vec![false; wanted.len()];
    let mut ranks = sets.ranks.as_slice();
    for part in parts {
        let (own, others) = ranks.split_at(part.documents());
        ranks = others;
        // Documents without shingles come first.
        let empty = own.partition_point(|&rank| rank == NONE);
        let within = |bound: u32| empty + own[empty..].partition_point(|&rank| rank < bound);
        let (first, last) = (within(wanted.start), within(wanted.end));
        if first == last {
            continue;
        }
        let damaged = |error: Error| part.refused(&error);
        let mut reader = part.reader(options)?;
        let passed = u32::try_from(first).expect("documents are numbered by 32 bits");
        reader.skip_documents(passed).map_err(damaged)?;
        for &rank in &own[first..last] {
            if observer.is_stopped() {
                return Err(Error::Stopped);
            }
            let document = reader.next().transpose().map_err(damaged)?;
            let set = document.map_or_else(Vec::new, |(_, features)| features.shingles);
            if set.len() != sets.sizes[rank as usize] as usize {
                return Err(refused(
                    part.path(),
                    "its sets are not those that were frozen",
                ));
            }
            if !std::mem::replace(&mut is_read[(rank - wanted.start) as usize], true) {
                take(rank, set);
            }
        }
    }
    Ok(())
}
