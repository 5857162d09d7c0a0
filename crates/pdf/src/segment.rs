//! Glyphs to runs of text on a line.

use crate::content::{Glyph, Glyphs};

/// A gap that is a space between words, between ideographs, and the widest one within a run: in parts of the size.
const WORD_GAP: f64 = 0.12;
const IDEOGRAPH_GAP: f64 = 0.9;
const RUN_GAP: f64 = 0.8;

/// How far a glyph may be from the line of the run, and reach back into it.
const OFF_LINE: f64 = 0.2;
const REACH_BACK: f64 = 0.5;

/// How near a glyph is drawn once more to look bold.
const SAME_PLACE: f64 = 0.1;

/// A run of glyphs on a line, with spaces between its words. Places are those of a page that is turned as for [`Glyph`].
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    pub(crate) text: String,
    pub(crate) turns: u8,
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) base: f64,
    pub(crate) size: f64,
}

/// Returns the runs of a page, in the order in which they are drawn.
pub(crate) fn segments(page: &Glyphs) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut last: Option<(Glyph, &str)> = None;
    let mut has_space = false;
    for glyph in &page.glyphs {
        let text = &page.text[glyph.text.0..glyph.text.1];
        if text.trim().is_empty() {
            has_space |= !text.is_empty();
            continue;
        }
        let near = SAME_PLACE * glyph.size;
        let is_twice = last.is_some_and(|(last, shown)| {
            shown == text
                && last.turns == glyph.turns
                && (last.from - glyph.from).abs() < near
                && (last.base - glyph.base).abs() < near
        });
        if is_twice {
            continue;
        }
        last = Some((*glyph, text));
        match segments.last_mut() {
            Some(segment) if segment.goes_on_with(glyph) => {
                if segment.is_under(glyph) && accented(&mut segment.text, text) {
                    segment.to = segment.to.max(glyph.to);
                } else {
                    let is_space = has_space
                        || is_gap(&segment.text, text, glyph.from - segment.to, glyph.size);
                    segment.add(text, is_space, glyph.to, glyph.size);
                }
            }
            _ => segments.push(Segment {
                text: text.trim_start().to_owned(),
                turns: glyph.turns,
                from: glyph.from,
                to: glyph.to,
                base: glyph.base,
                size: glyph.size,
            }),
        }
        has_space = text.ends_with(' ');
    }
    segments
}

impl Segment {
    /// Appends text that ends at a place.
    pub(crate) fn add(&mut self, text: &str, is_space: bool, to: f64, size: f64) {
        if is_space && !self.text.ends_with(' ') && !text.starts_with(' ') {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.to = self.to.max(to);
        self.size = self.size.max(size);
    }

    fn goes_on_with(&self, glyph: &Glyph) -> bool {
        let size = self.size.min(glyph.size);
        let gap = glyph.from - self.to;
        self.turns == glyph.turns
            && (self.base - glyph.base).abs() <= OFF_LINE * size
            && gap <= RUN_GAP * size
            && gap >= -REACH_BACK * self.size.max(glyph.size)
    }

    /// Whether the middle of a glyph is before the end of the run.
    fn is_under(&self, glyph: &Glyph) -> bool {
        (glyph.from + glyph.to) / 2.0 < self.to
            || self.to - glyph.from > 0.3 * (glyph.to - glyph.from)
    }
}

/// Returns whether a gap between two texts is a space.
pub(crate) fn is_gap(before: &str, after: &str, gap: f64, size: f64) -> bool {
    let both = before.chars().next_back().zip(after.chars().next());
    let is_ideographs = both.is_some_and(|(a, b)| is_ideograph(a) && is_ideograph(b));
    gap > size
        * if is_ideographs {
            IDEOGRAPH_GAP
        } else {
            WORD_GAP
        }
}

/// Returns whether a character is written without spaces around it: of Chinese or Japanese, with their punctuation.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

/// The accents that are drawn as a glyph of their own, and that follow their letter in Unicode.
const ACCENTS: [(char, char); 9] = [
    ('\u{b4}', '\u{301}'),
    ('`', '\u{300}'),
    ('\u{a8}', '\u{308}'),
    ('\u{2c6}', '\u{302}'),
    ('\u{2dc}', '\u{303}'),
    ('\u{af}', '\u{304}'),
    ('\u{2c7}', '\u{30c}'),
    ('\u{2d8}', '\u{306}'),
    ('\u{2da}', '\u{30a}'),
];

/// Puts an accent at the end of a text onto the letter that is drawn under it. Returns whether it does.
fn accented(text: &mut String, letter: &str) -> bool {
    let combining = |accent: char| {
        let mut known = ACCENTS.iter().filter(|(alone, _)| *alone == accent);
        known.next().map(|&(_, combining)| combining)
    };
    let Some(accent) = text.chars().next_back().and_then(combining) else {
        return false;
    };
    let mut letters = letter.chars();
    let letter = match (letters.next(), letters.next()) {
        (Some('\u{131}'), None) => 'i',
        (Some(letter), None) if letter.is_alphabetic() => letter,
        _ => return false,
    };
    text.pop();
    text.extend([letter, accent]);
    true
}
