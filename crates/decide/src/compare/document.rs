//! Reads the documents of a comparison by their names.

use std::fmt;
use std::path::Path;

use dupfind_engine::text::normalize::normalize;
use dupfind_engine::text::script::has_runs;
use dupfind_read::named::read_named;
use dupfind_read::{Ingested, ReadOptions, Refusal, SkipReason};

/// A document to be compared.
#[derive(Debug)]
pub struct Document {
    /// Its name, as in the report of a scan.
    pub name: String,
    /// What was read of it.
    pub read: Ingested<'static>,
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
        if has_runs(&normalize(&read.text)) {
            Ok(Self { name, read })
        } else {
            let refusal = Refusal::Skipped(SkipReason::Empty, String::new());
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
