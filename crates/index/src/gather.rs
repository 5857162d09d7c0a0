//! Which few documents of an index explain a document.
//!
//! The document that has most of its shingles comes first, then the one that has most of those that the first one does
//! not have, and so on (greedy cover, Chvatal 1979).

use crate::Index;
use crate::segment::each_number;
use dupfind_engine::Result;
use dupfind_engine::{FeatureMaker, Features};

/// The fewest shingles that a document must add, unless the query document has fewer than 100.
const LEAST: usize = 10;

/// What a document is made of.
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
    /// Returns which few documents explain a text: at most `most` of them.
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
        match FeatureMaker::new(&self.options).features(text) {
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
        let mut shingles = features.shingles.clone();
        shingles.sort_unstable();
        // The documents that have each shingle, as segment and number.
        let mut lists: Vec<Vec<(u32, u32)>> = vec![Vec::new(); shingles.len()];
        // How many of the shingles that are left each document has, by segment and number.
        let documents = self.segments.iter().map(|segment| segment.count() as usize);
        let mut counts: Vec<Vec<u32>> = documents.map(|count| vec![0; count]).collect();
        for (segment, at) in self.segments.iter().zip(0..) {
            let mut cursor = segment.shingles();
            for (shingle, list) in shingles.iter().zip(&mut lists) {
                if !cursor.find(*shingle)? {
                    continue;
                }
                each_number(cursor.value(), |number| {
                    let is_live = number < segment.count() && !segment.tombstones.have(number);
                    if is_live {
                        list.push((at, number));
                        counts[at as usize][number as usize] += 1;
                    }
                })?;
            }
        }
        let shared = counts.clone();
        let least = LEAST.min(shingles.len().div_ceil(10));
        let mut gathered = Gathered {
            shingles: shingles.len(),
            ..Gathered::default()
        };
        let mut is_left = vec![true; shingles.len()];
        while gathered.parts.len() < most {
            // Of two that add as many, the one that shares more, then the older one.
            let (mut best, mut place) = ((0, 0), None);
            for (segment, (counts, shared)) in (0..).zip(counts.iter().zip(&shared)) {
                let measures = counts.iter().copied().zip(shared.iter().copied());
                for (number, measures) in (0..).zip(measures) {
                    if measures > best {
                        (best, place) = (measures, Some((segment, number)));
                    }
                }
            }
            let place: Option<(u32, u32)> = place.filter(|_| best.0 as usize >= least);
            let Some(place) = place else {
                break;
            };
            let kept = self.segments[place.0 as usize].document(place.1)?;
            if !name.is_empty() && kept.name == name {
                counts[place.0 as usize][place.1 as usize] = 0;
                continue;
            }
            let mut adds = Vec::new();
            for (at, list) in lists.iter().enumerate() {
                if is_left[at] && list.binary_search(&place).is_ok() {
                    is_left[at] = false;
                    adds.push(shingles[at]);
                    for &(segment, number) in list {
                        let count = &mut counts[segment as usize][number as usize];
                        *count = count.saturating_sub(1);
                    }
                }
            }
            gathered.parts.push(Part {
                name: kept.name,
                text_hash: kept.facts.text_hash,
                adds,
                shared: shared[place.0 as usize][place.1 as usize] as usize,
            });
        }
        gathered.nowhere = is_left.iter().filter(|&&is_left| is_left).count();
        Ok(gathered)
    }
}
