//! What was seen, as a file, so that a stream goes on tomorrow.
//!
//! ```text
//! dupfind-state 1\n
//! {"settings":{...},"position":{...},"shape":{...}}\n     how it was made, how far it is, what follows
//! words of the filter, sizes of the documents and parts in the window, all little-endian
//! XXH3 of everything before, 64 bits
//! ```
//!
//! Nothing is believed before the length of the file agrees with what its head says follows, and nothing is used
//! before the checksum agrees: no file makes the reader take more memory than it has bytes.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::seen::filter::BLOCK_BYTES;
use crate::seen::parts::{CUT_VERSION, Cutting};
use crate::seen::plan::{Asked, Layout, Rate, size};
use crate::seen::rate::MOST_HASHES;
use crate::seen::window::{DOCUMENT_BYTES, Limits, PART_BYTES};
use crate::seen::{Part, Seen};
use crate::text::han::Han;

/// The version of the layout.
pub const VERSION: u32 = 1;

/// What a state begins with, before its version.
const NAME: &str = "dupfind-state ";

/// The longest line of the head.
const MOST_HEAD: u64 = 1 << 16;

/// The bytes of the checksum.
const CHECKSUM: u64 = 8;

/// How it was made: what has to be the same for anything to be found again, and what was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    by: String,
    shingle_unit: String,
    shingle_size: u64,
    fold_han: bool,
    cut_version: u32,
    memory: Option<u64>,
    expected_documents: Option<u64>,
    false_positive_rate: Option<f64>,
    parts_per_document: Option<u64>,
    window: Option<u64>,
}

/// An option that a state was made with and another one that is asked for now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What is different, as people call it.
    pub name: &'static str,
    /// Its value in the state, if it was given.
    pub kept: Option<String>,
    /// Its value now.
    pub asked: String,
}

impl Settings {
    /// Takes how texts are cut and what is asked for.
    #[must_use]
    pub fn new(cutting: Cutting, asked: &Asked) -> Self {
        Self {
            by: cutting.by.as_str().into(),
            shingle_unit: cutting.unit.as_str().into(),
            shingle_size: cutting.size.get() as u64,
            fold_han: cutting.han == Han::Folded,
            cut_version: CUT_VERSION,
            memory: asked.memory,
            expected_documents: asked.documents,
            false_positive_rate: asked.rate.map(Rate::get),
            parts_per_document: asked.parts,
            window: asked.window,
        }
    }

    /// Takes what is asked for now and returns where it is not what this was made with. Of sizes, those that nobody
    /// asks for now are as they were.
    #[must_use]
    pub fn differences(&self, asked: &Self) -> Vec<Difference> {
        let both = self.values().into_iter().zip(asked.values());
        let asked = both.filter_map(|((name, kept), (_, asked))| {
            let asked = asked?;
            Some(Difference { name, kept, asked })
        });
        asked
            .filter(|found| found.kept.as_ref() != Some(&found.asked))
            .collect()
    }

    /// The options and their values.
    fn values(&self) -> [(&'static str, Option<String>); 10] {
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        [
            (
                "the version of cutting texts",
                Some(self.cut_version.to_string()),
            ),
            ("--by", Some(self.by.clone())),
            ("--shingle-unit", Some(self.shingle_unit.clone())),
            ("--shingle-size", Some(self.shingle_size.to_string())),
            ("--fold-han", Some(self.fold_han.to_string())),
            ("--memory", self.memory.map(size)),
            ("--expected-documents", number(self.expected_documents)),
            (
                "--false-positive-rate",
                self.false_positive_rate.map(|rate| rate.to_string()),
            ),
            ("--parts-per-document", number(self.parts_per_document)),
            ("--window", number(self.window)),
        ]
    }

    /// The rate of false positives that was asked for, or is usual.
    fn rate(&self) -> Option<Rate> {
        self.false_positive_rate
            .map_or(Some(Rate::DEFAULT), Rate::new)
    }
}

/// How far a stream is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// How many records were judged, in all streams so far.
    pub records: u64,
    /// How many of them were duplicates.
    pub duplicates: u64,
    /// How many parts they had.
    pub parts: u64,
    /// The last line that was dealt with, of the last stream.
    pub line: u64,
    /// Whether that stream was at its end.
    pub is_end: bool,
}

/// A state: what was seen, how it was made and how far it is.
#[derive(Debug)]
pub struct State {
    /// How it was made.
    pub settings: Settings,
    /// How far the stream is.
    pub position: Position,
    /// What was seen.
    pub seen: Seen,
}

/// What follows the head.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    blocks: u64,
    hashes: u32,
    spared: u64,
    window: Option<WindowShape>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WindowShape {
    most_documents: u64,
    most_parts: u64,
    documents: u64,
    parts: u64,
    is_short: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    settings: Settings,
    position: Position,
    shape: Shape,
}

/// Why a file is no state that can be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// It is something else.
    #[error("it is no state of a stream")]
    Other,
    /// It is of another version of the program.
    #[error("it is of version {0} of such files, and this program knows version {VERSION}")]
    Version(String),
    /// It is not as it was written.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// There is not so much memory.
    #[error("there is not enough memory for it")]
    Memory,
    /// It cannot be read.
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Damaged("it ends too early".into()),
            _ => Self::Unreadable(error),
        }
    }
}

impl State {
    /// The rate of false positives that is not to be exceeded.
    #[must_use]
    pub fn highest_rate(&self) -> f64 {
        self.settings.rate().unwrap_or(Rate::DEFAULT).get()
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// What the writer says.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let (filter, window) = (self.seen.filter(), self.seen.window());
        let head = Head {
            settings: self.settings.clone(),
            position: self.position,
            shape: Shape {
                blocks: filter.blocks(),
                hashes: filter.hashes(),
                spared: filter.spared(),
                window: window.map(|window| WindowShape {
                    most_documents: window.limits().documents,
                    most_parts: window.limits().parts,
                    documents: window.documents(),
                    parts: window.parts(),
                    is_short: window.is_short(),
                }),
            },
        };
        let mut out = BufWriter::with_capacity(1 << 16, Summed::new(out));
        writeln!(out, "{NAME}{VERSION}")?;
        serde_json::to_writer(&mut out, &head)?;
        out.write_all(b"\n")?;
        for word in filter.words() {
            out.write_all(&word.to_le_bytes())?;
        }
        if let Some(window) = window {
            for size in window.sizes() {
                out.write_all(&size.to_le_bytes())?;
            }
            for part in window.iter() {
                out.write_all(&part.to_le_bytes()[..PART_BYTES])?;
            }
        }
        out.flush()?;
        let sum = out.get_ref().sum.digest();
        out.write_all(&sum.to_le_bytes())?;
        out.flush()
    }

    /// Takes a file and its length, and reads it.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn read(source: impl Read, length: u64) -> Result<Self, Unusable> {
        let mut source = BufReader::with_capacity(1 << 16, source);
        let mut sum = Xxh3::new();
        let version = head_line(&mut source, &mut sum)?;
        let version = version.strip_prefix(NAME).ok_or(Unusable::Other)?;
        if version != VERSION.to_string() {
            let version = version.chars().take(20).collect();
            return Err(Unusable::Version(version));
        }
        let text = head_line(&mut source, &mut sum)?;
        let head: Head = serde_json::from_str(&text)
            .map_err(|error| Unusable::Damaged(format!("its head: {error}")))?;
        let before = (NAME.len() + version.len() + text.len() + 2) as u64;
        let rate = head.settings.rate();
        let layout = rate.and_then(|rate| head.shape.layout(before, length, rate));
        let layout = layout
            .ok_or_else(|| Unusable::Damaged("its length is not what its head says".into()))?;
        let mut body = Body { source, sum };
        let mut seen = Seen::new(&layout).map_err(|_| Unusable::Memory)?;
        let spared = head.shape.spared;
        seen.filter.restore(spared, || body.number::<8>())?;
        if let (Some(window), Some(shape)) = (&mut seen.window, &head.shape.window) {
            let sizes: Result<Vec<u32>, Unusable> = (0..shape.documents)
                .map(|_| Ok(u32::try_from(body.number::<4>()?).expect("four bytes")))
                .collect();
            let parts: Result<Vec<Part>, Unusable> = (0..shape.parts)
                .map(|_| body.number::<PART_BYTES>())
                .collect();
            let (sizes, parts) = (sizes?, parts?);
            if sizes.iter().map(|&size| u64::from(size)).sum::<u64>() != shape.parts {
                return Err(Unusable::Damaged("its documents are not its parts".into()));
            }
            window.restore(sizes, parts, shape.is_short);
        }
        let found = body.sum.digest();
        if body.number::<8>()? != found {
            return Err(Unusable::Damaged("its checksum is another one".into()));
        }
        Ok(Self {
            settings: head.settings,
            position: head.position,
            seen,
        })
    }
}

impl Shape {
    /// The layout, if it can be one and as much follows as it says.
    fn layout(&self, before: u64, length: u64, rate: Rate) -> Option<Layout> {
        let filter = self.blocks.checked_mul(BLOCK_BYTES)?;
        let held = match &self.window {
            None => 0,
            Some(window) => {
                if window.documents > window.most_documents || window.parts > window.most_parts {
                    return None;
                }
                let documents = window.documents.checked_mul(DOCUMENT_BYTES)?;
                let parts = window.parts.checked_mul(PART_BYTES as u64)?;
                documents.checked_add(parts)?
            }
        };
        let follows = filter.checked_add(held)?.checked_add(CHECKSUM)?;
        let is_sound = self.blocks > 0
            && (1..=MOST_HASHES).contains(&self.hashes)
            && before.checked_add(follows) == Some(length);
        is_sound.then_some(Layout {
            blocks: self.blocks,
            hashes: self.hashes,
            window: self.window.as_ref().map(|window| Limits {
                documents: window.most_documents,
                parts: window.most_parts,
            }),
            rate,
        })
    }
}

/// Reads a line of the head, without its end.
fn head_line(source: &mut impl BufRead, sum: &mut Xxh3) -> Result<String, Unusable> {
    let mut line = Vec::new();
    source.take(MOST_HEAD).read_until(b'\n', &mut line)?;
    sum.update(&line);
    match line.pop() {
        Some(b'\n') => String::from_utf8(line).map_err(|_| Unusable::Other),
        _ => Err(Unusable::Other),
    }
}

/// What follows the head.
struct Body<R> {
    source: R,
    sum: Xxh3,
}

impl<R: Read> Body<R> {
    /// Reads a number of so many bytes.
    fn number<const BYTES: usize>(&mut self) -> Result<u64, Unusable> {
        let mut bytes = [0; 8];
        self.source.read_exact(&mut bytes[..BYTES])?;
        self.sum.update(&bytes[..BYTES]);
        Ok(u64::from_le_bytes(bytes))
    }
}

/// Writes on, and sums up what it writes.
struct Summed<W> {
    out: W,
    sum: Xxh3,
}

impl<W> Summed<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            sum: Xxh3::new(),
        }
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
