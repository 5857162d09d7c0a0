//! The passages of a page: stretches that do not overlap, each with every document that has it.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use dupfind_engine::text::blocks::Block;

use crate::compare::passages::{Passage as Shared, common, uncovered};
use crate::elsewhere::reading::{Other, Own, least};
use crate::elsewhere::{Passage, Twin};
use crate::reuse::difference::{Mark, changes};

/// Returns the passages of a page, and how many of the first ones are the longest one of a duplicate. The others are in the order
/// of [`Elsewhere::places`](crate::elsewhere::Elsewhere::places).
pub(super) fn passages(own: &Own<'_>, others: &[Other<'_>]) -> (Vec<Passage>, usize) {
    let headings: Vec<Vec<Block<'_>>> = others.iter().map(|other| other.read.headings()).collect();
    let passages = stretches(own, others).into_iter().filter_map(|stretch| {
        let (twins, units) = twins(own, others, &headings, &stretch);
        twins.first()?;
        let mine = own.side.lines(&stretch);
        Some(Passage {
            mine,
            extent: own.side.breaks().extent(mine),
            share: own.share(units),
            units,
            kind: own.kind(&stretch),
            twins,
        })
    });
    let mut passages: Vec<Passage> = passages.collect();
    passages.sort_by_key(|passage| (Reverse(passage.units), passage.mine));
    let mut named = HashSet::new();
    let (mut first, rest): (Vec<Passage>, Vec<Passage>) =
        passages.into_iter().partition(|passage| {
            let place = passage.twins[0].place;
            others[place].is_duplicate() && named.insert(place)
        });
    let duplicates = first.len();
    first.extend(rest);
    (first, duplicates)
}

/// Returns the stretches of the page, in units: the longest passage of each duplicate first, then what others have beside it. They
/// are whole lines, so that no two are on one.
fn stretches(own: &Own<'_>, others: &[Other<'_>]) -> Vec<Range<usize>> {
    let duplicates = others.iter().filter(|other| other.is_duplicate());
    let first = duplicates.filter_map(|other| other.passages.iter().max_by_key(|one| one.same()));
    let mut first: Vec<&Shared> = first.collect();
    let mut all: Vec<&Shared> = others.iter().flat_map(|other| &other.passages).collect();
    for passages in [&mut first, &mut all] {
        passages.sort_by_key(|passage| Reverse(passage.same()));
    }
    let units = own.side.units().len();
    let mut stretches: Vec<Range<usize>> = Vec::new();
    // Of those that come twice nothing is free any more.
    for passage in first.into_iter().chain(all) {
        let free = uncovered(stretches.iter().cloned(), units);
        let free = free.iter().map(|free| common(free, &passage.a));
        let least = least(units).min(passage.same());
        let new = free.filter_map(|range| passage.clipped(&range));
        let new: Vec<Range<usize>> = new
            .filter(|clip| clip.same() >= least)
            .map(|clip| own.side.whole_lines(&clip.a))
            .collect();
        stretches.extend(new);
        stretches.sort_by_key(|stretch| stretch.start);
    }
    stretches
}

/// Returns where else a stretch is, in the order of [`Passage::twins`], and how many of its units are in one of them.
fn twins(
    own: &Own<'_>,
    others: &[Other<'_>],
    headings: &[Vec<Block<'_>>],
    stretch: &Range<usize>,
) -> (Vec<Twin>, usize) {
    let mut twins = Vec::new();
    let mut is_elsewhere = vec![false; stretch.len()];
    for (place, other) in others.iter().enumerate() {
        let clips = other.passages.iter();
        let clips = clips.filter_map(|passage| passage.clipped(&common(stretch, &passage.a)));
        let Some(most) = clips.max_by_key(Shared::same) else {
            continue;
        };
        let units = most.same();
        let longest = other.passages.iter().map(Shared::same).max().unwrap_or(0);
        if units < least(stretch.len()).min(longest) {
            continue;
        }
        for part in most.parts.iter().filter(|part| part.is_same) {
            is_elsewhere[part.a.start - stretch.start..part.a.end - stretch.start].fill(true);
        }
        let its = other.side.lines(&most.b);
        let [mine, text] = [(&own.side, &most.a), (&other.side, &most.b)]
            .map(|(side, place)| side.text()[side.stretch(place)].trim());
        let tells_other = most.changes() > 0
            && changes(mine, text)
                .iter()
                .any(|change| matches!(change.mark, Mark::Negation | Mark::Number | Mark::Version));
        twins.push(Twin {
            place,
            its,
            extent: other.side.breaks().extent(its),
            heading: heading(&headings[place], its.0),
            units,
            run: own.run(&most),
            text: text.to_owned(),
            tells_other,
            is_all_of_its_lines: most.a == *stretch
                && most.changes() == 0
                && own.is_of_whole_lines(&most.a),
        });
    }
    let most = twins.iter().map(|twin| twin.units).max().unwrap_or(0);
    twins.sort_by_key(|twin| {
        let is_first = others[twin.place].is_duplicate() && twin.units * 2 >= most;
        (!is_first, Reverse(twin.units), twin.place)
    });
    (twins, is_elsewhere.iter().filter(|&&is| is).count())
}

/// A heading of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its words.
    pub words: String,
    /// Its name in an address, as most renderers of Markdown make it.
    pub slug: String,
}

/// Returns the last heading on or before a line. `headings` are those of the document.
pub(super) fn heading(headings: &[Block<'_>], line: usize) -> Option<Heading> {
    let before = headings.partition_point(|block| block.start_line as usize <= line);
    let words = |block: &Block<'_>| block.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (last, rest) = headings[..before].split_last()?;
    let words_of_last = words(last);
    let slug = slug(&words_of_last);
    // Those of one name are numbered.
    let same = rest
        .iter()
        .filter(|block| self::slug(&words(block)) == slug);
    let slug = match same.count() {
        0 => slug,
        number => format!("{slug}-{number}"),
    };
    Some(Heading {
        words: words_of_last,
        slug,
    })
}

/// Returns the name of a heading in an address.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter_map(|c| match c {
        ' ' | '-' => Some('-'),
        '_' => Some(c),
        _ if c.is_alphanumeric() => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use dupfind_engine::text::blocks::BlockKind;

    use super::*;

    #[test]
    fn headings_become_addresses() {
        for (heading, expected) in [
            ("Opening hours", "opening-hours"),
            ("What's new? (2024)", "whats-new-2024"),
            ("开放时间", "开放时间"),
            ("a_b  c", "a_b--c"),
        ] {
            assert_eq!(slug(heading), expected);
        }
    }

    #[test]
    fn the_heading_above_a_line_is_numbered_among_those_of_its_name() {
        let block = |text, line| Block {
            kind: BlockKind::Heading,
            text,
            start_line: line,
            end_line: line,
        };
        let headings = [block("Use", 1), block("Example", 3), block("Use", 9)];
        let slug = |line| heading(&headings, line).map(|heading| heading.slug);
        assert_eq!(slug(0), None);
        assert_eq!(slug(8).as_deref(), Some("example"));
        assert_eq!(slug(9).as_deref(), Some("use-1"));
    }
}
