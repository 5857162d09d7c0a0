//! Searches a range part by part, so that the results are never all in memory.

use std::ops::Range;

/// The largest part of the range that a round searches, so that results are not held back for long.
const LONGEST: u32 = 1 << 15;

/// Calls `take` with everything that `find` finds in a range, part by part and in order. `find` begins at the
/// start of the range that it is given and returns how far it came, which is at least one further: it may stop
/// early when it has found much. The next part is searched while `take` has the one before.
///
/// # Errors
///
/// The first error of `take`, which is not called again.
pub(crate) fn in_rounds<T: Send, E: Send>(
    range: Range<u32>,
    find: impl Fn(Range<u32>) -> (u32, Vec<T>) + Sync,
    mut take: impl FnMut(Range<u32>, Vec<T>) -> Result<(), E> + Send,
) -> Result<(), E> {
    let find = |start: u32| {
        let (end, found) = find(start..range.end.min(start.saturating_add(LONGEST)));
        (start..end, found)
    };
    if range.is_empty() {
        return Ok(());
    }
    let (mut part, mut found) = find(range.start);
    while part.end < range.end {
        debug_assert!(!part.is_empty());
        let end = part.end;
        let (taken, next) = rayon::join(|| take(part, found), || find(end));
        taken?;
        (part, found) = next;
    }
    take(part, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_handed_on_in_order() {
        let all = |part: Range<u32>| part.flat_map(|at| vec![at; at as usize % 20]);
        for (end, step) in [(0, 1), (1, 7), (1024, 1000), (90_000, 70_000), (5000, 1)] {
            let mut seen = Vec::new();
            let find = |part: Range<u32>| {
                let end = part.end.min(part.start + step);
                (end, all(part.start..end).collect())
            };
            let done = in_rounds(0..end, find, |part, found: Vec<u32>| {
                assert!(part.len() <= LONGEST as usize);
                seen.extend(found);
                Ok::<_, ()>(())
            });
            assert_eq!(done, Ok(()));
            assert!(seen.into_iter().eq(all(0..end)));
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        let mut calls = 0;
        let take = |_, _: Vec<u32>| {
            calls += 1;
            Err("full")
        };
        let find = |part: Range<u32>| (part.start + 10, vec![]);
        assert_eq!(in_rounds(0..100_000, find, take), Err("full"));
        assert_eq!(calls, 1);
    }
}
