//! Laws of the memory, against exact sets and against the formula.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers of tests are small"
)]

use std::collections::{BTreeMap, HashSet, VecDeque};

use proptest::prelude::*;

use crate::stream::filter::{Filter, HASHES, Part};
use crate::stream::seen::{Limits, RATE, Seen, layout as planned_layout};

/// A part that looks random, the same for the same number.
fn part(number: u64) -> Part {
    xxhash_rust::xxh3::xxh3_64_with_seed(&number.to_le_bytes(), 7) >> 16
}

fn layout(blocks: u64, window: Option<(u64, u64)>) -> (u64, Option<Limits>) {
    let window = window.map(|(documents, parts)| Limits { documents, parts });
    (blocks, window)
}

/// The same, exactly: the parts of the last documents.
#[derive(Default)]
struct Exact {
    documents: VecDeque<Vec<Part>>,
    counts: BTreeMap<Part, u32>,
    limits: Option<Limits>,
}

impl Exact {
    fn take(&mut self, parts: &[Part]) -> u32 {
        let known = parts.iter().filter(|part| self.counts.contains_key(part));
        let known = known.count() as u32;
        let mut kept = parts.to_vec();
        if let Some(limits) = self.limits {
            kept.truncate(limits.parts as usize);
            loop {
                let held: usize = self.documents.iter().map(Vec::len).sum();
                let is_due = self.documents.len() as u64 >= limits.documents;
                if !is_due && (held + kept.len()) as u64 <= limits.parts {
                    break;
                }
                for part in self.documents.pop_front().unwrap() {
                    let count = self.counts.get_mut(&part).unwrap();
                    *count -= 1;
                    if *count == 0 {
                        self.counts.remove(&part);
                    }
                }
            }
        }
        for &part in &kept {
            *self.counts.entry(part).or_default() += 1;
        }
        self.documents.push_back(kept);
        known
    }
}

/// Documents with few different parts, so that parts recur and counters run full.
fn documents() -> impl Strategy<Value = Vec<Vec<Part>>> {
    let document = prop::collection::hash_set(0..40_u64, 0..12);
    let parts = document.prop_map(|numbers| numbers.into_iter().map(part).collect());
    prop::collection::vec(parts, 0..120)
}

fn limits() -> impl Strategy<Value = Option<(u64, u64)>> {
    prop::option::of((1..30_u64, 1..120_u64))
}

proptest! {
    #[test]
    fn nothing_that_is_in_the_window_is_missed(
        documents in documents(), window in limits(), blocks in 1..4_u64,
    ) {
        let mut seen = Seen::new(layout(blocks, window), u64::MAX).unwrap();
        let mut exact = Exact { limits: layout(1, window).1, ..Exact::default() };
        for parts in &documents {
            prop_assert!(seen.take(parts) >= exact.take(parts));
        }
    }

    #[test]
    fn where_no_part_is_mistaken_for_another_it_is_exact(
        documents in documents(), window in limits(),
    ) {
        // 40 parts in 2^16 blocks.
        let mut seen = Seen::new(layout(1 << 16, window), u64::MAX).unwrap();
        let mut exact = Exact { limits: layout(1, window).1, ..Exact::default() };
        // A part that has gone is let go when the filter is next filled anew.
        let has_full = |seen: &Seen| seen.filter.spared > 0;
        for parts in &documents {
            let was_full = has_full(&seen);
            let (found, expected) = (seen.take(parts), exact.take(parts));
            prop_assert!(found == expected || was_full && found > expected);
        }
    }
}

/// The share of parts that were never put in and seem to be held.
fn measured(filter: &Filter, from: u64, count: u64) -> f64 {
    let found = (from..from + count).filter(|&number| filter.holds(part(number)));
    found.count() as f64 / count as f64
}

/// How far a measured rate may be from the expected one.
const TOLERANCE: f64 = 0.2;

#[test]
fn the_rate_is_known_and_is_that_of_the_plan() {
    const BLOCKS: u64 = 4096;
    const ASKED: u64 = 400_000;
    // The parts in a block at the planned rate: 64 bytes for 1.24 or 5.424 of each.
    for (bits, load) in [(1, 51.6), (4, 11.8)] {
        let mut filter = Filter::new(BLOCKS, bits);
        let mut count = 0;
        // A filter that is not full yet, one that is, and one that is past it.
        for share in [0.7, 1.0, 1.5, 2.5] {
            let until = (share * load * BLOCKS as f64) as u64;
            (count..until).for_each(|number| filter.insert(part(number)));
            count = until;
            let (found, told) = (measured(&filter, 1 << 40, ASKED), filter.rate());
            assert!(
                (found - told).abs() < TOLERANCE * told,
                "{bits}, {share} full: {found} and not {told}"
            );
            if share == 1.0 {
                assert!((told - RATE).abs() < 0.05 * RATE, "{told}");
            }
        }
    }
}

#[test]
fn an_endless_stream_through_a_window_leaves_no_more_than_the_window() {
    const DOCUMENTS: u64 = 200;
    const PARTS: u64 = 50;
    let planned = planned_layout(DOCUMENTS * (4 + PARTS * 12), Some(DOCUMENTS));
    let mut seen = Seen::new(planned, u64::MAX).unwrap();
    let mut exact = Exact {
        limits: planned.1,
        ..Exact::default()
    };
    // A fifth of every document is in all documents of its time, and comes to be in none.
    for document in 0..20 * DOCUMENTS {
        let time = document / DOCUMENTS;
        let common = (0..PARTS / 5).map(|at| part(time << 20 | at | 1 << 50));
        let own = (PARTS / 5..PARTS).map(|at| part(document << 20 | at));
        let parts: Vec<Part> = common.chain(own).collect();
        assert!(seen.take(&parts) >= exact.take(&parts));
    }
    let window = seen.window.as_ref().unwrap();
    assert_eq!(window.sizes.len() as u64, DOCUMENTS);
    let held: HashSet<Part> = window.iter().collect();
    let expected: HashSet<Part> = exact.counts.keys().copied().collect();
    assert_eq!(held, expected);
    let filter = &seen.filter;
    let (found, told) = (measured(filter, 1 << 45, 400_000), filter.rate());
    assert!(
        (found - told).abs() < TOLERANCE * told && told < RATE,
        "{found} and not {told}"
    );
}

#[test]
fn a_small_window_does_not_have_a_large_filter_emptied_again_and_again() {
    const BLOCKS: u64 = 1 << 14;
    const DOCUMENTS: u64 = 2_000;
    let mut seen = Seen::new(layout(BLOCKS, Some((20, 400))), u64::MAX).unwrap();
    let parts: Vec<Part> = (0..20).map(part).collect();
    let (mut last, mut emptied) = (0, 0);
    for _ in 0..DOCUMENTS {
        seen.take(&parts);
        let spared = seen.filter.spared;
        emptied += u64::from(spared < last);
        last = spared;
    }
    let spared = DOCUMENTS * parts.len() as u64 * u64::from(HASHES);
    assert!(emptied > 0, "{emptied} times for {spared}");
    assert!(emptied * BLOCKS <= spared, "{emptied} times for {spared}");
}

#[test]
fn a_lack_of_memory_is_an_error_before_it_is_allocated() {
    for (window, parts) in [(None, 0), (Some((4, 5)), 4 * 4 + 5 * 6)] {
        let bytes = 3 * 64 + parts;
        assert!(Seen::new(layout(3, window), bytes).is_ok());
        assert_eq!(Seen::new(layout(3, window), bytes - 1), Err(bytes));
    }
    let endless = layout(u64::MAX, Some((u64::MAX, u64::MAX)));
    assert_eq!(Seen::new(endless, u64::MAX - 1), Err(u64::MAX));
}
