//! Texts out of archives: documents of Word, PowerPoint, Excel and OpenOffice, and books.
//!
//! All of them are zip archives with XML in them. Only the parts with the text are read, one after the other, by their
//! names. Together they are never larger than the limit for a document, whatever sizes the archive claims. Nothing
//! is written to disk, and no archive in an archive is opened. The XML is read as a stream, so no depth and no number
//! of elements or attributes uses more memory than its bytes.

mod book;
mod flow;
mod opendocument;
mod parts;
mod sheets;
mod slides;
mod word;
pub(super) mod xml;

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};
use std::panic::AssertUnwindSafe;

use crate::contained::contained;
use crate::extract::Extracted;
use crate::extract::archive::parts::{Parts, Seekable};
use crate::format::Format;
use crate::skipped::{Refused, SkipReason};
use dupfind_engine::text::blocks::{BlockKind, Layout};

/// Returns the text of an archive in a format, with a line for each paragraph or row of a table, and the size of the parts
/// that were read, in bytes. `limit` is the largest size, in bytes, of the parts with the text
/// together, and of the text.
///
/// # Errors
///
/// [`SkipReason::TooLarge`] beyond the limit, [`SkipReason::Empty`] for a file of no bytes, and
/// [`SkipReason::Malformed`] with a message that names the real format of the file.
pub fn text(
    mut archive: impl Read + Seek,
    format: Format,
    limit: u64,
) -> Result<(Extracted<'static>, usize), Refused> {
    // After a panic nothing of it is used again.
    let text = contained(AssertUnwindSafe(|| {
        read_archive(&mut archive, format, limit)
    }));
    text.unwrap_or_else(|| malformed("it cannot be taken apart".into()))
        .map_err(|(reason, words)| match reason {
            SkipReason::Malformed => (reason, format!("no {}: {words}", noun(format))),
            _ => (reason, words),
        })
}

fn read_archive(
    archive: &mut dyn Seekable,
    format: Format,
    limit: u64,
) -> Result<(Extracted<'static>, usize), Refused> {
    let mut magic = Vec::new();
    let read = Read::take(&mut *archive, 8).read_to_end(&mut magic);
    let back = read.and_then(|_| archive.seek(SeekFrom::Start(0)));
    back.map_err(|error| (SkipReason::Unreadable, error.to_string()))?;
    match &magic[..] {
        [] => return Err((SkipReason::Empty, String::new())),
        [0xd0, 0xcf, 0x11, 0xe0, ..] => {
            return malformed(
                "it is encrypted, or of Office 97 to 2003; saved again without a password and in the format of \
                 its name it can be read"
                    .into(),
            );
        }
        [b'P', b'K', ..] => {}
        _ => return malformed("such a file is a zip archive, and this is none".into()),
    }
    let mut parts = Parts::open(archive, limit)?;
    let lines = |kind| move |text: String| (text, Layout::Lines(kind));
    let (paragraphs, rows) = (lines(BlockKind::Paragraph), lines(BlockKind::TableRow));
    let (text, layout) = match format {
        Format::Docx => word::text(&mut parts).map(paragraphs),
        Format::Pptx => slides::text(&mut parts).map(paragraphs),
        Format::Xlsx => sheets::text(&mut parts, limit).map(rows),
        Format::Odf => opendocument::text(&mut parts).map(paragraphs),
        Format::Epub => book::text(&mut parts).map(|book| (book.text, book.marks.into_layout())),
        _ => malformed("its content is not known".into()),
    }?;
    let found = Extracted {
        text: text.into(),
        layout,
        title: None,
    };
    Ok((found, parts.bytes()))
}

/// Returns the addresses that an Office file links to, each on a line; `None` if it cannot be read. `limit` is the largest size
/// of the parts with them.
pub fn links(mut archive: impl Read + Seek, limit: u64) -> Option<String> {
    let read = AssertUnwindSafe(|| Parts::open(&mut archive, limit)?.links());
    contained(read)?.ok()
}

/// Returns what an Office file has besides its text, such as pictures and headers: what tells each from others, and how it is
/// called. None if it cannot be read. `limit` is the largest size of the parts with text.
pub fn beside(mut archive: impl Read + Seek, limit: u64) -> BTreeMap<String, String> {
    let read = AssertUnwindSafe(|| Parts::open(&mut archive, limit)?.beside());
    contained(read).and_then(Result::ok).unwrap_or_default()
}

fn malformed<T>(words: String) -> Result<T, Refused> {
    Err((SkipReason::Malformed, words))
}

/// Returns the format that the name of the file means.
fn noun(format: Format) -> &'static str {
    match format {
        Format::Docx => "Word document",
        Format::Pptx => "PowerPoint presentation",
        Format::Xlsx => "Excel workbook",
        Format::Odf => "OpenDocument file",
        Format::Epub => "book",
        _ => "archive",
    }
}

#[cfg(test)]
mod tests;
