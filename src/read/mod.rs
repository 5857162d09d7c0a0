//! From a file to the text that is compared: read, decode, extract.
//!
//! The one room that knows how a document comes to its text, so that a scan, a comparison and a report that
//! reads a document again all see the same.

pub mod contained;
pub mod decode;
pub mod extract;
pub mod format;

pub mod named;
pub mod records;
pub mod source;

use std::borrow::Cow;
use std::io::Cursor;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8};

use crate::document::SkipReason;
use crate::read::decode::{decode, known_binary};
use crate::read::extract::front_matter::Wish;
use crate::read::extract::{ExtractOptions, archive, extract as extract_text, sniff, wish};
use crate::read::format::{Format, Kind};
use crate::read::records::Fields;
use crate::read::source::pre::Pre;
use crate::read::source::read::{open, read_into};

/// What decides how documents come to their texts.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The largest document, in bytes: of a file what it holds when it is expanded.
    pub max_filesize: u64,
    /// The encoding of files, if it is known; by default it is found out for each.
    pub encoding: Option<&'static Encoding>,
    /// Which fields of a record are a document, in files of records.
    pub fields: Fields,
    /// The format of the texts of records.
    pub record_format: Format,
    /// The program that makes texts of files, if there is one.
    pub pre: Option<Pre>,
    /// What of a text counts.
    pub extract: ExtractOptions,
}

impl ReadOptions {
    /// The default largest size of a document: 16 MiB.
    pub const MAX_FILESIZE: u64 = 16 << 20;
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            max_filesize: Self::MAX_FILESIZE,
            encoding: None,
            fields: Fields::default(),
            record_format: Format::Text,
            pre: None,
            extract: ExtractOptions::default(),
        }
    }
}

/// A document that was read.
#[derive(Debug)]
pub struct Ingested<'b> {
    /// The text that counts, as it stands in the document.
    pub text: Cow<'b, str>,
    /// What it was taken from.
    pub format: Format,
    /// The encoding it was decoded from.
    pub encoding: &'static str,
    /// Whether bytes that meant nothing in that encoding were replaced.
    pub is_repaired: bool,
    /// What it says to this program itself.
    pub wish: Option<Wish>,
    /// How many bytes were read for it.
    pub bytes: usize,
}

/// Takes the path of a file that holds one document, what it is, and a buffer; reads it.
///
/// # Errors
///
/// The reason for not comparing it, and words on it.
pub fn file<'b>(
    path: &Path,
    kind: Kind,
    settings: &ReadOptions,
    buffer: &'b mut Vec<u8>,
) -> Result<Ingested<'b>, (SkipReason, String)> {
    let limit = settings.max_filesize;
    if kind.format.is_archive() {
        return taken_out(path, kind, limit, buffer);
    }
    match &settings.pre {
        Some(pre) if kind.format == Format::Pre => pre.read_into(path, limit, buffer)?,
        _ => read_into(path, kind.compression, limit, buffer)?,
    }
    let bytes = buffer.len();
    if let Some(known) = known_binary(buffer) {
        return Err((SkipReason::Binary, known.into()));
    }
    let Some(decoded) = decode(buffer, settings.encoding) else {
        return Err((SkipReason::Binary, String::new()));
    };
    Ok(Ingested {
        encoding: decoded.encoding,
        is_repaired: decoded.replaced,
        bytes,
        ..text(decoded.text, kind.format, settings)
    })
}

/// Reads an archive: only what is needed of it, unless it is compressed as a whole.
fn taken_out<'b>(
    path: &Path,
    kind: Kind,
    limit: u64,
    buffer: &mut Vec<u8>,
) -> Result<Ingested<'b>, (SkipReason, String)> {
    let taken = if kind.compression.is_some() {
        read_into(path, kind.compression, limit, buffer)?;
        archive::text(Cursor::new(buffer), kind.format, limit)
    } else {
        archive::text(open(path)?, kind.format, limit)
    }?;
    Ok(Ingested {
        text: Cow::Owned(taken.text),
        format: kind.format,
        encoding: UTF_8.name(),
        is_repaired: false,
        wish: None,
        bytes: taken.bytes,
    })
}

/// Takes the text of a record and the encoding of its file.
#[must_use]
pub fn record<'t>(
    content: Cow<'t, str>,
    encoding: &'static Encoding,
    settings: &ReadOptions,
) -> Ingested<'t> {
    Ingested {
        encoding: encoding.name(),
        // Bytes that mean nothing in UTF-8 make a record malformed.
        is_repaired: encoding != UTF_8 && content.contains(char::REPLACEMENT_CHARACTER),
        ..text(content, settings.record_format, settings)
    }
}

/// Takes decoded content.
fn text<'t>(content: Cow<'t, str>, format: Format, settings: &ReadOptions) -> Ingested<'t> {
    let format = sniff(&content, format);
    Ingested {
        bytes: content.len(),
        wish: wish(&content, format),
        format,
        encoding: UTF_8.name(),
        is_repaired: false,
        text: match content {
            Cow::Borrowed(content) => extract_text(content, format, &settings.extract),
            Cow::Owned(content) => match extract_text(&content, format, &settings.extract) {
                Cow::Owned(text) => Cow::Owned(text),
                // All of it counts.
                Cow::Borrowed(_) => Cow::Owned(content),
            },
        },
    }
}
