//! What holds whatever was seen: against exact sets, against the formula, and for the file.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers of tests are small"
)]

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::num::NonZeroUsize;

use proptest::prelude::*;

use super::*;
use crate::seen::parts::{By, Cutting};
use crate::seen::plan::{Asked, Rate};
use crate::seen::rate::{best, rate};
use crate::seen::state::{Position, Settings, State, Unusable};
use crate::seen::window::Limits;
use crate::text::han::Han;
use crate::text::units::ShingleUnit;

/// A part that looks random, the same for the same number.
fn part(number: u64) -> Part {
    xxhash_rust::xxh3::xxh3_64_with_seed(&number.to_le_bytes(), 7) >> 16
}

fn layout(blocks: u64, window: Option<(u64, u64)>) -> Layout {
    Layout {
        blocks,
        hashes: 5,
        window: window.map(|(documents, parts)| Limits { documents, parts }),
        rate: Rate::DEFAULT,
    }
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

/// Documents of parts of which there are few, so that they recur and counters run full.
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
        let mut seen = Seen::new(&layout(blocks, window)).unwrap();
        let mut exact = Exact { limits: layout(1, window).window, ..Exact::default() };
        for parts in &documents {
            prop_assert!(seen.take(parts) >= exact.take(parts));
        }
    }

    #[test]
    fn where_no_part_is_taken_for_another_it_is_exact(
        documents in documents(), window in limits(),
    ) {
        // 40 parts in 2^16 blocks.
        let mut seen = Seen::new(&layout(1 << 16, window)).unwrap();
        let mut exact = Exact { limits: layout(1, window).window, ..Exact::default() };
        // A part that has gone is let go when the filter is next filled anew.
        let has_full = |seen: &Seen| seen.filter().spared() > 0;
        for parts in &documents {
            let was_full = has_full(&seen);
            let (found, expected) = (seen.take(parts), exact.take(parts));
            prop_assert!(found == expected || was_full && found > expected);
        }
    }

    #[test]
    fn a_state_goes_on_as_if_nothing_had_been(
        before in documents(), after in documents(), window in limits(),
    ) {
        let mut state = state(window);
        for parts in &before {
            state.seen.take(parts);
        }
        let bytes = written(&state);
        let mut read = State::read(&bytes[..], bytes.len() as u64).unwrap();
        prop_assert_eq!(&read.seen, &state.seen);
        prop_assert_eq!(read.position, state.position);
        prop_assert!(read.settings.differences(&state.settings).is_empty());
        for parts in &after {
            prop_assert_eq!(read.seen.take(parts), state.seen.take(parts));
        }
    }

    #[test]
    fn a_damaged_state_is_none(
        documents in documents(), window in limits(), at in any::<prop::sample::Index>(), bit in 0..8_u8,
    ) {
        let mut state = state(window);
        for parts in &documents {
            state.seen.take(parts);
        }
        let mut bytes = written(&state);
        let at = at.index(bytes.len());
        let short = State::read(&bytes[..at], at as u64);
        prop_assert!(short.is_err());
        // Shorter than the system said.
        prop_assert!(State::read(&bytes[..at], bytes.len() as u64).is_err());
        bytes[at] ^= 1 << bit;
        prop_assert!(State::read(&bytes[..], bytes.len() as u64).is_err());
    }

    #[test]
    fn any_bytes_are_no_state(
        bytes in prop::collection::vec(any::<u8>(), 0..300), has_name in any::<bool>(),
    ) {
        let name = if has_name { &b"dupfind-state 1\n"[..] } else { b"" };
        let bytes = [name, &bytes].concat();
        prop_assert!(State::read(&bytes[..], bytes.len() as u64).is_err());
    }

    #[test]
    fn no_head_makes_the_reader_take_memory(
        blocks in any::<u64>(), documents in any::<u64>(), parts in any::<u64>(), most in any::<u64>(),
    ) {
        let written = written(&state(Some((5, 5))));
        let text = String::from_utf8_lossy(&written);
        let head = text.lines().nth(1).unwrap();
        let head = head
            .replace("\"blocks\":2", &format!("\"blocks\":{blocks}"))
            .replace("\"documents\":0", &format!("\"documents\":{documents}"))
            .replace("\"parts\":0,\"is_short", &format!("\"parts\":{parts},\"is_short"))
            .replace("\"most_parts\":5", &format!("\"most_parts\":{most}"));
        let bytes = format!("dupfind-state 1\n{head}\n12345678");
        let read = State::read(bytes.as_bytes(), bytes.len() as u64);
        prop_assert!(matches!(read, Err(Unusable::Damaged(_))), "{read:?}");
    }
}

fn state(window: Option<(u64, u64)>) -> State {
    let cutting = Cutting {
        by: By::Shingle,
        han: Han::Kept,
        unit: ShingleUnit::Auto,
        size: NonZeroUsize::new(3).unwrap(),
    };
    let asked = Asked {
        memory: Some(1 << 20),
        documents: None,
        rate: Rate::new(0.02),
        parts: None,
        window: window.map(|(documents, _)| documents),
    };
    State {
        settings: Settings::new(cutting, &asked),
        position: Position {
            records: 3,
            line: 9,
            ..Position::default()
        },
        seen: Seen::new(&layout(2, window)).unwrap(),
    }
}

fn written(state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    state.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let good = written(&state(None));
    let read = |bytes: &[u8]| State::read(bytes, bytes.len() as u64).unwrap_err();
    assert!(matches!(read(b""), Unusable::Other));
    assert!(matches!(
        read(b"{\"text\":\"a record\"}\n"),
        Unusable::Other
    ));
    let newer = [b"dupfind-state 2\n", &good[16..]].concat();
    assert!(matches!(read(&newer), Unusable::Version(version) if version == "2"));
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(read(&damaged).to_string().contains("checksum"));
    assert!(read(&good[..good.len() - 1]).to_string().contains("length"));
}

#[test]
fn differences_name_both_values() {
    let kept = state(Some((10, 10))).settings;
    let mut asked = Asked {
        memory: None,
        documents: None,
        rate: None,
        parts: None,
        window: None,
    };
    let mut cutting = Cutting {
        by: By::Shingle,
        han: Han::Kept,
        unit: ShingleUnit::Auto,
        size: NonZeroUsize::new(3).unwrap(),
    };
    // Sizes that nobody asks for are as they were.
    let found = kept.differences(&Settings::new(cutting, &asked));
    assert!(found.is_empty(), "{found:?}");
    asked.memory = Some(2 << 20);
    asked.window = Some(10);
    asked.parts = Some(5);
    cutting.by = By::Paragraph;
    let found = kept.differences(&Settings::new(cutting, &asked));
    let found: Vec<(&str, Option<&str>, &str)> = found
        .iter()
        .map(|found| (found.name, found.kept.as_deref(), &*found.asked))
        .collect();
    assert_eq!(
        found,
        [
            ("--by", Some("shingle"), "paragraph"),
            ("--memory", Some("1M"), "2M"),
            ("--parts-per-document", None, "5"),
        ]
    );
}

/// The share of parts that were never put in and seem to be held.
fn measured(filter: &Filter, from: u64, count: u64) -> f64 {
    let found = (from..from + count).filter(|&number| filter.holds(part(number)));
    found.count() as f64 / count as f64
}

/// How far a measured rate may be from the formula.
const TOLERANCE: f64 = 0.2;

#[test]
fn the_rate_is_that_of_the_formula() {
    const BLOCKS: u64 = 4096;
    const ASKED: u64 = 400_000;
    for cell in [Cell::Bit, Cell::Counter] {
        for asked in [0.1, 0.01, 0.002] {
            let (hashes, load) = best(cell, asked);
            let mut filter = Filter::new(BLOCKS, hashes, cell).unwrap();
            let mut count = 0;
            // A filter that is not full yet, one that is, and one that is past it.
            for share in [0.7, 1.0, 1.5, 2.5] {
                let until = (share * load * BLOCKS as f64) as u64;
                (count..until).for_each(|number| filter.insert(part(number)));
                count = until;
                let expected = rate(cell, hashes, count as f64 / BLOCKS as f64);
                let found = measured(&filter, 1 << 40, ASKED);
                assert!(
                    (found - expected).abs() < TOLERANCE * expected,
                    "{cell:?}, {asked}, {share} full: {found} and not {expected}"
                );
                // The formula is told by how full it is, too.
                let told = filter.rate();
                assert!((told - expected).abs() < 0.05 * expected, "{told}");
            }
        }
    }
}

#[test]
fn an_endless_stream_through_a_window_leaves_no_more_than_the_window() {
    const DOCUMENTS: u64 = 200;
    const PARTS: u64 = 50;
    let asked = Asked {
        memory: None,
        documents: None,
        rate: Some(Rate::DEFAULT),
        parts: Some(PARTS),
        window: Some(DOCUMENTS),
    };
    let planned = Layout::plan(&asked, By::Shingle).unwrap();
    let mut seen = Seen::new(&planned).unwrap();
    let mut exact = Exact {
        limits: planned.window,
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
    let window = seen.window().unwrap();
    assert!(!window.is_short() && window.documents() == DOCUMENTS);
    let held: HashSet<Part> = window.iter().collect();
    let expected: HashSet<Part> = exact.counts.keys().copied().collect();
    assert_eq!(held, expected);
    let filter = seen.filter();
    let load = held.len() as f64 / filter.blocks() as f64;
    let expected = rate(filter.cell(), filter.hashes(), load);
    let found = measured(filter, 1 << 45, 400_000);
    assert!(
        (found - expected).abs() < TOLERANCE * expected,
        "{found} and not {expected}"
    );
}

#[test]
fn a_small_window_does_not_have_a_large_filter_emptied_again_and_again() {
    const BLOCKS: u64 = 1 << 14;
    const DOCUMENTS: u64 = 2_000;
    let mut seen = Seen::new(&layout(BLOCKS, Some((20, 400)))).unwrap();
    let parts: Vec<Part> = (0..20).map(part).collect();
    let (mut last, mut emptied) = (0, 0);
    for _ in 0..DOCUMENTS {
        seen.take(&parts);
        let spared = seen.filter().spared();
        emptied += u64::from(spared < last);
        last = spared;
    }
    let spared = DOCUMENTS * parts.len() as u64 * u64::from(seen.filter().hashes());
    assert!(
        emptied > 0 && emptied * BLOCKS <= spared,
        "{emptied} times for {spared}"
    );
}
