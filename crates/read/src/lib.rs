//! Reads files of many formats and encodings as named texts.
//!
//! Paths go in. Names and texts come out, and for each file that cannot be read the reason. Only this crate makes texts
//! of documents, so that a scan, a comparison and a report that reads a document again see the same text. It knows no
//! pair and no report.
//!
//! ```text
//! paths ─> source ──> files ─┬─────────────────> decode ─> extract ─> texts
//!          (walk,    (name,  │                  (bytes     (text of
//!           git)      format)└─> records ─────────to text)  a format)
//!                                (of one file)
//! ```
//!
//! # Rooms
//!
//! * [`mod@source`]: lists the files below the paths that a user names, and reads and expands one file
//! * [`mod@format`]: the kind of a file, by its name
//! * [`records`]: the documents of a file that holds many
//! * [`mod@decode`]: bytes to text, in any encoding
//! * [`mod@extract`]: the text that counts, in any format
//! * [`named`]: the one document that a name means
//! * [`contained`]: calls into parsers that may panic
//! * [`mod@skipped`]: why an entry is not compared, and notes on one that is
//!
//! # Example
//!
//! ```
//! use dupfind_read::source::walk::{WalkOptions, walk};
//! use dupfind_read::{ReadOptions, file};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("ferry.md"), "# Ferry\n\nThe *ferry* leaves at seven.\n")?;
//! let walked = walk(&WalkOptions::new(vec![folder.path().into()], "/".into()), u64::MAX, None)?;
//! let (entry, mut buffer) = (&walked.entries[0], Vec::new());
//! let document = file(&entry.path, entry.kind, &ReadOptions::default(), &mut buffer);
//! let text = document.map_err(|(reason, _)| reason.as_str())?.text;
//! assert!(text.contains("The ferry leaves at seven."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Cargo features
//!
//! * `parquet` reads Parquet files.
//! * `pdf` reads PDF files, by programs that call [`source::pdf`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

pub mod contained;
pub mod decode;
pub mod extract;
pub mod format;
pub mod named;
mod options;
pub mod records;
pub mod site;
pub mod skipped;
pub mod source;
#[cfg(test)]
#[path = "../../../tests/cli/table.rs"]
mod table;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::Path;

use dupfind_engine::run::with_stack;
use dupfind_engine::text::blocks::Layout;
use dupfind_engine::text::title::TitledText;
use dupfind_engine::{FeatureMaker, Features};
use encoding_rs::{Encoding, UTF_8};
use memchr::memchr;
use xxhash_rust::xxh3::xxh3_64;

use crate::decode::{Decoded, LFS_MOST, decode, is_lfs_pointer, known_binary};
use crate::extract::front_matter::FrontMatter;
use crate::extract::off::{Mark, marks};
use crate::extract::title::title;
use crate::extract::{Extracted, extract_by_marks, is_generated, opt_out, sniff, text_of};
use crate::skipped::Note;
use crate::source::data::is_own_page;
use crate::source::no_page::SHORT;
use crate::source::read::{head, open, read_into, skipped};

pub use crate::extract::WebPart;
pub use crate::extract::pages::{Extent, PageBreaks};
pub use crate::format::{Compression, Format, Kind};
pub use crate::named::{Refusal, file_of};
pub use crate::options::ReadOptions;
pub use crate::records::{Batches, Fields};
pub use crate::site::Editions;
pub use crate::skipped::{Refused, SkipReason, Skipped};
pub use crate::source::git::{Changes, Repository, root_around};
pub use crate::source::name::{display_name, identity, path_of_name};
pub use crate::source::walk::{Entry, STDIN, WalkOptions, walk};

/// A document that was read.
#[derive(Debug, Clone)]
pub struct Ingested<'b> {
    /// The text that counts.
    pub text: Cow<'b, str>,
    /// The title that the document has apart from its text or that its markup marks.
    pub title: Option<String>,
    /// Where the blocks of the text are.
    pub layout: Layout,
    /// The format of the document.
    pub format: Format,
    /// The encoding it was decoded from.
    pub encoding: &'static str,
    /// Whether bytes that are invalid in that encoding were replaced.
    pub is_repaired: bool,
    /// Why it is not to be compared, if it opts out. The reason may be empty.
    pub opt_out: Option<String>,
    /// Whether it has a mark that a program wrote it.
    pub is_generated: bool,
    /// Whether it is short, and its front matter leads its readers to another page.
    pub leads_elsewhere: bool,
    /// Whether it is a file that this program wrote or printed.
    pub is_own_output: bool,
    /// A hash of the content without white space, if that is more than the text, and the text is short.
    pub source: Option<u32>,
    /// How many bytes were read.
    pub bytes: usize,
}

impl Ingested<'_> {
    /// Returns the text with its title, for making features.
    pub fn titled(&self) -> TitledText<'_> {
        TitledText {
            text: &self.text,
            title: self.title.as_deref(),
            layout: Some(&self.layout),
            is_generated: self.is_generated,
            source: self.source,
        }
    }

    /// Returns the document with this title, if there is one.
    fn titled_as(mut self, title: Option<String>) -> Self {
        self.title = title.or(self.title);
        self
    }

    /// Returns the note about the document, if there is one; the reason with its details if it asks not to be compared.
    pub fn note(&self, name: &str) -> Result<Option<Note>, Refused> {
        if let Some(reason) = &self.opt_out {
            return Err((SkipReason::OptedOut, reason.clone()));
        }
        let note = || Note::repaired(name, self.encoding);
        Ok(self.is_repaired.then(note))
    }
}

/// Reads a file that is one document. `buffer` keeps its bytes.
///
/// # Errors
///
/// The reason for not comparing it, with details in words.
pub fn file<'b>(
    path: &Path,
    kind: Kind,
    settings: &ReadOptions,
    buffer: &'b mut Vec<u8>,
) -> Result<Ingested<'b>, Refused> {
    let read = whole(path, kind, settings, buffer);
    read.map_err(|refused| unless_pointer(path, refused))
}

fn whole<'b>(
    path: &Path,
    kind: Kind,
    settings: &ReadOptions,
    buffer: &'b mut Vec<u8>,
) -> Result<Ingested<'b>, Refused> {
    let limit = settings.max_filesize;
    if let Some(refused) = kind.refusal(path, &settings.wording) {
        return Err(refused);
    }
    if kind.format.is_archive() {
        let document = archive(path, kind, settings, buffer)?;
        settings.check_expansion(&document.text)?;
        return Ok(document);
    }
    if kind.format == Format::Pdf {
        let programs = settings.pdf.as_ref().ok_or_else(|| {
            let words = "PDF is read by another program, and none is given";
            (SkipReason::Binary, words.to_owned())
        })?;
        let (title, text) = programs.read(path, kind.compression, limit)?;
        let document = made(text, kind.format).titled_as(title);
        settings.check_expansion(&document.text)?;
        return Ok(document);
    }
    match &settings.pre {
        Some(pre) if kind.format == Format::Pre => {
            pre.read_into(path, limit, buffer)?;
        }
        _ => read_into(path, kind.compression, limit, buffer)?,
    }
    let bytes = buffer.len();
    let decoded = decoded(buffer, settings)?;
    let document = Ingested {
        encoding: decoded.encoding,
        is_repaired: decoded.replaced,
        is_own_output: is_own_page(&decoded.text, kind.format),
        bytes,
        ..page(decoded.text, kind.format, settings)
    };
    settings.check_expansion(&document.text)?;
    Ok(document)
}

fn of_lfs() -> Refused {
    let words = "a pointer of Git LFS: git lfs pull brings the content";
    (SkipReason::Data, words.into())
}

/// Returns why a file is not read: that it is a pointer of Git LFS, whatever its name is, or else what was found.
fn unless_pointer(path: &Path, found: Refused) -> Refused {
    match head(path, LFS_MOST).is_ok_and(|head| is_lfs_pointer(&head)) {
        true => of_lfs(),
        false => found,
    }
}

/// Returns a text whose lines end in line feeds, if they end in carriage returns alone. Every place stays the same.
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    let has = |byte| memchr(byte, text.as_bytes()).is_some();
    match has(b'\r') && !has(b'\n') {
        true => text.replace('\r', "\n").into(),
        false => text,
    }
}

/// Returns the text of a content as it is written, with all that does not count.
fn decoded<'b>(bytes: &'b [u8], settings: &ReadOptions) -> Result<Decoded<'b>, Refused> {
    if let Some(known) = known_binary(bytes, &settings.wording) {
        return Err((SkipReason::Binary, known.into()));
    }
    if is_lfs_pointer(bytes) {
        return Err(of_lfs());
    }
    let decoded = decode(bytes, settings.encoding);
    let decoded = decoded.ok_or_else(|| (SkipReason::Binary, String::new()))?;
    Ok(Decoded {
        text: with_line_feeds(decoded.text),
        ..decoded
    })
}

/// Reads all of a file that is one document, as it is written, with all that does not count as its text. Returns nothing
/// if the text of such a file is not written in it line by line: an archive, a PDF, or what a program of the user reads.
///
/// # Errors
///
/// The reason for not comparing it, with details in words.
pub fn as_written(
    path: &Path,
    kind: Kind,
    settings: &ReadOptions,
) -> Result<Option<String>, Refused> {
    if kind.format.is_archive() || [Format::Pdf, Format::Pre].contains(&kind.format) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    read_into(path, kind.compression, settings.max_filesize, &mut bytes)?;
    Ok(Some(decoded(&bytes, settings)?.text.into_owned()))
}

/// Reads only the parts of an archive that hold text, unless it is compressed as a whole.
fn archive<'b>(
    path: &Path,
    kind: Kind,
    settings: &ReadOptions,
    buffer: &mut Vec<u8>,
) -> Result<Ingested<'b>, Refused> {
    let limit = settings.max_filesize;
    let taken = if kind.compression.is_some() {
        read_into(path, kind.compression, limit, buffer)?;
        extract::archive::text(std::io::Cursor::new(buffer), kind.format, limit)
    } else {
        let file = open(path).map_err(|error| skipped(&error))?;
        extract::archive::text(file, kind.format, limit)
    };
    let (Extracted { text, layout, .. }, bytes) = taken.map_err(|refused| match refused {
        (SkipReason::TooLarge, words) if words.is_empty() => {
            (SkipReason::TooLarge, settings.wording.expanded.into())
        }
        refused => refused,
    })?;
    Ok(Ingested {
        layout,
        bytes,
        ..made(text, kind.format)
    })
}

/// Returns a document of a text that was made of a file.
fn made<'t>(text: impl Into<Cow<'t, str>>, format: Format) -> Ingested<'t> {
    let text = text.into();
    Ingested {
        bytes: text.len(),
        text,
        title: None,
        layout: Layout::Paragraphs,
        format,
        encoding: UTF_8.name(),
        is_repaired: false,
        opt_out: None,
        is_generated: false,
        leads_elsewhere: false,
        is_own_output: false,
        source: None,
    }
}

/// Returns the document of a content that is in no file, or not yet in its file. `kind` is that of the name it has or will
/// have.
///
/// # Errors
///
/// The reason for not comparing it, with details in words.
pub fn unsaved<'t>(
    content: Cow<'t, str>,
    kind: Kind,
    settings: &ReadOptions,
) -> Result<Ingested<'t>, Refused> {
    if content.len() as u64 > settings.max_filesize {
        return Err((SkipReason::TooLarge, String::new()));
    }
    let content = with_line_feeds(content);
    let document = with_stack(|| page(content, kind.format, settings));
    settings.check_expansion(&document.text)?;
    Ok(document)
}

/// Returns the document of a record. `title` is its title apart from its text, and `encoding` is that of its file.
///
/// # Errors
///
/// The reason for not comparing it, with details in words.
pub fn record<'t>(
    content: Cow<'t, str>,
    title: Option<String>,
    encoding: &'static Encoding,
    settings: &ReadOptions,
) -> Result<Ingested<'t>, Refused> {
    let document = Ingested {
        encoding: encoding.name(),
        // A record with invalid UTF-8 is malformed and does not come here.
        is_repaired: encoding != UTF_8 && content.contains(char::REPLACEMENT_CHARACTER),
        // Its text is all that there is of it.
        source: None,
        // A mark is one of a page. In a record of others it would hide what is behind it.
        ..text(content, Format::Text, |content, format, _| {
            text_of(content, format, settings.web_part)
        })
    }
    .titled_as(title);
    settings.check_expansion(&document.text)?;
    Ok(document)
}

/// Returns the document of a row: a text that somebody has in no file. It is read as a record.
///
/// # Errors
///
/// The reason for not comparing it, with details in words. It may ask for that itself.
pub fn row<'t>(text: Cow<'t, str>, settings: &ReadOptions) -> Result<Ingested<'t>, Refused> {
    let document = record(text, None, UTF_8, settings)?;
    document.note("")?;
    Ok(document)
}

/// Returns the features of a row.
///
/// # Errors
///
/// The reason for not comparing it, with details in words.
pub fn row_features(
    maker: &mut FeatureMaker,
    text: &str,
    settings: &ReadOptions,
) -> Result<Features, Refused> {
    let document = row(Cow::Borrowed(text), settings)?;
    let features = maker.features(document.titled());
    features.ok_or((SkipReason::Empty, String::new()))
}

/// Returns the document of a page.
fn page<'t>(content: Cow<'t, str>, format: Format, settings: &ReadOptions) -> Ingested<'t> {
    text(content, format, |content, format, marks| {
        extract_by_marks(content, format, settings.web_part, marks)
    })
}

/// The longest text that may be of a few words, in bytes.
const FEW_WORDS: usize = 1_000;

/// Returns a hash of a content without white space, if it has more than its text, and the text is short. A page that is only a
/// heading may include another file, or lead to one: what it says is in its markup. Of front matter only the title and a
/// redirect count: the next version of a page has another date there.
fn source(content: &str, front: &FrontMatter<'_>, text: &str) -> Option<u32> {
    let hash = |text: &str| {
        // Most markup is ASCII, and bytes are looked at in a fraction of the time.
        let signs: String = match text.is_ascii() {
            true => text.split_ascii_whitespace().collect(),
            false => text.split_whitespace().collect(),
        };
        xxh3_64(signs.as_bytes()) >> 32
    };
    if text.len() > FEW_WORDS || text.len() >= content.len() {
        return None;
    }
    let body = content[front.end()..].to_owned();
    let beside = ["title", "redirect_to"]
        .iter()
        .filter_map(|key| front.value(key));
    let source = hash(&beside.fold(body, |body, value| body + &value));
    u32::try_from(source).ok().filter(|_| source != hash(text))
}

/// Returns the document of a content. `extract` returns its text, by its format and its marks.
fn text<'t>(
    content: Cow<'t, str>,
    format: Format,
    extract: impl for<'c> Fn(&'c str, Format, &[Mark<'_>]) -> Extracted<'c>,
) -> Ingested<'t> {
    let format = sniff(&content, format);
    let front = FrontMatter::of(&content);
    let marks = marks(&content, format);
    let opt_out = opt_out(&front, &marks);
    let is_generated = is_generated(&content, format);
    let bytes = content.len();
    let leads_elsewhere = bytes <= SHORT && front.leads_elsewhere();
    let found = extract(&content, format, &marks);
    let title = title(&content, format, &front, found.title);
    let source = source(&content, &front, &found.text);
    let (layout, shorter) = (
        found.layout,
        match found.text {
            Cow::Owned(text) => Some(text),
            Cow::Borrowed(_) => None,
        },
    );
    // What is borrowed is all of the content.
    let text = shorter.map_or(content, Cow::Owned);
    Ingested {
        source,
        title,
        layout,
        opt_out,
        is_generated,
        leads_elsewhere,
        bytes,
        ..made(text, format)
    }
}
