//! The files that the documents of an index were read from, with the outcome of each.

use std::collections::BTreeMap;

use dupfind_engine::Error;
use dupfind_read::SkipReason;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// All files, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Catalog {
    /// The files, by the names that a scan gives them.
    pub files: BTreeMap<String, KnownFile>,
    /// The largest number of a file so far.
    pub(crate) last: u32,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum KnownOutcome {
    /// It is one document.
    Document,
    /// It has records, and all of them are compared.
    Records,
    /// It is not compared. The text has details, and may be empty.
    Skipped(#[serde(deserialize_with = "lasting")] SkipReason, String),
}

/// The reasons that a later run would find again in the same bytes.
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

fn lasting<'de, D: Deserializer<'de>>(bytes: D) -> Result<SkipReason, D::Error> {
    let name = <&str>::deserialize(bytes)?;
    let mut known = REASONS.into_iter().filter(|known| known.as_str() == name);
    known.next().ok_or_else(|| D::Error::custom("no reason"))
}

impl Catalog {
    /// Returns the number of a new file.
    ///
    /// # Errors
    ///
    /// [`Error::TooMuch`].
    pub fn new_number(&mut self) -> dupfind_engine::Result<u32> {
        let next = self.last.checked_add(1);
        self.last = next.ok_or_else(|| Error::TooMuch("too many files for an index".into()))?;
        Ok(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postcard::{from_bytes, to_allocvec};

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
        let bytes = to_allocvec(&catalog).unwrap();
        assert_eq!(from_bytes(&bytes), Ok(catalog));
        for end in 0..bytes.len() {
            assert!(from_bytes::<Catalog>(&bytes[..end]).is_err());
        }
    }
}
