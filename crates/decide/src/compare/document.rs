//! Reads the documents of a comparison by their names.

use std::fmt;
use std::path::Path;

use dupfind_engine::text::blocks::Layout;
use dupfind_engine::text::normalize::normalize;
use dupfind_engine::text::script::has_runs;
use dupfind_read::ReadOptions;
use dupfind_read::format::Format;
use dupfind_read::named::{Refusal, read_named};
use dupfind_read::skipped::SkipReason;
use dupfind_read::source::walk::is_of_stdin;

/// A document to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its name, as in the report of a scan.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The title that it has apart from its text.
    pub title: Option<String>,
    /// Where its blocks are.
    pub layout: Layout,
    /// Its size in bytes before it was decoded.
    pub bytes: usize,
    /// The format of its file.
    pub format: Format,
    /// The encoding it was decoded from.
    pub encoding: &'static str,
    /// Whether bytes that are not valid in that encoding were replaced.
    pub is_repaired: bool,
}

/// The reason why a name has no document that can be compared.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    name: String,
    refusal: Refusal,
}

impl Document {
    /// Reads the document of a name as the user typed it: a file, or `FILE#ID` for a record. `base` is the current
    /// folder.
    ///
    /// # Errors
    ///
    /// [`Refused`] if there is no such document, or no text in it. Its message has advice.
    pub fn read(path: &Path, base: &Path, options: &ReadOptions) -> Result<Self, Refused> {
        let read = read_named(path, base, options);
        let (name, read) = read.map_err(|(name, refusal)| Refused { name, refusal })?;
        let document = Self {
            name,
            text: read.text.into_owned(),
            title: read.title,
            layout: read.layout,
            bytes: read.bytes,
            format: read.format,
            encoding: read.encoding,
            is_repaired: read.is_repaired,
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
            SkipReason::NotFound if is_of_stdin(name) => f.write_str(
                ": records of standard input cannot be named; save them to a file *.jsonl first",
            ),
            SkipReason::NotFound => Ok(()),
            SkipReason::Binary if detail.is_empty() => {
                f.write_str(": a NUL byte in its first 8 KiB, so it is no text")
            }
            SkipReason::Empty if detail.is_empty() => {
                f.write_str(": there is no letter, ideograph or digit in it")
            }
            SkipReason::TooLarge => f.write_str("; --max-filesize allows more"),
            _ if detail.is_empty() => Ok(()),
            _ => write!(f, ": {detail}"),
        }
    }
}

impl std::error::Error for Refused {}
