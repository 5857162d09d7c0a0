//! The documents of a comparison: a name to the text it means.

use std::fmt;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8};

use crate::decode::decode;
use crate::document::SkipReason;
use crate::extract::extract;
use crate::source::named::{Content, Refusal, read_named};
use crate::source::records::Fields;
use crate::text::normalize::normalize;
use crate::text::script::has_runs;

/// A document to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its name, as in the report of a scan.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its size in bytes before it was decoded.
    pub bytes: usize,
    /// The encoding it was decoded from.
    pub encoding: &'static str,
    /// Whether bytes that meant nothing in that encoding were replaced.
    pub is_repaired: bool,
}

/// What can be read as a document.
#[derive(Debug, Clone, Copy)]
pub struct Input<'i> {
    /// The folder the user is in, which names are relative to.
    pub base: &'i Path,
    /// The largest size of a file or record in bytes.
    pub max_filesize: u64,
    /// The encoding of files, if it is known.
    pub encoding: Option<&'static Encoding>,
    /// The fields of records.
    pub fields: &'i Fields,
}

/// A name that means no document that could be compared.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    name: String,
    refusal: Refusal,
}

impl Document {
    /// Takes a name as the user typed it, a file or `FILE#ID` for a record, and reads the document.
    ///
    /// # Errors
    ///
    /// [`Refused`] if there is no such document, or no text in it; its message says what to do.
    pub fn read(path: &Path, input: Input<'_>) -> Result<Self, Refused> {
        let content = read_named(path, input.base, input.max_filesize, input.fields);
        let (name, content) = content.map_err(|(name, refusal)| Refused { name, refusal })?;
        let document = match content {
            Content::File(bytes) => match decode(&bytes, input.encoding) {
                None => return Err(Refused::skipped(name, SkipReason::Binary)),
                Some(decoded) => Self {
                    name,
                    text: extract(&decoded.text).into_owned(),
                    bytes: bytes.len(),
                    encoding: decoded.encoding.name(),
                    is_repaired: decoded.replaced,
                },
            },
            Content::Record(text) => Self {
                name,
                text: extract(&text).into_owned(),
                bytes: text.len(),
                encoding: UTF_8.name(),
                is_repaired: false,
            },
        };
        if has_runs(&normalize(&document.text)) {
            Ok(document)
        } else {
            Err(Refused::skipped(document.name, SkipReason::Empty))
        }
    }
}

impl Refused {
    fn skipped(name: String, reason: SkipReason) -> Self {
        let refusal = Refusal::Skipped(reason, String::new());
        Self { name, refusal }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        let (reason, detail) = match &self.refusal {
            Refusal::Folder => {
                return write!(
                    f,
                    "{name} is a folder; to compare all its documents: dupfind scan {name}"
                );
            }
            Refusal::Records => {
                return write!(
                    f,
                    "{name} is a file of records: name one of them, {name}#ID \
                     (dupfind fingerprint {name} lists them)"
                );
            }
            Refusal::NoRecord(file) => {
                return write!(
                    f,
                    "{name}: there is no such record in {file} (dupfind fingerprint {file} lists \
                     them; --id-field names the field with their ids)"
                );
            }
            Refusal::Skipped(reason, detail) => (*reason, detail),
        };
        write!(f, "{name}: {}", reason.as_str())?;
        match reason {
            SkipReason::NotFound => Ok(()),
            SkipReason::Binary => f.write_str(": a NUL byte in its first 8 KiB, so it is no text"),
            SkipReason::Empty => f.write_str(": there is no letter, ideograph or digit in it"),
            SkipReason::TooLarge => f.write_str("; --max-filesize allows more"),
            _ if detail.is_empty() => Ok(()),
            _ => write!(f, ": {detail}"),
        }
    }
}

impl std::error::Error for Refused {}
