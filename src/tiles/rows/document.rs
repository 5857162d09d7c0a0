//! The row of a document.

use xxhash_rust::xxh3::xxh3_128;

use crate::engine::features::Facts;
use crate::engine::features::file::document::{DocumentForm, push_set, take_set};
use crate::engine::{Features, Options};
use crate::error::Result;
use crate::join::index::distinct::SetKey;
use crate::join::index::size_class::floor;
use crate::tiles::rows::damaged;

/// How many bytes the key of a set takes.
pub const KEY_BYTES: usize = 40;

/// The key of a shingle set. Keys are compared as bytes: their order is that of the sets, and equal sets have equal keys.
///
/// It has, with the highest byte first, the class of the size of the set (4 bytes), the least hash of a shingle (8), the
/// size (4), a sum of the hashes (8) and XXH3 of all shingles (16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey([u8; KEY_BYTES]);

impl RowKey {
    /// Returns the key of a set of which these are the bytes.
    fn of(set: &[u64], bytes: &[u8]) -> Self {
        let SetKey { size, least, hash } = SetKey::of(set);
        let mut key = Vec::with_capacity(KEY_BYTES);
        key.extend_from_slice(&floor(size).to_be_bytes());
        key.extend_from_slice(&least.to_be_bytes());
        key.extend_from_slice(&size.to_be_bytes());
        key.extend_from_slice(&hash.to_be_bytes());
        key.extend_from_slice(&xxh3_128(bytes).to_be_bytes());
        Self(key.try_into().expect("the widths above"))
    }

    /// Returns the key that has these bytes.
    ///
    /// # Errors
    ///
    /// [`crate::Error::TileJob`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let key = bytes.try_into().map(Self);
        key.map_err(|_| damaged("keys of sets"))
    }

    /// Returns its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the size of the set.
    #[must_use]
    pub fn size(&self) -> u32 {
        u32::from_be_bytes(self.0[12..16].try_into().expect("four bytes"))
    }

    /// Returns the key that a collection has of the set.
    pub(super) fn set_key(&self) -> SetKey {
        let number = |at: usize| u64::from_be_bytes(self.0[at..at + 8].try_into().expect("eight"));
        SetKey {
            size: self.size(),
            least: number(4),
            hash: number(16),
        }
    }
}

/// A document as a row.
#[derive(Debug, Clone)]
pub struct DocumentRow {
    /// The key of its set.
    pub key: RowKey,
    /// What is kept of it besides its set, as in a file of features.
    pub facts: Vec<u8>,
    /// Its set, as in a file of features.
    pub set: Vec<u8>,
    /// The length of its text in bytes, with a run of white space as one.
    pub length: u64,
}

impl DocumentRow {
    /// Returns the row of a document of which these are the features.
    ///
    /// # Errors
    ///
    /// [`crate::Error::FeaturesDiffer`] if they were made by other detectors.
    pub fn new(options: &Options, features: &Features) -> Result<Self> {
        features.check(options)?;
        let (mut facts, mut set) = (Vec::new(), Vec::new());
        DocumentForm::new(options).push_facts(&mut facts, &features.facts);
        push_set(&mut set, &features.shingles);
        Ok(Self {
            key: RowKey::of(&features.shingles, &set),
            facts,
            set,
            length: features.facts.length,
        })
    }
}

/// Returns the facts that have these bytes.
pub(super) fn facts(options: &Options, mut bytes: &[u8]) -> Result<Facts> {
    let facts = DocumentForm::new(options).facts(&mut bytes);
    let facts = facts.filter(|_| bytes.is_empty());
    facts.ok_or_else(|| damaged("facts of documents"))
}

/// Returns the shingles of a set, ascending, of which these are the key and the bytes.
///
/// # Errors
///
/// [`crate::Error::TileJob`] if it is another set.
pub fn set(key: &RowKey, bytes: &[u8]) -> Result<Vec<u64>> {
    let (mut set, mut rest) = (Vec::new(), bytes);
    let taken = take_set(&mut rest, key.size(), &mut set);
    let is_whole = taken.is_some() && rest.is_empty() && RowKey::of(&set, bytes) == *key;
    is_whole.then_some(set).ok_or_else(|| damaged("sets"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::FeatureMaker;

    #[test]
    fn a_row_has_all_that_features_have() {
        let options = Options::default();
        let features = FeatureMaker::new(&options).features("one two three four five");
        let features = features.unwrap();
        let row = DocumentRow::new(&options, &features).unwrap();
        assert_eq!(facts(&options, &row.facts).unwrap(), features.facts);
        assert_eq!(set(&row.key, &row.set).unwrap(), features.sorted_shingles());
        assert_eq!(RowKey::from_bytes(row.key.as_bytes()).unwrap(), row.key);
        assert_eq!(row.key.set_key(), SetKey::of(&features.shingles));
        for damaged in [&row.set[1..], &[], &[row.set.as_slice(), &[0]].concat()] {
            assert!(set(&row.key, damaged).is_err());
        }
        assert!(facts(&options, &row.facts[1..]).is_err());
        assert!(facts(&options, &[]).is_err());
        assert!(RowKey::from_bytes(&row.facts).is_err());
    }
}
