//! A memory of texts: how much of a text was seen in earlier ones.

use std::num::NonZeroUsize;

use dupfind_engine::join::threshold::Threshold;
use dupfind_engine::{Error, Options, Result};

use crate::stream::parts::{Part, PartCutter};
use crate::stream::seen::{RATE, Seen, layout};

/// Remembers texts in memory of a fixed size. It forgets only texts beyond its window, and mistakes a few new parts for
/// known ones.
pub struct TextMemory {
    seen: Seen,
    cutter: PartCutter,
    texts: u64,
}

impl TextMemory {
    /// The share from which a text is a duplicate by default.
    ///
    /// With shingles of [`Self::SHINGLE_SIZE`] units, F1 on four labelled folders of 566 to 2,560 pages is .87 to .95 at
    /// any threshold from 0.4 to 0.6.
    pub const MIN_SIMILARITY: Threshold = Threshold::new(5, 10).expect("a fraction below 1");

    /// The units of a shingle by default.
    ///
    /// A text is compared with all earlier ones together, so that the 3 units of a scan are too few: of 20,000 pages
    /// about one subject, the last 1,000 had 80 % of their shingles of 3 units in common with earlier pages on average
    /// (46 % of those of 5, 23 % of those of 8). At a threshold of a half, 99 % of them would be duplicates.
    pub const SHINGLE_SIZE: NonZeroUsize = NonZeroUsize::new(8).expect("not zero");

    /// The memory in bytes by default.
    pub const BYTES: u64 = 256 << 20;

    /// Returns an empty memory. `window` is how many of the last texts are remembered, if not all; `available` is how many
    /// bytes there are.
    ///
    /// # Errors
    ///
    /// [`Error::TextMemory`] if the memory cannot be had.
    pub fn new(
        options: &Options,
        bytes: Option<u64>,
        window: Option<u64>,
        available: u64,
    ) -> Result<Self> {
        let layout = layout(bytes.unwrap_or(Self::BYTES), window);
        let seen = Seen::new(layout, available).map_err(|bytes| {
            Error::TextMemory(format!(
                "the shingles to remember need {bytes} bytes of memory, and there are not so many"
            ))
        });
        Ok(Self {
            seen: seen?,
            cutter: PartCutter::new(options),
            texts: 0,
        })
    }

    /// Remembers a text. Returns how many of its distinct parts were seen before, and how many it has.
    pub fn take(&mut self, text: &str) -> (u32, u32) {
        let parts = self.cutter.parts(text);
        self.take_parts(&parts)
    }

    /// As [`Self::take`], of a text that was cut before.
    pub fn take_parts(&mut self, parts: &[Part]) -> (u32, u32) {
        self.texts += u64::from(!parts.is_empty());
        let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        (self.seen.take(parts), count)
    }

    /// Returns how many texts were taken.
    pub fn texts(&self) -> u64 {
        self.texts
    }

    /// Returns how the memory is too small for the texts so far, in words.
    pub fn shortage(&self) -> Option<String> {
        let rate = self.seen.filter.rate();
        if rate > RATE {
            let texts = self.texts;
            return Some(format!(
                "after {texts} records {rate:.4} of the shingles of a new one seem seen, more than {RATE}"
            ));
        }
        let window = self.seen.window.as_ref()?;
        let (held, asked) = (window.sizes.len() as u64, window.limits.documents);
        let is_short = held < self.texts.min(asked);
        is_short.then(|| format!("only the last {held} records are remembered and not {asked}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: u64, window: Option<u64>) -> TextMemory {
        TextMemory::new(&Options::default(), Some(bytes), window, u64::MAX).unwrap()
    }

    #[test]
    fn seen_texts_are_known() {
        let mut memory = memory(1 << 20, None);
        let text = "one two three four five six seven eight nine ten";
        assert_eq!(memory.take(text), (0, 8));
        assert_eq!(memory.take("?!"), (0, 0));
        assert_eq!(memory.texts(), 1);
        assert_eq!(memory.take(text), (8, 8));
        assert_eq!(memory.shortage(), None);
    }

    #[test]
    fn it_knows_that_it_is_too_small() {
        let text = |at: u64| {
            (0..60)
                .map(|word| format!("{at}x{word} "))
                .collect::<String>()
        };
        for (window, words) in [
            (None, "of a new one seem seen, more than 0.01"),
            (
                Some(80),
                "only the last 11 records are remembered and not 80",
            ),
        ] {
            let mut memory = memory(8 << 10, window);
            for at in 0..200 {
                memory.take(&text(at));
            }
            let shortage = memory.shortage().unwrap();
            assert!(shortage.contains(words), "{shortage}");
        }
    }
}
