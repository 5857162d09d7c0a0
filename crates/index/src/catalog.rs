//! The files that the documents of an index were read from, with the outcome of each.

use std::collections::BTreeMap;

use crate::document::{hash, push_hash, push_text, text};
use dupfind_engine::features::bytes::{bytes, push_varint, varint};
use dupfind_engine::{Error, Result};
use dupfind_read::skipped::SkipReason;

/// All files, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Catalog {
    /// The files, by the names that a scan gives them.
    pub files: BTreeMap<String, KnownFile>,
    /// The largest number of a file so far.
    pub(crate) last: u32,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    /// Its number, which its documents have too.
    pub number: u32,
    /// Its size and time when it was read.
    pub stamp: Stamp,
    /// A hash of its bytes.
    pub content: u128,
    /// Its outcome.
    pub outcome: KnownOutcome,
}

/// The size and time of a file, which show whether it has changed without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// How many bytes it has.
    pub size: u64,
    /// When it was changed, in nanoseconds since 1970; 0 if that is not known, or if it was changed so shortly before
    /// it was read that it may have been changed again at the same time.
    pub modified: u64,
}

impl Stamp {
    /// Returns whether a file with this stamp is as it was when it had the other one.
    pub fn shows_no_change(self, before: Self) -> bool {
        self == before && self.modified > 0
    }
}

/// The outcome of reading a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownOutcome {
    /// It is one document.
    Document,
    /// It has records, and all of them are compared.
    Records,
    /// It is not compared. The text has details, and may be empty.
    Skipped(SkipReason, String),
}

/// The reasons that a later run would find again in the same bytes. The place of each is its number on disk: a new one goes
/// to the end.
const REASONS: [SkipReason; 5] = [
    SkipReason::Binary,
    SkipReason::Empty,
    SkipReason::OptedOut,
    SkipReason::Malformed,
    SkipReason::Unsupported,
];

/// Returns whether a later run would find the same reason in the same bytes.
pub fn is_lasting(reason: SkipReason) -> bool {
    REASONS.contains(&reason)
}

fn push_reason(out: &mut Vec<u8>, reason: SkipReason) {
    let number = REASONS.iter().position(|&known| known == reason);
    push_varint(out, number.expect("only lasting reasons are kept") as u64);
}

fn take_reason(rest: &mut &[u8]) -> Option<SkipReason> {
    let number = usize::try_from(varint(rest)?).ok()?;
    REASONS.get(number).copied()
}

impl Catalog {
    /// Returns the number of a new file.
    ///
    /// # Errors
    ///
    /// [`Error::TooMuch`].
    pub fn new_number(&mut self) -> Result<u32> {
        let next = self.last.checked_add(1);
        self.last = next.ok_or_else(|| Error::TooMuch("too many files for an index".into()))?;
        Ok(self.last)
    }

    /// Appends the catalog in the form that is kept on disk.
    pub(crate) fn push(&self, out: &mut Vec<u8>) {
        push_varint(out, self.last.into());
        push_varint(out, self.files.len() as u64);
        for (name, file) in &self.files {
            push_text(out, name);
            for number in [file.number.into(), file.stamp.size, file.stamp.modified] {
                push_varint(out, number);
            }
            push_hash(out, file.content);
            match &file.outcome {
                KnownOutcome::Document => out.push(0),
                KnownOutcome::Records => out.push(1),
                KnownOutcome::Skipped(reason, detail) => {
                    out.push(2);
                    push_reason(out, *reason);
                    push_text(out, detail);
                }
            }
        }
    }

    /// Takes a catalog off the front; `None` if it is damaged.
    pub(crate) fn take(rest: &mut &[u8]) -> Option<Self> {
        let last = u32::try_from(varint(rest)?).ok()?;
        let count = varint(rest)?;
        let mut files = BTreeMap::new();
        for _ in 0..count {
            let name = text(rest)?.to_owned();
            let number = u32::try_from(varint(rest)?).ok()?;
            let stamp = Stamp {
                size: varint(rest)?,
                modified: varint(rest)?,
            };
            let content = hash(rest)?;
            let outcome = match bytes(rest, 1)?[0] {
                0 => KnownOutcome::Document,
                1 => KnownOutcome::Records,
                2 => KnownOutcome::Skipped(take_reason(rest)?, text(rest)?.to_owned()),
                _ => return None,
            };
            let file = KnownFile {
                number,
                stamp,
                content,
                outcome,
            };
            files.insert(name, file);
        }
        Some(Self { files, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_catalog_comes_back() {
        let mut catalog = Catalog::default();
        let outcomes = [
            KnownOutcome::Document,
            KnownOutcome::Skipped(SkipReason::OptedOut, "a draft".into()),
            KnownOutcome::Records,
        ];
        for (name, outcome) in ["a", "b", "c"].into_iter().zip(outcomes) {
            let file = KnownFile {
                number: catalog.new_number().unwrap(),
                stamp: Stamp {
                    size: 5,
                    modified: u64::MAX,
                },
                content: 1 << 100,
                outcome,
            };
            catalog.files.insert(name.into(), file);
        }
        let mut bytes = Vec::new();
        catalog.push(&mut bytes);
        assert_eq!(Catalog::take(&mut bytes.as_slice()), Some(catalog));
        for end in 0..bytes.len() {
            assert_eq!(Catalog::take(&mut &bytes[..end]), None);
        }
    }
}
