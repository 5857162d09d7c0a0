//! Words of one document that are replaced by others in the other document again and again: the subjects of two pages
//! of a template.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::compare::passages::Passage;
use crate::compare::side::Side;

/// In how many places words must be swapped.
const LEAST_PLACES: usize = 2;

/// How many units swapped words may have.
const MAX_UNITS: usize = 8;

/// How many swaps are named.
const MAX_SWAPS: usize = 3;

/// Words that are replaced by others in the second document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap<'t> {
    /// The words of the first document.
    pub before: &'t str,
    /// The words of the second document.
    pub after: &'t str,
    /// In how many places.
    pub places: usize,
}

/// Returns the words that are swapped most often in the passages of two documents, those of most places first.
#[must_use]
pub fn swaps<'t>(passages: &[Passage], a: &Side<'t>, b: &Side<'t>) -> Vec<Swap<'t>> {
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for passage in passages {
        let [in_a, in_b] = passage.texts(a, b);
        for ((part, in_a), in_b) in passage.parts.iter().zip(in_a).zip(in_b) {
            let units = 1..=MAX_UNITS;
            if !part.is_same && units.contains(&part.a.len()) && units.contains(&part.b.len()) {
                let words = (a.text()[in_a].trim(), b.text()[in_b].trim());
                *places.entry(words).or_default() += 1;
            }
        }
    }
    let swaps = places.into_iter().map(|((before, after), places)| Swap {
        before,
        after,
        places,
    });
    let mut swaps: Vec<Swap<'_>> = swaps.filter(|swap| swap.places >= LEAST_PLACES).collect();
    swaps.sort_by_key(|swap| Reverse(swap.places));
    swaps.truncate(MAX_SWAPS);
    swaps
}
