//! Finds every document of an index that may hold a passage of a document.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::Index;
use crate::segment::document::KeptDocument;
use crate::segment::each_number;
use dupfind_engine::{Features, Result};

/// How many shingles in a row are looked at together.
const SPAN: u32 = 64;

/// How many of these a document must have, unless the query document has few.
const LEAST: usize = 12;

impl Index {
    /// Returns the documents that have many shingles of a document close together, at most `most` of them, the one that has
    /// most first. The shingles are in the order of the text, as [`dupfind_engine::FeatureMaker`] returns them. A document of
    /// this name is left out; the name may be empty.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn holding(
        &self,
        name: &str,
        features: &Features,
        most: usize,
    ) -> Result<Vec<KeptDocument>> {
        let mut shingles: Vec<(u64, u32)> = features.shingles.iter().copied().zip(0..).collect();
        shingles.sort_unstable();
        let least = LEAST.min(shingles.len().div_ceil(4)).max(1);
        let mut holders: Vec<(usize, usize, u32)> = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let mut places: HashMap<u32, Vec<u32>> = HashMap::new();
            let mut cursor = segment.shingles();
            for &(shingle, place) in &shingles {
                if cursor.find(shingle)? {
                    each_number(cursor.value(), |number| {
                        if number < segment.count() && !segment.tombstones.have(number) {
                            places.entry(number).or_default().push(place);
                        }
                    })?;
                }
            }
            let held = places
                .into_iter()
                .map(|(number, places)| (held(places, least), at, number));
            holders.extend(held.filter(|(held, ..)| *held > 0));
        }
        holders.sort_unstable_by_key(|&(held, at, number)| (Reverse(held), at, number));
        let mut documents = Vec::new();
        for (_, at, number) in holders {
            if documents.len() == most {
                break;
            }
            let document = self.segments[at].document(number)?;
            if name.is_empty() || document.name != name {
                documents.push(document);
            }
        }
        Ok(documents)
    }
}

/// Returns how many of some places are in a span with `least` of them or more.
fn held(mut places: Vec<u32>, least: usize) -> usize {
    places.sort_unstable();
    let (mut count, mut first, mut counted) = (0, 0, 0);
    for (last, place) in places.iter().enumerate() {
        while place - places[first] >= SPAN {
            first += 1;
        }
        if last + 1 - first >= least {
            let start = first.max(counted);
            count += last + 1 - start;
            counted = last + 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_places_that_are_close_together_count() {
        assert_eq!(held(vec![0, 100, 200, 300], 2), 0);
        assert_eq!(held(vec![300, 0, 10, 20, 100], 3), 3);
        assert_eq!(held((0..200).collect(), 12), 200);
        assert_eq!(held(Vec::new(), 1), 0);
    }
}
