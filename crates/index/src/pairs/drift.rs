//! Which sets may have pairs by weight that are not known.
//!
//! Pairs are known down to the weighted similarity k by the known frequencies, and are to be found from t on by those of
//! today. Let X and Y be the weights of two sets today, X' and Y' those by the known frequencies, and S and S' what they
//! share. If the pair is not known,
//!
//! ```text
//! S' < k / (1 + k) (X' + Y')
//! ```
//!
//! Some shingles of the first set weigh more today. Let G be the sum of their gains, and H the same for the second set. A
//! shared shingle is in both sets. So S is at most S' + min(G, H), which is at most S' + G / 2 + H / 2. The pair is found
//! today only if
//!
//! ```text
//! S >= t / (1 + t) (X + Y)
//! ```
//!
//! Both sides are sums of a part of X and a part of Y. So it is not found if for each of the two sets
//!
//! ```text
//! k / (1 + k) X' + G / 2 <= t / (1 + t) X
//! ```
//!
//! A set for which this does not hold has drifted. Every unknown pair has a drifted set, and these are searched.

use crate::pairs::measure::Measured;
use dupfind_engine::join::threshold::WeightedThreshold;
use dupfind_engine::join::weighted::Weighted;
use dupfind_engine::pairing::known_join::least_kept;

/// Returns the sets that have drifted, ascending.
pub(super) fn drifted(
    measured: &Measured,
    threshold: WeightedThreshold,
    sizes: &[u32],
) -> impl Iterator<Item = u32> {
    let has_drifted = move |&set: &u32| {
        let at = set as usize;
        sizes[at] >= threshold.min_size
            && !holds(
                threshold.least,
                measured.known_weights[at],
                measured.gains[at],
                measured.weights[at],
            )
    };
    let count = u32::try_from(sizes.len()).expect("ranks have 32 bits");
    (0..count).filter(has_drifted)
}

/// Returns whether a set of this weight has no unknown pairs.
fn holds(least: u16, known: u64, gain: u64, today: u64) -> bool {
    let whole = u128::from(Weighted::EQUAL.similarity);
    let (least, kept) = (u128::from(least), u128::from(least_kept(least)));
    let (known, gain, today) = (u128::from(known), u128::from(gain), u128::from(today));
    // Both sides times 2 (1 + k) (1 + t) and the square of the whole.
    (whole + least) * (2 * kept * known + (whole + kept) * gain)
        <= 2 * least * (whole + kept) * today
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_set_that_weighs_as_before_has_not_drifted() {
        assert!(holds(500, 1_000_000, 0, 1_000_000));
        assert!(holds(500, 0, 0, 0));
        assert!(!holds(500, 1_000_000, 0, 700_000));
        assert!(!holds(500, 1_000_000, 60_000, 1_060_000));
    }

    proptest! {
        #[test]
        fn no_pair_of_sets_that_hold_is_missed(
            least in 1_u16..=10_000,
            shared in prop::collection::vec((0_u64..4097, 0_u64..4097), 0..40),
            own in prop::collection::vec((0_u64..4097, 0_u64..4097), 0..80),
            other in prop::collection::vec((0_u64..4097, 0_u64..4097), 0..80),
        ) {
            type Weights = Vec<(u64, u64)>;
            let known = |some: &Weights| some.iter().map(|weights| weights.0).sum::<u64>();
            let today = |some: &Weights| some.iter().map(|weights| weights.1).sum::<u64>();
            let gain = |some: &Weights| {
                some.iter().map(|(before, now)| now.saturating_sub(*before)).sum::<u64>()
            };
            let (x, y) = ([shared.clone(), own].concat(), [shared.clone(), other].concat());
            let before = Weighted::new(known(&shared), known(&x), known(&y)).similarity;
            let now = Weighted::new(today(&shared), today(&x), today(&y)).similarity;
            let both_hold = [x, y]
                .iter()
                .all(|set| holds(least, known(set), gain(set), today(set)));
            if before < least_kept(least) && both_hold {
                prop_assert!(now < least);
            }
        }
    }
}
