//! Clusters: what connects documents, and how close their members are.

use crate::env::Env;
use crate::scale::words;

/// Two groups of five copies with a change each, and a page that has something of both groups.
fn bridged() -> Env {
    let mut env = Env::new();
    for (group, seed) in [("a", 1), ("b", 2)] {
        for copy in 0..5 {
            let text = words(seed, 200) + &words(10 * seed + copy, 3);
            env = env.file(format!("{group}{copy}"), text);
        }
    }
    let bridge = words(1, 75) + &words(2, 75) + &words(99, 80);
    env.file("bridge", bridge)
}

#[test]
fn a_bridge_of_related_pages_joins_no_groups() {
    let env = bridged();
    let report = env.json("");
    let of_bridge = report.pairs.iter().filter(|pair| pair.b == "bridge");
    let of_bridge: Vec<&str> = of_bridge.map(|pair| pair.relation.as_str()).collect();
    assert_eq!(of_bridge, ["related"; 10]);
    let sizes: Vec<usize> = report.clusters.iter().map(|c| c.documents.len()).collect();
    assert_eq!(sizes, [5, 5]);
    for cluster in &report.clusters {
        assert!(cluster.least_similarity > Some(0.9), "{cluster:?}");
    }
}

#[test]
fn least_similarity_is_the_lowest_similarity_to_the_representative() {
    let env = bridged();
    let report = env.json("");
    let all = env.json("--min-jaccard 0.000001");
    for cluster in &report.clusters {
        let own = &cluster.representative;
        let to_own = all.pairs.iter().filter(|pair| {
            let other = if pair.a == *own { &pair.b } else { &pair.a };
            [&pair.a, &pair.b].contains(&own) && cluster.documents.contains(other)
        });
        let similarities: Vec<f64> = to_own.filter_map(|pair| pair.jaccard).collect();
        let lowest = similarities.iter().copied().fold(1.0, f64::min);
        // Two documents without a shingle in common are no pair.
        let is_complete = similarities.len() + 1 == cluster.documents.len();
        let expected = if is_complete { lowest } else { 0.0 };
        assert_eq!(cluster.least_similarity, Some(expected), "{cluster:?}");
    }
    let report = env.json("--detectors simhash");
    for cluster in &report.clusters {
        assert!(cluster.least_similarity.is_none(), "{cluster:?}");
    }
}
