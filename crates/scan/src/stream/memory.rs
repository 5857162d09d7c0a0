//! A memory of texts: how much of a text was seen in earlier ones.

use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use crate::stream::seen::parts::{PartCutter, PartOptions};
use crate::stream::seen::settings::SeenOptions;
use crate::stream::seen::sizes::Sizes;
use crate::stream::seen::state::{State, Unusable};
use dupfind_engine::Options;
use dupfind_engine::join::threshold::Threshold;
use dupfind_engine::text::segmenter::Segmenter;
use dupfind_engine::{Error, Result};
use dupfind_files::replace::Replacement;

/// How much of a text was seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenShare {
    /// How many of its distinct parts were seen.
    pub seen: u32,
    /// How many it has.
    pub parts: u32,
}

impl SeenShare {
    /// Returns whether at least this share was seen. A text without parts was not seen.
    #[must_use]
    pub fn is_at_least(self, least: Threshold) -> bool {
        self.parts > 0 && least.admits(self.seen, self.parts)
    }
}

/// Remembers texts in memory of a fixed size. It forgets only texts beyond its window, and mistakes a few new parts for
/// known ones.
pub struct TextMemory {
    state: State,
    cutter: PartCutter,
    segmenter: Segmenter,
}

impl TextMemory {
    /// The share from which a text is a duplicate by default.
    ///
    /// With shingles of [`Self::SHINGLE_SIZE`] units, F1 on four labelled folders of 566 to 2,560 pages is .87 to .95 at
    /// any threshold from 0.4 to 0.6.
    pub const MIN_SEEN: Threshold = Threshold::new(5, 10).expect("a fraction below 1");

    /// The units of a shingle by default.
    ///
    /// A text is compared with all earlier ones together, so that the 3 units of a scan are too few: of 20,000 pages
    /// about one subject, the last 1,000 had 80 % of their shingles of 3 units in common with earlier pages on average
    /// (46 % of those of 5, 23 % of those of 8). At a threshold of a half, 99 % of them would be duplicates.
    pub const SHINGLE_SIZE: NonZeroUsize = NonZeroUsize::new(8).expect("not zero");

    /// Returns an empty memory. `available` is how many bytes there are.
    ///
    /// # Errors
    ///
    /// [`Error::TextMemory`] if the memory cannot be had.
    pub fn new(options: &Options, sizes: Sizes, available: u64) -> Result<Self> {
        let cutting = cutting(options);
        let state = State::new(SeenOptions::new(cutting, sizes), available);
        let state = state.map_err(|error| Error::TextMemory(error.to_string()))?;
        Ok(Self::of(state, cutting))
    }

    fn of(state: State, cutting: PartOptions) -> Self {
        Self {
            state,
            cutter: PartCutter::new(cutting),
            segmenter: Segmenter::new(),
        }
    }

    /// Returns the memory that was saved to a file, by this or by `dupfind stream`; an empty one if there is no file.
    ///
    /// # Errors
    ///
    /// [`Error::TextMemory`] if the file cannot be read, or was made with other options.
    pub fn open(path: &Path, options: &Options, sizes: Sizes, available: u64) -> Result<Self> {
        let cutting = cutting(options);
        let opened = State::open(path, &SeenOptions::new(cutting, sizes), available);
        let state = opened.map_err(|error| {
            // In Python an option is a keyword.
            let words = match &error {
                Unusable::Differs(_) => error.to_string().replace("--", "").replace('-', "_"),
                error => error.to_string(),
            };
            Error::TextMemory(format!("{}: {words}", path.display()))
        })?;
        match state {
            None => Self::new(options, sizes, available),
            Some(state) => Ok(Self::of(state, cutting)),
        }
    }

    /// Remembers a text, and returns how much of it was seen before.
    pub fn take(&mut self, text: &str) -> SeenShare {
        let parts = self.cutter.parts(text, &self.segmenter);
        let share = SeenShare {
            seen: self.state.seen.take(&parts),
            parts: u32::try_from(parts.len()).unwrap_or(u32::MAX),
        };
        if share.parts > 0 {
            self.state.position.records += 1;
            self.state.position.parts += u64::from(share.parts);
        }
        share
    }

    /// Returns how many texts were remembered.
    #[must_use]
    pub fn texts(&self) -> u64 {
        self.state.position.records
    }

    /// Saves it to a file, which is replaced as a whole.
    ///
    /// # Errors
    ///
    /// [`Error::TextMemory`] with the message of the operating system.
    pub fn save(&self, path: &Path) -> Result<()> {
        let saved = self.write(path);
        saved.map_err(|error| Error::TextMemory(format!("{}: {error}", path.display())))
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = Replacement::of(path)?;
        let mut out = BufWriter::new(&mut file);
        self.state.write(&mut out)?;
        out.flush()?;
        drop(out);
        file.finish_durably()
    }
}

fn cutting(options: &Options) -> PartOptions {
    PartOptions {
        unit: options.shingle_unit,
        size: options.shingle_size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seen_texts_are_known_after_saving() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seen");
        let options = Options::default();
        let sizes = Sizes {
            memory: Some(1 << 20),
            window: None,
        };
        let open = |options: &Options| TextMemory::open(&path, options, sizes, u64::MAX);
        let mut memory = open(&options).unwrap();
        let text = "one two three four five six seven eight nine ten";
        assert_eq!(memory.take(text).seen, 0);
        assert_eq!(memory.take("?!").parts, 0);
        memory.save(&path).unwrap();
        let mut again = open(&options).unwrap();
        assert_eq!(again.texts(), 1);
        let share = again.take(text);
        assert_eq!((share.seen, share.parts), (8, 8));
        assert!(share.is_at_least("1".parse().unwrap()));
        let other = Options {
            shingle_size: NonZeroUsize::new(5).unwrap(),
            ..options
        };
        let refused = open(&other).err().unwrap().to_string();
        assert!(
            refused.contains("made with shingle_size 3, not 5"),
            "{refused}"
        );
    }
}
