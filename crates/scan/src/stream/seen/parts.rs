//! The parts of a document: its shingles, or its paragraphs.
//!
//! A paragraph is a line of the text, as in CCNet (Wenzek et al. 2020): crawled text has one line for each paragraph.
//! Only the units of a line count, so that lines that differ in case or punctuation are one paragraph. A line without
//! units (a rule, an empty line) is not a paragraph.

use std::num::NonZeroUsize;

use xxhash_rust::xxh3::xxh3_64;

use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::text::cutter::Cutter;
use dupfind_engine::text::han::Han;
use dupfind_engine::text::segmenter::Segmenter;
use dupfind_engine::text::units::ShingleUnit;

/// A part of a document as a number below 2^48. Two different ones are the same number once in 2^48, which
/// is nothing beside the false positives of a filter.
pub type Part = u64;

/// The bits of a [`Part`]: it needs six bytes in a window.
pub(crate) const PART_BITS: u32 = 48;

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A shingle.
    Shingle,
    /// A line that has units.
    Paragraph,
}

impl By {
    /// Returns its name in options and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shingle => "shingle",
            Self::Paragraph => "paragraph",
        }
    }

    /// Returns how many distinct ones a document is taken to have by default: about as many as a text of 600 words or
    /// Chinese characters has.
    pub(crate) fn per_document(self) -> u64 {
        match self {
            Self::Shingle => 600,
            Self::Paragraph => 20,
        }
    }
}

/// How texts are cut into parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartOptions {
    /// What a part is.
    pub by: By,
    /// Whether Traditional characters are folded.
    pub han: Han,
    /// What a shingle is made of.
    pub unit: ShingleUnit,
    /// Units in a shingle.
    pub size: NonZeroUsize,
}

/// Cuts one document after the other into parts, and uses its memory again.
#[derive(Debug)]
pub(crate) struct PartCutter {
    options: PartOptions,
    document: Cutter,
    line: Cutter,
    shingler: Shingler,
}

impl PartCutter {
    /// Returns a cutter without memory of its own yet.
    pub(crate) fn new(options: PartOptions) -> Self {
        let cutter = || Cutter::new(options.unit, options.han);
        Self {
            options,
            document: cutter(),
            line: cutter(),
            shingler: Shingler::default(),
        }
    }

    /// Returns the distinct parts of a document; none if its text has no units.
    pub(crate) fn parts(&mut self, text: &str, segmenter: &Segmenter) -> Vec<Part> {
        self.document.read(text);
        let parts = match self.options.by {
            By::Shingle => {
                let units = self.document.units(segmenter);
                self.shingler.set(units, self.options.size).to_vec()
            }
            By::Paragraph => {
                let (line_cutter, shingler) = (&mut self.line, &mut self.shingler);
                let paragraphs = self.document.normal().lines().filter_map(|line| {
                    line_cutter.read_normal(line);
                    // All units of the line are one shingle.
                    let units = line_cutter.units(segmenter);
                    shingler.set(units, NonZeroUsize::MAX).first().copied()
                });
                let mut paragraphs: Vec<u64> = paragraphs.collect();
                paragraphs.sort_unstable();
                paragraphs.dedup();
                paragraphs
            }
        };
        parts.into_iter().map(part).collect()
    }
}

/// Returns a shingle as a number that looks random. Most shingles are the code points of their characters, which are
/// alike.
fn part(shingle: u64) -> Part {
    xxh3_64(&shingle.to_le_bytes()) >> (u64::BITS - PART_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, by: By) -> Vec<Part> {
        let cutting = PartOptions {
            by,
            han: Han::Kept,
            unit: ShingleUnit::Auto,
            size: NonZeroUsize::new(3).unwrap(),
        };
        let mut parts = PartCutter::new(cutting).parts(text, &Segmenter::new());
        parts.sort_unstable();
        parts
    }

    #[test]
    fn shingles_are_those_of_a_scan() {
        assert_eq!(parts("老公园 开放，老公园", By::Shingle).len(), 5);
        assert_eq!(parts("a b c a b c", By::Shingle).len(), 3);
        assert_eq!(
            parts("One, two", By::Shingle),
            parts("one TWO!", By::Shingle)
        );
        assert!(parts("... --\n", By::Shingle).is_empty());
        for text in ["老公园开放", "a b c d e f"] {
            let all = parts(text, By::Shingle);
            assert!(all.iter().all(|part| part >> PART_BITS == 0));
        }
    }

    #[test]
    fn paragraphs_are_lines_that_say_something() {
        let text = "One, two.\r\n\n---\nThree four five six seven\none TWO\n";
        assert_eq!(parts(text, By::Paragraph).len(), 2);
        let swapped = "three four five six seven\n\u{a0}ｏｎｅ　two";
        assert_eq!(parts(text, By::Paragraph), parts(swapped, By::Paragraph));
        assert!(parts("\n \n", By::Paragraph).is_empty());
    }
}
