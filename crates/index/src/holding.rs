//! Finds every document of an index that may hold a passage of a document.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::Index;
use crate::document::KeptDocument;
use dupfind_engine::Features;

/// How many shingles in a row are looked at together.
const SPAN: u32 = 64;

/// How many of these a document must have, unless the query document has few.
const LEAST: usize = 12;

impl Index {
    /// Returns the documents that have many shingles of a document close together, at most `most` of them, the one that has
    /// most first. The shingles are in the order of the text, as [`dupfind_engine::FeatureMaker`] returns them. A document of
    /// this name is left out; the name may be empty.
    pub fn holding(&self, name: &str, features: &Features, most: usize) -> Vec<&KeptDocument> {
        let least = LEAST.min(features.shingles.len().div_ceil(4)).max(1);
        let mut places: HashMap<u32, Vec<u32>> = HashMap::new();
        for (&shingle, place) in features.shingles.iter().zip(0..) {
            for &holder in self.content.postings.holders(shingle) {
                places.entry(holder).or_default().push(place);
            }
        }
        let each = places.into_iter();
        let each = each.map(|(number, places)| (held(&places, least), number));
        let mut holders: Vec<(usize, u32)> = each.filter(|(held, _)| *held > 0).collect();
        holders.sort_unstable_by_key(|&(held, number)| (Reverse(held), number));
        let documents = holders.iter().map(|&(_, at)| &self.all()[at as usize]);
        let others = documents.filter(|kept| name.is_empty() || kept.name != name);
        others.take(most).collect()
    }
}

/// Returns how many of some ascending places are in a span with `least` of them or more.
fn held(places: &[u32], least: usize) -> usize {
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
        assert_eq!(held(&[0, 100, 200, 300], 2), 0);
        assert_eq!(held(&[0, 10, 20, 100, 300], 3), 3);
        assert_eq!(held(&(0..200).collect::<Vec<_>>(), 12), 200);
        assert_eq!(held(&[], 1), 0);
    }
}
