use super::*;
use crate::join::cost::Strategy;
use crate::join::{exhaustive, jaccard};
use proptest::prelude::*;

/// Clusters of sets that differ in some elements, among elements that all have and some of their own.
fn collection(seed: u64, clusters: u64, size: u64) -> Vec<Vec<u64>> {
    let random = |a: u64, b: u64, c: u64| {
        let bytes = [seed, a, b, c].map(u64::to_le_bytes);
        xxh3_64(bytes.as_flattened())
    };
    let set = |cluster: u64, member: u64| -> Vec<u64> {
        // Some members change much and some little.
        let changed = random(cluster, member, 0) % 100;
        let mut set: Vec<u64> = (1..=size)
            .map(|at| match random(cluster, member, at) % 100 < changed {
                true => random(cluster, member, at),
                false if at % 10 == 0 => at,
                false => cluster << 32 | at,
            })
            .collect();
        set.sort_unstable();
        set.dedup();
        set
    };
    let members = |cluster| (0..4).map(move |member| (cluster, member));
    let all = (1..=clusters).flat_map(members);
    all.map(|(cluster, member)| set(cluster, member)).collect()
}

fn positions(pairs: &[JaccardPair]) -> Vec<(u32, u32)> {
    pairs.iter().map(|pair| (pair.a, pair.b)).collect()
}

fn run(sets: &[Vec<u64>], t: Threshold, recall: &str) -> Approximated {
    self_join(sets, t, recall.parse().unwrap(), 10).unwrap()
}

#[test]
fn recall_is_not_below_the_one_asked_for() {
    for (t, recall) in [
        ("0.2", 0.9),
        ("0.5", 0.9),
        ("0.5", 0.99),
        ("0.8", 0.8),
        ("0.3", 0.5),
    ] {
        let t: Threshold = t.parse().unwrap();
        let mut total = Measured::default();
        let mut measured = Measured::default();
        for seed in 0..25 {
            let sets = collection(seed, 60, 40);
            let expected = positions(&jaccard::self_join(&sets, t).unwrap());
            let joined = self_join(&sets, t, recall.to_string().parse().unwrap(), 240).unwrap();
            assert!(joined.plan.is_some());
            let found = positions(&joined.pairs);
            assert!(
                found
                    .iter()
                    .all(|pair| expected.binary_search(pair).is_ok())
            );
            total.found += found.len() as u64;
            total.all += expected.len() as u64;
            measured = [measured, joined.measured].into_iter().sum();
        }
        let (share, _) = total.recall().unwrap();
        let error = (recall * (1.0 - recall) / total.all as f64).sqrt();
        assert!(
            share > recall - 4.0 * error,
            "{t}, {recall}: {share} of {}",
            total.all
        );
        // All sets were in the sample. Equal ones stand for one another there.
        let (of_sample, _) = measured.recall().unwrap();
        assert!((of_sample - share).abs() < 0.05, "{of_sample}, {share}");
    }
}

#[test]
fn a_pair_at_the_threshold_is_found_as_often_as_asked() {
    // Pairs that share exactly half, and nothing else: each pair has elements of its own, all of which
    // some third set has too, or the index would leave them out.
    let t: Threshold = "0.5".parse().unwrap();
    let pairs = 2000;
    let mut sets: Vec<Vec<u64>> = Vec::new();
    for pair in 0..pairs {
        let first = pair * 100;
        sets.push((first..first + 30).collect());
        sets.push((first + 10..first + 40).collect());
    }
    // Chains of elements from many pairs: similar to none.
    for at in 0..40 {
        sets.push((0..pairs).map(|pair| pair * 100 + at).collect());
    }
    for recall in [0.5, 0.9] {
        let found = run(&sets, t, &recall.to_string()).pairs.len() as f64;
        let bound = recall * pairs as f64 - 4.0 * (pairs as f64 * recall * (1.0 - recall)).sqrt();
        assert!(found > bound, "{found} of {pairs}");
        assert!(found < pairs as f64, "nothing was left to chance");
    }
}

#[test]
fn few_and_empty_sets_are_joined_too() {
    let t: Threshold = "0.5".parse().unwrap();
    let none: [Vec<u64>; 0] = [];
    assert!(run(&none, t, "0.9").pairs.is_empty());
    let sets = [vec![1, 2, 3], vec![], vec![3, 2, 1], vec![], vec![9]];
    assert_eq!(positions(&run(&sets, t, "0.9").pairs), [(0, 2)]);
}

#[test]
fn a_threshold_that_no_bands_keep_is_joined_exactly() {
    let t: Threshold = "0.000001".parse().unwrap();
    let sets = collection(1, 20, 30);
    let joined = run(&sets, t, "0.999");
    assert_eq!(joined.plan, None);
    assert_eq!(joined.pairs, jaccard::self_join(&sets, t).unwrap());
    assert_eq!(joined.measured.recall(), None);
}

#[test]
fn threads_change_nothing() {
    let sets = collection(7, 150, 60);
    let t: Threshold = "0.4".parse().unwrap();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let joined = pool.build().unwrap().install(|| run(&sets, t, "0.6"));
        (joined.pairs, joined.plan, joined.measured)
    };
    let one = with(1);
    assert!(!one.0.is_empty());
    for threads in [2, 5] {
        assert_eq!(with(threads), one);
    }
}

#[test]
fn a_join_of_two_parts_finds_what_is_between_and_within_the_later() {
    let mut sets = collection(3, 100, 50);
    sets.sort_by_key(|set| crate::join::size_class::floor(u32::try_from(set.len()).unwrap()));
    let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
    let t: Threshold = "0.3".parse().unwrap();
    let whole = Prepared::new(&slices, 400, Strategy::Counting, Weighing::None).unwrap();
    let whole = whole.index();
    let pairs = |index: &Index, probing| {
        Approximation::new(index, probing, t, "0.9".parse().unwrap())
            .unwrap()
            .pairs()
    };
    for (indexed, probing) in [
        (400, 0..400),
        (400, 200..400),
        (200, 200..400),
        (0, 100..400),
    ] {
        let part = Prepared::new(&slices, indexed, Strategy::Counting, Weighing::None);
        let part = part.unwrap().index();
        let found = pairs(&part, probing.clone());
        assert!(found.is_sorted_by(|a, b| a < b));
        let (_, all) = part.pairs(probing.clone(), t, &[]);
        assert!(found.len() * 10 >= all.len() * 8 && found.len() <= all.len());
        for Found { x, y, overlap } in found {
            assert!(probing.contains(&x) && y < x.min(indexed));
            let (expected, union) = whole.shared(x, y);
            assert_eq!(overlap, expected);
            assert!(t.admits(overlap, union));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_pair_is_one_of_the_exhaustive_join_and_a_higher_recall_keeps_the_bands(
        seed in any::<u64>(), clusters in 0_u64..30, size in 1_u64..40, thousandths in 50_u64..=1000,
    ) {
        let sets = collection(seed, clusters, size);
        let t = Threshold::new(thousandths, 1000).unwrap();
        let all = exhaustive::jaccard(&sets, t);
        let [low, high] = ["0.5", "0.99"].map(|recall| run(&sets, t, recall));
        for joined in [&low, &high] {
            prop_assert!(joined.pairs.iter().all(|pair| all.binary_search(pair).is_ok()));
        }
        // With bands of the same length, more of them find the same and more.
        if low.plan.map(|plan| plan.rows) == high.plan.map(|plan| plan.rows) {
            prop_assert!(low.pairs.iter().all(|pair| high.pairs.binary_search(pair).is_ok()));
        }
    }
}
