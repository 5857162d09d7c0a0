//! The pairs of an index on disk.
//!
//! All numbers are varints. The hashes of the sets come first, with 16 bytes each. Then come the pairs:
//! how much larger the first set is than that of the pair before, the second set, the shared shingles and their weight.
//! The overlaps of other sets follow in the same form, without a weight.

use std::io::Write;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::files::folder::{create, failed, part};
use crate::segment::document::{hash, push_hash};
use dupfind_engine::error::{Error, Result};
use dupfind_engine::features::file::numbers::{push_varint, varint};
use dupfind_engine::pairing::known_join::{KnownPair, KnownPairs};
use dupfind_files::open::read_regular;

/// The pairs of sets that are known by their hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PairsOfSets {
    /// The hash of each set.
    pub(crate) sets: Vec<u128>,
    /// Pairs of positions in `sets`.
    pub(crate) known: KnownPairs,
}

/// Writes pairs to the file of a number. Returns the checksum.
///
/// # Errors
///
/// [`Error::IndexIo`].
pub(crate) fn write_pairs(folder: &Path, file: u64, pairs: &PairsOfSets) -> Result<String> {
    let path = part(folder, file);
    let bytes = bytes_of(pairs);
    create(&path, |out| {
        out.write_all(&bytes)
            .map_err(|source| failed("write", &path, source))
    })?;
    Ok(checksum(&bytes, file))
}

/// Reads the pairs in the file of a number.
///
/// # Errors
///
/// [`Error::IndexIo`], and [`Error::Index`] if it is damaged.
pub(crate) fn read_pairs(folder: &Path, file: u64, sum: &str) -> Result<PairsOfSets> {
    let path = part(folder, file);
    let bytes = read_regular(&path).map_err(|source| failed("read", &path, source))?;
    let parsed = if checksum(&bytes, file) == sum {
        parse(&bytes)
    } else {
        None
    };
    parsed.ok_or_else(|| Error::Index {
        path,
        reason: "it is damaged: it is not what was written".into(),
    })
}

fn checksum(bytes: &[u8], file: u64) -> String {
    format!("{:016x}", xxh3_64_with_seed(bytes, file))
}

fn bytes_of(PairsOfSets { sets, known }: &PairsOfSets) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 * sets.len() + 10 * known.pairs.len());
    push_varint(&mut out, sets.len() as u64);
    for &set in sets {
        push_hash(&mut out, set);
    }
    push_varint(&mut out, known.pairs.len() as u64);
    let mut last = 0;
    for pair in &known.pairs {
        for number in [pair.x - last, pair.y, pair.overlap] {
            push_varint(&mut out, number.into());
        }
        push_varint(&mut out, pair.shared_weight);
        last = pair.x;
    }
    push_varint(&mut out, known.cohesion_overlaps.len() as u64);
    let mut last = 0;
    for &((x, y), overlap) in &known.cohesion_overlaps {
        for number in [x - last, y, overlap] {
            push_varint(&mut out, number.into());
        }
        last = x;
    }
    out
}

fn parse(mut rest: &[u8]) -> Option<PairsOfSets> {
    let rest = &mut rest;
    let small = |rest: &mut &[u8]| u32::try_from(varint(rest)?).ok();
    let count = small(rest)?;
    let mut sets = Vec::new();
    for _ in 0..count {
        sets.push(hash(rest)?);
    }
    let mut known = KnownPairs::default();
    let two = |rest: &mut &[u8], last: &mut u32| {
        let x = last.checked_add(small(rest)?)?;
        let y = small(rest)?;
        *last = x;
        (y < x && x < count).then_some((x, y))
    };
    let mut last = 0;
    for _ in 0..varint(rest)? {
        let (x, y) = two(rest, &mut last)?;
        known.pairs.push(KnownPair {
            x,
            y,
            overlap: small(rest)?,
            shared_weight: varint(rest)?,
        });
    }
    last = 0;
    for _ in 0..varint(rest)? {
        let pair = two(rest, &mut last)?;
        known.cohesion_overlaps.push((pair, small(rest)?));
    }
    rest.is_empty().then_some(PairsOfSets { sets, known })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn pairs_come_back_and_every_damage_is_seen() {
        let pair = |x, y| KnownPair {
            x,
            y,
            overlap: 300,
            shared_weight: 1 << 40,
        };
        let known = KnownPairs {
            pairs: vec![pair(1, 0), pair(299, 5), pair(299, 200)],
            cohesion_overlaps: vec![((7, 2), 9)],
        };
        let sets = (0..300).map(|set| u128::MAX - set).collect();
        let known = PairsOfSets { sets, known };
        let folder = tempfile::tempdir().unwrap();
        let sum = write_pairs(folder.path(), 3, &known).unwrap();
        assert_eq!(read_pairs(folder.path(), 3, &sum).unwrap(), known);
        let path = part(folder.path(), 3);
        let bytes = fs::read(&path).unwrap();
        for end in 0..bytes.len() {
            assert_eq!(parse(&bytes[..end]), None);
        }
        for at in (0..bytes.len()).step_by(97) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 16;
            fs::write(&path, damaged).unwrap();
            assert!(read_pairs(folder.path(), 3, &sum).is_err());
        }
    }
}
