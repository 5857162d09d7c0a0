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

/// A document to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its name, as in the report of a scan.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The title that it has apart from its text.
    pub title: Option<String>,
    /// Whether it has a mark that a program wrote it.
    pub is_generated: bool,
    /// A hash of the content, if that is more than the text, and the text is short.
    pub source: Option<u32>,
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
pub struct NotComparable {
    /// The name, as in the report of a scan.
    pub name: String,
    /// The reason.
    pub refusal: Refusal,
}

impl Document {
    /// Reads the document of a name as the user typed it: a file, or `FILE#ID` for a record. `base` is the current
    /// folder.
    ///
    /// # Errors
    ///
    /// [`NotComparable`] if there is no such document, or no text in it.
    pub fn read(path: &Path, base: &Path, options: &ReadOptions) -> Result<Self, NotComparable> {
        let read = read_named(path, base, options);
        let (name, read) = read.map_err(|(name, refusal)| NotComparable { name, refusal })?;
        let document = Self {
            name,
            text: read.text.into_owned(),
            title: read.title,
            is_generated: read.is_generated,
            source: read.source,
            layout: read.layout,
            bytes: read.bytes,
            format: read.format,
            encoding: read.encoding,
            is_repaired: read.is_repaired,
        };
        if has_runs(&normalize(&document.text)) {
            Ok(document)
        } else {
            let refusal = Refusal::Skipped(SkipReason::Empty, String::new());
            let name = document.name;
            Err(NotComparable { name, refusal })
        }
    }
}

impl fmt::Display for NotComparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        let (reason, detail) = match &self.refusal {
            Refusal::Folder => return write!(f, "{name} is a folder"),
            Refusal::Records => {
                return write!(
                    f,
                    "{name} is a file of records: name one of them, {name}#ID"
                );
            }
            Refusal::NoRecord(file) => {
                return write!(f, "{name}: there is no such record in {file}");
            }
            Refusal::Skipped(reason, detail) => (*reason, detail),
        };
        write!(f, "{name}: {}", reason.as_str())?;
        match reason {
            // The words of the system are the same once more.
            SkipReason::NotFound => Ok(()),
            SkipReason::Binary if detail.is_empty() => {
                f.write_str(": a NUL byte in its first 8 KiB, so it is no text")
            }
            SkipReason::Empty if detail.is_empty() => {
                f.write_str(": there is no letter, ideograph or digit in it")
            }
            _ if detail.is_empty() => Ok(()),
            _ => write!(f, ": {detail}"),
        }
    }
}

impl std::error::Error for NotComparable {}
