//! The data that moves from step to step, as bytes: the features of a document, the key that orders its set, numbers and
//! pairs.

use postcard::{take_from_bytes, to_allocvec};
use xxhash_rust::xxh3::xxh3_128;

use dupfind_engine::features::Facts;
use dupfind_engine::features::bytes::{bytes, push_set, take_set};
use dupfind_engine::join::inverted::distinct::SetKey;
use dupfind_engine::join::inverted::{SetPair, floor};
use dupfind_engine::{Error, Features, Options, Result, Weighted};

/// Returns the error of bytes that no step has made.
pub(crate) fn damaged(what: &str) -> Error {
    Error::TileJob(format!("{what} are damaged: they are not what was written"))
}

/// Takes some bytes off the front; `None` if there are fewer.
pub(crate) fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    bytes(rest, N)?.try_into().ok()
}

/// Appends pairs: for each two different shingle sets by rank, the later one first, the sizes of their intersection and of
/// their union (4 bytes each), and the weighted similarity and containment (2 bytes each).
pub(crate) fn push_pairs(out: &mut Vec<u8>, pairs: &[SetPair]) {
    for pair in pairs {
        for number in [pair.x, pair.y, pair.overlap, pair.union] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for share in [pair.weighted.similarity, pair.weighted.containment] {
            out.extend_from_slice(&share.to_le_bytes());
        }
    }
}

/// Takes a pair off the front; `None` if it is cut off.
pub(crate) fn take_pair(rest: &mut &[u8]) -> Option<SetPair> {
    let mut number = || take(rest).map(u32::from_le_bytes);
    let [x, y, overlap, union] = [number()?, number()?, number()?, number()?];
    let mut share = || take(rest).map(u16::from_le_bytes);
    Some(SetPair {
        x,
        y,
        overlap,
        union,
        weighted: Weighted {
            similarity: share()?,
            containment: share()?,
        },
    })
}

/// The key of a shingle set. Keys are compared as bytes: their order is that of the sets, and equal sets have equal keys.
///
/// It has, with the highest byte first, the class of the size of the set (4 bytes), the least hash of a shingle (8), the
/// size (4), a sum of the hashes (8) and XXH3 of the bytes of the set (16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankKey([u8; 40]);

impl RankKey {
    /// Returns the key of a set that has these bytes.
    fn of_bytes(set: &[u64], bytes: &[u8]) -> Self {
        let SetKey { size, least, hash } = SetKey::of(set);
        let digest = xxh3_128(bytes);
        let mut key = Vec::with_capacity(40);
        key.extend_from_slice(&floor(size).to_be_bytes());
        key.extend_from_slice(&least.to_be_bytes());
        key.extend_from_slice(&size.to_be_bytes());
        key.extend_from_slice(&hash.to_be_bytes());
        key.extend_from_slice(&digest.to_be_bytes());
        Self(key.try_into().expect("the widths above"))
    }

    /// Returns the key that has these bytes.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let key = bytes.try_into().map(Self);
        key.map_err(|_| damaged("keys of sets"))
    }

    /// Returns its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the size of the set.
    pub fn size(&self) -> u32 {
        u32::from_be_bytes(self.0[12..16].try_into().expect("four bytes"))
    }

    /// Returns the key that a collection has of the set.
    pub(crate) fn set_key(&self) -> SetKey {
        let number = |at: usize| u64::from_be_bytes(self.0[at..at + 8].try_into().expect("eight"));
        SetKey {
            size: self.size(),
            least: number(4),
            hash: number(16),
        }
    }
}

/// The features of a document as bytes.
#[derive(Debug, Clone)]
pub struct DocumentBytes {
    /// The key of its set.
    pub key: RankKey,
    /// Its facts, which are kept besides its set.
    pub facts: Vec<u8>,
    /// Its set: its shingles, ascending, as varint differences.
    pub set: Vec<u8>,
}

impl DocumentBytes {
    /// Returns the bytes of features.
    ///
    /// # Errors
    ///
    /// [`Error::FeaturesDiffer`] if they were made by other detectors.
    pub fn new(options: &Options, features: &Features) -> Result<Self> {
        features.check(options)?;
        let mut set = Vec::new();
        push_set(&mut set, &features.shingles);
        Ok(Self {
            key: RankKey::of_bytes(&features.shingles, &set),
            facts: to_allocvec(&features.facts).expect("memory takes anything"),
            set,
        })
    }
}

/// Returns the facts that have these bytes.
pub(crate) fn facts(options: &Options, bytes: &[u8]) -> Result<Facts> {
    let taken = take_from_bytes::<Facts>(bytes).ok();
    let taken = taken.filter(|(facts, rest)| rest.is_empty() && facts.are_of(options));
    let facts = taken.map(|(facts, _)| facts);
    facts.ok_or_else(|| damaged("facts of documents"))
}

/// Returns the shingles, ascending, of the set with this key and these bytes.
///
/// # Errors
///
/// [`Error::TileJob`] if it is another set.
pub(crate) fn set(key: &RankKey, bytes: &[u8]) -> Result<Vec<u64>> {
    let (mut set, mut rest) = (Vec::new(), bytes);
    let taken = take_set(&mut rest, key.size(), &mut set);
    let is_whole = taken.is_some() && rest.is_empty() && RankKey::of_bytes(&set, bytes) == *key;
    is_whole.then_some(set).ok_or_else(|| damaged("sets"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_engine::FeatureMaker;

    #[test]
    fn bytes_have_all_that_features_have() {
        let options = Options::default();
        let features = FeatureMaker::new(&options).features("one two three four five");
        let features = features.unwrap();
        let bytes = DocumentBytes::new(&options, &features).unwrap();
        assert_eq!(facts(&options, &bytes.facts).unwrap(), features.facts);
        let expected = features.sorted_shingles();
        assert_eq!(set(&bytes.key, &bytes.set).unwrap(), expected);
        let expected = bytes.key;
        assert_eq!(RankKey::from_bytes(bytes.key.as_bytes()).unwrap(), expected);
        assert_eq!(bytes.key.set_key(), SetKey::of(&features.shingles));
        for damaged in [&bytes.set[1..], &[], &[bytes.set.as_slice(), &[0]].concat()] {
            assert!(set(&bytes.key, damaged).is_err());
        }
        assert!(facts(&options, &bytes.facts[1..]).is_err());
        assert!(facts(&options, &[]).is_err());
        assert!(RankKey::from_bytes(&bytes.key.as_bytes()[1..]).is_err());
    }
}
