//! The law of a state: it is the saved one, or it is refused.

use std::num::NonZeroUsize;

use proptest::prelude::*;

use crate::stream::seen::laws::{documents, layout, limits, part};
use crate::stream::seen::parts::PartOptions;
use crate::stream::seen::settings::{Difference, SeenOptions};
use crate::stream::seen::sizes::Sizes;
use crate::stream::seen::state::{Position, State, Unusable};
use crate::stream::seen::{NoRoom, Seen};
use dupfind_engine::text::units::ShingleUnit;

/// More memory than any of these needs.
const MEMORY: u64 = 1 << 20;

fn read(bytes: &[u8]) -> Result<State, Unusable> {
    State::read(bytes, bytes.len() as u64, MEMORY)
}

proptest! {
    #[test]
    fn a_state_goes_on_as_if_nothing_had_been(
        before in documents(), after in documents(), window in limits(),
    ) {
        let mut state = state(window);
        for parts in &before {
            state.seen.take(parts);
        }
        let bytes = written(&state);
        let mut read = read(&bytes).unwrap();
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
        prop_assert!(read(&bytes[..at]).is_err());
        // Shorter than the system said.
        prop_assert!(State::read(&bytes[..at], bytes.len() as u64, MEMORY).is_err());
        bytes[at] ^= 1 << bit;
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn any_bytes_are_no_state(
        bytes in prop::collection::vec(any::<u8>(), 0..300), has_name in any::<bool>(),
    ) {
        let name = if has_name { &b"dupfind-state 3\n"[..] } else { b"" };
        let bytes = [name, &bytes].concat();
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn no_head_without_a_body_makes_the_reader_allocate_memory(
        blocks in any::<u64>(), documents in any::<u64>(), parts in any::<u64>(), most in any::<u64>(),
    ) {
        let written = written(&state(Some((5, 5))));
        let text = String::from_utf8_lossy(&written);
        let head = text.lines().nth(1).unwrap();
        let head = head
            .replace("\"blocks\":2", &format!("\"blocks\":{blocks}"))
            .replace("\"documents\":0", &format!("\"documents\":{documents}"))
            .replace("\"parts\":0}}", &format!("\"parts\":{parts}}}}}"))
            .replace("\"most_parts\":5", &format!("\"most_parts\":{most}"));
        let bytes = format!("dupfind-state 3\n{head}\n12345678");
        let read = read(bytes.as_bytes());
        prop_assert!(matches!(read, Err(Unusable::Damaged(_))), "{read:?}");
    }

    #[test]
    fn no_window_uses_more_memory_than_there_is(documents in sizes(), parts in sizes()) {
        let mut state = state(Some((5, 5)));
        state.seen.take(&[part(1), part(2)]);
        let bytes = written(&state);
        let bytes = replaced(&bytes, "\"window\":5", &format!("\"window\":{documents}"));
        let bytes = replaced(&bytes, "\"most_parts\":5", &format!("\"most_parts\":{parts}"));
        let needed = layout(2, Some((documents, parts))).bytes();
        let read = read(&bytes);
        let is_refused = match &read {
            Ok(_) => (documents, parts) == (5, 5),
            Err(Unusable::Memory(NoRoom::TooLarge { .. })) => needed > MEMORY,
            Err(Unusable::Damaged(_)) => needed <= MEMORY,
            Err(_) => false,
        };
        prop_assert!(is_refused, "{read:?}");
    }
}

/// Limits of a window of any size that hold its content.
fn sizes() -> impl Strategy<Value = u64> {
    prop_oneof![4..8_u64, 0..MEMORY, any::<u64>()].prop_map(|size| size.max(2))
}

/// Bytes in which a text occurs once, with another one in its place.
fn replaced(bytes: &[u8], text: &str, other: &str) -> Vec<u8> {
    let mut at = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(text.as_bytes()));
    let (at, None) = (at.next().unwrap(), at.next()) else {
        panic!("{text} is there twice");
    };
    [&bytes[..at], other.as_bytes(), &bytes[at + text.len()..]].concat()
}

fn cutting() -> PartOptions {
    PartOptions {
        unit: ShingleUnit::Auto,
        size: NonZeroUsize::new(3).unwrap(),
    }
}

fn state(window: Option<(u64, u64)>) -> State {
    let sizes = Sizes {
        memory: Some(1 << 20),
        window: window.map(|(documents, _)| documents),
    };
    State {
        settings: SeenOptions::new(cutting(), sizes),
        position: Position {
            records: 3,
            line: 9,
            ..Position::default()
        },
        seen: Seen::new(&layout(2, window), u64::MAX).unwrap(),
    }
}

fn written(state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    state.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn faults_of_files_are_named() {
    let good = written(&state(None));
    let read = |bytes: &[u8]| read(bytes).unwrap_err();
    assert!(matches!(read(b""), Unusable::Other));
    assert!(matches!(
        read(b"{\"text\":\"a record\"}\n"),
        Unusable::Other
    ));
    let newer = [b"dupfind-state 4\n", &good[16..]].concat();
    assert!(matches!(read(&newer), Unusable::Version(version) if version == "4"));
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(read(&damaged).to_string().contains("checksum"));
    assert!(read(&good[..good.len() - 1]).to_string().contains("length"));
    // A window that nobody asked for, and none where one was.
    let windowed = replaced(
        &written(&state(Some((9, 9)))),
        "\"window\":9",
        "\"window\":null",
    );
    assert!(read(&windowed).to_string().contains("length"));
    let windowed = replaced(&good, "\"window\":null},", "\"window\":9},");
    assert!(read(&windowed).to_string().contains("length"));
}

#[test]
fn differences_name_both_values() {
    let kept = state(Some((10, 10))).settings;
    let mut sizes = Sizes::default();
    let mut cutting = cutting();
    // Sizes that nobody asks for are as they were.
    let found = kept.differences(&SeenOptions::new(cutting, sizes));
    assert!(found.is_empty(), "{found:?}");
    sizes.memory = Some(2 << 20);
    sizes.window = Some(10);
    cutting.unit = ShingleUnit::Word;
    let found = kept.differences(&SeenOptions::new(cutting, sizes));
    let found: Vec<(&str, Option<&str>, &str)> = found
        .iter()
        .map(|found| (found.name, found.kept.as_deref(), &*found.asked))
        .collect();
    assert_eq!(
        found,
        [
            ("shingle_unit", Some("auto"), "word"),
            ("memory", Some("1M"), "2M"),
        ]
    );
    // Sizes that would be the same if they were rounded are not.
    let of = |memory| {
        let memory = Some(memory);
        SeenOptions::new(cutting, Sizes { memory, ..sizes })
    };
    let found = of(20 << 20).differences(&of(20_000 << 10));
    let expected = Difference {
        name: "memory",
        kept: Some("20M".into()),
        asked: "20000K".into(),
    };
    assert_eq!(found, [expected]);
}
