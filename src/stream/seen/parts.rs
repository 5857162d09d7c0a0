//! The parts of a document: its shingles, or its paragraphs.
//!
//! A paragraph is a line of the text, as in CCNet (Wenzek et al. 2020): in crawled text, where whole paragraphs
//! recur, lines are what they are. Of a line only its units count, so that neither case nor punctuation tells two
//! apart, and a line without any (a rule, an empty one) is no paragraph.

use std::num::NonZeroUsize;

use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprint::shingles::Shingler;
use crate::stream::seen::{PART_BITS, Part};
use crate::text::han::Han;
use crate::text::normalize::normalize_into;
use crate::text::script::{Run, runs_into};
use crate::text::segmenter::Segmenter;
use crate::text::units::{ShingleUnit, Unit, units_into};

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// A shingle.
    Shingle,
    /// A line that has units.
    Paragraph,
}

impl By {
    /// The name used in options and files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Shingle => "shingle",
            Self::Paragraph => "paragraph",
        }
    }

    /// How many distinct ones a document is taken to have if nobody says: about as many as a text of 600 words or
    /// Chinese characters.
    pub(crate) fn per_document(self) -> u64 {
        match self {
            Self::Shingle => 600,
            Self::Paragraph => 20,
        }
    }
}

/// How texts are cut into parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cutting {
    /// What a part is.
    pub(crate) by: By,
    /// What becomes of Traditional characters.
    pub(crate) han: Han,
    /// What a unit is.
    pub(crate) unit: ShingleUnit,
    /// Units in a shingle.
    pub(crate) size: NonZeroUsize,
}

/// Changes when texts come to be cut in another way, so that what was remembered before means nothing any more.
pub(crate) const CUT_VERSION: u32 = 1;

/// Cuts one document after the other, in the same memory.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    text: String,
    runs: Vec<Run>,
    units: Vec<Unit>,
    shingler: Shingler,
}

impl Cutter {
    /// Returns one without memory of its own yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Takes the text of a document and how to cut it, and returns its distinct parts; none if it has no units.
    pub(crate) fn parts(
        &mut self,
        text: &str,
        cutting: Cutting,
        segmenter: &Segmenter,
    ) -> Vec<Part> {
        let mut normal = std::mem::take(&mut self.text);
        normal.clear();
        normalize_into(text, cutting.han, &mut normal);
        let parts = match cutting.by {
            By::Shingle => self
                .set(&normal, cutting.size, cutting.unit, segmenter)
                .to_vec(),
            By::Paragraph => {
                let lines = normal.lines();
                let whole = NonZeroUsize::MAX;
                let paragraphs = lines.filter_map(|line| {
                    // All units of the line are one shingle.
                    self.set(line, whole, cutting.unit, segmenter)
                        .first()
                        .copied()
                });
                let mut paragraphs: Vec<u64> = paragraphs.collect();
                paragraphs.sort_unstable();
                paragraphs.dedup();
                paragraphs
            }
        };
        self.text = normal;
        parts.into_iter().map(part).collect()
    }

    fn set(
        &mut self,
        text: &str,
        size: NonZeroUsize,
        unit: ShingleUnit,
        segmenter: &Segmenter,
    ) -> &[u64] {
        runs_into(text, &mut self.runs);
        self.units.clear();
        units_into(text, &self.runs, unit, segmenter, &mut self.units);
        self.shingler.set(&self.units, size)
    }
}

/// A shingle as a random number: most are the code points of their characters, which are alike.
fn part(shingle: u64) -> Part {
    xxh3_64(&shingle.to_le_bytes()) >> (u64::BITS - PART_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, by: By) -> Vec<Part> {
        let cutting = Cutting {
            by,
            han: Han::Kept,
            unit: ShingleUnit::Auto,
            size: NonZeroUsize::new(3).unwrap(),
        };
        let mut parts = Cutter::new().parts(text, cutting, &Segmenter::new());
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
