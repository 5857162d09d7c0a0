//! Files of records that are not UTF-8 are turned into it while they are read.

use std::io::{self, Read};

use encoding_rs::{Encoding, UTF_8};
use encoding_rs_io::DecodeReaderBytesBuilder;

use crate::read::decode::decode;
use crate::read::format::Format;

/// How much of a file is looked at to find out its encoding.
const HEAD: usize = 64 << 10;

/// A stream of bytes.
pub(super) type Source = Box<dyn Read + Send>;

/// Takes a stream and returns its beginning, and the whole of it to be read again. An error behind the
/// beginning is left to whoever reads on.
///
/// # Errors
///
/// What is wrong with the very first bytes.
pub(super) fn peek(mut source: Source) -> io::Result<(Vec<u8>, Source)> {
    let mut head = Vec::new();
    let read = (&mut source).take(HEAD as u64).read_to_end(&mut head);
    if head.is_empty() {
        read?;
    }
    let again = io::Cursor::new(head.clone()).chain(source);
    Ok((head, Box::new(again)))
}

/// Takes a stream, what is in it, and its encoding if the user says which it is. Returns the text as UTF-8,
/// and what it was; nothing if it is no text.
///
/// What is UTF-8, or may be, is passed on as it is: what is damaged in it is a matter of single records.
///
/// # Errors
///
/// What is wrong with the very first bytes.
pub(super) fn utf8(
    source: Source,
    format: Format,
    said: Option<&'static Encoding>,
) -> io::Result<Option<(Source, &'static Encoding)>> {
    let (head, source) = peek(source)?;
    let is_table = matches!(format, Format::Csv | Format::Tsv);
    let is_by_line = format == Format::JsonLines;
    let encoding = match said {
        Some(encoding) => encoding,
        None => match decode(whole_characters(&head), None) {
            // JSON is UTF-8 by its standard, and where it is not, the other may be told from damage.
            Some(found) => known(found.encoding)
                .filter(|found| is_table || !found.is_single_byte())
                .unwrap_or(UTF_8),
            // One damaged line is no reason to leave all others alone.
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

/// An encoding that can be decoded as a stream, by its name.
fn known(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(name.as_bytes())
}

/// The beginning of a file without a character that it cuts in two, if it is UTF-8 up to there.
fn whole_characters(head: &[u8]) -> &[u8] {
    match str::from_utf8(head) {
        Err(error) if head.len() == HEAD && error.error_len().is_none() => {
            &head[..error.valid_up_to()]
        }
        _ => head,
    }
}
