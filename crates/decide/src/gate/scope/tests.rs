//! Sides of the scope, on documents that nobody had to read.

use super::*;
use dupfind_engine::detect::measures::Agreeing;
use dupfind_engine::{Detector, Rule};
use dupfind_scan::Sources;

/// Where documents of these names are from, those with a leading `+` from the other side.
fn sources(names: &[&str]) -> Sources {
    let mut sources = Sources::sample(names.len());
    for (source, name) in sources.documents.iter_mut().zip(names) {
        source.is_against = name.starts_with('+');
    }
    sources
}

fn pair(a: usize, b: usize) -> Pair {
    Pair {
        a: DocId::new(a).unwrap(),
        b: DocId::new(b).unwrap(),
        hamming: None,
        sets: None,
        rule: Rule::SameText,
        found_by: Detector::Shingle.into(),
        agreeing: Agreeing::default(),
    }
}

fn scope(has_sides: bool) -> PairScope {
    let mut walk = WalkOptions::new(vec![".".into()], "/site".into());
    if has_sides {
        walk.against.push("other".into());
    }
    PairScope::new(&walk)
}

/// The pairs that count, by position.
fn counting(scope: &mut PairScope, names: &[&str]) -> Vec<(usize, usize)> {
    scope.documents(&sources(names));
    let all = (0..names.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    all.filter(|&(a, b)| scope.counts(&pair(a, b), 1)).collect()
}

#[test]
fn pairs_of_two_sides() {
    let names = ["a", "+b", "c", "+d"];
    let between = [(0, 1), (1, 2), (0, 3), (2, 3)];
    assert_eq!(counting(&mut scope(true), &names), between);
    assert!(!scope(false).decides());
}
