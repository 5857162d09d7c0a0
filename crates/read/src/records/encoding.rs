//! Turns files of records into UTF-8 while they are read.

use std::io::{self, Read};

use encoding_rs::{Encoding, UTF_8};
use encoding_rs_io::DecodeReaderBytesBuilder;

use crate::decode::decode;
use crate::format::Format;

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
