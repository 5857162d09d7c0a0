//! The exact join of signatures: all pairs that agree in enough places. A signature is a few hashes, and two agree in a
//! place if both have the same hash there.
//!
//! For every choice of as many places as are asked for, signatures that agree in all of them are brought together by
//! sorting, so that every pair there is an answer. As in [`crate::join::hamming`] a pair is reported for the first places
//! in which it agrees and for no others, and equal signatures are joined once for all of their positions.
//!
//! A count of the places in which each pair meets would need no choices of places, but
//! pages of one template meet in one place by the million, and only two are requested.
//!
//! Cost: one sort for each choice, and one look at a pair for every choice of the places in which it agrees.

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprint::ABSENT;
use crate::join::groups::{Groups, Similar};
use crate::join::hamming::combinations;
use crate::join::shared::agreeing;

/// Returns the groups of equal signatures among some of `width` values each, one after the other, and the pairs of groups that
/// agree in at least `least` places. A signature with fewer than `least` values is in no group.
///
/// # Panics
///
/// If there are 2^32 signatures or more, values of a part of one, or unless 1 <= `least` <= `width`.
pub(crate) fn similar(signatures: &[u64], width: usize, least: usize) -> Similar {
    assert!((1..=width).contains(&least), "1 <= least <= width");
    assert!(signatures.len().is_multiple_of(width), "whole signatures");
    let count = u32::try_from(signatures.len() / width).expect("positions are 32 bits wide");
    let signature = |position: u32| &signatures[position as usize * width..][..width];
    let mut order: Vec<u32> = (0..count)
        .filter(|&position| {
            let signature = signature(position);
            agreeing(signature, signature) as usize >= least
        })
        .collect();
    order.par_sort_unstable_by_key(|&position| (signature(position), position));
    let groups = Groups::of(order, |a, b| signature(a) == signature(b));
    let distinct: Vec<&[u64]> = groups.firsts().map(signature).collect();
    let choices = combinations(width, least);
    let pairs = choices.par_iter();
    let pairs = pairs.flat_map_iter(|choice| agreeing_first_in(&distinct, choice));
    Similar {
        pairs: pairs.collect(),
        groups,
    }
}

/// Returns the pairs of signatures, each as (larger, smaller), whose first places in which they agree are these.
fn agreeing_first_in(signatures: &[&[u64]], choice: &[usize]) -> Vec<(u32, u32)> {
    // Hashes beside the numbers: to fetch values while sorting is slower than the sorting.
    let key = |(number, signature): (u32, &&[u64])| {
        let values = choice.iter().map(|&place| signature[place]);
        let values: Vec<u64> = values.filter(|&value| value != ABSENT).collect();
        let is_whole = values.len() == choice.len();
        is_whole.then(|| (xxh3_64(bytemuck::cast_slice(&values)), number))
    };
    let mut keyed: Vec<(u64, u32)> = (0..).zip(signatures).filter_map(key).collect();
    keyed.sort_unstable();
    let mut pairs = Vec::new();
    for same in keyed.chunk_by(|a, b| a.0 == b.0) {
        for (at, &(_, y)) in same.iter().enumerate() {
            for &(_, x) in &same[at + 1..] {
                let both = signatures[x as usize].iter().zip(signatures[y as usize]);
                let places = both.enumerate();
                let agreeing = places.filter(|(_, (x, y))| x == y && **x != ABSENT);
                let agreeing = agreeing.map(|(place, _)| place);
                if agreeing.take(choice.len()).eq(choice.iter().copied()) {
                    pairs.push((x, y));
                }
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use crate::join::oracle::joined::agreement as self_join;
    use crate::join::oracle::{self, AgreementPair};
    use proptest::prelude::*;

    #[test]
    fn a_template_that_all_share_costs_no_comparisons() {
        // 200,000 signatures that agree in one place: 20 billion pairs, one of which agrees in two.
        let count = 200_000;
        let signatures = (1..=count).flat_map(|own| [7, own, count + own.max(2)]);
        let found = self_join(&signatures.collect::<Vec<u64>>(), 3, 2);
        let expected = [AgreementPair {
            a: 0,
            b: 1,
            agreeing: 2,
        }];
        assert_eq!(found, expected);
    }

    proptest! {
        #[test]
        fn equals_the_exhaustive_join(
            width in 1_usize..8,
            least in 1_usize..8,
            // Few values, so that many agree; 0 is none.
            values in prop::collection::vec(0_u64..6, 0..400),
            rare in 1_u64..5,
        ) {
            let least = least.min(width);
            let whole = values.len() / width * width;
            let spread = |(at, &value): (usize, &u64)| match value {
                0 => 0,
                value => value + (at as u64 % rare) * 10,
            };
            let signatures: Vec<u64> = values[..whole].iter().enumerate().map(spread).collect();
            let found = self_join(&signatures, width, least);
            prop_assert_eq!(found, oracle::agreement(&signatures, width, least));
        }
    }
}
