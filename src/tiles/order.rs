//! The documents of all parts, in the order of their shingle sets.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::BufReader;

use crate::engine::{Features, FeaturesReader, Options};
use crate::error::Result;
use crate::join::groups::NONE;
use crate::join::index::distinct::SetKey;
use crate::tiles::part::{Part, SetOrder};
use crate::tiles::refused;

/// A document of a part.
pub(super) struct Ranked {
    /// The position of its part.
    pub(super) part: usize,
    /// The rank of its set among the distinct ones; [`NONE`] if it has no shingles.
    pub(super) rank: u32,
    /// Whether it is the first one with its set.
    pub(super) is_first: bool,
    pub(super) name: String,
    pub(super) features: Features,
}

/// Gives the documents of all parts in the order of their sets, which have ranks: the same as in a scan of all
/// documents.
pub(super) struct InOrder<'p> {
    parts: &'p [Part],
    readers: Vec<FeaturesReader<BufReader<File>>>,
    /// The next document of each part.
    heads: Vec<Option<(String, Features)>>,
    next: BinaryHeap<Reverse<(SetOrder, usize)>>,
    /// The key of the set before, and the set.
    before: Option<(SetOrder, Vec<u64>)>,
    rank: u32,
}

impl<'p> InOrder<'p> {
    /// Begins to read all parts.
    ///
    /// # Errors
    ///
    /// [`crate::Error::TileFile`].
    pub(super) fn new(parts: &'p [Part], options: &Options) -> Result<Self> {
        let readers = parts.iter().map(|part| part.reader(options));
        let mut all = Self {
            parts,
            readers: readers.collect::<Result<_>>()?,
            heads: Vec::new(),
            next: BinaryHeap::new(),
            before: None,
            rank: 0,
        };
        for part in 0..parts.len() {
            all.heads.push(None);
            all.read(part)?;
        }
        Ok(all)
    }

    /// Reads the next document of a part. Returns the key of its set.
    fn read(&mut self, part: usize) -> Result<Option<SetOrder>> {
        let read = self.readers[part].next().transpose();
        self.heads[part] = read.map_err(|error| self.parts[part].refused(&error))?;
        let head = self.heads[part].as_ref();
        let key = head.map(|(_, features)| SetKey::of(&features.shingles).into());
        self.next.extend(key.map(|key| Reverse((key, part))));
        Ok(key)
    }

    fn next_ranked(&mut self) -> Result<Option<Ranked>> {
        let Some(Reverse((key, part))) = self.next.pop() else {
            return Ok(None);
        };
        let (name, features) = self.heads[part].take().expect("its key was there");
        if self.read(part)?.is_some_and(|next| next < key) {
            return Err(refused(
                self.parts[part].path(),
                "its documents are not in the order of their sets",
            ));
        }
        let mut ranked = Ranked {
            part,
            rank: NONE,
            is_first: false,
            name,
            features,
        };
        if !ranked.features.shingles.is_empty() {
            // Sets come out of a file in ascending order of their shingles.
            let shingles = &ranked.features.shingles;
            let is_same = |(before, set): &(SetOrder, Vec<u64>)| *before == key && set == shingles;
            ranked.is_first = !self.before.as_ref().is_some_and(is_same);
            if ranked.is_first
                && let Some((last, _)) = self.before.replace((key, shingles.clone()))
            {
                debug_assert!(last <= key);
                self.rank += 1;
            }
            ranked.rank = self.rank;
        }
        Ok(Some(ranked))
    }
}

impl Iterator for InOrder<'_> {
    type Item = Result<Ranked>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_ranked().transpose()
    }
}
