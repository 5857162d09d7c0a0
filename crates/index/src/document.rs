//! The data about a document in an index, besides its shingles.

use std::collections::BTreeMap;

use dupfind_engine::Error;
use dupfind_engine::features::Facts;
use dupfind_read::{Format, SkipReason};
use encoding_rs::{Encoding, UTF_8};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// Returns the hash of a shingle set, whatever the order of its shingles.
pub(crate) fn set_hash(set: &[u64]) -> u128 {
    let hashes = set.iter().map(|shingle| xxh3_128(&shingle.to_le_bytes()));
    hashes.fold(0, u128::wrapping_add)
}

/// A document of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDocument {
    /// The number of the file it was read from; 0 for none.
    pub file: u32,
    /// Its name in reports.
    pub name: String,
    /// Its facts.
    pub facts: Facts,
    /// A hash of its shingle set.
    pub(crate) set: u128,
    /// A hash of the bytes it was read from.
    pub content: u128,
    /// Where its text comes from.
    pub origin: Origin,
}

/// Where the text of a document comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Its name before names that several records have are distinguished; `None` if it is the same.
    pub own_name: Option<String>,
    /// The number of a record, from 1; 0 for a document that is no record.
    pub record: u64,
    /// The lines of a record, from 1; 0 for a document that is no record.
    pub lines: (u64, u64),
    /// Whether it is a record with an id of its own.
    pub has_id: bool,
    /// How it was read.
    pub reading: Reading,
}

/// How a document was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// How many bytes were read for it.
    pub bytes: u64,
    /// The format it was read as.
    pub format: Format,
    /// The encoding it was decoded from.
    pub encoding: &'static Encoding,
    /// Whether bytes that are invalid in that encoding were replaced.
    pub is_repaired: bool,
}

impl Origin {
    /// Returns the origin of a text that was read from no file.
    pub(crate) fn of_text(text: &str) -> Self {
        Self {
            own_name: None,
            record: 0,
            lines: (0, 0),
            has_id: false,
            reading: Reading {
                bytes: text.len() as u64,
                format: Format::Text,
                encoding: UTF_8,
                is_repaired: false,
            },
        }
    }
}

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
    use dupfind_engine::text::title::Title;
    use encoding_rs::GBK;
    use postcard::{from_bytes, to_allocvec};

    use super::*;

    #[test]
    fn documents_come_back() {
        let plain = KeptDocument {
            file: 7,
            name: "docs/城市.md".into(),
            facts: Facts {
                length: 900,
                text_hash: 5,
                unfolded_hash: 5,
                title: Title {
                    hash: 16,
                    shown: "城市".into(),
                },
                sketches: dupfind_engine::fingerprint::sketch::Sketches::default(),
                tokens: 70,
                terms: 60,
                shingles: 4,
                signatures: [9].into(),
                is_generated: false,
            },
            set: 77,
            content: u128::MAX - 3,
            origin: Origin::of_text("four"),
        };
        let mut record = plain.clone();
        record.facts.unfolded_hash = 6;
        record.facts.is_generated = true;
        record.origin = Origin {
            own_name: Some("x.jsonl#1".into()),
            record: 7,
            lines: (8, 9),
            has_id: true,
            reading: Reading {
                bytes: 3,
                format: Format::Pre,
                encoding: GBK,
                is_repaired: true,
            },
        };
        let documents = [plain, record];
        let bytes = to_allocvec(&documents).unwrap();
        assert_eq!(from_bytes(&bytes), Ok(documents));
        for end in 0..bytes.len() {
            assert!(from_bytes::<[KeptDocument; 2]>(&bytes[..end]).is_err());
        }
    }

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
