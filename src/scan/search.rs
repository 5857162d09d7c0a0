//! Looks for the pairs of indexed sets: for all of them, or with the recall that is asked for.

use std::ops::Range;

use rayon::prelude::*;

use crate::error::Result;
use crate::join::approximate::{Approximation, Measured, Plan, measure};
use crate::join::cost::Estimate;
use crate::join::index::{Index, SetPair};
use crate::join::rounds::in_rounds;
use crate::scan::detectors::Require;
use crate::scan::settings::Settings;

/// Of how many random sets all pairs are looked for, to see how many had been found: with a recall of .99 and
/// one pair for each of them, its measure is right to within half a percent. It takes as long as so many steps
/// of the exact join.
const SAMPLE: usize = 1_000;

/// How pairs were looked for if not all of them were.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approximate {
    /// By which bands.
    pub plan: Plan,
    /// How many of the pairs of some random sets were found.
    pub measured: Measured,
}

/// Takes an index, the sets of it that look for others, what counting is expected to cost, the settings and,
/// ordered, pairs (later, earlier) that are wanted in any case; hands on those and all that are similar enough.
/// Returns how they were looked for, if some may be missing.
///
/// Where all detectors must find a pair and some of them compare signatures, the pairs wanted are all that can
/// be any, and nothing else is looked for: of 64,000 documents all but the index is a matter of milliseconds
/// then, not of eight seconds.
///
/// # Errors
///
/// Those of the taker.
pub(crate) fn search(
    index: &Index,
    probing: Range<u32>,
    exact: &Estimate,
    settings: &Settings,
    mut wanted: Vec<(u32, u32)>,
    take: impl FnMut(Range<u32>, Vec<SetPair>) -> Result<()> + Send,
) -> Result<Option<Approximate>> {
    let threshold = settings.min_jaccard;
    if settings.finds_by_signatures() {
        in_rounds(probing, |part| index.wanted(part, &wanted), take)?;
        return Ok(None);
    }
    let approximation = settings
        .approximate
        .and_then(|recall| Approximation::new(index, probing.clone(), threshold, recall))
        .filter(|approximation| approximation.plan.time < exact.counting);
    if let (Require::Any, Some(containment)) = (settings.require, settings.containment) {
        // Similar ones are found anyway, if all are.
        let except = approximation.is_none().then_some(threshold);
        wanted.extend(index.contained(probing.clone(), containment, except));
        tidy(&mut wanted);
    }
    let Some(approximation) = approximation else {
        in_rounds(probing, |part| index.pairs(part, threshold, &wanted), take)?;
        return Ok(None);
    };
    let plan = approximation.plan;
    let found = approximation.pairs();
    let measured = measure(index, probing.clone(), threshold, &found, SAMPLE);
    in_rounds(probing, |part| index.found(part, &found, &wanted), take)?;
    Ok(Some(Approximate { plan, measured }))
}

/// Orders pairs, and keeps each once.
fn tidy(pairs: &mut Vec<(u32, u32)>) {
    pairs.par_sort_unstable();
    pairs.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::containment::Containment;
    use crate::join::cost::Strategy;
    use crate::join::index::Prepared;
    use crate::join::rarity::Weighing;
    use xxhash_rust::xxh3::xxh3_64_with_seed;

    const SETS: u64 = 2_400;

    /// Sets of 300 of 2,000 elements, so that counting goes through long lists; every third is much like the
    /// one before it.
    fn sets() -> Vec<Vec<u64>> {
        let random = |set: u64, at: u64| xxh3_64_with_seed(&at.to_le_bytes(), set) % 2_000;
        let set = |number: u64| {
            let (one, other) = (
                number,
                number.wrapping_sub(u64::from(number.is_multiple_of(3))),
            );
            let elements = (0..300).map(|at| random(if at < 60 { one } else { other }, at));
            let mut elements: Vec<u64> = elements.collect();
            elements.sort_unstable();
            elements.dedup();
            elements
        };
        let mut sets: Vec<Vec<u64>> = (1..=SETS).map(set).collect();
        sets.sort_by_key(Vec::len);
        sets
    }

    fn index(sets: &[Vec<u64>]) -> Index {
        let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
        let count = u32::try_from(sets.len()).unwrap();
        let prepared = Prepared::new(&slices, count, Strategy::Counting, Weighing::Own);
        prepared.unwrap().index()
    }

    fn settings(recall: Option<&str>) -> Settings {
        Settings {
            min_jaccard: "0.5".parse().unwrap(),
            approximate: recall.map(|recall| recall.parse().unwrap()),
            ..Settings::for_paths([""; 0])
        }
    }

    fn searched(
        index: &Index,
        settings: &Settings,
        wanted: &[(u32, u32)],
    ) -> (Vec<SetPair>, Option<Approximate>) {
        let mut all = Vec::new();
        let take = |_, pairs| {
            all.extend::<Vec<SetPair>>(pairs);
            Ok(())
        };
        let all_sets = 0..index.count();
        let exact = index.estimate(all_sets.clone(), settings.min_jaccard);
        let approximate = search(index, all_sets, &exact, settings, wanted.to_vec(), take);
        (all, approximate.unwrap())
    }

    #[test]
    fn what_is_found_is_right_and_as_much_as_asked_for() {
        let index = index(&sets());
        let wanted = [(1, 0), (700, 3)];
        let (exact, none) = searched(&index, &settings(None), &wanted);
        assert_eq!(none, None);
        let (found, approximate) = searched(&index, &settings(Some("0.95")), &wanted);
        let Approximate { plan, measured } = approximate.expect("it is faster");
        assert!(plan.rows > 1 && measured.all > 100, "{plan:?} {measured:?}");
        // With their measures, in order.
        assert!(found.is_sorted() && found.iter().all(|pair| exact.contains(pair)));
        let is_wanted = |pair: &&SetPair| wanted.contains(&(pair.x, pair.y));
        assert_eq!(found.iter().filter(is_wanted).count(), 2);
        let share = found.len() as f64 / exact.len() as f64;
        assert!(share > 0.95, "{share}");
        let (share, _) = measured.recall().unwrap();
        assert!(share > 0.95, "{share}");
    }

    #[test]
    fn what_is_contained_is_found_though_it_is_similar() {
        let index = index(&sets());
        let contained = |recall| Settings {
            containment: Some(Containment {
                least: "0.7".parse().unwrap(),
                min_size: 30,
            }),
            ..settings(recall)
        };
        let (exact, _) = searched(&index, &contained(None), &[]);
        let (found, approximate) = searched(&index, &contained(Some("0.5")), &[]);
        assert!(approximate.is_some());
        let is_contained = |pair: &&SetPair| f64::from(pair.overlap) > 0.7 * 300.0;
        let count = |pairs: &[SetPair]| pairs.iter().filter(is_contained).count();
        assert!(count(&exact) > 100);
        assert_eq!(count(&found), count(&exact));
    }

    #[test]
    fn few_sets_are_joined_exactly() {
        let sets: Vec<Vec<u64>> = sets().into_iter().take(40).collect();
        let index = index(&sets);
        let (exact, _) = searched(&index, &settings(None), &[]);
        let (found, approximate) = searched(&index, &settings(Some("0.5")), &[]);
        assert_eq!(approximate, None);
        assert_eq!(found, exact);
    }
}
