use super::*;
use crate::join::inverted::floor;
use crate::join::inverted::rarity::Weighing;
use crate::join::weighted::{Counted, weight};
use proptest::prelude::*;
use std::collections::BTreeMap;

proptest! {
    #[test]
    fn every_tuning_and_side_equals_comparing(
        // Some elements that many sets share, and some that few do.
        sets in prop::collection::vec(
            (
                prop::collection::btree_set(0_u64..14, 1..12),
                prop::collection::btree_set(100_u64..400, 0..30),
            ),
            1..60,
        ),
        thousandths in 1_u64..=1000,
        wanted in prop::collection::btree_set((0_u32..60, 0_u32..60), 0..20),
        indexed in 0_u32..60,
        gate in prop::option::of((1_u16..2_000, 0_u32..20)),
        is_sided in any::<bool>(),
    ) {
        let mut sets: Vec<Vec<u64>> = sets
            .into_iter()
            .map(|(many, few)| many.into_iter().chain(few).collect())
            .collect();
        sets.sort_by_key(|set| floor(u32::try_from(set.len()).unwrap()));
        let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
        let count = u32::try_from(sets.len()).unwrap();
        let indexed = indexed.min(count);
        let t = Threshold::new(thousandths, 1000).unwrap();
        let gate = gate.map(|(least, min_size)| WeightedThreshold { least, min_size });
        let alike = Alike { jaccard: t, weighted: gate };
        let wanted: Vec<(u32, u32)> = wanted
            .into_iter()
            .filter(|&(x, y)| x < count && y < x.min(indexed))
            .collect();
        let counted = is_sided.then(|| Counted {
            is_reference: (0..count).map(|set| set % 3 == 0).collect(),
        });
        let frequencies = frequencies(&sets, counted.as_ref());
        let mut expected = Vec::new();
        for x in 0..count {
            for y in 0..x.min(indexed) {
                let (a, b) = (slices[x as usize], slices[y as usize]);
                let overlap = overlap(a, b);
                let union = u32::try_from(a.len() + b.len()).unwrap() - overlap;
                let weighted = weighted(&frequencies, a, b);
                let smaller = u32::try_from(a.len().min(b.len())).unwrap();
                let is_heavy = gate.is_some_and(|gate| gate.admits(weighted, smaller));
                if t.admits(overlap, union) || is_heavy || wanted.contains(&(x, y)) {
                    expected.push(SetPair { x, y, overlap, union, weighted });
                }
            }
        }
        // Small tiles and all lists in them, so that few sets are enough for all ways to go.
        let small = Tuning {
            smallest_tile: 1,
            largest_tile: 5,
            frequent: 1 + indexed % 3,
            short: 1 + count % 4,
            narrow: if count % 2 == 0 { 0 } else { i16::MAX as usize },
            few: (count as usize % 3) * 8,
        };
        for tuning in [Tuning::default(), small] {
            let of_sides = counted.as_ref().map(|counted| Counted {
                is_reference: counted.is_reference.clone(),
            });
            let own = Prepared::new(&slices, indexed, Weighing::Own(of_sides));
            let mut prepared = own.unwrap();
            prepared.tuning = tuning;
            let index = prepared.index();
            prop_assert_eq!(&index.pairs(0..count, alike, &wanted), &(count, expected.clone()));
            let (_, half) = index.pairs(0..count / 2, alike, &wanted);
            let (_, rest) = index.pairs(count / 2..count, alike, &wanted);
            prop_assert_eq!([half, rest].concat(), expected.clone());

            let (_, alone) = index.wanted(0..count, &wanted);
            let is_wanted = |pair: &&SetPair| wanted.contains(&(pair.x, pair.y));
            let among_all = expected.iter().filter(is_wanted).copied();
            prop_assert_eq!(alone, among_all.collect::<Vec<_>>());

            let containment = Containment { least: t, min_size: 2 };
            for except in [None, Some(t)] {
                let all = (0..count).flat_map(|x| (0..x.min(indexed)).map(move |y| (x, y)));
                let contained = all.filter(|&(x, y)| {
                    let (a, b) = (slices[x as usize], slices[y as usize]);
                    let shared = overlap(a, b);
                    let size = |set: &[u64]| u32::try_from(set.len()).unwrap();
                    let is_similar = t.admits(shared, size(a) + size(b) - shared);
                    containment.admits(shared, size(a), size(b))
                        && !(except.is_some() && is_similar)
                });
                let mut halves = index.contained(0..count / 2, containment, except);
                halves.extend(index.contained(count / 2..count, containment, except));
                prop_assert_eq!(halves, contained.collect::<Vec<_>>());
            }

            let none = Prepared::new(&slices, indexed, Weighing::None);
            let (_, unweighed) = none.unwrap().index().pairs(0..count, t.into(), &wanted);
            let is_light = |pair: &&SetPair| {
                t.admits(pair.overlap, pair.union) || wanted.contains(&(pair.x, pair.y))
            };
            let weightless = |pair: &SetPair| SetPair { weighted: Weighted::default(), ..*pair };
            let light = expected.iter().filter(is_light).map(weightless);
            prop_assert_eq!(unweighed, light.collect::<Vec<_>>());
        }
    }
}

/// How many sets that count have each element.
fn frequencies(sets: &[Vec<u64>], counted: Option<&Counted>) -> BTreeMap<u64, u32> {
    let mut having: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (set, elements) in (0..).zip(sets) {
        for &element in elements {
            having.entry(element).or_default().push(set);
        }
    }
    let frequency = |sets: Vec<u32>| match counted {
        Some(counted) => counted.frequency(sets.into_iter()),
        None => u32::try_from(sets.len()).unwrap(),
    };
    let all = having.into_iter();
    all.map(|(element, sets)| (element, frequency(sets)))
        .collect()
}

/// The weighted measures of two sets, element by element.
fn weighted(frequencies: &BTreeMap<u64, u32>, a: &[u64], b: &[u64]) -> Weighted {
    let weigh = |element: &u64| u64::from(weight(frequencies[element]));
    let shared = a.iter().filter(|element| b.contains(element)).map(weigh);
    Weighted::new(
        shared.sum(),
        a.iter().map(weigh).sum(),
        b.iter().map(weigh).sum(),
    )
}

#[test]
fn very_many_pairs_end_a_round_early() {
    let sets: Vec<Vec<u64>> = (0..3000).map(|own| vec![1, 2, 3, 4 + own]).collect();
    let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
    let prepared = Prepared::new(&slices, 3000, Weighing::None).unwrap();
    let index = prepared.index();
    let t = Threshold::new(1, 2).unwrap();
    let (mut start, mut found, mut rounds) = (0, 0, 0);
    while start < 3000 {
        let (end, pairs) = index.pairs(start..3000, t.into(), &[]);
        assert!(end > start);
        assert!(pairs.iter().all(|pair| (start..end).contains(&pair.x)));
        assert!(pairs.is_sorted());
        (start, found, rounds) = (end, found + pairs.len(), rounds + 1);
    }
    assert_eq!(found, 3000 * 2999 / 2);
    assert!((4..=6).contains(&rounds), "{rounds}");
}

proptest! {
    #[test]
    fn floors_are_near_and_rise(size in any::<u32>(), other in any::<u32>()) {
        prop_assert!(floor(size) <= size);
        prop_assert!(u64::from(floor(size)) * 5 >= u64::from(size) * 4);
        prop_assert_eq!(floor(floor(size)), floor(size));
        prop_assert!(size > other || floor(size) <= floor(other));
    }
}
