//! Records in a stream of bytes: lines, elements of an array, rows of a table. The stream becomes UTF-8 while it is read.

use std::io::{self, Read};
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};
use encoding_rs_io::DecodeReaderBytesBuilder;

use crate::ReadOptions;
use crate::decode::{decode, is_lfs_pointer};
use crate::format::Format;
use crate::records::array::Elements;
use crate::records::pieces::{Cut, Lines, Numbering, Pieces};
use crate::records::table::{Columns, Rows};
use crate::records::{
    Batch, Content, Fields, Layout, Refused, json, listed, malformed, pieces, without_bom,
};
use crate::source::read::skipped;

/// Reads records out of a stream batch by batch, up to the first error.
pub(super) struct Stream {
    /// The batch that was read to detect the format of the file.
    first: Option<io::Result<pieces::PieceBatch>>,
    pieces: Pieces<Source>,
    layout: Arc<Layout>,
    encoding: &'static Encoding,
}

impl Stream {
    /// Returns the records of a file, or nothing if it holds no records and is one document. `batch_bytes` is how many
    /// bytes are read at a time.
    ///
    /// # Errors
    ///
    /// Why it is not compared: the first byte cannot be read, or the file has none of the fields that the user named.
    pub(super) fn read(
        source: Source,
        format: Format,
        settings: &ReadOptions,
        batch_bytes: usize,
    ) -> Result<Option<Self>, Refused> {
        let text = utf8(source, format, settings.encoding).map_err(|error| skipped(&error))?;
        let Some((text, encoding)) = text else {
            return Ok(None);
        };
        let (fields, limit) = (&settings.fields, settings.max_filesize);
        let new = |text, cut: Box<dyn Cut>, numbering, layout| Self {
            first: None,
            pieces: Pieces::new(text, cut, numbering, limit, batch_bytes),
            layout: Arc::new(layout),
            encoding,
        };
        // Without a text field, a file is one document, unless the user named the field.
        let refused = |words: String| {
            if fields.is_named {
                Err(malformed(words))
            } else {
                Ok(None)
            }
        };
        let wanted = fields.in_words();
        match format {
            Format::Json => {
                let (head, text) = peek(text).map_err(|error| skipped(&error))?;
                if first_sign_of(&head) == Some(b'{') {
                    // JSON Lines with another name, or one object.
                    let mut lines = new(text, Box::new(Lines), Numbering::Line, Layout::Json);
                    return match lines.probe(fields) {
                        Ok(()) if lines.has_several() || fields.is_named => Ok(Some(lines)),
                        _ => refused(format!("it is no array of objects with a field {wanted}")),
                    };
                }
                let mut batches = new(
                    text,
                    Box::<Elements>::default(),
                    Numbering::Position,
                    Layout::Json,
                );
                let names = match batches.probe(fields) {
                    Ok(()) => return Ok(Some(batches)),
                    Err(names) => names,
                };
                refused(match names {
                    Some(names) => format!(
                        "its first record has no field {wanted}; it has {}",
                        listed(names.iter().map(String::as_str))
                    ),
                    None => format!("it is no array of objects with a field {wanted}"),
                })
            }
            Format::Csv | Format::Tsv => {
                let (head, text) = peek(text).map_err(|error| skipped(&error))?;
                let columns = match Columns::of(&head, format, fields) {
                    Ok(columns) => columns,
                    Err(_) if fields.is_named && head.trim_ascii().is_empty() => {
                        // A shard without records.
                        return Ok(Some(new(
                            text,
                            Box::new(Lines),
                            Numbering::Line,
                            Layout::Json,
                        )));
                    }
                    Err(words) => return refused(words),
                };
                let rows = Box::new(Rows::new(columns.dialect));
                let mut batches = new(text, rows, Numbering::Line, Layout::Table(columns));
                batches.skip_header();
                Ok(Some(batches))
            }
            _ => Ok(Some(new(
                text,
                Box::new(Lines),
                Numbering::Line,
                Layout::Json,
            ))),
        }
    }

    /// Checks that one of the first elements is a record with a text field: before it there may be others, such as a head. The
    /// error has the names of the fields of the first element, if that is an object.
    fn probe(&mut self, fields: &Fields) -> Result<(), Option<Vec<String>>> {
        self.first = self.pieces.next();
        let Some(Ok(batch)) = &self.first else {
            return Err(None);
        };
        let probe = |piece| json::probe(batch.content(piece).ok_or(None)?, fields);
        let mut probes = batch.pieces.iter().map(probe);
        let first = probes.next().unwrap_or(Err(None));
        first.or_else(|names| probes.find_map(Result::ok).ok_or(names))
    }

    /// Returns whether the batch that was read has several records.
    fn has_several(&self) -> bool {
        matches!(&self.first, Some(Ok(batch)) if batch.pieces.len() > 1)
    }

    /// Skips the row with the names of the columns.
    fn skip_header(&mut self) {
        let mut first = self.pieces.next();
        if let Some(Ok(batch)) = &mut first
            && !batch.pieces.is_empty()
        {
            batch.pieces.remove(0);
        }
        self.first = first;
    }
}

/// Returns the first byte that is no white space.
pub(super) fn first_sign_of(head: &[u8]) -> Option<u8> {
    without_bom(head).trim_ascii_start().first().copied()
}

impl Iterator for Stream {
    type Item = Result<Batch, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        let pieces = self.first.take().or_else(|| self.pieces.next())?;
        Some(match pieces {
            Ok(pieces) => Ok(Batch {
                content: Content::Pieces(pieces, Arc::clone(&self.layout)),
                encoding: self.encoding,
            }),
            Err(error) => Err(skipped(&error)),
        })
    }
}

/// How many bytes of a file its encoding is found out from.
const HEAD: usize = 64 << 10;

/// A stream of bytes.
pub(super) type Source = Box<dyn Read + Send>;

/// Returns the first bytes of a stream, and the whole stream. An error behind these bytes comes when the stream is read.
///
/// # Errors
///
/// The error of reading the first byte.
pub(super) fn peek(mut source: Source) -> io::Result<(Vec<u8>, Source)> {
    let mut head = Vec::new();
    let read = (&mut source).take(HEAD as u64).read_to_end(&mut head);
    if head.is_empty() {
        read?;
    }
    let again = io::Cursor::new(head.clone()).chain(source);
    Ok((head, Box::new(again)))
}

/// Returns a stream as UTF-8, and its encoding, or nothing if it is not text. `named` is the encoding that the user
/// named.
///
/// A stream that may be UTF-8 is returned as it is: invalid bytes make single records malformed.
///
/// # Errors
///
/// The error of reading the first byte.
pub(super) fn utf8(
    source: Source,
    format: Format,
    named: Option<&'static Encoding>,
) -> io::Result<Option<(Source, &'static Encoding)>> {
    let (head, source) = peek(source)?;
    // It holds no records: it is refused as one document.
    if is_lfs_pointer(&head) {
        return Ok(None);
    }
    let is_table = matches!(format, Format::Csv | Format::Tsv);
    let is_by_line = format == Format::JsonLines;
    let encoding = match named {
        Some(encoding) => encoding,
        None => match decode(whole_characters(&head), None) {
            // JSON is UTF-8 by its standard. Single-byte encodings cannot be distinguished from damaged UTF-8.
            Some(found) => known(found.encoding)
                .filter(|found| is_table || !found.is_single_byte())
                .unwrap_or(UTF_8),
            // One damaged line does not make the other lines unreadable.
            None if is_by_line => UTF_8,
            None => return Ok(None),
        },
    };
    if encoding == UTF_8 {
        return Ok(Some((source, encoding)));
    }
    let decoded = DecodeReaderBytesBuilder::new()
        .encoding(Some(encoding))
        .strip_bom(true)
        .build_with_buffer(source, vec![0; HEAD])
        .map_err(io::Error::other)?;
    Ok(Some((Box::new(decoded), encoding)))
}

/// Returns the encoding of a name if it can be decoded as a stream.
fn known(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(name.as_bytes())
}

/// Returns the first bytes of a file without a character of UTF-8 that is cut in two at their end.
fn whole_characters(head: &[u8]) -> &[u8] {
    match str::from_utf8(head) {
        Err(error) if head.len() == HEAD && error.error_len().is_none() => {
            &head[..error.valid_up_to()]
        }
        _ => head,
    }
}
