//! Finds something range by range and hands it on in order, so that what is found is never held as a
//! whole.

use std::ops::Range;

/// How much one round should find.
const WANTED: usize = 1 << 18;

/// How much of the range the first round takes.
const FIRST: u32 = 1 << 10;

/// Takes a range, how to find the things in a part of it, and who takes them, part by part and in
/// order. While one part is being handed on the next is looked for.
///
/// # Errors
///
/// What the taker says; nothing is handed on afterwards.
pub(crate) fn in_rounds<T: Send, E: Send>(
    range: Range<u32>,
    find: impl Fn(Range<u32>) -> Vec<T> + Sync,
    mut take: impl FnMut(Range<u32>, Vec<T>) -> Result<(), E> + Send,
) -> Result<(), E> {
    let mut length = FIRST;
    let next = |start: u32, length: u32| start..range.end.min(start.saturating_add(length));
    let mut part = next(range.start, length);
    let mut found = find(part.clone());
    loop {
        // As many again as would find what is wanted, but not many more than last time: how much
        // there is to find changes on the way.
        let ratio = (WANTED / found.len().max(1)).clamp(0, 4);
        length = match ratio {
            0 => (length / 2).max(1),
            ratio => length.saturating_mul(u32::try_from(ratio).expect("at most 4")),
        };
        let coming = next(part.end, length);
        if coming.is_empty() {
            return take(part, found);
        }
        let (taken, coming_found) = rayon::join(|| take(part, found), || find(coming.clone()));
        taken?;
        (part, found) = (coming, coming_found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_handed_on_in_order() {
        for end in [0, 1, 1024, 1025, 30_000] {
            let mut seen = Vec::new();
            let find = |part: Range<u32>| part.flat_map(|at| vec![at; at as usize % 20]).collect();
            let done = in_rounds(0..end, find, |_, found| {
                seen.extend(found);
                Ok::<_, ()>(())
            });
            assert_eq!(done, Ok(()));
            assert_eq!(seen, find(0..end));
        }
    }

    #[test]
    fn large_findings_make_small_rounds() {
        let mut longest_after_first = 0;
        let find = |part: Range<u32>| part.flat_map(|_| [0_u8; 4096]).collect();
        let take = |part: Range<u32>, _| {
            if part.start >= 4 * FIRST {
                longest_after_first = longest_after_first.max(part.len());
            }
            Ok::<_, ()>(())
        };
        in_rounds(0..12_000, find, take).unwrap();
        assert!((1..FIRST as usize / 4).contains(&longest_after_first));
    }

    #[test]
    fn the_first_error_ends_it() {
        let mut calls = 0;
        let take = |_, _: Vec<u32>| {
            calls += 1;
            Err("full")
        };
        assert_eq!(
            in_rounds(0..100_000, |part| part.collect(), take),
            Err("full")
        );
        assert_eq!(calls, 1);
    }
}
