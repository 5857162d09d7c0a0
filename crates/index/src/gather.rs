//! Finds the few documents of an index that explain a document.

use crate::Index;
use crate::segment::each_number;
use dupfind_engine::join::cover::cover;
use dupfind_engine::{FeatureMaker, Features, Result};
use dupfind_read::{ReadOptions, row_features};

/// The fewest shingles that a document must add, unless the query document has fewer than 100.
const LEAST: usize = 10;

/// The documents that explain a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gathered {
    /// How many shingles it has.
    pub shingles: usize,
    /// The documents that explain it, the one that explains most first.
    pub parts: Vec<Part>,
    /// How many of its shingles none of these documents has.
    pub nowhere: usize,
}

/// A document that explains a part of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The hash of its text.
    pub text_hash: u64,
    /// The shingles that it explains and no document before it does.
    pub adds: Vec<u64>,
    /// How many shingles both have.
    pub shared: usize,
}

impl Index {
    /// Returns the few documents that explain a text: at most `most` of them.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    ///
    /// # Examples
    ///
    /// ```
    /// use dupfind_engine::Options;
    /// use dupfind_index::Index;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut index = Index::create(folder.path().join("site.dupidx"), &Options::default())?;
    /// index.update([("park", "the old park by the river opened to the public thirty years ago today")])?;
    /// let draft = "the old park by the river opened to the public, and a new text of many words follows it";
    /// let gathered = index.gather(draft, 10)?;
    /// assert_eq!((gathered.parts[0].name.as_str(), gathered.parts[0].adds.len()), ("park", 8));
    /// assert_eq!(gathered.nowhere, 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gather(&self, text: &str, most: usize) -> Result<Gathered> {
        let mut maker = FeatureMaker::new(&self.options);
        match row_features(&mut maker, text, &ReadOptions::default()) {
            Some(features) => self.gather_features("", &features, most),
            None => Ok(Gathered::default()),
        }
    }

    /// As [`Self::gather`], for a document of this name: it does not explain itself. The name may be empty.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn gather_features(
        &self,
        name: &str,
        features: &Features,
        most: usize,
    ) -> Result<Gathered> {
        let shingles = features.sorted_shingles();
        // The documents that have each shingle. They are numbered through all segments.
        let mut owners: Vec<Vec<usize>> = vec![Vec::new(); shingles.len()];
        let (mut firsts, mut count) = (Vec::new(), 0);
        for segment in &self.segments {
            let mut cursor = segment.shingles();
            for (shingle, owners) in shingles.iter().zip(&mut owners) {
                if !cursor.find(*shingle)? {
                    continue;
                }
                each_number(cursor.value(), |number| {
                    if number < segment.count() && !segment.tombstones.have(number) {
                        owners.push(count + number as usize);
                    }
                })?;
            }
            firsts.push(count);
            count += segment.count() as usize;
        }
        let document = |number: usize| {
            let at = firsts.partition_point(|&first| first <= number) - 1;
            let number = u32::try_from(number - firsts[at]).expect("a number of a segment");
            self.segments[at].document(number)
        };
        let least = LEAST.min(shingles.len().div_ceil(10));
        let is_other = |number| Ok(name.is_empty() || document(number)?.name != name);
        let mut gathered = Gathered {
            shingles: shingles.len(),
            parts: Vec::new(),
            nowhere: shingles.len(),
        };
        for cover in cover(&owners, count, least, most, is_other)? {
            let kept = document(cover.set)?;
            gathered.nowhere -= cover.adds.len();
            gathered.parts.push(Part {
                name: kept.name,
                text_hash: kept.facts.text_hash,
                adds: cover.adds.iter().map(|&at| shingles[at]).collect(),
                shared: cover.shared,
            });
        }
        Ok(gathered)
    }
}
