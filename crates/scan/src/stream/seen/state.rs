//! The state of a stream as a file, so that the stream can go on later.
//!
//! ```text
//! dupfind-state 3\n
//! {"settings":{...},"position":{...},"shape":{...}}\n     how it was made, how far it is, the sizes of the rest
//! words of the filter, sizes of the documents and parts in the window, all little-endian
//! XXH3 of everything before, 64 bits
//! ```
//!
//! The length of the file must be the one that its head gives, before anything else is read, and the checksum must be
//! right before anything is used. The length does not limit how large a window may become. So a head that asks for more
//! memory than there is is refused.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::stream::seen::cell::BLOCK_BYTES;
use crate::stream::seen::settings::{Difference, SeenOptions};
use crate::stream::seen::sizes::Layout;
use crate::stream::seen::window::{DOCUMENT_BYTES, Limits, PART_BYTES};
use crate::stream::seen::{NoRoom, Seen};
use dupfind_files::hashed::{HashingReader, HashingWriter};
use dupfind_files::open::open_regular;

/// The version of the layout.
pub(crate) const VERSION: u32 = 3;

/// The beginning of a state, before its version.
const NAME: &str = "dupfind-state ";

/// The longest line of the head.
const MAX_HEAD: usize = 1 << 16;

/// The bytes of the checksum.
const CHECKSUM: u64 = size_of::<u64>() as u64;

/// How many bytes are read at a time.
const AT_ONCE: usize = 1 << 16;

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

/// A state: the parts that were seen, its settings and its position.
#[derive(Debug)]
pub struct State {
    /// How it was made.
    pub settings: SeenOptions,
    /// How far the stream is.
    pub position: Position,
    /// The parts that were seen.
    pub seen: Seen,
}

/// The sizes of the data behind the head.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    blocks: u64,
    spared: u64,
    window: Option<WindowShape>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WindowShape {
    most_parts: u64,
    documents: u64,
    parts: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    settings: SeenOptions,
    position: Position,
    shape: Shape,
}

/// Why a file cannot be used as a state.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// It is another kind of file.
    #[error("it is no state of a stream")]
    Other,
    /// It is of another version of the program.
    #[error("it is of version {0} of such files, and this program knows version {VERSION}")]
    Version(String),
    /// It is damaged. The text says where.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The parts that it remembers do not fit into memory.
    #[error(transparent)]
    Memory(#[from] NoRoom),
    /// The system cannot read it.
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
    /// It was made with other options.
    #[error("it was made with {}", in_words(.0))]
    Differs(Vec<Difference>),
}

fn in_words(differences: &[Difference]) -> String {
    let words: Vec<String> = differences.iter().map(Difference::to_string).collect();
    words.join(", and ")
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
    /// Returns the state of a stream that begins. `memory` is how many bytes of memory there are.
    ///
    /// # Errors
    ///
    /// The parts to be remembered do not fit into memory.
    pub fn new(settings: SeenOptions, memory: u64) -> Result<Self, NoRoom> {
        Ok(Self {
            seen: Seen::new(&Layout::of(settings.sizes()), memory)?,
            settings,
            position: Position::default(),
        })
    }

    /// Writes the state.
    ///
    /// # Errors
    ///
    /// The writer fails.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let (filter, window) = (self.seen.filter(), self.seen.window());
        let head = Head {
            settings: self.settings.clone(),
            position: self.position,
            shape: Shape {
                blocks: filter.blocks(),
                spared: filter.spared(),
                window: window.map(|window| WindowShape {
                    most_parts: window.limits().parts,
                    documents: window.documents(),
                    parts: window.parts(),
                }),
            },
        };
        let head = serde_json::to_string(&head)?;
        let mut out = HashingWriter::new(BufWriter::new(out));
        out.bytes(format!("{NAME}{VERSION}\n{head}\n").as_bytes())?;
        filter.write(&mut out)?;
        if let Some(window) = window {
            window.write(&mut out)?;
        }
        out.finish().map(drop)
    }

    /// Returns the state in a file that was made with these options; none if there is no file. `memory` is how many bytes
    /// of memory there are.
    ///
    /// # Errors
    ///
    /// Why the file cannot be used.
    pub fn open(
        path: &Path,
        settings: &SeenOptions,
        memory: u64,
    ) -> Result<Option<Self>, Unusable> {
        let file = match open_regular(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let length = file.metadata()?.len();
        let state = Self::read(file, length, memory)?;
        match state.settings.differences(settings) {
            differences if differences.is_empty() => Ok(Some(state)),
            differences => Err(Unusable::Differs(differences)),
        }
    }

    /// Reads a file of `length` bytes. `memory` is how many bytes of memory there are.
    pub fn read(source: impl Read, length: u64, memory: u64) -> Result<Self, Unusable> {
        let mut source = HashingReader::new(BufReader::with_capacity(AT_ONCE, source));
        let version = head_line(&mut source)?;
        let version = version.strip_prefix(NAME).ok_or(Unusable::Other)?;
        if version != VERSION.to_string() {
            let version = version.chars().take(20).collect();
            return Err(Unusable::Version(version));
        }
        let text = head_line(&mut source)?;
        let head: Head = serde_json::from_str(&text)
            .map_err(|error| Unusable::Damaged(format!("its head: {error}")))?;
        let before = (NAME.len() + version.len() + text.len() + 2) as u64;
        let layout = head
            .shape
            .layout(before, length, head.settings.sizes().window);
        let layout = layout
            .ok_or_else(|| Unusable::Damaged("its length is not what its head says".into()))?;
        let mut seen = Seen::new(&layout, memory)?;
        seen.filter.read(&mut source, head.shape.spared)?;
        if let (Some(window), Some(shape)) = (&mut seen.window, &head.shape.window)
            && !window.read(&mut source, shape.documents, shape.parts)?
        {
            return Err(Unusable::Damaged("its documents are not its parts".into()));
        }
        if source.finish()?.is_none() {
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
    /// Returns the layout, if it is possible and a file of `length` bytes has as many bytes as it needs. `before` are
    /// the bytes of the head; `window` is how many documents are to be remembered, if not all.
    fn layout(&self, before: u64, length: u64, window: Option<u64>) -> Option<Layout> {
        let filter = self.blocks.checked_mul(BLOCK_BYTES)?;
        let (limits, held) = match (window, &self.window) {
            (None, None) => (None, 0),
            (Some(max_documents), Some(window)) => {
                let limits = Limits {
                    documents: max_documents,
                    parts: window.most_parts,
                };
                if window.documents > limits.documents || window.parts > limits.parts {
                    return None;
                }
                let documents = window.documents.checked_mul(DOCUMENT_BYTES)?;
                let parts = window.parts.checked_mul(PART_BYTES as u64)?;
                (Some(limits), documents.checked_add(parts)?)
            }
            _ => return None,
        };
        let follows = filter.checked_add(held)?.checked_add(CHECKSUM)?;
        let is_sound = self.blocks > 0 && before.checked_add(follows) == Some(length);
        is_sound.then_some(Layout {
            blocks: self.blocks,
            window: limits,
        })
    }
}

/// Returns a line of the head, without its end.
fn head_line(source: &mut HashingReader<impl Read>) -> Result<String, Unusable> {
    let mut line = Vec::new();
    loop {
        let byte = source.value().map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Unusable::Other,
            _ => error.into(),
        });
        match byte? {
            b'\n' => return String::from_utf8(line).map_err(|_| Unusable::Other),
            _ if line.len() == MAX_HEAD => return Err(Unusable::Other),
            byte => line.push(byte),
        }
    }
}
