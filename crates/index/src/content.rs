//! The content of an index, and its file.
//!
//! The file begins with `dupfind index VERSION` and a line end, then a hash of the rest: XXH3, 8 bytes. The rest has the
//! options that it was made with, the files, the documents and all shingles.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::catalog::Catalog;
use crate::document::{KeptDocument, push_text, text};
use crate::postings::Postings;
use dupfind_engine::features::bytes::{DocumentForm, bytes, push_varint, value, varint};
use dupfind_engine::join::weighted::weight;
use dupfind_engine::{Error, Identity, Options, Result};
use dupfind_files::open::read_regular;

/// The beginning of the file.
const MARK: &[u8] = b"dupfind index ";

/// The version of its form, and the end of the line.
const VERSION: &[u8] = b"9\n";

/// The documents of an index, and what follows from them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Content {
    pub(crate) catalog: Catalog,
    pub(crate) documents: Vec<KeptDocument>,
    pub(crate) postings: Postings,
    /// The hash of the shingle set of each document.
    pub(crate) sets: Vec<u128>,
    /// Whether each document is the first one with its shingle set.
    pub(crate) is_first: Vec<bool>,
    /// The weight of the shingles of each document.
    pub(crate) weights: Vec<u64>,
}

/// What is at the place of an index.
pub(crate) enum Found {
    Nothing,
    Index(Content),
    /// An index that cannot be used, and why.
    Unusable(String),
}

/// Returns a hash that is added up for all shingles of a set, whatever their order.
fn hash_in_set(shingle: u64) -> u128 {
    xxh3_128(&shingle.to_le_bytes())
}

/// Returns the hash of a shingle set.
pub(crate) fn set_hash(set: impl Iterator<Item = u64>) -> u128 {
    set.map(hash_in_set).fold(0, u128::wrapping_add)
}

impl Content {
    pub(crate) fn new(catalog: Catalog, documents: Vec<KeptDocument>, postings: Postings) -> Self {
        let mut sets = vec![0_u128; documents.len()];
        for (shingle, holders) in postings.lists() {
            let hash = hash_in_set(shingle);
            for &holder in holders {
                let set = &mut sets[holder as usize];
                *set = set.wrapping_add(hash);
            }
        }
        let mut known = HashSet::new();
        let is_first = sets.iter().map(|set| known.insert(*set)).collect();
        let mut content = Self {
            weights: vec![0; documents.len()],
            catalog,
            documents,
            postings,
            sets,
            is_first,
        };
        for (_, holders) in content.postings.lists() {
            let weight = u64::from(weight(content.frequency_among(holders)));
            for &holder in holders {
                content.weights[holder as usize] += weight;
            }
        }
        content
    }

    /// Returns in how many documents a shingle is. Documents with equal sets count once.
    pub(crate) fn frequency(&self, shingle: u64) -> u32 {
        self.frequency_among(self.postings.holders(shingle))
    }

    fn frequency_among(&self, holders: &[u32]) -> u32 {
        let first = holders.iter().filter(|&&at| self.is_first[at as usize]);
        u32::try_from(first.count()).expect("not more than documents")
    }

    /// Returns the content in the form of the file.
    pub(crate) fn bytes(&self, options: &Options, made_with: &str) -> Vec<u8> {
        let mut rest = Vec::with_capacity(12 * self.postings.shingles.len());
        push_text(&mut rest, made_with);
        self.catalog.push(&mut rest);
        push_varint(&mut rest, self.documents.len() as u64);
        let form = DocumentForm::new(options);
        for document in &self.documents {
            document.push(form, &mut rest);
        }
        let Postings { shingles, holders } = &self.postings;
        push_varint(&mut rest, shingles.len() as u64);
        rest.extend(shingles.iter().flat_map(|shingle| shingle.to_le_bytes()));
        rest.extend(holders.iter().flat_map(|holder| holder.to_le_bytes()));
        let checksum = xxh3_64(&rest).to_le_bytes();
        [MARK, VERSION, &checksum, &rest].concat()
    }

    /// Reads a file. `made_with` has all options that its documents depend on.
    ///
    /// # Errors
    ///
    /// [`Error::IndexIo`] if it cannot be read, [`Error::Index`] if it is no index.
    pub(crate) fn read(path: &Path, options: &Options, made_with: &str) -> Result<Found> {
        let read = match read_regular(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
            read => read.map_err(|source| Error::IndexIo {
                action: "read",
                path: path.to_owned(),
                source,
            })?,
        };
        if !read.starts_with(MARK) {
            return Err(Error::Index {
                path: path.to_owned(),
                reason: "it is no index, and it is in the place of one".into(),
            });
        }
        let damaged = || Found::Unusable("the index is damaged".into());
        let rest = read.strip_prefix(MARK).unwrap_or_default();
        let Some(mut rest) = rest.strip_prefix(VERSION) else {
            let is_whole = rest.iter().take(20).any(|&byte| byte == b'\n');
            let is_other =
                is_whole.then(|| Found::Unusable("the index is of another version".into()));
            return Ok(is_other.unwrap_or_else(damaged));
        };
        let rest = &mut rest;
        if value(rest) != Some(xxh3_64(rest)) {
            return Ok(damaged());
        }
        let Some(found) = text(rest) else {
            return Ok(damaged());
        };
        if let Some(difference) = difference(found, made_with) {
            return Ok(Found::Unusable(difference));
        }
        Ok(Self::parse(rest, options).map_or_else(damaged, Found::Index))
    }

    fn parse(rest: &mut &[u8], options: &Options) -> Option<Self> {
        let catalog = Catalog::take(rest)?;
        let form = DocumentForm::new(options);
        let count = usize::try_from(varint(rest)?).ok()?;
        let documents = (0..count).map(|_| KeptDocument::take(form, rest));
        let documents: Vec<KeptDocument> = documents.collect::<Option<_>>()?;
        let count = usize::try_from(varint(rest)?).ok()?;
        let shingles = bytes(rest, count.checked_mul(8)?)?.chunks_exact(8);
        let shingles = shingles.map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight")));
        let holders = bytes(rest, count.checked_mul(4)?)?.chunks_exact(4);
        let holders = holders.map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four")));
        let postings = Postings {
            shingles: shingles.collect(),
            holders: holders.collect(),
        };
        let is_right = rest.is_empty() && postings.are_of(&documents);
        is_right.then(|| Self::new(catalog, documents, postings))
    }
}

impl Postings {
    /// Returns whether they ascend, and each of these documents has as many shingles as it says.
    fn are_of(&self, documents: &[KeptDocument]) -> bool {
        let mut left: Vec<u32> = documents.iter().map(|kept| kept.facts.shingles).collect();
        let mut last = None;
        for posting in self.shingles.iter().zip(&self.holders) {
            let Some(left) = left.get_mut(*posting.1 as usize) else {
                return false;
            };
            if *left == 0 || last >= Some(posting) {
                return false;
            }
            *left -= 1;
            last = Some(posting);
        }
        left.iter().all(|&left| left == 0)
    }
}

/// Returns the first difference of two lists of options, of lines `name=value`.
fn difference(found: &str, expected: &str) -> Option<String> {
    let parsed = Identity::parse(found).zip(Identity::parse(expected));
    match parsed.map(|(found, expected)| expected.check(&found)) {
        Some(Ok(())) => None,
        Some(Err(Error::FeaturesDiffer {
            name,
            found,
            expected,
        })) => Some(format!(
            "the index was made with {name} {found}, not {expected}"
        )),
        _ => Some("the index is damaged".into()),
    }
}
