//! One of the two documents: its units with their places in the original text.

use std::ops::Range;
use std::sync::OnceLock;

use bytemuck::cast_slice;
use xxhash_rust::xxh3::xxh3_64;

use dupfind_engine::Options;
use dupfind_engine::text::cutter::Cutter;
use dupfind_engine::text::units::Unit;
use dupfind_read::{Extent, Format, PageBreaks};

/// The fewest units in a row that are a shared passage, unless a document is shorter. Fewer units are mostly turns of
/// phrase that any two texts on one subject have in common. A line that both documents have is a passage however short
/// it is.
pub const LEAST: usize = 8;

/// The fewest units of a heading.
const LEAST_OF_LINE: usize = 2;

/// A document's text, its units, lines and pages.
#[derive(Debug)]
pub struct Side<'t> {
    text: &'t str,
    units: Vec<Unit>,
    places: Vec<Range<usize>>,
    /// Where each line but the first begins.
    line_starts: Vec<usize>,
    /// Where the pages of its file begin.
    breaks: PageBreaks,
    /// The hashes of its windows of [`LEAST`] units, and of its lines: made once for all documents that it is compared with.
    windows: OnceLock<Vec<u64>>,
    lines_once: OnceLock<Vec<(u64, Range<usize>)>>,
}

impl<'t> Side<'t> {
    /// Returns a document, cut into units as the options tell.
    pub fn new(text: &'t str, options: &Options) -> Self {
        let mut cutter = Cutter::new(options.shingle_unit);
        let origin = cutter.read_with_origin(text);
        let mut units = Vec::new();
        let (mut places, mut near) = (Vec::new(), 0);
        cutter.placed_units(|unit, place| {
            units.push(unit);
            places.push(origin.of(place, &mut near));
        });
        Self {
            text,
            units,
            places,
            line_starts: text.match_indices('\n').map(|(at, _)| at + 1).collect(),
            breaks: PageBreaks::default(),
            windows: OnceLock::new(),
            lines_once: OnceLock::new(),
        }
    }

    /// As [`Self::new`], for the text of a file of this format, which may have pages.
    pub fn of_file(text: &'t str, format: Format, options: &Options) -> Self {
        Self {
            breaks: PageBreaks::of(text, format),
            ..Self::new(text, options)
        }
    }

    /// Returns the original text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns its units, in order.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Returns the hashes of its windows of [`LEAST`] units.
    pub(super) fn windows(&self) -> &[u64] {
        self.windows
            .get_or_init(|| window_hashes(&self.units, LEAST))
    }

    /// Returns the lines that it has once, by the hashes of their units, ascending.
    pub(super) fn lines_once(&self) -> &[(u64, Range<usize>)] {
        self.lines_once.get_or_init(|| lines_once(self))
    }

    /// Returns how many lines it has. A line end at the end of the text begins no further line.
    pub fn line_count(&self) -> usize {
        let ends_line = self.line_starts.last() == Some(&self.text.len());
        self.line_starts.len() + usize::from(!ends_line)
    }

    /// Returns the number of the line, from 1, of a place in the text, in bytes.
    pub fn line(&self, at: usize) -> usize {
        1 + self.line_starts.partition_point(|&start| start <= at)
    }

    /// Returns the first and the last line of the text of some units, which must not be empty.
    pub fn lines(&self, units: &Range<usize>) -> (usize, usize) {
        let stretch = self.stretch(units);
        let shown = &self.text[stretch.clone()];
        let text = shown.trim();
        let start = stretch.start + (shown.len() - shown.trim_start().len());
        // Units that come from one character may have none of their own.
        let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
        (self.line(start), self.line(start + last))
    }

    /// Returns all units on the lines of some units, which must not be empty.
    pub(crate) fn whole_lines(&self, units: &Range<usize>) -> Range<usize> {
        let (first, last) = self.lines(units);
        let line = |unit: usize| self.line(self.places[unit].start);
        let mut whole = units.clone();
        while whole.start > 0 && line(whole.start - 1) == first {
            whole.start -= 1;
        }
        while whole.end < self.units.len() && line(whole.end) == last {
            whole.end += 1;
        }
        whole
    }

    /// Returns the lines of the text of some units, which must not be empty; the pages if its file has pages.
    pub fn extent(&self, units: &Range<usize>) -> Extent {
        self.breaks.extent(self.lines(units))
    }

    /// Returns where the pages of its file begin.
    pub fn breaks(&self) -> &PageBreaks {
        &self.breaks
    }

    /// Returns the stretch of the text that some units are shown as, in bytes. The units must not be empty. The
    /// stretches of all units of a document are its whole text, without gaps.
    pub fn stretch(&self, units: &Range<usize>) -> Range<usize> {
        self.cut(units.start)..self.cut(units.end)
    }

    /// Returns the stretches of the text that the parts of a passage are shown as, in bytes. `parts` are their units,
    /// each with whether it is the same in both documents. The separators around a changed part belong to its
    /// neighbours.
    pub fn parts(
        &self,
        passage: &Range<usize>,
        parts: impl Iterator<Item = (Range<usize>, bool)>,
    ) -> Vec<Range<usize>> {
        let whole = self.stretch(passage);
        let mut starts: Vec<usize> = Vec::new();
        let mut is_change_empty = true;
        for (units, is_same) in parts {
            let least = starts.last().copied();
            let start = match least {
                None => whole.start,
                Some(last) if is_same && is_change_empty => last,
                Some(_) if is_same => self.places[units.start - 1].end,
                Some(_) => self.gap(units.start).map_or(whole.end, |gap| gap.end),
            };
            // Several units may come from one character.
            starts.push(start.max(least.unwrap_or(0)));
            is_change_empty = units.is_empty();
        }
        let ends = starts.iter().skip(1).copied().chain([whole.end]);
        starts
            .iter()
            .zip(ends)
            .map(|(&start, end)| start..end)
            .collect()
    }

    /// Returns where the text is cut between a unit and the one before it, in bytes. It is cut behind the last line end
    /// between them, or else before the first white space or opening bracket. So a full stop stays with its sentence.
    pub fn cut(&self, unit: usize) -> usize {
        if unit == 0 {
            return 0;
        }
        let Some(gap) = self.gap(unit) else {
            return self.text.len();
        };
        let between = &self.text[gap.clone()];
        let offset = match between.rfind('\n') {
            Some(end) => end + 1,
            None => between
                .find(|c: char| c.is_whitespace() || OPENING.contains(&c))
                .unwrap_or(between.len()),
        };
        gap.start + offset
    }

    /// Returns the place between a unit and the one before it, in bytes; `None` behind the last unit.
    fn gap(&self, unit: usize) -> Option<Range<usize>> {
        let start = self.places.get(unit.wrapping_sub(1)).map_or(0, |p| p.end);
        // Two units may come from one character.
        let end = self.places.get(unit)?.start.max(start);
        Some(start..end)
    }

    /// Returns whether there is text on the line before a place, which is in bytes.
    pub fn goes_on(&self, at: usize) -> bool {
        let start = self.line_start(at);
        !self.text[start..at].trim().is_empty()
    }

    /// Returns whether there is text on the line both before and behind a place, which is in bytes.
    pub fn is_cut(&self, at: usize) -> bool {
        let next = self.line_starts.get(self.line(at) - 1);
        let rest = &self.text[at..next.copied().unwrap_or(self.text.len())];
        !rest.trim().is_empty() && self.goes_on(at)
    }

    /// Returns where the line of a place begins, in bytes.
    fn line_start(&self, at: usize) -> usize {
        match self.line(at) {
            1 => 0,
            line => self.line_starts[line - 2],
        }
    }

    /// Returns where the line of a unit begins, in bytes; `None` if the unit before it is on the same line. The unit
    /// must not be the first one.
    pub fn line_break(&self, unit: usize) -> Option<usize> {
        let gap = self.gap(unit)?;
        let bytes = &self.text.as_bytes()[gap.clone()];
        let end = bytes.iter().rposition(|&byte| byte == b'\n')?;
        Some(gap.start + end + 1)
    }
}

/// Returns the hash of every window of `window` units.
pub(crate) fn window_hashes(units: &[Unit], window: usize) -> Vec<u64> {
    let windows = units.windows(window);
    windows.map(|units| xxh3_64(cast_slice(units))).collect()
}

/// Returns the lines that a document has once, by the hashes of their units, ascending.
fn lines_once(side: &Side<'_>) -> Vec<(u64, Range<usize>)> {
    let units = side.units();
    let mut lines = Vec::new();
    let mut start = 0;
    for end in 1..=units.len() {
        if end < units.len() && side.line_break(end).is_none() {
            continue;
        }
        if end - start >= LEAST_OF_LINE {
            lines.push((xxh3_64(cast_slice(&units[start..end])), start..end));
        }
        start = end;
    }
    lines.sort_unstable_by_key(|(hash, line)| (*hash, line.start));
    let once = lines
        .chunk_by(|x, y| x.0 == y.0)
        .filter(|same| same.len() == 1);
    once.flatten().cloned().collect()
}

/// Characters that belong to the word behind them.
const OPENING: [char; 16] = [
    '(', '[', '{', '<', '«', '“', '‘', '「', '『', '《', '〈', '【', '〔', '（', '［', '｛',
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str) -> Side<'_> {
        Side::new(text, &Options::default())
    }

    #[test]
    fn lines_are_counted_from_one() {
        let side = of("一二\r\n\n三 four\n");
        assert_eq!(side.line_count(), 3);
        assert_eq!(side.units().len(), 4);
        assert_eq!(side.lines(&(0..2)), (1, 1));
        assert_eq!(side.lines(&(2..4)), (3, 3));
        assert_eq!(of("").line_count(), 1);
        assert_eq!(of("a").line_count(), 1);
        assert_eq!(of("a\n\nb").line_count(), 3);
    }

    #[test]
    fn stretches_keep_their_punctuation() {
        let text = "# 题\n他说：“好。”（对）\n";
        let side = of(text);
        let shown = |from, to| &text[side.stretch(&(from..to))];
        assert_eq!(shown(0, 1), "# 题\n");
        assert_eq!(shown(1, 3), "他说：");
        assert_eq!(shown(3, 4), "“好。”");
        assert_eq!(shown(4, 5), "（对）\n");
    }

    #[test]
    fn units_have_their_places_in_the_original_text() {
        for (text, expected) in [
            ("ＡＢ１ 中", vec!["ＡＢ１", "中"]),
            ("e\u{301}tude ﬁn", vec!["e\u{301}tude", "ﬁn"]),
            ("co\u{ad}op\r\n\u{feff}文", vec!["co\u{ad}op", "文"]),
            (
                "\u{1112}\u{1161}\u{11ab} 글",
                vec!["\u{1112}\u{1161}\u{11ab} 글"],
            ),
            ("㍿", vec!["㍿", "㍿", "㍿", "㍿"]),
        ] {
            let side = of(text);
            let found: Vec<&str> = side.places.iter().map(|p| &text[p.clone()]).collect();
            assert_eq!(found, expected);
        }
    }

    proptest! {
        #[test]
        fn stretches_make_up_the_text(text in "[a-c中文，。（ \n㍿ﷺﬁ\u{301}\u{ad}]{0,60}", at in 0_usize..60) {
            let side = of(&text);
            let count = side.units().len();
            if count > 0 {
                let at = at % count;
                let mut whole = String::new();
                for stretch in [0..at, at..count] {
                    if !stretch.is_empty() {
                        whole.push_str(&text[side.stretch(&stretch)]);
                    }
                }
                prop_assert_eq!(whole, text.as_str());
            }
        }
    }
}
